"""People in a message, who wrote it and whom it names, and the bot itself (https://core.telegram.org/bots/api#user)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.adapters.telegram.parse.fields import Fields, full_name, integer, is_id
from core.kernel.types import Sender
from core.kernel.untrusted import clean

PREFIX = "tg:"
USER_ID = re.compile(r"[1-9]\d{0,15}", re.ASCII)
USERNAME = re.compile(r"[A-Za-z0-9_]{1,32}")
# A message has 100 entities at most; a card or a forward names one more.
MOST_NAMED = 100
_NAMING = frozenset({"entities", "caption_entities", "forward_origin", "contact"})


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
        username=clean(username),
        name=clean(str(fields.get("first_name") or "")),
        reads_all=fields.get("can_read_all_group_messages") is True,
    )


def user(fields: Fields) -> Sender:
    """Read a User. Their `handle` is the name by which others mention them, `@anna`; empty where there is none."""
    username = fields.get("username")
    handle = USERNAME.fullmatch(username) if isinstance(username, str) else None
    return Sender(
        address=f"{PREFIX}{integer(fields, 'id')}",
        name=full_name(fields),
        language=clean(fields.get("language_code") or ""),
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
