"""References to people in a text: `Anna (tg:1001)`. They are ids of contacts of the scope (TOOLS: Todo, seed 002)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import service as addressing
from core.capabilities.contacts.repository import Contact
from core.kernel.errors import Refused
from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.language import all_words
from core.toolkit.tool import ToolContext

MOST_PEOPLE, LONGEST_NAME = 20, 200
# What an id of each kind looks like.
_IDS = {
    "tg": re.compile(r"-?\d{1,19}|@[A-Za-z0-9_]{1,64}"),
    "slack": re.compile(r"[A-Za-z0-9]{1,64}(?::[A-Za-z0-9]{1,64})?"),
    "maep": re.compile(r"[A-Za-z0-9._:-]{1,128}"),
    "discord": re.compile(r"\d{1,20}"),
}
_KIND = "|".join(_IDS)
# "(slack: the app)" is just text: a reference has no space behind its kind.
_IN_TEXT = re.compile(rf"\((({_KIND}):(?:[^\s()][^()]*)?)\)", re.IGNORECASE)
_ALONE = re.compile(rf"(?:{_KIND}):\S*", re.IGNORECASE)
_NAMED = re.compile(r"(.*?)\s*\(([^()]*)\)\s*", re.DOTALL)
_DENSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A text with references behind the names in it, and the contacts that were named; `raw` when not all could be."""

    content: str
    contacts: tuple[int, ...] = ()
    raw: bool = False


def refer(tx: Tx, context: ToolContext, content: str, people: Sequence[str]) -> Named:
    """Find the `people` (names, handles, ids, references) among the contacts and refer to them in the text.

    Raises `Refused` for a reference with a bad id, or one that is no contact's, in the text too. A name that is
    nobody's, or that of several, stays as it is written; in a group a handle that nobody has written under is noted.
    """
    if len(people) > MOST_PEOPLE:
        raise Refused("too_many_people", count=len(people))
    for match in _IN_TEXT.finditer(content):
        _known(tx, context, match[1])
    found: list[int] = []
    raw = False
    for person in people:
        name, contact = _find(tx, context, person)
        # An address that stays the same rather than a handle.
        known = contact.addresses if contact else ()
        address = min(known, key=lambda address: ("@" in address, address), default="")
        raw = raw or not address
        if contact is not None:
            found.append(contact.contact_id)
            content = _insert(content, name, contact, address) if address else content
    return Named(content=content, contacts=tuple(dict.fromkeys(found)), raw=raw)


def _find(tx: Tx, context: ToolContext, person: str) -> tuple[str, Contact | None]:
    """Return how somebody was written, without a reference, and the one contact that this means, if there is one."""
    written = person.strip()[:LONGEST_NAME]
    referred = _NAMED.fullmatch(written)
    if referred and _ALONE.fullmatch(referred[2]):
        return referred[1], _known(tx, context, referred[2])
    if _ALONE.fullmatch(written):
        return "", _known(tx, context, written)
    if folded(written) in all_words("todo_me"):
        return "", contacts.of_person(tx, context.lane, context.principal.person_id)
    several = addressing.named(tx, context, written) if written else []
    if not several and addressing.notable(tx, context, written):
        several = addressing.note(tx, context, written)
    return written, several[0] if len(several) == 1 else None


def _known(tx: Tx, context: ToolContext, reference: str) -> Contact:
    kind, _, found = reference.partition(":")
    if not _IDS[kind.lower()].fullmatch(found):
        raise Refused("todo_reference", reference=reference[:80])
    address = f"{kind.lower()}:{found.lower() if found.startswith('@') else found}"
    several = addressing.named(tx, context, address)
    if not several and found.startswith("@"):
        several = addressing.named(tx, context, found.lower())
    if not several:
        raise Refused("todo_reference_unknown", reference=reference[:80])
    return several[0]


def _insert(content: str, written: str, contact: Contact, address: str) -> str:
    """Put the reference behind the first mention of the name that has none yet."""
    for name in dict.fromkeys(filter(None, (written, contact.nickname))):
        before, after = ("", "") if _DENSE.search(name) else (r"(?<!\w)", r"(?!\w)")
        match = re.search(rf"{before}{re.escape(name)}{after}(?!\s*\()", content, re.IGNORECASE)
        if match:
            said = re.sub(r"[()]", "", contact.nickname) if match[0].startswith("@") else match[0]
            return f"{content[: match.start()]}{said or match[0]} ({address}){content[match.end() :]}"
    return content
