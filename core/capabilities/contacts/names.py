"""Finding contacts by what people call them, without reading all that is noted of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.contacts.rows import handle_in
from core.kernel import ids
from core.kernel.markdown import folded, without_pictures
from core.kernel.ports import Tx
from core.kernel.types import LaneKey

LONGEST, MOST_WORDS = 200, 8
_WORD = re.compile(r"\S+")


def meant(tx: Tx, lane: LaneKey, name: str) -> list[int]:
    """Return the ids of the active contacts of the lane's scope that a name may mean."""
    return _meant(_entries(tx, lane), name)


def opening(tx: Tx, lane: LaneKey, text: str) -> tuple[list[int], str]:
    """Return the ids of those that the longest possible beginning of a text may mean, and the rest of the text."""
    entries = _entries(tx, lane)
    ends = [word.end() for word in _WORD.finditer(text[:LONGEST])][:MOST_WORDS]
    for end in reversed(ends):
        found = _meant(entries, text[:end])
        if found:
            return found, text[end:].strip()
    return [], text


@dataclass(frozen=True, slots=True)
class _Entry:
    """A contact as it is looked up: the name folded, the addresses as people may write them."""

    contact_id: int
    name: str
    addresses: frozenset[str]


def _entries(tx: Tx, lane: LaneKey) -> list[_Entry]:
    """Return the active contacts of a scope, without what is not needed to look one up."""
    found: dict[int, tuple[str, set[str]]] = {}
    sql = (
        "SELECT c.id, c.nickname, x.external_id AS address FROM contact c"
        " LEFT JOIN contact_address x ON x.contact_id = c.id WHERE c.tenant_id = :tenant_id"
        " AND c.scope_id = :scope_id AND c.status = 'active' ORDER BY c.id"
    )
    for row in tx.all(sql, lane.params()):
        _, addresses = found.setdefault(int(row["id"]), (row["nickname"], set()))
        if row["address"]:
            addresses |= {row["address"].casefold(), handle_in(row["address"])} - {""}
    return [_Entry(number, folded(name), frozenset(addresses)) for number, (name, addresses) in found.items()]


def _meant(entries: Sequence[_Entry], name: str) -> list[int]:
    """Return the ids of those that a name may mean."""
    said, number = folded(name), ids.number("c", name)
    if not said:
        return []
    found = [one for one in entries if one.contact_id == number]
    found = found or [one for one in entries if said in one.addresses]
    found = found or [one for one in entries if one.name == said]
    # Nobody types the pictures that somebody has in their name.
    plain = without_pictures(said)
    spoken = [(one, without_pictures(one.name)) for one in entries]
    found = found or [one for one, name in spoken if name == plain]
    found = found or [one for one, name in spoken if name.startswith(f"{plain} ")]
    return [one.contact_id for one in found]
