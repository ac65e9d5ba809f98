"""Who wants to be left alone in a group, and whether a text names one of them: nobody notes anything about them there.

Privacy writes the wish down; whoever notes things about people asks here first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.types import LaneKey

# Of lines of the transcript (`message`) those that are not of who wants to be left alone there, nor answer them.
HEARD = (
    "NOT EXISTS (SELECT 1 FROM optout o WHERE o.tenant_id = message.tenant_id AND o.scope_id = message.scope_id"
    " AND o.person_id = message.person_id)"
)
# Scripts in which no space parts words.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftAlone:
    """Somebody who wants to be left alone, and all they are `called`, folded; `name` is for people to read."""

    person_id: int
    name: str
    called: Sequence[str]

    def named_in(self, text: str) -> bool:
        """Return whether a text names them: by a whole name, by a handle, by an address."""
        plain = folded(text)
        words = f" {' '.join(_WORD.findall(plain))} "
        return any(
            # Perhaps with the s of a genitive.
            one in plain if _UNSPACED.search(one) or ":" in one else re.search(rf" {re.escape(one)}s? ", words)
            for one in self.called
        )


def those(tx: Tx, lane: LaneKey) -> list[LeftAlone]:
    """Return who wants to be left alone in the lane's scope.

    By a first name alone they are called where nobody else who is known there has it.
    """
    rows = tx.all(
        "SELECT p.id, p.name, p.handle, a.external_id AS address FROM optout o JOIN person p ON p.id = o.person_id"
        " LEFT JOIN address a ON a.person_id = p.id WHERE o.tenant_id = :tenant_id AND o.scope_id = :scope_id"
        " ORDER BY p.id, a.external_id",
        lane.params(),
    )
    if not rows:
        return []
    others = tx.all(
        "SELECT p.name FROM contact c JOIN person p ON p.id = c.person_id WHERE c.tenant_id = :tenant_id"
        " AND c.scope_id = :scope_id AND NOT EXISTS (SELECT 1 FROM optout o WHERE o.scope_id = c.scope_id"
        " AND o.person_id = p.id)",
        lane.params(),
    )
    taken = {_first(row["name"]) for row in others}
    found: dict[int, LeftAlone] = {}
    for row in rows:
        names = [" ".join(_WORD.findall(folded(row["name"])))]
        if _first(row["name"]) not in taken:
            names.append(_first(row["name"]))
        handle = (row["handle"] or "").lower().lstrip("@")
        before = found[row["id"]].called if row["id"] in found else ()
        called = dict.fromkeys([*before, *names, " ".join(_WORD.findall(handle)), (row["address"] or "").lower()])
        found[row["id"]] = LeftAlone(
            person_id=row["id"], name=row["name"], called=[one for one in called if len(one) > 1]
        )
    return list(found.values())


def _first(name: str) -> str:
    return next(iter(_WORD.findall(folded(name))), "")


def named(tx: Tx, lane: LaneKey, *texts: str) -> LeftAlone | None:
    """Return who wants to be left alone in the lane's scope and is named by one of these texts; None for nobody."""
    return next((one for one in those(tx, lane) if any(map(one.named_in, texts))), None)
