"""People of the same name, told apart: by their handle, by the town whose time they have, or by their address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.kernel.markdown import labelled, visible
from core.language import Language
from core.scheduling.views import zone_name

Person = Mapping[str, Any]


def labels(language: Language, people: Sequence[Person]) -> list[str]:
    """What stands on the buttons of people: their names, each with a mark where others are called so."""
    marked = marks(language, people)
    return [f"{labelled(one['name'], '–')} {marked[one['contact']]}".rstrip() for one in people]


def marks(language: Language, people: Sequence[Person]) -> dict[str, str]:
    """By contact what tells somebody from others of the same name here; empty where nobody else is called so."""
    shared = Counter(_called(one) for one in people)
    marked = {one["contact"]: _mark(language, one) if shared[_called(one)] > 1 else "" for one in people}
    seen: Counter[tuple[str, str]] = Counter()
    for one in people:
        name, mark = _called(one), marked[one["contact"]]
        seen[name, mark] += 1
        if shared[name] > 1 and (n := seen[name, mark]) > 1:
            marked[one["contact"]] = f"{mark} ({n})".strip()
    return marked


def _called(person: Person) -> str:
    return visible(str(person["name"])).casefold()


def _mark(language: Language, person: Person) -> str:
    known = [str(address).partition(":")[2] for address in person.get("addresses", ())]
    handle = next((one for one in known if one.startswith("@")), "")
    town = zone_name(language, person["zone"]) if person["zone"] else ""
    return handle or town or next(iter(known), "")
