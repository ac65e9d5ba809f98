"""People of the same name, told apart: by their handle, the town whose time they have, or their address.

Things of the same text are told apart by what is particular to each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.capabilities.contacts.service import Person
from core.kernel.markdown import labelled, truncated, visible
from core.language import Language
from core.scheduling.views import zone_name

# As much of a text as is left of it on a button at least.
FEWEST = 10


def labels(language: Language, people: Sequence[Person]) -> list[str]:
    """Return what stands on the buttons of people: their names, each with a mark where others are called so."""
    marked = marks(language, people)
    return [f"{labelled(person.name, '–')} {marked[person.contact]}".rstrip() for person in people]


def marks(language: Language, people: Sequence[Person]) -> dict[str, str]:
    """By contact what tells somebody from others of the same name here; empty where nobody else is called so."""
    shared = Counter(_called(person) for person in people)
    marked = {person.contact: "" for person in people}
    seen: Counter[tuple[str, str]] = Counter()
    for person in people:
        name = _called(person)
        if shared[name] == 1:
            continue
        known = [address.partition(":")[2] for address in person.addresses]
        handle = next((address for address in known if address.startswith("@")), "")
        town = zone_name(language, person.zone) if person.zone else ""
        mark = handle or town or next(iter(known), "")
        seen[name, mark] += 1
        n = seen[name, mark]
        marked[person.contact] = f"{mark} ({n})".strip() if n > 1 else mark
    return marked


def told_apart(texts: Sequence[str], particulars: Sequence[str], most: int) -> list[str]:
    """Return what stands on the buttons of things: their texts, `most` characters, those that look alike with what is
    particular to each."""
    shown = [truncated(text, most) for text in texts]
    alike = Counter(text.casefold() for text in shown)
    return [
        f"{truncated(text, max(most - len(mark) - 3, FEWEST))} ({mark})" if alike[one.casefold()] > 1 and mark else one
        for text, one, mark in zip(texts, shown, particulars, strict=True)
    ]


def _called(person: Person) -> str:
    return visible(person.name).casefold()
