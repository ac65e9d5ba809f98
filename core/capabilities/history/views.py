"""What people read of what was said. Nothing here looks anything up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from core.kernel.markdown import called
from core.kernel.types import Millis
from core.language import Language
from core.language.lines import cut
from core.scheduling.views import moment
from core.store.conversation.history import Line

LONGEST_QUOTE = 280
# A sign that nobody sees, behind which a name is only a name: whoever is quoted calls nobody.
BREAKER = "\u2060"
# Where lines come from that were said elsewhere, as these call themselves.
SOURCES = {"chatgpt": "ChatGPT", "claude": "Claude", "teller": "Teller"}
_MENTION = re.compile(r"(?<!\w)@(?=\w)")


def defused(text: str) -> str:
    """Return a text in which nobody is mentioned so that a platform would tell them."""
    return _MENTION.sub(f"@{BREAKER}", text)


def quote(language: Language, line: Line, zone: ZoneInfo, now: Millis) -> str:
    """A line of the transcript as it was said: who, when, what, and the way there."""
    speaker = language["history_me"] if line.role == "assistant" else called(line.speaker, language["history_you"])
    if line.source:
        speaker = language.say("history_brought", name=speaker, source=SOURCES.get(line.source, line.source))
    text = language.say(
        "history_quote",
        name=defused(speaker),
        when=moment(language, line.at, zone, now),
        text=defused(cut(line.text, LONGEST_QUOTE)),
    )
    return text + linked(line.link)


def linked(link: str) -> str:
    """The way to a message behind a line, as far as there is one."""
    return f" [↗]({link})" if link else ""


def quotes(language: Language, lines: Sequence[Line], zone: ZoneInfo, now: Millis) -> str:
    """Lines as they were said, one below the other."""
    return "\n".join(f"- {quote(language, line, zone, now)}" for line in lines)
