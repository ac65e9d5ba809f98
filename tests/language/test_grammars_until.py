"""Until it is done, wherever that stands; and what people ask of tomorrow, of lists and of contacts."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Once
from core.language import languages
from tests.language.wishes import noted, request_of

UNTIL_DONE = {
    "en": {
        "remind me until done at 18:00 to call Mom's doctor": "call Mom's doctor",
        "remind me every day until done at 9 to take my pill": "take my pill",
        "remind me tomorrow until it's done at 9 to pay the bill": "pay the bill",
        "remind me tomorrow at 9 until done call my mum": "call my mum",
        "at 5pm until done remind me to call Bo": "call Bo",
        "every day at 9 until it's done, remind me to take my pill!": "take my pill",
    },
    "zh": {
        "每天9点提醒我吃药，直到完成": "吃药",
        "每天9点提醒我吃药直到完成": "吃药",
        "明天9点提醒我交作业，直到做完": "交作业",
        "明天9点提醒我交作业，直到做完为止。": "交作业",
    },
}
IN_THE_TEXT = {
    "en": ("remind me tomorrow at 9 to bake until done and eat", "remind me at 9 to wait until done then call"),
    "zh": ("明天9点提醒我看到直到为止那段",),
}
UNREAD = {
    "en": (
        "remind me to wait until done at 9 to call Bo",
        "remind Bob tomorrow at 9 until done call me",
        "at 9 until done wake me",
        "what do I have next year?",
        "who is in my kitchen?",
        "what's left of my day?",
    ),
    "zh": (
        "提醒我明天9点吃药，直到完成了吗",
        "明天别忘了",
        "明天不要忘了我",
        "明天别忘记我们啊",
        "明天他别忘了带伞",
        "明天别忘了带伞吗",
        "昨天别忘了带伞",
        "厨房里有谁",
    ),
}
WISHES = {
    "en": {
        "what do I have tomorrow?": "today: tomorrow",
        "what's on tomorrow?": "today: tomorrow",
        "who is in my contacts?": "contacts",
        "what's left on my list?": "todo",
    },
    "zh": {
        "明天有什么安排？": "today: tomorrow",
        "明天要做什么": "today: tomorrow",
        "我的提醒有哪些": "tasks",
        "通讯录里有谁？": "contacts",
        "明天别忘了带伞": "remind: 明天带伞",
        "明天早上8点千万别忘了带护照！": "remind: 明天早上8点带护照",
        "今天晚上不要忘记吃药": "remind: 今天晚上吃药",
    },
}
# At 16:13.
WAKING = [
    ("en", "at 6:45 wake up", "2026-09-22T06:45"),
    ("en", "at 5:30 wake up", "2026-09-21T17:30"),
    ("en", "at 6:45 call", "2026-09-21T18:45"),
    ("zh", "6点45起床", "2026-09-22T06:45"),
    ("zh", "5点半起床", "2026-09-21T17:30"),
]


def _all(by_code: dict[str, dict[str, str]]) -> list[tuple[str, str, str]]:
    return [(code, text, found) for code, texts in by_code.items() for text, found in texts.items()]


@pytest.mark.parametrize(("code", "text", "about"), _all(UNTIL_DONE))
def test_until_done_is_kept_wherever_it_stands(code: str, text: str, about: str) -> None:
    request = request_of(languages()[code].grammar, text)
    assert request is not None
    assert (request.text, request.until_done) == (about, True)


@pytest.mark.parametrize(("code", "text"), [(code, one) for code, texts in IN_THE_TEXT.items() for one in texts])
def test_until_done_in_the_text_itself_is_no_wish(code: str, text: str) -> None:
    request = request_of(languages()[code].grammar, text)
    assert request is None or not request.until_done


@pytest.mark.parametrize(("code", "text"), [(code, one) for code, texts in UNREAD.items() for one in texts])
def test_what_only_looks_like_a_wish_is_left_alone(code: str, text: str) -> None:
    assert languages()[code].grammar.wish(text) is None


@pytest.mark.parametrize(("code", "text", "wanted"), _all(WISHES))
def test_what_is_asked_for_is_a_wish(code: str, text: str, wanted: str) -> None:
    assert noted(languages()[code].grammar.wish(text)) == wanted


@pytest.mark.parametrize(("code", "text", "wall"), WAKING)
def test_who_wants_to_be_woken_means_the_morning_unless_it_is_a_nap(code: str, text: str, wall: str) -> None:
    zone = ZoneInfo("Europe/Berlin")
    request = languages()[code].grammar.request(text)
    assert request is not None
    said_at = round(datetime(2026, 9, 21, 16, 13, tzinfo=zone).timestamp() * 1000)
    found = resolve(request.when, said_at, zone).schedule
    assert isinstance(found, Once)
    assert found.wall == wall
