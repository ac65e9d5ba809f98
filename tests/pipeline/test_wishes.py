"""What free text wishes becomes an intent, and is read once: who carries the intent out runs no grammar again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.all import CAPABILITIES
from core.capabilities.reminders.commands import wanted
from core.kernel.ids import ref
from core.kernel.intent import Intent, pack, unpack
from core.kernel.ports import Database, Tx
from core.kernel.timing.expressions import At, Clock, Date, Delay, Every, Expression, InDays, Weekday
from core.kernel.types import LaneKey, Message
from core.language import languages
from core.language.grammar import ME, SILENT
from core.pipeline.runs.interpreter import Interpreter
from core.scheduling.time_input import Asked
from core.store.conversation import lanes
from core.store.people import people
from core.toolkit import former_lines, intents
from core.toolkit.capability import command_table
from tests.commanding import home, said
from tests.fakes import Crash, CrashingDatabase, House, house

pytestmark = pytest.mark.databases("sqlite")

_DAY = {"days": 1, "night": False}
TOMORROW = {"kind": "at", "day": _DAY, "clock": None, "ahead": None, "of_event": False, "zone": None}
BRIEF: dict[str, Any] = {
    "kind": "every",
    "unit": "day",
    "n": 1,
    "clocks": [{"hour": 7, "minute": 30, "certain": True, "early": False}],
    "weekdays": [],
    "day": None,
    "also": [],
    "nth": None,
    "month": None,
    "but_holidays": False,
    "doubtful": False,
    "until": None,
}
# What is meant in a chat where "milk" is on the list, and "dentist" is to come; {t} and {s} are their ids.
MEANT: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (("what's on my list?", "我的清单"), "todos.show", {"on": ""}),
    (("add eggs to my list", "把 eggs 加到清单"), "todos.add", {"text": "eggs", "on": ""}),
    (("add eggs to my list tomorrow",), "todos.add", {"text": "eggs tomorrow", "on": ""}),
    (("tick off milk", "划掉milk"), "todos.done", {"todo": "{t}"}),
    (("milk done", "milk已完成"), "todos.done", {"todo": "{t}"}),
    (("remove milk from my list", "把milk从清单里删掉"), "todos.remove", {"todo": "{t}"}),
    (("clear my list", "清空清单"), "todos.clear", {"on": ""}),
    (("what's on today?", "今天有什么安排？"), "today.show", {"when": None, "span": None}),
    (("what's on tomorrow?", "明天有什么安排？"), "today.show", {"when": TOMORROW, "span": None}),
    (("my reminders", "我的提醒有哪些"), "schedules.list", {}),
    (("cancel the dentist reminder", "取消dentist的提醒"), "schedules.cancel", {"schedule": "{s}"}),
    (("每天早上7点半给我发简报",), "schedules.brief", {"when": BRIEF}),
    (
        ("daily brief at 7:30",),
        "schedules.brief",
        {"when": {**BRIEF, "clocks": [{**BRIEF["clocks"][0], "certain": False}]}},
    ),
    (("stop the daily brief",), "schedules.no_brief", {}),
    (("who is in my contacts?", "通讯录里有谁？"), "contacts.list", {}),
    (("quiet hours from 22 to 7", "22点到7点勿扰"), "settings.quiet", {"hours": "22:00-07:00", "others": []}),
    (("don't bother me from 9 to 5",), "settings.quiet", {"hours": "21:00-05:00", "others": ["09:00-17:00"]}),
    (("no more quiet hours",), "settings.quiet", {"hours": "", "others": []}),
    (("undo that", "撤销"), "settings.undo", {}),
    (("what is my time zone", "我的时区是什么"), "settings.zone", {}),
    (("set my timezone to Berlin",), "settings.timezone", {"place": "Berlin"}),
    (("我的时区改成柏林",), "settings.timezone", {"place": "柏林"}),
    (("mute Bob", "屏蔽Bob"), "messages.mute", {"person": "Bob"}),
    (("unmute Bob", "取消屏蔽Bob"), "messages.unmute", {"person": "Bob"}),
    (("help",), "chat.help", {}),
]
CLOCKS = st.builds(
    Clock, hour=st.integers(0, 23), minute=st.integers(0, 59), certain=st.booleans(), early=st.booleans()
)
DAYS = st.one_of(
    st.builds(InDays, days=st.integers(-1, 400)),
    st.builds(Weekday, weekday=st.integers(0, 6), weeks=st.none() | st.integers(0, 5), doubtful=st.booleans()),
    st.builds(
        Date, day=st.integers(-1, 31), month=st.none() | st.integers(1, 12), year=st.none() | st.integers(2026, 2100)
    ),
)
EXPRESSIONS: st.SearchStrategy[Expression] = st.one_of(
    st.builds(Delay, seconds=st.integers(0, 10**6), days=st.integers(0, 400), months=st.integers(0, 100)),
    st.builds(At, day=st.none() | DAYS, clock=st.none() | CLOCKS),
    st.builds(
        Every,
        unit=st.sampled_from(["minute", "hour", "day", "week", "month", "year"]),
        n=st.integers(1, 100),
        clocks=st.lists(CLOCKS, max_size=3).map(tuple),
        weekdays=st.frozensets(st.integers(0, 6)),
        day=st.none() | st.integers(-1, 31),
        also=st.frozensets(st.integers(-1, 31), max_size=3),
        nth=st.none() | st.sampled_from([-1, 1, 2, 3, 4]),
        month=st.none() | st.integers(1, 12),
    ),
)
NINE = Clock(hour=9)
NAMES = st.lists(st.sampled_from([ME, "Bob", "@anna", "小明"]), max_size=3).map(tuple)


async def understood(house: House, text: str) -> Intent | None:
    """What a text of the owner's private chat means, without a model."""
    interpreter = Interpreter([one.understands for one in CAPABILITIES], model=False)
    message = Message(inbox_id=1, text=text, sent_at=house.clock.now(), platform_id="1")
    candidates = interpreter.parse(message)
    (row,) = await house.rows(
        "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id, p.id FROM lane l, person p ORDER BY l.id, p.id"
        " LIMIT 1"
    )
    person_id = row.pop("id")
    lane = LaneKey(**row)

    def resolve(tx: Tx) -> Intent | None:
        return interpreter.resolve(tx, lane, people.participant(tx, lane, person_id), message, candidates)

    return await house.db.read(resolve)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often each part of a grammar is asked, as "en.wish"."""
    counts: Counter[str] = Counter()
    grammars = {code: language.grammar for code, language in languages().items()}
    former = {
        (code, part.name): getattr(grammar, part.name) for code, grammar in grammars.items() for part in fields(grammar)
    }

    def counting(code: str, part: str) -> Any:
        def count(*args: Any) -> Any:
            counts[f"{code}.{part}"] += 1
            return former[code, part](*args)

        return count

    for code, part in former:
        if part != "say":
            object.__setattr__(grammars[code], part, counting(code, part))
    yield counts
    for (code, part), ask in former.items():
        object.__setattr__(grammars[code], part, ask)


async def test_each_wish_is_an_intent_in_every_language(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for line in ("/todo milk", "/remind tomorrow at 9 dentist"):
        await said(house, line)

    (todo,), (schedule,) = await house.column("SELECT id FROM todo"), await house.column("SELECT id FROM trigger")
    ids = {"{t}": ref("t", todo), "{s}": ref("s", schedule)}
    for texts, name, arguments in MEANT:
        known = {key: ids.get(value, value) if isinstance(value, str) else value for key, value in arguments.items()}
        for text in texts:
            found = await understood(house, text)
            assert found is not None, text
            assert (found.name, json.loads(json.dumps(found.arguments))) == (name, known), text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "remind me tomorrow at 9am to call Oma",
            Asked(text="call Oma", when=At(day=InDays(days=1), clock=NINE), words="tomorrow at 9am to call Oma"),
        ),
        (
            "keep reminding me every day at 21:00 to take my pill",
            Asked(
                text="take my pill",
                when=Every(unit="day", clocks=(Clock(hour=21),)),
                until_done=True,
                words="every day at 21:00 to take my pill until done",
            ),
        ),
        ("提醒我20分钟后喝水", Asked(text="喝水", when=Delay(seconds=1200), words="20分钟后喝水")),
        (
            "remind @bob in 2 hours: report",
            Asked(text="report", when=Delay(seconds=7200), who=("@bob",), words="@bob in 2 hours: report"),
        ),
        (
            "set a reminder for bob in 2 hours",
            Asked(text="bob", when=Delay(seconds=7200), names=("Bob",), words="bob in 2 hours"),
        ),
        ("remind me to call Oma", Asked(text="call Oma", words="call Oma")),
    ],
    ids=str,
)
async def test_a_reminder_carries_all_that_was_read(
    database: Database, tmp_path: Path, text: str, asked: Asked
) -> None:
    found = await understood(await home(database, tmp_path), text)
    assert found is not None
    assert wanted.read(found) == {"asked": asked}
    assert found.name == "reminders.set"


@pytest.mark.parametrize(
    ("text", "languages_asked"),
    [
        ("remind me tomorrow at 16:00 to call Oma", ["en", "de", "zh"]),
        ("set a reminder for Oma's birthday on Friday", ["en", "de", "zh"]),
        ("every weekday at 9:30 remind me to stand up", ["en", "de", "zh"]),
        ("提醒我明天下午四点给奶奶打电话", ["en", "de", "zh"]),
    ],
)
async def test_from_the_wire_to_the_row_each_grammar_reads_a_text_once(
    database: Database, tmp_path: Path, read: Counter[str], text: str, languages_asked: list[str]
) -> None:
    house = await home(database, tmp_path)
    read.clear()
    await said(house, text)
    assert len(await house.column("SELECT id FROM trigger")) == 1
    assert read == Counter(f"{code}.wish" for code in languages_asked)


@pytest.mark.parametrize("after", [False, True])
async def test_what_was_understood_is_set_after_a_crash_without_a_grammar(
    database: Database, tmp_path: Path, after: bool
) -> None:
    """A run keeps its intent: it is what the text meant when it was claimed, whatever a newer version would read."""
    process = CrashingDatabase(database)
    home = await house(process, tmp_path / "house", model=False)
    await said(home, "hello")
    process.arm(3, after=after)
    with pytest.raises(Crash):
        await said(home, "remind me tomorrow at 16:00 to call Oma")
    home = await house(database, tmp_path / "house", model=False, adapter=home.adapter, clock=home.clock)
    opener = home.app.worker._opener
    silent = Interpreter([one.understands for one in CAPABILITIES], [SILENT], model=False)
    opener.services = replace(opener.services, interpreter=silent)
    await home.db.write(lanes.take_over)
    await home.app.outbox.doubts.settle()
    await home.work()
    assert await home.column("SELECT text FROM trigger") == ["call Oma"]
    assert sum("call Oma" in text for text in home.adapter.texts()) == 1


@given(when=EXPRESSIONS, who=NAMES, text=st.text(max_size=20))
def test_a_time_is_kept_with_its_intent_as_it_was_read(when: Expression, who: tuple[str, ...], text: str) -> None:
    asked = Asked(text=text, when=when, who=who, names=who, everybody=not who)
    assert wanted.read(unpack_intent(pack(wanted.of(asked=asked)))) == {"asked": asked}


@pytest.mark.parametrize(
    ("stored", "when"),
    [
        ('{"kind": "delay", "seconds": 600, "days": 0, "months": 0}', Delay(seconds=600)),
        (
            '{"kind": "at", "day": {"weekday": 4, "weeks": null, "doubtful": true}, "clock": null}',
            At(day=Weekday(weekday=4, doubtful=True)),
        ),
        (
            '{"kind": "at", "day": {"day": 1, "month": null, "year": null, "doubtful": false, "months": 1, "years":'
            ' null, "weekday": null}, "clock": {"hour": 9, "minute": 0, "certain": false, "early": true}}',
            At(day=Date(day=1, months=1), clock=Clock(hour=9, certain=False, early=True)),
        ),
        (
            '{"kind": "every", "unit": "week", "n": 2, "clocks": [{"hour": 8, "minute": 0, "certain": true, "early":'
            ' false}], "weekdays": [1, 3], "day": null, "also": [], "nth": null, "month": null}',
            Every(unit="week", n=2, clocks=(Clock(hour=8),), weekdays=frozenset({1, 3})),
        ),
    ],
)
def test_a_time_that_stands_in_a_database_is_read(stored: str, when: Expression) -> None:
    """As this version writes them, for all that come."""
    intent = unpack_intent(
        f'{{"intent": "reminders.set", "arguments": {{"asked": {{"text": "tea", "when": {stored}}}}}}}'
    )
    assert wanted.read(intent) == {"asked": Asked(text="tea", when=when)}


def unpack_intent(stored: str) -> Intent:
    found = unpack(stored)
    assert isinstance(found, Intent)
    return found


def test_no_two_capabilities_carry_out_the_same_wish() -> None:
    names = Counter(name for one in CAPABILITIES for name in one.understands.wishes)
    assert set(names.values()) == {1}


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("/undo uab12cd", intents.undo("uab12cd")),
        ("/undo uab12cd shared", intents.undo("uab12cd", shared=True)),
        ("/undo ask", intents.ask_undo()),
        ("/move sab12cd", intents.move("sab12cd")),
        ("/move sab12cd 2026-11-27T09:00+01:00", intents.move("sab12cd", "2026-11-27T09:00+01:00")),
        ("/cancel sab12cd", intents.cancel("sab12cd")),
        ("/todo milk", "/todo milk"),
        ("/cancel dentist", "/cancel dentist"),
        (intents.skip("sab12cd"), intents.skip("sab12cd")),
    ],
    ids=str,
)
def test_what_a_button_of_a_former_version_asks_for_is_known(line: str | Intent, intent: str | Intent) -> None:
    assert former_lines.decoded(line) == intent


def test_what_one_room_asks_of_another_is_carried_out() -> None:
    asked = [
        *(intents.undo("u1"), intents.ask_undo(), intents.zone("Berlin"), intents.ask_zone(), intents.ask_quiet()),
        *(intents.ask_language(), intents.move("s1"), intents.cancel("s1"), intents.skip("s1"), intents.pause("s1")),
        *(intents.resume("s1"), intents.tick("t1", page=2), intents.add("milk"), intents.remind("tea")),
        intents.mute("p1"),
    ]
    table = command_table(CAPABILITIES)
    for intent in asked:
        table.intents[intent.name].read(intent)
