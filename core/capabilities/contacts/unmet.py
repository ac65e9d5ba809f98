"""People of a chat's book who have no private chat with the bot yet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts.rows import handle_in
from core.kernel import ids
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Sender

_SENTENCE = re.compile(r"[.!?…:;。！？：；]")
# Scripts without spaces between words: Han, kana and bopomofo.
_SPACELESS = re.compile(r"[\u3005-\u3007\u3040-\u312f\u31a0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
SHORTEST, SHORTEST_SPACELESS = 3, 2


@dataclass(slots=True)
class _Known:
    """A contact; `name` is what the platform calls them, empty when somebody noted another one."""

    name: str
    addresses: list[str] = field(default_factory=list)


def named(tx: Tx, lane: LaneKey, text: str) -> dict[str, bool]:
    """Return the addresses of those whom a person's own words name: surely, by address or id; or by a handle, or the
    name that the platform once said is theirs (`calls`).

    What somebody noted as a nickname names nobody: a model may have noted it. Only who has an address of their own is
    found, and one alone: of a handle nobody knows whose it is.
    """
    sql = (
        "SELECT c.id, c.nickname, c.learned, x.external_id AS address FROM contact c"
        " JOIN contact_address x ON x.contact_id = c.id"
        " WHERE c.tenant_id = :tenant_id AND c.scope_id = :scope_id AND c.status = 'active' AND NOT EXISTS"
        " (SELECT 1 FROM person p JOIN chat h ON h.scope_id = p.scope_id AND h.tenant_id = p.tenant_id"
        " WHERE p.id = c.person_id AND h.kind = 'private' AND h.state <> 'gone') ORDER BY c.id, x.external_id"
    )
    known: dict[int, _Known] = {}
    for row in tx.all(sql, lane.params()):
        contact = known.setdefault(int(row["id"]), _Known(name=row["nickname"] if row["learned"] else ""))
        contact.addresses.append(row["address"])
    found: dict[str, bool] = {}
    for number, one in known.items():
        own = [address for address in one.addresses if not handle_in(address)]
        sure = _says(text, [ids.ref("c", number), *own], "")
        said = sure or _says(text, list(filter(None, map(handle_in, one.addresses))), one.name)
        if not said or len(own) != 1:
            continue
        # Somebody who was noted by an address before the bot knew them may have met it since.
        reach = contacts.reach(tx, lane, number)
        if reach is not None and reach.lane is None:
            found[own[0]] = sure
    return found


def calls(text: str, sender: Sender) -> bool:
    """Return whether somebody's own words name a person by what the platform calls them now: handles can be noted,
    too."""
    return _says(text, [sender.address, *filter(None, [sender.handle])], sender.name)


def says(text: str, name: str) -> bool:
    """Return whether somebody's own words name a person so: by a handle, an id or an address as it stands, else by the
    whole of a name."""
    exact = name.startswith("@") or ":" in name or ids.number("c", name) is not None
    return _says(text, [name], "") if exact else _says(text, [], name)


def _says(text: str, marks: Sequence[str], name: str) -> bool:
    lines = [_plain(line) for line in text.splitlines()]
    marked = any(True for line in lines for mark in marks for _ in _places(mark.lower(), line.lower()))
    return marked or any(_calls(_plain(name), line) for line in lines)


def _calls(name: str, line: str) -> bool:
    """Return whether a line has the whole of a name, as a name: else "will" and "the boss" would be people.

    By its capital letters; a single word not where every word has one, at the beginning of a sentence.
    """
    letters = [char for char in name if char.isalpha()]
    if letters and all(map(_SPACELESS.match, letters)):
        return len(letters) >= SHORTEST_SPACELESS and name in line
    words = name.split()
    firsts = [next(filter(str.isalpha, word), "") for word in words]
    # In scripts without capital letters all of them are.
    capitals = [first for first in firsts if first and first == first.upper()]
    if len(letters) < SHORTEST or len(capitals) < min(2, len(words)):
        return False
    # A single word counts where letters of the same sentence stand before it.
    return any(
        len(words) > 1 or any(map(str.isalpha, _SENTENCE.split(line[:start])[-1])) for start in _places(name, line)
    )


def _places(mark: str, line: str) -> Iterator[int]:
    """Where a line has a mark by itself: "@bob" is not in "@bob.smith" nor "bob@x.example", "Will" not in "Willow"."""
    start = line.find(mark)
    while start >= 0:
        before, behind = line[:start], line[start + len(mark) :]
        if not (before.endswith(("#", "/")) or _goes_on(before[::-1], ".-@") or _goes_on(behind, ".-@/")):
            yield start
        start = line.find(mark, start + 1)


def _goes_on(beside: str, joints: str) -> bool:
    """Return whether a word goes on beside a mark, also behind a sign that joins words."""
    first, second = beside[:1], beside[1:2]
    return _is_letter(first) or (first in joints and _is_letter(second))


def _is_letter(char: str) -> bool:
    if not char or _SPACELESS.match(char):
        return False
    return char == "_" or unicodedata.category(char)[0] in "LMN"


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())
