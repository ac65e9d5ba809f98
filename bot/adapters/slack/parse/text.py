"""Text as Slack writes it (docs.slack.dev, "Formatting message text") to text as people read it.

Everything between `<` and `>` is a mark: a person, a channel, a link or a call to many. What somebody typed has its own
`&`, `<` and `>` escaped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.kernel.clean_text import storable
from core.kernel.types import Sender
from core.language.own_name import without_name

MARK = re.compile(r"<([^<>]{1,4000})>")
PERSON = re.compile(r"@([UW][A-Z0-9]{1,20})(?:\|.*)?", re.DOTALL)
MOST_NAMED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The bot in one workspace: ids of the workspace, its organisation, the bot's user and the bot, and its name."""

    team: str
    user: str
    bot: str = ""
    app: str = ""
    enterprise: str = ""
    name: str = "Teller"


class Said(NamedTuple):
    """What a text says, and whether it says it to the bot."""

    text: str
    to_me: bool


def people_in(text: str) -> tuple[str, ...]:
    """Return the ids of the people a text names, each once, at most a hundred."""
    found = (PERSON.fullmatch(mark[1]) for mark in MARK.finditer(text))
    return tuple(dict.fromkeys(person[1] for person in found if person))[:MOST_NAMED]


def said(text: str, me: Me, people: Mapping[str, Sender]) -> Said:
    """Read a text, without the bot's mentions."""
    mention = re.compile(rf"<@{re.escape(me.user)}(?:\|[^<>]*)?>")
    places = [found.span() for found in mention.finditer(text)]
    return Said(plain(without_name(text, places), me, people), me.user in people_in(text))


def plain(text: str, me: Me, people: Mapping[str, Sender]) -> str:
    """Return a text with its marks as people read them."""
    parts, end = [], 0
    for mark in MARK.finditer(text):
        parts += [unescaped(text[end : mark.start()]), _read(mark[1], me, people)]
        end = mark.end()
    return storable("".join([*parts, unescaped(text[end:])]))


def unescaped(text: str) -> str:
    """Return a text with the three characters that Slack escapes."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _read(mark: str, me: Me, people: Mapping[str, Sender]) -> str:
    """Return one mark, without its brackets, as people read it."""
    inner, _, shown = mark.partition("|")
    shown, what = unescaped(shown).strip(), inner[1:]
    match inner[:1]:
        case "@":
            known = people.get(what)
            if what == me.user:
                return (known.name if known else "") or me.name
            return (known.handle if known else "") or f"@{shown.removeprefix('@') or what}"
        case "#":
            return f"#{shown or what}"
        case "!":
            # `<!here>`, or with a circumflex `<!subteam^S1|@team>` and `<!date^…|fallback>`.
            kind, arrow, _ = what.partition("^")
            return shown or ("@group" if kind == "subteam" else kind) if arrow else f"@{kind}"
    url = unescaped(inner)
    address = url.removeprefix("mailto:").removeprefix("tel:")
    if not shown or shown in (url, address) or re.fullmatch(rf"https?://{re.escape(shown)}/?", url):
        return address
    return f"{shown} ({address})"
