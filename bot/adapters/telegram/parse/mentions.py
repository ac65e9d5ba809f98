"""Whom a text is for: commands, mentions and names, and the text without them.

Entities count in UTF-16 units (https://core.telegram.org/bots/api#messageentity).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bot.adapters.telegram.parse.people import Me
from core.language.own_name import SEPARATORS, without_name

COMMAND = re.compile(r"/(?P<name>[A-Za-z0-9_]{1,32})(?:@(?P<bot>\w{1,32}))?(?![\w@/])")
EDGES = re.compile(r"^\W+|\W+$")
CALLED = re.compile(rf"\s*[{SEPARATORS}]")
# A composed character is at most so many of ours; only that much of a text can be a name.
LONGEST_EXPANSION = 4


class Said(NamedTuple):
    """What a text says, and whether it says it to the bot."""

    text: str
    to_me: bool


def said(text: str, entities: object, me: Me, *, private: bool) -> Said:
    """Return the text without the bot's mentions, or its name at the start, and whether it names the bot at all.

    In a group a command without a name is for every bot; one with another bot's name is for that bot alone. In a
    private chat a bare name at the start is taken out only where a comma follows, as in "Teller, what time is it".
    """
    command = COMMAND.match(text)
    mentions = sorted(_mentions(text, entities, me)) if entities else []
    if command:
        # Behind a command with the bot's name that name may be taken for a mention, too.
        beside = [place for place in mentions if place[0] >= command.end()]
        text, bot = without_name(text, beside), command["bot"]
        if bot is None:
            return Said(text, to_me=True)
        if bot.lower() != me.username.lower():
            return Said(text, to_me=False)
        return Said(f"/{command['name']}{text[command.end() :]}", to_me=True)
    start = len(text) - len(text.lstrip())
    end = _name_end(text, me, called=private)
    if end and not any(place[0] < end for place in mentions):
        mentions = [(start, end), *mentions]
    return Said(without_name(text, mentions), to_me=bool(mentions))


def _mentions(text: str, entities: object, me: Me) -> Iterator[tuple[int, int]]:
    """Yield where the bot is mentioned, in characters."""
    if not isinstance(entities, list):
        return
    for entity in entities:
        if not isinstance(entity, dict) or entity.get("type") not in ("mention", "text_mention"):
            continue
        offset, length, user = entity.get("offset"), entity.get("length"), entity.get("user")
        if type(offset) is not int or type(length) is not int or offset < 0 or length < 1:
            continue
        coded = text.encode("utf-16-le")
        if 2 * (offset + length) > len(coded):
            continue
        start = len(coded[: 2 * offset].decode("utf-16-le", "replace"))
        end = start + len(coded[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace"))
        if entity["type"] == "mention":
            is_me = text[start:end].lower() == f"@{me.username}".lower()
        else:
            is_me = isinstance(user, dict) and user.get("id") == me.id
        if is_me:
            yield start, end


def _name_end(text: str, me: Me, *, called: bool) -> int:
    """Return where the bot's name at the start of the text ends, as a whole word; 0 when it does not begin with it."""
    lead = len(text) - len(text.lstrip())
    for name in _names(me):
        for end in range(lead + 1, min(len(text), lead + LONGEST_EXPANSION * len(name)) + 1):
            folded = _folded(text[lead:end])
            behind = text[end : end + 1]
            # A word goes on with a letter, a digit, _ or an accent.
            goes_on = behind.isalnum() or behind == "_" or unicodedata.category(behind or " ").startswith("M")
            if folded == name and not goes_on:
                if not called or CALLED.match(text, end):
                    return end
                break
            # The last character may still be composed with what follows; before it nothing changes any more.
            if not name.startswith(folded[:-1]):
                break
    return 0


@lru_cache(maxsize=8)
def _names(me: Me) -> tuple[str, ...]:
    """Return what the bot is called, folded."""
    return tuple(_folded(name) for name in (me.username, f"@{me.username}", EDGES.sub("", me.name)))


# Texts begin alike.
@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
