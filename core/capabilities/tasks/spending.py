"""What somebody says that a task may cost: read from their own words, never from a model's."""

from __future__ import annotations

import re
from dataclasses import replace

from core.kernel.own_words import own_words
from core.store.conversation.tasks import Task

_MOST = (
    r"(?:at most|no more than|(?:not|don['’]t)\s+(?:\w+\s+){0,2}more than|less than|under|budget of|up to|maximum|"
    r"max\.?|höchstens|maximal|nicht mehr als|weniger als|unter|budget von|bis zu|最多|(?:不要?|别)超过|至多)"
)
_MOST_BEHIND = r"(?:at (?:the )?most|max\b|maximum|or less|höchstens|maximal|以内)"
# With marks between thousands, or without; or a single one, in words.
_NUMBER = r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)|\b(?:an?|one|einen?)\b"
_SIGN = r"(?:US\$|\$|€|¥|USD|EUR)"
_UNIT = r"(?:\$|dollars?|usd|€|euros?|eur|cents?|ct|美元|美金|欧元|欧)"
_MONEY = rf"(?:{_SIGN}\s*(?:{_NUMBER})|(?:{_NUMBER})\s*{_UNIT})"
_SAID = re.compile(rf"{_MOST}\s*(?:花费?\s*|花掉\s*)?({_MONEY})|({_MONEY})\s*{_MOST_BEHIND}", re.IGNORECASE)
_FIGURE, _CENT = re.compile(_NUMBER, re.IGNORECASE), re.compile(r"c(?:en)?ts?\b", re.IGNORECASE)
_THOUSANDS = 3


def as_said(task: Task, *texts: str) -> Task:
    """Return a task with the money that its person said it may take at most, also in `texts` of theirs; the least where
    they said several. A euro counts as a dollar: it is a limit, and no invoice."""
    found = []
    for text in (*task.words, *texts):
        for said in _SAID.finditer(own_words(text)):
            money = said[1] or said[2]
            figure = _FIGURE.search(money)
            number = _number(figure[0]) if figure else 0.0
            found.append(number / 100 if _CENT.search(money) else number)
    costs = [round(dollars * 1_000_000) for dollars in found if dollars > 0]
    return replace(task, most_cost=min(costs)) if costs else task


def _number(said: str) -> float:
    """Return what a number is worth: fewer digits behind its last mark than thousands have are a fraction."""
    if not said[0].isdecimal():
        return 1.0
    whole, _, last = re.sub("[.,]", ".", said).rpartition(".")
    digits = whole.replace(".", "")
    return float(f"{digits}.{last}" if digits and len(last) < _THOUSANDS else digits + last)
