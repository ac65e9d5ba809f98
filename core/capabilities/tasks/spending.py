"""What somebody says that a task may cost: read from their own words, never from a model's."""

from __future__ import annotations

import re
from dataclasses import replace

from core.kernel.own_words import own_words
from core.store.conversation.tasks import Task

_MOST = (
    r"(?:at most|no more than|(?:not|don['’]t)\s+(?:\w+\s+){0,2}more than|up to|maximum|max\.?|höchstens|maximal|"
    r"nicht mehr als|bis zu|最多|(?:不要?|别)超过|至多)"
)
# With marks between thousands, or without; or a single one, in words.
_NUMBER = r"(?P<{0}>\d{{1,3}}(?:[.,]\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)|\d+(?:[.,]\d{{1,2}})?(?!\d)|(?:an?|one|einen?)\b)"
_SIGN = r"(?:US\$|\$|€|¥|USD|EUR)"
_UNIT = r"(?:\$|dollars?|usd|€|euros?|eur|cents?|ct|美元|美金|欧元|欧)"
_SAID = re.compile(
    rf"{_MOST}\s*(?:花费?\s*|花掉\s*)?(?:{_SIGN}\s*{_NUMBER.format('before')}|{_NUMBER.format('behind')}\s*(?P<unit>{_UNIT}))",
    re.IGNORECASE,
)
_THOUSANDS = 3
_CENTS = frozenset({"cent", "cents", "ct"})


def as_said(task: Task, *texts: str) -> Task:
    """Return a task with the money that its person said it may take at most, also in `texts` of theirs; the least where
    they said several. A euro counts as a dollar: it is a limit, and no invoice."""
    found = []
    for text in (*task.words, *texts):
        for said in _SAID.finditer(own_words(text)):
            number = _number(said["before"] or said["behind"])
            found.append(number / 100 if (said["unit"] or "").lower() in _CENTS else number)
    costs = [round(dollars * 1_000_000) for dollars in found if dollars > 0]
    return replace(task, most_cost=min(costs)) if costs else task


def _number(said: str) -> float:
    """Return what a number is worth: fewer digits behind its last mark than thousands have are a fraction."""
    if not said[0].isdecimal():
        return 1.0
    whole, _, last = re.sub("[.,]", ".", said).rpartition(".")
    digits = whole.replace(".", "")
    return float(f"{digits}.{last}" if digits and len(last) < _THOUSANDS else digits + last)
