"""Why something for other people is refused, as a person is told: who has how many, and until when."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

from core.kernel.errors import Refused
from core.kernel.replies import Reply
from core.kernel.types import Millis
from core.language import languages
from core.scheduling.views import moment
from core.toolkit.command import CommandRun

# Why tools say that something may not be done.
_REASON = re.compile(r"\(reason=(\w+)(?:; most=(\d+); until=(\S+))?\)\Z")

# What a person is told then, where nothing has to be filled in.
_SAID = {
    "muted": "person_muted",
    "others_too_often": "others_too_often",
    "everybody_too_often": "everybody_too_often",
    "guest_too_often": "guest_too_often",
    "past": "time_over",
}


def reason(error: str) -> str:
    """The word for it; empty where there is none."""
    found = _REASON.search(error)
    return found[1] if found else ""


def too_quick(text: str) -> bool:
    """Whether a text wishes for something every so many seconds, in any language."""
    return any(form.search(text) for language in languages().values() for form in _forms(language["every_seconds"]))


@cache
def _forms(texts: str) -> list[re.Pattern[str]]:
    """Forms such as "every {n} seconds" as patterns."""
    filled = (re.escape(text).replace(r"\{n\}", r"[0-9一二三四五六七八九十两]{1,3}") for text in texts.split("|"))
    return [re.compile(rf"(?<![a-z]){one}(?![a-z])", re.IGNORECASE) for one in filled]


def full(run: CommandRun, error: str, name: str = "") -> Reply | None:
    """What is said where somebody has as many as they may; None where that is not why. `name` is Markdown."""
    found = _full(run, error, name)
    return None if found is None else run.say(found.code, **found.values)


def refused(run: CommandRun, error: str, name: str = "") -> Reply | None:
    """What is said where something may not be done; None where no reason is told. `name` as in `full`."""
    found = refusal(run, error, name)
    return None if found is None else run.say(found.code, **found.values)


def refusal(run: CommandRun, error: str, name: str = "") -> Refused | None:
    """Why something may not be done; None where no reason is told. `name` as in `full`."""
    code = _SAID.get(reason(error))
    return _full(run, error, name) or (None if code is None else Refused(code))


def _full(run: CommandRun, error: str, name: str) -> Refused | None:
    found = _REASON.search(error)
    if found is None or not found[2]:
        return None
    until: Millis = round(datetime.fromisoformat(found[3]).timestamp() * 1000)
    when = moment(run.language, until, run.context.zone, run.context.clock.now())
    return Refused(found[1], name=name or run.language["they"], count=found[2], when=when)
