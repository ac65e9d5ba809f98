"""Whatever happens to triggers – people, clocks, deaths of the process –, each time is done once, and none is lost."""

from __future__ import annotations

import asyncio
import itertools
import shutil
from collections import Counter, deque
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from core.kernel.errors import SendDoubtful, SendUnsent
from core.kernel.ids import ref
from core.kernel.timing.schedule import Interval, Once, Schedule
from core.kernel.timing.schedule import Rule as Calendar
from core.store.conversation import lanes
from tests.conftest import PlaceMaker
from tests.databases import NAMES
from tests.databases import build as build_database
from tests.fakes import FRIEND, OWNER, Crash, CrashingDatabase, FakeAdapter, FakeClock, Hitch, House, house, inbound
from tests.states_checks import World, checks
from tests.triggering import trigger

HOUR, DAY = 3600.0, 86_400.0
HOMES = {OWNER: "1", FRIEND: "2"}
FAMILY = "-5"
PEOPLE = st.sampled_from([OWNER, FRIEND])
LABELS = st.sampled_from(["Done", "Done", "Done", "+10 min", "tomorrow", "OK", "Skip next", "Stop", "Undo"])
NEWEST_FIRST = st.sampled_from([0, 0, 0, 1, 2, 3])
KINDS = st.sampled_from(["once", "once", "interval", "cron"])
# Whom it is for: what two have in a group they have together.
WHO: dict[str, tuple[str, ...]] = {"me": (), "everybody": (), "friend": (FRIEND,), "both": (OWNER, FRIEND)}
WHOM = st.sampled_from(["me", *WHO])
CRASH = st.none() | st.none() | st.tuples(st.integers(1, 6), st.booleans())
SENDS = st.lists(st.sampled_from(["ok", "ok", "unsent", "lost", "arrived", "killed", "killed late"]), max_size=3)
# With Postgres each question is a way there and back.
EXAMPLES = {"sqlite": 12, "postgres": 4}
WAITS = st.sampled_from([1.0, 30.0, 61.0, 601.0, HOUR, 3 * HOUR, DAY])
PAUSES = (" until tomorrow", " no end for now")
LINES = st.sampled_from(["cancel", "cancel", "pause", "resume", "skip", "undo"])


class Firing(RuleBasedStateMachine):
    """Rules do what may happen; invariants say what must hold whenever nobody is at work."""

    world: ClassVar[World]
    house: House

    def __init__(self) -> None:
        super().__init__()
        self.adapter, self.clock = FakeAdapter(), self.world.clock
        self.folder = self.world.folder / str(next(self.world.examples))
        self.keys = itertools.count(1)
        # The epoch with which a trigger ended or was paused.
        self.resting: dict[int, int] = {}

    def run(self, work: Awaitable[Any]) -> bool:
        """Do something; a crash ends this process and starts the next one. Whether it lived."""

        async def survive() -> bool:
            try:
                await work
            except Crash:
                await self.restart()
                return False
            return True

        return self.world.runner.run(survive())

    async def restart(self) -> None:
        self.process.dead = True
        self.adapter.hitches.clear()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self.begin()

    async def begin(self) -> None:
        """Start a process: a new house over the same rows, which takes up what the former one left."""
        self.process = CrashingDatabase(self.world.database)
        self.house = await house(self.process, self.folder, model=False, clock=self.clock, adapter=self.adapter)
        self.house.keys = self.keys
        await self.world.database.write(lanes.take_over)
        await self.house.app.outbox.doubts.settle()

    @initialize(made=st.lists(st.tuples(KINDS, WHOM, st.booleans()), min_size=2, max_size=4))
    def start(self, made: list[tuple[str, str, bool]]) -> None:
        self.world.runner.run(self.world.empty())
        self.world.runner.run(self.begin())
        for sender, chat in (*HOMES.items(), (OWNER, FAMILY), (FRIEND, FAMILY)):
            self.say("/help", sender, chat)
        for kind, whom, until_done in made:
            self.make(kind, whom, 60, until_done=until_done)

    def do(self, work: Awaitable[Any], crash: tuple[int, bool] | None = None, sends: tuple[str, ...] = ()) -> bool:
        self.adapter.hitches = deque(_hitch(kind) for kind in sends)
        if crash:
            self.process.arm(crash[0], after=crash[1])
        lived = self.run(work)
        self.process.disarm()
        self.adapter.hitches.clear()
        return lived

    def say(self, text: str, sender: str, chat: str, crash: tuple[int, bool] | None = None) -> None:
        """Somebody says something; the platform repeats what was not acknowledged."""
        key, now = f"k{next(self.keys)}", self.clock.now()
        message = inbound(text, key=key, chat=chat, sender=sender, sent_at=now, chat_kind=_kind(chat))

        async def hear() -> None:
            await self.house.app.inbox.accept(self.house.tenant_id, [message])
            await self.house.work()

        if not self.do(hear(), crash):
            self.run(hear())

    # What people do.

    @rule(kind=KINDS, whom=WHOM, until_done=st.booleans(), seconds=st.sampled_from([30, 90, 7200]))
    def a_trigger_is_made(self, kind: str, whom: str, until_done: bool, seconds: int) -> None:
        self.make(kind, whom, seconds, until_done=until_done)

    def make(self, kind: str, whom: str, seconds: int, *, until_done: bool) -> None:
        made = trigger(
            self.house,
            f"thing {next(self.keys)}",
            self.schedule(kind, seconds),
            chat="1" if whom == "me" else FAMILY,
            contacts=[contact for address in WHO[whom] for contact in self.contact(address)],
            everybody=whom == "everybody",
            until_done=until_done,
        )
        self.run(made)

    def contact(self, address: str) -> list[int]:
        rows = self.rows(
            "SELECT k.id FROM contact k JOIN chat c ON c.scope_id = k.scope_id JOIN address a ON a.person_id ="
            " k.person_id WHERE c.external_id = :chat AND a.external_id = :address",
            chat=FAMILY,
            address=address,
        )
        return [row["id"] for row in rows]

    def schedule(self, kind: str, seconds: int) -> Schedule:
        now = self.clock.now()
        match kind:
            case "once":
                return Once(at=now + seconds * 1000)
            case "interval":
                return Interval(seconds=max(seconds, 60), start=now)
        return Calendar(cron="*/30 * * * *", zone="UTC")

    @rule(seconds=WAITS, label=LABELS, number=NEWEST_FIRST, who=PEOPLE, crash=CRASH, sends=SENDS)
    def later_a_button_is_pressed(
        self, seconds: float, label: str, number: int, who: str, crash: tuple[int, bool] | None, sends: list[str]
    ) -> None:
        self.time_passes(seconds, None, [])
        found = self.buttons(label)
        if not found:
            return
        chat, data = found[-1 - number % len(found)]
        sender = next((one for one, home in HOMES.items() if home == chat), who)
        key = f"p{next(self.keys)}"

        async def press() -> None:
            await self.house.press("", sender=sender, chat=chat, data=data, key=key, chat_kind=_kind(chat))
            await self.house.work()

        if not self.do(press(), crash, tuple(sends)):
            self.run(press())

    def buttons(self, label: str) -> list[tuple[str, str]]:
        """Where there is a button with this label, and what it carries."""
        shown = sorted(
            (one for chat in (*HOMES.values(), FAMILY) for one in self.house.shown(chat)), key=lambda one: one.serial
        )
        return [
            (one.to.chat, button.data)
            for one in shown
            for button in (one.keyboard.buttons if one.keyboard else ())
            if button.label == label
        ]

    @rule(line=LINES, number=st.integers(0, 9), crash=CRASH)
    def a_command_is_given(self, line: str, number: int, crash: tuple[int, bool] | None) -> None:
        rows = self.rows(
            "SELECT t.id, c.external_id AS chat FROM trigger t JOIN chat c ON c.id = t.chat_id ORDER BY t.id"
        )
        if line == "undo":
            self.say("/undo", OWNER, FAMILY if number % 2 else "1", crash)
        elif rows:
            row = rows[number % len(rows)]
            until = PAUSES[number % len(PAUSES)] if line == "pause" else ""
            self.say(f"/{line} {ref('s', row['id'])}{until}", OWNER, row["chat"], crash)

    # What the world does.

    @rule(seconds=WAITS, crash=CRASH, sends=SENDS)
    def time_passes(self, seconds: float, crash: tuple[int, bool] | None, sends: list[str]) -> None:
        self.clock.advance(seconds)
        if self.do(self.house.sweep(), crash, tuple(sends)):
            self.nothing_is_overdue()

    @rule(seconds=st.sampled_from([-2 * HOUR, -30.0, 30.0, 2 * HOUR]))
    def the_wall_clock_jumps(self, seconds: float) -> None:
        self.clock.jump(seconds)

    @rule()
    def the_process_dies(self) -> None:
        async def die() -> None:
            raise self.process.die()

        self.run(die())

    # What must hold.

    def rows(self, sql: str, **params: Any) -> list[Any]:
        return list(self.world.runner.run(self.world.database.read(lambda tx: tx.all(sql, params))))

    def nothing_is_overdue(self) -> None:
        late = self.rows("SELECT id FROM trigger WHERE state = 'active' AND next_at <= :now", now=self.clock.now())
        assert [row["id"] for row in late] == []

    @invariant()
    def what_rests_does_not_fire(self) -> None:
        now = {row["id"]: row["epoch"] for row in self.rows("SELECT id, epoch FROM trigger WHERE state <> 'active'")}
        assert {one: epoch for one, epoch in now.items() if self.resting.get(one, epoch) != epoch} == {}
        self.resting = now

    @invariant()
    def each_time_is_posted_once(self) -> None:
        """What is for oneself or for everybody: nobody limits that, so each epoch has one reminder."""
        made = self.rows(
            "SELECT id, epoch FROM trigger t WHERE reminder_id IS NULL AND deliver = 'message'"
            " AND NOT EXISTS (SELECT 1 FROM addressee a WHERE a.trigger_id = t.id)"
        )
        posted = Counter(row["message_key"] for row in self.rows("SELECT message_key FROM reminder"))
        assert max(posted.values(), default=1) == 1
        wanted = {f"trigger:{row['id']}:{epoch}" for row in made for epoch in range(row["epoch"])}
        assert wanted - posted.keys() == set()

    @invariant()
    def nothing_fails(self) -> None:
        assert self.rows("SELECT id FROM trigger WHERE reason = 'error'") == []

    @invariant()
    def what_all_have_done_is_done_and_does_not_come_again(self) -> None:
        waiting = "SELECT d.id FROM reminded d WHERE d.reminder_id = r.id AND d.state <> 'done'"
        done = f"SELECT r.id FROM reminder r WHERE r.root_id IS NULL AND r.everybody = 0 AND NOT EXISTS ({waiting})"
        assert self.rows(f"{done} AND r.state = 'open'") == []
        assert self.rows(f"SELECT t.id FROM trigger t WHERE t.state = 'active' AND t.reminder_id IN ({done})") == []

    @invariant()
    def each_message_is_sent_once(self) -> None:
        """Or again with the mark, which an edit needs not."""
        seen: set[int] = set()
        for sent in self.adapter.sent:
            assert sent.serial not in seen or sent.repeated or sent.to.replaces, sent
            seen.add(sent.serial)

    def teardown(self) -> None:
        if not hasattr(self, "house"):
            return
        self.clock.jump(2 * HOUR)
        for _ in range(4):
            self.run(self.house.sweep())
            self.nothing_is_overdue()
            self.clock.advance(DAY)
        self.run(self.house.work())
        self.everything_is_sent()
        shutil.rmtree(self.folder, ignore_errors=True)

    def everything_is_sent(self) -> None:
        states = Counter(row["state"] for row in self.rows("SELECT state FROM outbox"))
        assert states.keys() <= {"sent", "dead"}
        arrived = {sent.platform_id for sent in self.adapter.sent}
        for row in self.rows(
            "SELECT o.platform_id FROM reminder r JOIN outbox o ON o.message_key = r.message_key || ':0'"
            " WHERE o.state = 'sent'"
        ):
            assert row["platform_id"] in arrived

    @invariant()
    def messages_show_what_the_rows_say(self) -> None:
        """Once all is sent, the newest message of a reminder for one shows what they did with it; all do when it is
        done.
        """
        if self.rows("SELECT id FROM outbox WHERE ended_at IS NULL"):
            return
        shown = {sent.platform_id: sent for sent in self.adapter.sent}
        newest = dict[int, Any]()
        for row in self.rows(
            "SELECT o.platform_id, d.state, d.id FROM reminder r JOIN reminded d ON d.reminder_id = COALESCE(r.root_id,"
            " r.id) JOIN outbox o ON o.message_key = r.message_key || ':0' WHERE o.state = 'sent' AND r.everybody = 0"
            " AND (SELECT count(*) FROM reminded e WHERE e.reminder_id = d.reminder_id) = 1 ORDER BY r.id"
        ):
            newest[row["id"]] = message = shown[row["platform_id"]]
            done = row["state"] == "done"
            assert done == ("\n✅ " in message.text), (dict(row), message)
            assert not (done and message.keyboard), (dict(row), message)
        for row in self.rows("SELECT id, state FROM reminded"):
            last = newest.get(row["id"])
            assert last is None or (row["state"] == "snoozed") == ("\n💤 " in last.text), (dict(row), last)


def _kind(chat: str) -> str:
    return "group" if chat == FAMILY else "private"


def _hitch(kind: str) -> Hitch | None:
    return {
        "ok": None,
        "unsent": Hitch(error=SendUnsent("connect")),
        "lost": Hitch(error=SendDoubtful("read timeout")),
        "arrived": Hitch(error=SendDoubtful("read timeout"), effect=True),
        "killed": Hitch(error=Crash()),
        "killed late": Hitch(error=Crash(), effect=True),
    }[kind]


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", NAMES)
def test_whatever_happens_each_time_is_done_once(name: str, make_place: PlaceMaker, tmp_path: Path) -> None:
    clock = FakeClock()
    with asyncio.Runner() as runner:
        database = build_database(make_place(name), clock)
        runner.run(database.open())
        world = World(runner=runner, database=database, folder=tmp_path / "houses", clock=clock)
        machine = type("Machine", (Firing,), {"world": world})
        settings = checks(EXAMPLES[name], 25)
        try:
            run_state_machine_as_test(machine, settings=settings)
        finally:
            runner.run(database.close())
