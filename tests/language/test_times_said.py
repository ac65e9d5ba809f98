"""Times as people wrote them who had never seen the grammar: what is read of them is what they meant.

Each line of `times/<code>.tsv` is a time, and each of `times/<code>_hard.tsv` one of which a part looks like a simpler
time ("5 pm minus ten minutes"), with what it comes to, said on Wednesday 2026-11-25 at 14:13 UTC: an
instant, a day, `span A -- B` (its beginning counts), `every …`, `vague`, or `none` of what no calendar has. Where two
readings are right, both stand there. Of what may be left to a model nothing is asserted, but that no more is left.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import core.capabilities.all  # noqa: F401 - the phrases of all capabilities
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Once
from core.language import languages

NOW = round(datetime(2026, 11, 25, 14, 13, tzinfo=UTC).timestamp() * 1000)
FRAMES = {
    "en": ("call Bob", "remind me {} to call Bob", "remind me to call Bob {}"),
    "de": ("Bob anzurufen", "erinnere mich {} daran, Bob anzurufen", "erinnere mich daran, Bob {} anzurufen"),
    "zh": ("给Bob打电话", "{}提醒我给Bob打电话", "提醒我{}给Bob打电话"),
}
# How many of the times in a file are read, in both frames, at least.
READ = {"en": 705, "de": 598, "zh": 762, "en_hard": 209, "de_hard": 181, "zh_hard": 201}
# What is still misread: this list may only get shorter.
MISREAD: dict[str, set[str]] = {
    "en_hard": {
        "remind me to call Bob the 27th inst. at noon",
        "remind me to call Bob on Epiphany at 10 am",
        "remind me to call Bob on Small Business Saturday",
        "remind me to call Bob Satdee at 3 pm",
        "remind me to call Bob the morn at 9 in the morning",
        "remind me to call Bob M-F at 9 am",
        "remind me in 20 minutes -- no, 30 to call Bob",
        "remind me to call Bob 23:59:60 on New Year's Eve",
        "remind me six months to the day from now to call Bob",
        "remind me to call Bob 1 week 2 days and 3 hours from now",
        "remind me to call Bob on the Monday's Tuesday",
        "remind me Sundays at 10, bar Easter Sunday to call Bob",
        "remind me to call Bob every odd day of the month at 8 am",
        "remind me to call Bob every even week on Wednesday",
    },
    "de_hard": {
        "erinnere mich daran, Bob anno dazumal um acht anzurufen",
        "erinnere mich daran, Bob vierteljährlich zum Quartalsersten anzurufen",
    },
    "zh_hard": {
        "提醒我下周三和下周五的正中间给Bob打电话",
        "提醒我Morgen早上八点给Bob打电话",
        "提醒我九点水准降下来后给Bob打电话",
        "提醒我后天努力给Bob打电话",
    },
}


def meant(name: str) -> dict[str, list[str]]:
    """Return what each time in a file comes to, in all ways that are right."""
    lines = (Path(__file__).parent / "times" / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return {time: [one.strip() for one in meant.split(" | ")] for time, meant in (line.split("\t") for line in lines)}


def comes_to(code: str, frame: str, time: str) -> str | None:
    """Return what is read of a time in a frame: an instant, "every" or "none"; "another wish" where its text is not all
    that stands beside it, and None where nothing is read."""
    wish = languages()[code].grammar.wish(frame.format(time))
    if wish is None or wish.request is None:
        return None
    request = wish.request
    if (wish.name, request.text, request.who, request.everybody) != ("remind", FRAMES[code][0], (), False):
        return "another wish"
    try:
        schedule = resolve(request.when, NOW, ZoneInfo("UTC")).schedule
    except Impossible:
        return "none"
    if not isinstance(schedule, Once):
        return "every"
    return f"{datetime.fromtimestamp(schedule.at / 1000, UTC):%Y-%m-%d %H:%M}"


def fits(found: str, meant: list[str]) -> bool:
    """Return whether what was read is one of what is meant: nobody can say what is vague, and seconds are not heard."""
    instants = [one[:16] for one in meant]
    days = [one.removeprefix("span ")[:10] for one in meant if len(one) == 10 or one.startswith("span")]
    repeats = any(one.startswith("every") for one in meant)
    return found in instants or found[:10] in days or "vague" in meant or (repeats and found == "every")


@pytest.mark.parametrize("name", READ)
def test_a_time_that_is_read_is_what_was_meant(name: str) -> None:
    code = name[:2]
    found = {
        frame.format(time): (result, right)
        for time, right in meant(name).items()
        for frame in FRAMES[code][1:]
        if (result := comes_to(code, frame, time))
    }
    misread = {said for said, (result, right) in found.items() if not fits(result, right)}
    assert misread == MISREAD.get(name, set())
    assert len(found) >= READ[name]
