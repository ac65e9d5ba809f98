"""What is old is forgotten, what is young or unfinished stays, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.agents.budget import add_usage
from core.capabilities.all import CAPABILITIES
from core.capabilities.privacy import repository, retention
from core.capabilities.privacy.retention import Retention, next_night
from core.kernel.ports import Database, Tx
from core.kernel.types import Attachment, LaneKey, Message, Usage
from core.pipeline.runs import leases
from core.store.conversation import attachments, keyboards, questions, undo
from core.store.conversation import runs as journal
from core.store.conversation.keyboards import KeyboardRow
from core.store.people import invitations, strangers
from core.toolkit.keeping import Drawer, Keep
from tests.operating import DAY, NOW, StillClock, answer, lane, message, run

BERLIN = ZoneInfo("Europe/Berlin")
KEEPS = [one.keeps for one in CAPABILITIES if one.keeps is not None]
KEEP = Keep(inbox=7, outbox=30, journal=30)


def forgetting(db: Database, keep: Keep = KEEP) -> Retention:
    return Retention(db, StillClock(), ZoneInfo("UTC"), keep, KEEPS)


async def rows(db: Database, sql: str) -> list[list[Any]]:
    found = await db.read(lambda tx: tx.all(sql))
    return [[row[name] for name in row.keys()] for row in found]  # noqa: SIM118 - a row of SQLite is no mapping


async def test_nothing_is_forgotten_where_nothing_is_old(database: Database) -> None:
    def fill(tx: Tx) -> None:
        message(tx, "1", state="done")
        answer(tx, "a", state="sent")
        run(tx, ended_at=NOW)

    await database.write(fill)
    assert not any((await forgetting(database).forget()).values())


async def test_bodies_of_the_inbox_go_after_a_week_and_rows_after_two(database: Database) -> None:
    def fill(tx: Tx) -> None:
        for days in (6, 8, 13, 15):
            message(tx, f"done{days}", state="done", ended_at=NOW - days * DAY)
            message(tx, f"dead{days}", state="dead", ended_at=NOW - days * DAY)
        message(tx, "new", state="new", ended_at=None)

    await database.write(fill)
    done = await forgetting(database).forget()
    assert (done["inbox bodies"], done["inbox rows"]) == (6, 2)
    left = await rows(database, "SELECT update_key, text, raw IS NULL AS erased FROM inbox ORDER BY id")
    assert [tuple(row) for row in left] == [
        ("done6", "hello", 0),
        ("dead6", "hello", 0),
        ("done8", "", 1),
        ("dead8", "", 1),
        ("done13", "", 1),
        ("dead13", "", 1),
        ("new", "hello", 0),
    ]


async def test_rows_of_the_inbox_recognise_repeats_for_a_week_whatever_is_configured(database: Database) -> None:
    await database.write(lambda tx: message(tx, "1", state="done", ended_at=NOW - 6 * DAY))
    done = await forgetting(database, Keep(inbox=1)).forget()
    assert (done["inbox bodies"], done["inbox rows"]) == (1, 0)


async def test_bodies_of_the_outbox_go_after_a_month_and_rows_after_two(database: Database) -> None:
    def fill(tx: Tx) -> None:
        for days in (29, 31, 61):
            answer(tx, f"sent{days}", state="sent", ended_at=NOW - days * DAY)
            answer(tx, f"dead{days}", state="dead", ended_at=NOW - days * DAY)
        answer(tx, "new", state="new", ended_at=None)

    await database.write(fill)
    done = await forgetting(database).forget()
    assert (done["outbox bodies"], done["outbox rows"]) == (4, 2)
    left = await rows(database, "SELECT message_key, payload IS NULL AS erased FROM outbox ORDER BY id")
    assert left == [["sent29", 0], ["dead29", 0], ["sent31", 1], ["dead31", 1], ["new", 0]]


async def test_a_message_that_an_unsent_edit_is_to_replace_stays(database: Database) -> None:
    def fill(tx: Tx) -> None:
        old = answer(tx, "old", state="sent", ended_at=NOW - 100 * DAY)
        edit = answer(tx, "edit", state="new", ended_at=None)
        tx.run("UPDATE outbox SET replaces_id = :old WHERE id = :edit", {"old": old, "edit": edit})

    await database.write(fill)
    assert (await forgetting(database).forget())["outbox rows"] == 0


async def test_the_message_of_an_open_question_stays_until_the_question_has_ended(database: Database) -> None:
    def fill(tx: Tx) -> None:
        where = lane(tx)
        asked = questions.insert(tx, where, 1, 1, "Tea?", options=(), default=None, timeout_s=60, now=NOW)
        questions.open_up(tx, asked, NOW + 60_000)
        answer(tx, "question:1:0", state="sent", ended_at=NOW - 100 * DAY)
        keyboard_row = KeyboardRow(
            lane=where, token="t", message_key="question:1:0", text="Tea?", offers=(), question_id=asked
        )
        keyboards.insert(tx, [keyboard_row], NOW)

    await database.write(fill)
    assert (await forgetting(database).forget())["outbox rows"] == 0
    await database.write(lambda tx: questions.decide(tx, 1, "expired", NOW))
    assert (await forgetting(database).forget())["outbox rows"] == 1


async def test_journals_go_after_a_month_with_their_steps_and_the_archive_stays(database: Database) -> None:
    def fill(tx: Tx) -> None:
        where = lane(tx)
        old, _, _ = run(tx, ended_at=NOW - 31 * DAY), run(tx, ended_at=NOW - 29 * DAY), run(tx, ended_at=None)
        said = Message(inbox_id=1, text="hello", sent_at=NOW, platform_id="1", holds=0)
        journal.hear(tx, where, old, person_id=1, speaker="Ann", messages=[said])

    await database.write(fill)
    assert (await forgetting(database).forget())["runs"] == 1
    assert await rows(database, "SELECT id FROM run ORDER BY id") == [[2], [3]]
    assert await rows(database, "SELECT run_id FROM step ORDER BY run_id") == [[2], [3]]
    assert await rows(database, "SELECT text FROM message") == [["hello"]]


async def test_strangers_and_token_counts_go_too(database: Database) -> None:
    def fill(tx: Tx) -> None:
        where = lane(tx)
        for days in (89, 91):
            strangers.count(tx, where.tenant_id, {f"tg:{days}": 1}, NOW - days * DAY)
        for days in (399, 401):
            day = datetime.fromtimestamp((NOW - days * DAY) / 1000, UTC).date().isoformat()
            add_usage(tx, where, 1, day, Usage(model="m", tokens_in=1, tokens_out=1))

    await database.write(fill)
    done = await forgetting(database).forget()
    assert (done["strangers"], done["token counts"]) == (1, 1)
    assert await rows(database, "SELECT external_id FROM stranger") == [["tg:89"]]


async def test_questions_buttons_words_and_undo_go_after_a_month(database: Database) -> None:
    def fill(tx: Tx) -> None:
        where = lane(tx)
        for days in (29, 31):
            at = NOW - days * DAY
            ended = asked(tx, where, at)
            questions.decide(tx, ended, "answered", at)
            show(tx, where, f"a{days}", at, ended)
            show(tx, where, f"b{days}", at, None)
            invitations.insert(tx, where, invitations.INVITE, f"word{days}", 1, now=at, lasts=0)
            undo.insert(tx, where, 1, "it", "tool", {}, here=False, now=at)
        show(tx, where, "open", NOW - 40 * DAY, asked(tx, where, NOW - 40 * DAY))

    await database.write(fill)
    done = await forgetting(database).forget()
    assert [done[name] for name in ("questions", "buttons", "invitations", "undo")] == [1, 1, 1, 1]
    assert await rows(database, "SELECT token FROM keyboard ORDER BY token") == [["a29"], ["b29"], ["open"]]
    assert await rows(database, "SELECT state FROM question ORDER BY id") == [["answered"], ["open"]]


def asked(tx: Tx, where: LaneKey, at: int) -> int:
    """A question that is open."""
    found = questions.insert(tx, where, 1, 1, "?", options=["a"], default=None, timeout_s=60, now=at)
    questions.open_up(tx, found, NOW)
    return found


def show(tx: Tx, where: LaneKey, token: str, at: int, question_id: int | None) -> None:
    """Buttons below a message."""
    keyboard_row = KeyboardRow(
        lane=where, token=token, message_key=token, text="", offers=(("a", "b"),), question_id=question_id
    )
    keyboards.insert(tx, [keyboard_row], at)


async def test_what_was_overheard_goes_after_its_days_and_what_was_said_stays(database: Database) -> None:
    def fill(tx: Tx) -> None:
        where = lane(tx)
        for days in (9, 11):
            journal.overhear(tx, where, 1, "Ann", f"aside {days}", NOW - days * DAY)
        journal.say(tx, where, None, "said", NOW - 99 * DAY)

    await database.write(fill)
    assert (await forgetting(database, Keep(readalong=10)).forget())["read along"] == 1
    assert await rows(database, "SELECT text FROM message ORDER BY text") == [["aside 9"], ["said"]]


async def test_files_go_after_their_days_and_then_from_the_disk(database: Database) -> None:
    gone: list[str] = []
    swept: list[int] = []

    class Cabinet:
        async def unlink(self, paths: Sequence[str]) -> int:
            gone.extend(paths)
            return len(paths)

        async def sweep(self, now: int) -> int:
            swept.append(now)
            return 0

    def fill(tx: Tx) -> None:
        where = lane(tx)
        for days in (9, 11, 19, 21):
            sent = [Attachment(kind="photo", file="f", name=f"{days}.jpg")]
            attachments.insert(tx, where, message(tx, f"m{days}"), sent, NOW - days * DAY)
        tx.run("UPDATE attachment SET state = 'kept', path = '1/' || name")
        tx.run("UPDATE attachment SET state = 'erased', path = '', name = '' WHERE name IN ('19.jpg', '21.jpg')")

    await database.write(fill)
    cabinet = Cabinet()
    keeping = Retention(
        database,
        StillClock(),
        ZoneInfo("UTC"),
        Keep(files=10),
        KEEPS,
        Drawer(unlink=cabinet.unlink, sweep=cabinet.sweep),
    )
    done = await keeping.forget()
    assert (done["files"], done["rows of files"]) == (1, 1)
    assert (gone, swept) == (["1/11.jpg"], [NOW])
    found = await rows(database, "SELECT state, path, name FROM attachment ORDER BY id")
    assert found == [["kept", "1/9.jpg", "9.jpg"], ["erased", "", ""], ["erased", "", ""]]


async def test_much_is_forgotten_in_small_transactions(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 10)
    seen: list[int] = []

    class Counting:
        async def write(self, fn: Any) -> Any:
            seen.append(await database.write(fn))
            return seen[-1]

    def fill(tx: Tx) -> None:
        for number in range(25):
            message(tx, str(number), state="done", ended_at=NOW - 8 * DAY)
        for _ in range(5):
            run(tx, ended_at=NOW - 31 * DAY)

    await database.write(fill)
    await Retention(Counting(), StillClock(), ZoneInfo("UTC"), KEEP, KEEPS).forget()  # type: ignore[arg-type]
    assert [n for n in seen if n] == [10, 10, 5, 2, 2, 1]


def local(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp() * 1000)


@pytest.mark.parametrize(
    ("now", "night"),
    [
        ("2026-11-21T03:29", "2026-11-21T03:30"),
        ("2026-11-21T03:30", "2026-11-22T03:30"),
        ("2026-11-21T23:00", "2026-11-22T03:30"),
        ("2027-03-27T12:00", "2027-03-28T03:30"),  # the clock goes forward in this night
        ("2026-10-24T12:00", "2026-10-25T03:30"),  # and back in this one
    ],
)
def test_a_night_is_half_past_three_on_the_wall(now: str, night: str) -> None:
    assert next_night(local(now), BERLIN) == local(night)


class Watching(Retention):
    """Notes when it would forget, until it has done so three times; it fails where `broken`."""

    def __init__(self, db: Database, clock: StillClock, *, broken: bool = False) -> None:
        super().__init__(db, clock, BERLIN, KEEP, KEEPS)
        self.broken, self.at = broken, list[str]()

    async def forget(self, old_by: int | None = None) -> dict[str, int]:
        at = self._clock.now() if old_by is None else old_by
        self.at.append(f"{datetime.fromtimestamp(at / 1000, BERLIN):%d %H:%M}")
        if len(self.at) == 3:
            raise asyncio.CancelledError
        if self.broken:
            raise KeyError("a bug")
        return {}


async def night_before(database: Database, last: str, ran: int) -> None:
    """The last night was at `last`, and the bot has run for so long since then."""
    for milliseconds in (0, ran):
        await database.write(partial(repository.note_running, now=local(last), ran=milliseconds, night=False))


async def nights(
    database: Database, clock: StillClock, last: str, *, ran: int | None = None, broken: bool = False
) -> list[str]:
    """Return the first three instants by which old data is forgotten, where the bot has run since the night at `last`,
    or for so many minutes of that."""
    await night_before(database, last, clock.at - local(last) if ran is None else ran * 60_000)
    watching = Watching(database, clock, broken=broken)
    with pytest.raises(asyncio.CancelledError):
        await watching.run()
    assert max(clock.naps) <= 900
    return watching.at


async def test_a_night_that_fails_by_a_bug_is_logged_and_the_next_one_comes(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    clock = StillClock(local("2026-11-21T12:00"))
    assert await nights(database, clock, "2026-11-21T03:30", broken=True) == ["21 12:10", "22 03:30", "23 03:30"]
    assert "Traceback" in caplog.text


async def test_leases_are_renewed_again_after_a_bug(caplog: pytest.LogCaptureFixture) -> None:
    rounds: list[int] = []

    class Broken:
        async def write(self, fn: Any) -> Any:
            rounds.append(1)
            if len(rounds) == 2:
                raise asyncio.CancelledError
            raise KeyError("a bug")

    with pytest.raises(asyncio.CancelledError):
        await leases.keep(Broken(), StillClock(), "me", list)  # type: ignore[arg-type]
    assert len(rounds) == 2
    assert "Traceback" in caplog.text


@pytest.mark.databases("sqlite")
async def test_it_forgets_soon_after_the_start_and_then_every_night(database: Database) -> None:
    clock = StillClock(local("2026-11-21T12:00"))
    assert await nights(database, clock, "2026-11-21T03:30") == ["21 12:10", "22 03:30", "23 03:30"]


@dataclass
class SetClock(StillClock):
    """A clock that somebody sets during some of its naps, by so many milliseconds. The bot is stopped at `until`."""

    sets: dict[int, int] = field(default_factory=dict)
    until: int | None = None

    def monotonic(self) -> float:
        return sum(self.naps)

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        self.at += self.sets.get(len(self.naps), 0)
        if self.until is not None and self.at >= self.until:
            raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("nap", "found"),
    [
        (2, ["21 12:10", "22 03:30", "23 03:30"]),  # soon after a night: the next comes by the clock put right
        (40, ["21 12:10", "21 21:55", "22 09:30"]),  # where a night comes by it: it goes by the running time
    ],
)
async def test_a_clock_that_is_days_ahead_for_a_while_makes_nothing_older_and_lets_no_night_wait(
    database: Database, nap: int, found: list[str]
) -> None:
    clock = SetClock(local("2026-11-21T12:00"), sets={nap: 100 * DAY, nap + 1: -100 * DAY})
    assert await nights(database, clock, "2026-11-21T03:30") == found


async def test_a_start_while_the_clock_is_days_ahead_does_not_make_it_believed(database: Database) -> None:
    hour = 3_600_000
    ahead = NOW + 100 * DAY
    read = (
        (NOW, 0),
        (ahead, 0),
        (ahead, hour),
        (NOW + hour, hour),
        (NOW + 4 * hour, 3 * hour),
        (NOW + 8 * hour, 4 * hour),
    )
    found = [await database.write(partial(repository.note_running, now=now, ran=ran, night=True)) for now, ran in read]
    assert found == [None, None, None, None, None, NOW + 8 * hour]


async def test_a_clock_that_was_wrong_for_a_whole_day_is_found_out_by_the_next(database: Database) -> None:
    hour, look = 3_600_000, partial(repository.note_running, night=True)
    ahead = NOW + 100 * DAY
    await database.write(partial(look, now=ahead, ran=0))
    assert await database.write(partial(look, now=ahead + 5 * hour, ran=5 * hour)) is None
    found = [await database.write(partial(look, now=NOW + n * hour, ran=hour)) for n in range(14)]
    assert found.index(NOW + 11 * hour) == 11
    assert not any(found[:11])


async def test_after_a_month_off_what_is_old_goes_once_the_bot_has_run_for_six_hours(database: Database) -> None:
    clock = StillClock(local("2026-11-21T12:00"))
    assert await nights(database, clock, "2026-10-21T03:30", ran=350) == ["21 09:30", "22 03:30", "23 03:30"]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("every", "hours", "late"),
    [(3, 5.9, 7), (7, 2, 56), (7, 5.9, 15), (3, 6.1, 6), (1, 2, 8), (1, 0.5, 26), (1, 9, 1)],
)
async def test_a_bot_that_runs_for_hours_now_and_then_forgets_in_the_end(
    database: Database, every: int, hours: float, late: float
) -> None:
    """Each time what is old is so by an instant that is no more than `late` days ago, and never still to come."""
    start = local("2026-01-05T18:00")
    seen: list[int] = []

    class Noting(Retention):
        async def forget(self, old_by: int | None = None) -> dict[str, int]:
            assert old_by is not None
            assert old_by <= self._clock.now()
            seen.append(self._clock.now() - old_by)
            return {}

    for number in range(60):
        clock = SetClock(start + number * every * DAY)
        clock.until = clock.at + round(hours * 3_600_000)
        with pytest.raises(asyncio.CancelledError):
            await Noting(database, clock, BERLIN, KEEP, KEEPS).run()
    assert seen
    assert max(seen) <= late * DAY


async def test_a_clock_that_is_set_while_a_night_waits_to_be_written_makes_nothing_older(database: Database) -> None:
    clock = StillClock(local("2026-11-21T12:00"))
    jumps = [100 * DAY]

    class Slow:
        async def write(self, fn: Any) -> Any:
            written = await database.write(fn)
            clock.at += jumps.pop() if jumps else 0
            return written

    await night_before(database, "2026-11-21T03:30", 12 * 3_600_000)
    watching = Watching(Slow(), clock)  # type: ignore[arg-type]
    with pytest.raises(asyncio.CancelledError):
        await watching.run()
    assert watching.at[0] == "21 12:10"
