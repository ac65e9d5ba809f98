"""Times as people wrote them who had never seen the grammar: what is read of them is what they meant.

Each line of `times/<code>.tsv` is a time and what it comes to, said on Wednesday 2026-11-25 at 14:13 UTC: an
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
# How many of them are read, in both frames, at least.
READ = {"en": 699, "de": 598, "zh": 762}


def meant(code: str) -> dict[str, list[str]]:
    """Return what each time of a language comes to, in all ways that are right."""
    lines = (Path(__file__).parent / "times" / f"{code}.tsv").read_text(encoding="utf-8").splitlines()
    return {time: [one.strip() for one in meant.split(" | ")] for time, meant in (line.split("\t") for line in lines)}


def comes_to(code: str, frame: str, time: str) -> str | None:
    """Return what is read of a time in a frame: an instant, "every" or "none"; None where nothing is."""
    wish = languages()[code].grammar.wish(frame.format(time))
    if wish is None or wish.request is None:
        return None
    assert (wish.name, wish.request.who, wish.request.everybody) == ("remind", (), False)
    assert wish.request.text == FRAMES[code][0]
    try:
        schedule = resolve(wish.request.when, NOW, ZoneInfo("UTC")).schedule
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


@pytest.mark.parametrize("code", FRAMES)
def test_a_time_that_is_read_is_what_was_meant(code: str) -> None:
    read = 0
    wrong: list[str] = []
    for time, right in meant(code).items():
        for frame in FRAMES[code][1:]:
            found = comes_to(code, frame, time)
            read += found is not None
            if found and not fits(found, right):
                wrong.append(f"{frame.format(time)}: {found}, but {' or '.join(right)} is meant")
    assert wrong == []
    assert read >= READ[code]
