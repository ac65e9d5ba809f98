"""Who this bot is, as the Bot API tells it (https://core.telegram.org/bots/api#getme)."""

from __future__ import annotations

from dataclasses import dataclass

from bot.adapters.telegram.parse.fields import Fields, integer
from core.kernel.untrusted import clean


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The bot itself. `reads_all` tells whether privacy mode is off: whether it gets all messages of its groups."""

    id: int
    username: str
    name: str = ""
    reads_all: bool = False


def read_me(user: object) -> Me:
    """Read the result of getMe; raise `TypeError`, `KeyError` or `ValueError` when it is no bot."""
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
