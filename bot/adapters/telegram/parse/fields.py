"""What is read alike in all that the Bot API sends: fields, people (https://core.telegram.org/bots/api#user), the bot.

It is raw JSON, none of which is to be trusted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.kernel.clean_text import storable
from core.kernel.types import Millis, Sender

MILLIS = 1000
YEAR_3000 = 32_503_680_000
PREFIX = "tg:"
USER_ID = re.compile(r"[1-9]\d{0,15}", re.ASCII)
USERNAME = re.compile(r"[A-Za-z0-9_]{1,32}")
# A message has 100 entities at most; a card or a forward names one more.
MOST_NAMED = 100
_NAMING = frozenset({"entities", "caption_entities", "forward_origin", "contact"})

Fields = Mapping[str, Any]


def integer(fields: Fields, name: str) -> int:
    """Return a field that must be an integer of 64 bits; raise `KeyError` or `TypeError`."""
    value = fields[name]
    if not is_id(value):
        raise TypeError(f"{name} is no integer of 64 bits")
    return int(value)


def count(fields: Fields, name: str) -> int:
    """Return a size or a length, 0 when there is none to be read."""
    value = fields.get(name)
    return max(0, int(value)) if value is not None and is_id(value) else 0


def is_id(value: object) -> bool:
    """Whether a database can take the value as an integer."""
    return type(value) is int and -(2**63) <= value < 2**63 - 1


def instant(fields: Fields, name: str = "date") -> Millis:
    """Return the date of a message; raise `ValueError` for one that is no time."""
    date = integer(fields, name)
    if not 0 <= date < YEAR_3000:
        raise ValueError(f"{name} {date} is no time")
    return date * MILLIS


def full_name(user: Fields) -> str:
    """Return the name that a User or a Contact goes by."""
    return storable(" ".join(filter(None, (user.get("first_name"), user.get("last_name")))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The bot itself. `reads_all` tells whether privacy mode is off: whether it gets all messages of its groups."""

    id: int
    username: str
    name: str = ""
    reads_all: bool = False


def read_me(user: object) -> Me:
    """Read the result of getMe (https://core.telegram.org/bots/api#getme).

    Raises `TypeError`, `KeyError` or `ValueError` when it is no bot.
    """
    if not isinstance(user, dict):
        raise TypeError("the result of getMe is no object")
    fields: Fields = user
    username = fields["username"]
    if not isinstance(username, str) or not username:
        raise ValueError("the bot has no username")
    return Me(
        id=integer(fields, "id"),
        username=storable(username),
        name=storable(str(fields.get("first_name") or "")),
        reads_all=fields.get("can_read_all_group_messages") is True,
    )


def user(fields: Fields) -> Sender:
    """Read a User. Their `handle` is the name by which others mention them, `@anna`; empty where there is none."""
    username = fields.get("username")
    handle = USERNAME.fullmatch(username) if isinstance(username, str) else None
    return Sender(
        address=f"{PREFIX}{integer(fields, 'id')}",
        name=full_name(fields),
        language=storable(fields.get("language_code") or ""),
        handle=f"@{handle[0].lower()}" if handle else "",
    )


def user_id(address: str) -> str:
    """Return the id in the address of a user (`tg:1001`); empty for all others, as groups and handles."""
    known = address.removeprefix(PREFIX)
    return known if known != address and USER_ID.fullmatch(known) else ""


def named(message: Fields, me: Me) -> tuple[Sender, ...]:
    """Return the people a Message names and whom the platform knows, each once; no bots.

    They are those of its text_mention entities, of a card (Contact) with a user, and whom it is forwarded from. A name
    written as @anna says nothing of who that is.
    """
    if _NAMING.isdisjoint(message):
        return ()
    entities = message.get("entities" if "text" in message else "caption_entities")
    mentions = [one.get("user") for one in entities if isinstance(one, dict)] if isinstance(entities, list) else []
    origin, card = message.get("forward_origin"), message.get("contact")
    author = origin.get("sender_user") if isinstance(origin, dict) else None
    people = [
        user(person)
        for person in (*mentions, author)
        if isinstance(person, dict) and is_id(person.get("id")) and not person.get("is_bot")
    ]
    if isinstance(card, dict) and is_id(card.get("user_id")):
        people.append(Sender(address=f"{PREFIX}{card['user_id']}", name=full_name(card)))
    found: dict[str, Sender] = {}
    for person in people:
        if person.address != f"{PREFIX}{me.id}" and len(found) < MOST_NAMED:
            found.setdefault(person.address, person)
    return tuple(found.values())
