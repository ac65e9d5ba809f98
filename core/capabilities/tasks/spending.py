"""What somebody says that a task may cost: read from their own words, never from a model's."""

from __future__ import annotations

import re
from dataclasses import replace

from core.kernel.own_words import own_words
from core.store.conversation.tasks import Task

_MOST = r"(?:at most|no more than|up to|maximum|max\.?|höchstens|maximal|nicht mehr als|bis zu|最多|不超过|至多)"
_NUMBER = r"(?P<{0}>\d+(?:[.,]\d{{1,2}})?)"
_SIGN = r"(?:US\$|\$|€|¥|USD|EUR)"
_UNIT = r"(?:\$|dollars?|usd|€|euros?|eur|cents?|ct|美元|美金|欧元|欧)"
_SAID = re.compile(
    rf"{_MOST}\s*(?:花费?\s*|花掉\s*)?(?:{_SIGN}\s*{_NUMBER.format('before')}|{_NUMBER.format('behind')}\s*(?P<unit>{_UNIT}))",
    re.IGNORECASE,
)
_CENTS = frozenset({"cent", "cents", "ct"})


def as_said(task: Task) -> Task:
    """Return a task with the money that its person said it may take at most; the least where they said several. A euro
    counts as a dollar: it is a limit, and no invoice."""
    found = []
    for text in task.words:
        for said in _SAID.finditer(own_words(text)):
            number = float((said["before"] or said["behind"]).replace(",", "."))
            found.append(number / 100 if (said["unit"] or "").lower() in _CENTS else number)
    costs = [round(dollars * 1_000_000) for dollars in found if dollars > 0]
    return replace(task, most_cost=min(costs)) if costs else task
