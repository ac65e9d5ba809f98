"""Chinese: the grammar of the language."""

from __future__ import annotations

import re

from core.language.engine.phrases import Phrases
from core.language.engine.reminders import Reminders
from core.language.engine.requests import Requests
from core.language.grammar import Grammar, Request, Wish
from core.language.zh import people
from core.language.zh.format import say
from core.language.zh.normalize import is_ours
from core.language.zh.phrases import MACROS, TABLES, VAGUE
from core.language.zh.requests import LEAD, RULES
from core.language.zh.times import READER

_SPACE = re.compile(r"\s+")
_DAYS = "<weekdaysign>|<end>|号|[0-9底初]"
REQUESTS = Requests(READER, RULES, MACROS, ours=(), unspaced=people)
REMINDERS = Reminders(
    READER, REQUESTS, times=("{}", "{}后"), line="{} {}", done="，直到完成", joints=("", "，"), order="提醒"
)
PHRASES = Phrases(
    READER,
    TABLES,
    MACROS,
    texts={"lead": LEAD, "vague": VAGUE, "days": _DAYS, "asking": "吗"},
    reminders=REMINDERS,
)


def request(text: str) -> Request | None:
    """Read a request whole; figures and Latin letters alone are for others to read."""
    return REQUESTS.read(text) if is_ours(text) else None


def wish(text: str) -> Wish | None:
    """Return what a text wishes; None when it wishes nothing, or not that whole."""
    if not is_ours(text):
        return None
    found = PHRASES.wish(text)
    if found is None and _SPACE.search(text.strip()):
        # A space is as good as a comma where it is needed.
        parted = PHRASES.wish(_SPACE.sub("，", text))
        found = parted if parted and parted.name != "remind" else None
    return found


GRAMMAR = Grammar(when=READER.when, request=request, wish=wish, say=say)
