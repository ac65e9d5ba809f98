"""What Chinese says about time, lists and wishes: read whole, or not at all."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.grammar import Request
from core.language.zh_text import fold, number, see
from core.language.zh_wishes import GRAMMAR
from core.when.expressions import At, Clock, Date, Every, Expression
from core.when.resolve import resolve
from core.when.schedule import Interval, Once, Rule, next_after
from tests.unit import phrases_zh as phrases

SHANGHAI = ZoneInfo("Asia/Shanghai")
SAID = 1_795_226_400_000  # 2026-11-21T10:00 in Shanghai, a Saturday
CLOCKS = st.builds(Clock, hour=st.integers(0, 23), minute=st.integers(0, 59))
TIMES = st.tuples(CLOCKS)
DAYS = st.frozensets(st.integers(0, 6), min_size=1)
ONE_DAY = st.frozensets(st.integers(0, 6), min_size=1, max_size=1)
N = st.integers(1, 20)
NAMED = st.one_of(
    st.builds(Every, unit=st.sampled_from(["minute", "hour"]), n=st.integers(1, 200)),
    st.builds(Every, unit=st.just("day"), n=N, clocks=TIMES),
    st.builds(Every, unit=st.just("week"), n=N, clocks=TIMES, weekdays=ONE_DAY),
    st.builds(Every, unit=st.just("week"), clocks=TIMES, weekdays=DAYS),
    st.builds(Every, unit=st.just("month"), n=N, clocks=TIMES, weekdays=ONE_DAY, nth=st.sampled_from([1, 2, 3, 4, -1])),
    st.builds(Every, unit=st.just("month"), n=N, clocks=TIMES, day=st.sampled_from([-1, *range(1, 32)])),
    st.builds(Every, unit=st.just("year"), n=N, clocks=TIMES, day=st.integers(1, 28), month=st.integers(1, 12)),
    st.builds(
        At,
        clock=CLOCKS,
        day=st.builds(Date, day=st.integers(1, 28), month=st.integers(1, 12), year=st.integers(2026, 2100)),
    ),
)
WORDS = [
    "每", "天", "周", "一", "三", "五", "十", "半", "点", "早上", "晚上", "明天", "下周五", "20", "分钟", "后",
    "提醒", "我", "小明", "大家",
    "和", "到", "，", "：", " ", "3/5", "11月27号", "直到完成", "把", "牛奶", "清单", "完成", "开会", "@bob", "9:30",
    "简报", "每月1号",
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "said"), phrases.TIMES.items())
def test_a_time_is_read(phrase: str, said: Expression) -> None:
    assert GRAMMAR.when(phrase) == said


@pytest.mark.parametrize("phrase", phrases.NO_TIMES)
def test_what_is_not_only_a_time_is_none(phrase: str) -> None:
    assert GRAMMAR.when(phrase) is None


@pytest.mark.parametrize(("phrase", "wall"), phrases.INSTANTS.items())
def test_a_phrase_comes_to_an_exact_instant(phrase: str, wall: str) -> None:
    said = GRAMMAR.when(phrase)
    assert said is not None
    found = next_after(resolve(said, SAID, SHANGHAI).schedule, SAID)
    assert found is not None
    assert datetime.fromtimestamp(found / 1000, SHANGHAI).isoformat(timespec="minutes")[:16] == wall


@pytest.mark.parametrize(("text", "wanted"), phrases.REQUESTS.items())
def test_a_request_is_read(text: str, wanted: Request) -> None:
    assert GRAMMAR.request(text) == wanted


@pytest.mark.parametrize("text", phrases.NO_REQUESTS)
def test_what_is_no_request_is_none(text: str) -> None:
    assert GRAMMAR.request(text) is None


@pytest.mark.parametrize(("text", "line"), phrases.COMMANDS.items())
def test_a_wish_becomes_the_line_of_its_command(text: str, line: str) -> None:
    assert GRAMMAR.command(text) == line


@pytest.mark.parametrize("text", phrases.NO_COMMANDS)
def test_what_is_no_wish_is_left_alone(text: str) -> None:
    assert GRAMMAR.command(text) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("提醒小明明天9点交报告", Request(text="交报告", when=phrases.TOMORROW_9, who=("小明",))),
        ("提醒晓红明天9点交报告", Request(text="交报告", when=phrases.TOMORROW_9, who=("晓红",))),
        ("明天9点提醒小明去交报告", Request(text="去交报告", when=phrases.TOMORROW_9, who=("小明",))),
        ("每天8点提醒大家站会", Request(text="站会", when=phrases.DAILY, everybody=True)),
        ("一直提醒我每天8点吃药", Request(text="吃药", when=phrases.DAILY, until_done=True)),
        ("明天提醒我下午三点开会", Request(text="开会", when=phrases.TOMORROW_3)),
    ],
)
def test_the_line_of_a_wish_is_read_as_what_was_wished(text: str, wanted: Request) -> None:
    assert GRAMMAR.request((GRAMMAR.command(text) or "").removeprefix("/remind ")) == wanted


@pytest.mark.parametrize(
    "line",
    [line for line in phrases.COMMANDS.values() if line.startswith("/remind ") and line not in phrases.WITHOUT_A_TIME],
)
def test_the_line_of_a_reminder_can_be_read(line: str) -> None:
    assert GRAMMAR.request(line.removeprefix("/remind ")) is not None


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Rule(cron="0 8 * * *", zone="UTC"), "每天08:00"),
        (Rule(cron="0 8,20 * * *", zone="UTC"), "每天08:00、20:00"),
        (Rule(cron="0 8 * * *", zone="UTC", every=3, unit="day", anchor="2026-11-21"), "每3天08:00"),
        (Rule(cron="0 9 * * 1-5", zone="UTC"), "每个工作日09:00"),
        (Rule(cron="0 10 * * 0,6", zone="UTC"), "每周末10:00"),
        (Rule(cron="30 7 * * 1,4", zone="UTC"), "每周一和周四07:30"),
        (Rule(cron="0 10 * * 1", zone="UTC", every=2, unit="week", anchor="2026-11-23"), "隔周周一10:00"),
        (Rule(cron="0 9 * * 5L", zone="UTC"), "每月最后一个周五09:00"),
        (Rule(cron="0 9 * * 1#1", zone="UTC"), "每月第一个周一09:00"),
        (Rule(cron="0 9 1 * *", zone="UTC"), "每月1日09:00"),
        (Rule(cron="0 9 L * *", zone="UTC"), "每月最后一天09:00"),
        (Rule(cron="0 9 31 * *", zone="UTC", unit="month"), "每月31日09:00"),
        (Rule(cron="0 9 3 5 *", zone="UTC"), "每年5月3日09:00"),
    ],
)
def test_a_rule_is_said_in_words_that_are_read_back(rule: Rule, words: str) -> None:
    assert GRAMMAR.say(rule, SHANGHAI) == words
    assert GRAMMAR.when(words) is not None


@pytest.mark.parametrize(
    "cron", ["*/5 * * * *", "0 9 31 * *", "0 9 * 5 1", "0 9 1-7 * 1", "0 9 * * MON", "1-3 9 * * *", "0 9 1 * 1"]
)
def test_a_cron_line_without_words_is_said_as_it_stands(cron: str) -> None:
    assert GRAMMAR.say(Rule(cron=cron, zone="UTC"), SHANGHAI) == f"按 cron {cron}"


def test_an_instant_and_an_interval_are_said() -> None:
    friday = Once(at=1_795_770_000_000)
    assert GRAMMAR.say(friday, SHANGHAI) == "2026年11月27日（周五）17:00"
    assert GRAMMAR.say(friday, ZoneInfo("America/New_York")) == "2026年11月27日（周五）04:00"
    said = [GRAMMAR.say(Interval(seconds=n, start=SAID), SHANGHAI) for n in (60, 90, 1_800, 3_600, 7_200)]
    assert said == ["每分钟", "每90秒", "每30分钟", "每小时", "每2小时"]


@given(NAMED)
def test_what_is_said_is_read_back_as_the_same(wanted: Expression) -> None:
    schedule = resolve(wanted, SAID, SHANGHAI).schedule
    read = GRAMMAR.when(GRAMMAR.say(schedule, SHANGHAI))
    assert read is not None
    assert resolve(read, SAID, SHANGHAI).schedule == schedule


@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=30).map("".join)))
def test_arbitrary_words_never_raise_and_a_request_has_its_text_from_them(text: str) -> None:
    GRAMMAR.when(text)
    found = GRAMMAR.request(text)
    line = GRAMMAR.command(text)
    assert found is None or (found.text and found.text in text)
    assert line is None or line.startswith("/")


@given(st.text(max_size=100))
def test_folding_keeps_every_place(text: str) -> None:
    seen = see(text)
    assert len(fold(text)) == len(text)
    assert len(seen.text) == len(seen.places)
    assert seen.original(0, len(seen.text)) == text.strip()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("27", 27), ("零", 0), ("两", 2), ("十", 10), ("十五", 15), ("二十", 20), ("二十七", 27), ("一百零五", 105),
        ("二零二六", 2026), ("一百二十", 120), ("十二十", None), ("百", None), ("开", None),
    ],
)  # fmt: skip
def test_a_numeral_is_read(text: str, value: int | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    "part",
    [
        "一", "每", "每一", "1", " ", "提醒", "把", "把a", "周一和", "8点和", "早上8点和", "明天", "@a", "小明和",
        "十", "，", "半", "从清单",
        "完成 ", "3 ", "1年", "\n", "一个半", "请", "A.", "每周一三五", "（", "“",
    ],
)  # fmt: skip
@pytest.mark.parametrize("lead", ["", "提醒我", "提醒", "开会 "])
def test_a_long_hostile_text_costs_little(lead: str, part: str) -> None:
    text = lead + part * ((2_000 - len(lead)) // len(part))
    before = time.process_time()
    found = [GRAMMAR.when(text), GRAMMAR.request(text), GRAMMAR.command(text)]
    # Some milliseconds of the processor; a pattern that goes back over the text again and again takes seconds.
    assert time.process_time() - before < 0.1
    assert found[0] is None


def test_a_text_of_more_than_two_thousand_characters_is_refused() -> None:
    text = "明天9点" + "开会" * 1_000
    assert GRAMMAR.command(f"提醒我{text}") is None
    assert GRAMMAR.request(text) is None
    assert GRAMMAR.when("明天" + " " * 2_000) is None
