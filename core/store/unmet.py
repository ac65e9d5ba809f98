"""People of a chat's book who have no private chat with the bot yet."""

from __future__ import annotations

import re
import unicodedata

from core import ids
from core.ports import Tx
from core.store import contacts
from core.store.contact_rows import handle_in
from core.types import LaneKey

# What may not stand beside a name: "@bob" is not in "@bob.smith", nor "Will" in "Willow". Chinese writes no spaces.
_BEFORE, _BEHIND = r"(?<![A-Za-z0-9_])(?<![A-Za-z0-9_][.-])", r"(?![.-]?[A-Za-z0-9_])"


def named(tx: Tx, lane: LaneKey, text: str) -> list[str]:
    """The addresses of those whom a text names: by handle, address or id, or by a name as it is written.

    Only who has an address of their own: of a handle alone nobody knows whose it is.
    """
    sql = (
        "SELECT c.id, c.nickname, x.external_id AS address FROM contact c JOIN contact_address x ON x.contact_id = c.id"
        " WHERE c.tenant_id = :tenant_id AND c.scope_id = :scope_id AND c.status = 'active' AND NOT EXISTS"
        " (SELECT 1 FROM person p JOIN chat h ON h.scope_id = p.scope_id AND h.tenant_id = p.tenant_id"
        " WHERE p.id = c.person_id AND h.kind = 'private' AND h.state <> 'gone') ORDER BY c.id, x.external_id"
    )
    known: dict[int, tuple[str, list[str]]] = {}
    for row in tx.all(sql, lane.params()):
        known.setdefault(int(row["id"]), (row["nickname"], []))[1].append(row["address"])
    said = _plain(text)
    found = [number for number, (name, written) in known.items() if _says(said, number, name, written)]
    unmet = [number for number in found if _is_unmet(tx, lane, number)]
    own = (next((one for one in known[number][1] if ":@" not in one), "") for number in unmet)
    return [one for one in own if one]


def _is_unmet(tx: Tx, lane: LaneKey, number: int) -> bool:
    """Also of somebody who was noted by an address before the bot knew them."""
    reach = contacts.reach(tx, lane, number)
    return reach is not None and reach.lane is None


def _says(said: str, number: int, name: str, addresses: list[str]) -> bool:
    marks = [ids.ref("c", number), *addresses, *(handle_in(one) for one in addresses)]
    if any(_within(mark, said, re.IGNORECASE) for mark in marks):
        return True
    # In small letters many first names are other words: will, mark, may.
    whole = _plain(name)
    return _within(whole, said) or _within(whole.partition(" ")[0], said)


def _within(name: str, said: str, flags: re.RegexFlag = re.NOFLAG) -> bool:
    return bool(name) and re.search(f"{_BEFORE}{re.escape(name)}{_BEHIND}", said, flags) is not None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())
