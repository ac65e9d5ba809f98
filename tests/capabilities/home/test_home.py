"""The page that somebody has of theirs: shown when they look, kept current, and what its buttons do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.capabilities.home import repository as pages
from core.capabilities.home.service import Pages
from core.kernel import ids
from core.kernel.intent import Intent, Order
from core.kernel.ports import Database, Tx
from core.kernel.types import Attachment, LaneKey, Millis, Page, Sender
from core.kernel.updates import Opened
from core.store.conversation import keyboards
from core.toolkit import intents
from tests.capabilities.calendars.test_expanding import calendar
from tests.commanding import FRIEND, GROUP, home, said
from tests.fakes import OWNER, Crash, CrashingDatabase, House
from tests.linking import ANN, linked

pytestmark = pytest.mark.databases("sqlite")

DAY = 86_400
MILK = "☐ milk"


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await home(database, tmp_path)


async def look(house: House, sender: str = OWNER, chat: str = "1") -> None:
    """Let somebody open their page."""
    opened = Opened(key=f"o{next(house.keys)}", chat=chat, sender=Sender(address=sender, name="Ann", language="en"))
    await house.app.inbox.accept(house.tenant_id, [opened])


async def person(house: House, address: str = OWNER) -> int:
    found = await house.column("SELECT person_id FROM address WHERE external_id = :address", address=address)
    return int(found[0])


async def page(house: House, address: str = OWNER) -> Page:
    """Show somebody's page by hand, and return it."""
    await house.app.container.get(Pages).show(await person(house, address))
    return house.adapter.pages[-1][1]


async def opened(house: House) -> Page:
    await look(house)
    return await page(house)


def lines(found: Page, section: int) -> list[str]:
    return [item.text for item in found.sections[section][1]]


def carried(found: Page, text: str, label: str) -> str:
    """What a button carries beside the line that contains a text."""
    items = [item for _, some in found.sections for item in some if text in item.text]
    [button] = [button for item in items for button in item.buttons if button.label == label]
    return button.data


@contextlib.asynccontextmanager
async def kept_current(house: House) -> AsyncIterator[None]:
    """Let the engine show pages; at the end everything that was to be shown is."""
    begun = asyncio.Event()

    async def nothing_due() -> Millis | None:
        begun.set()
        return None

    engine = house.app.engine
    task = asyncio.create_task(engine.run({"page": house.app.container.get(Pages).show}, nothing_due))
    await asyncio.wait_for(begun.wait(), 10)
    yield
    await engine.stop(10)
    await task


async def test_who_looks_sees_what_is_theirs(house: House) -> None:
    await said(house, "/todo milk")
    await said(house, "/todo call Oma tomorrow at 5pm")
    await said(house, "/remind in 2 hours stretch")
    await said(house, "/every weekday at 9:30 stand-up")
    async with kept_current(house):
        await look(house)
    [(address, found)] = house.adapter.pages
    assert address == OWNER
    assert [title for title, _ in found.sections] == ["To do", "Reminders", "Settings"]
    assert lines(found, 0) == ["☐ call Oma — Tue 22 Sep 17:00", MILK]
    assert [line.partition(": ")[2] for line in lines(found, 1)] == ["stretch", "stand-up"]
    assert lines(found, 2) == ["Time zone: UTC.", "No quiet hours.", "Language: English."]
    labels = [[button.label for button in item.buttons] for item in found.sections[1][1]]
    assert labels == [["+1 h", "Cancel"], ["Skip next", "Cancel"]]


async def test_who_has_nothing_is_told_so(house: House) -> None:
    found = await opened(house)
    assert (lines(found, 0), lines(found, 1)) == (["Nothing to do."], ["Nothing is scheduled."])


async def test_a_zone_that_nobody_knows_here_hides_no_page(house: House) -> None:
    await look(house)
    await house.db.write(lambda tx: tx.run("UPDATE person SET told_timezone = 'Mars/Olympus'"))
    assert lines(await page(house), 2)[0] == "Time zone: UTC."


async def test_before_the_first_message_there_is_a_page_too(house: House) -> None:
    await look(house, FRIEND, chat="2")
    assert lines(await page(house, FRIEND), 0) == ["Nothing to do."]


async def test_who_has_no_access_is_shown_nothing(house: House) -> None:
    async with kept_current(house):
        await look(house, "tg:99", chat="99")
    assert house.adapter.pages == []
    assert await house.column("SELECT count(*) FROM address WHERE external_id = 'tg:99'") == [0]


async def test_who_lost_access_is_shown_nothing_any_more(house: House) -> None:
    await look(house, FRIEND, chat="2")
    await house.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed' WHERE name = 'Ann'"))
    await house.app.container.get(Pages).show(await person(house, FRIEND))
    assert house.adapter.pages == []


async def test_a_to_do_is_ticked_off_without_a_word_and_the_page_shows_it(house: House) -> None:
    await said(house, "/todo milk")
    before = house.adapter.texts("1")
    async with kept_current(house):
        found = await opened(house)
        assert await house.press("", data=carried(found, "milk", "☑ Done")) == ""
        await house.work()
    assert await house.column("SELECT state FROM todo") == ["done"]
    assert house.adapter.texts("1") == before
    assert lines(house.adapter.pages[-1][1], 0) == ["Nothing to do."]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_button_of_a_former_page_does_what_it_said(house: House) -> None:
    for text in ("milk", "bread", "eggs"):
        await said(house, f"/todo {text}")
    former = await opened(house)
    await house.press("", data=carried(former, "milk", "☑ Done"))
    await house.work()
    await said(house, "/todo tea")
    await page(house)
    await house.press("", data=carried(former, "eggs", "☑ Done"))
    await house.work()
    assert lines(await page(house), 0) == ["☐ bread", "☐ tea"]
    assert await house.column("SELECT count(*) FROM keyboard WHERE message_key LIKE 'page:%'") == [1]


async def test_the_button_of_somebody_elses_page_does_nothing(house: House) -> None:
    await said(house, "/todo milk")
    data = carried(await opened(house), "milk", "☑ Done")
    assert await house.press("", sender=FRIEND, data=data) == "This button is for somebody else."
    await house.work()
    assert await house.column("SELECT state FROM todo") == ["open"]


async def test_a_reminder_comes_an_hour_later_however_often_the_button_is_pressed(house: House) -> None:
    await said(house, "/remind in 2 hours stretch")
    [at] = await house.column("SELECT next_at FROM trigger")
    before, found = house.adapter.texts("1"), await opened(house)
    for _ in range(2):
        await house.press("", data=carried(found, "stretch", "+1 h"))
        await house.work()
    [moved] = await house.column("SELECT next_at FROM trigger")
    assert moved // 1000 == at // 1000 + 3_600
    assert house.adapter.texts("1") == before


async def test_a_reminder_is_cancelled_and_one_that_recurs_left_out_once(house: House) -> None:
    await said(house, "/remind in 2 hours stretch")
    await said(house, "/every day at 9:30 stand-up")
    before, found = house.adapter.texts("1"), await opened(house)
    former = next(line for line in lines(found, 1) if "stand-up" in line)
    await house.press("", data=carried(found, "stretch", "Cancel"))
    await house.press("", data=carried(found, "stand-up", "Skip next"))
    await house.work()
    [left] = lines(await page(house), 1)
    assert "stand-up" in left
    assert left != former
    assert house.adapter.texts("1") == before


async def test_a_setting_is_changed_in_the_chat(house: House) -> None:
    found = await opened(house)
    await house.press("", data=carried(found, "Time zone", "Change"))
    await house.work()
    assert house.adapter.texts("1")[-1].startswith("Time zone: UTC. Where are you?")
    await house.press("Berlin")
    await house.work()
    assert lines(await page(house), 2)[0] == "Time zone: Berlin."


async def test_what_cannot_be_done_is_said(house: House) -> None:
    await said(house, "/remind in 2 hours stretch")
    found = await opened(house)
    await said(house, "/cancel stretch")
    await house.press("", data=carried(found, "stretch", "+1 h"))
    await house.work()
    assert "over already" in house.adapter.texts("1")[-1]


async def test_what_one_has_to_do_in_groups_is_shown_while_one_is_there(house: House) -> None:
    await said(house, "/help", **GROUP)
    await said(house, "/todo water the plants", **GROUP)
    await said(house, "/remind me in 3 hours to eat", **GROUP)
    found = await opened(house)
    assert lines(found, 0) == ["☐ water the plants · “`Family`”"]
    assert [line.partition(": ")[2] for line in lines(found, 1)] == ["eat · “`Family`”"]
    assert [item.buttons for item in found.sections[1][1]] == [()]
    house.adapter.absent.add(("-5", OWNER))
    assert lines(await page(house), 0) == ["Nothing to do."]


async def test_the_page_is_shown_anew_after_what_is_said_for_a_week(house: House) -> None:
    async with kept_current(house):
        await said(house, "/todo bread")
        assert house.adapter.pages == []
        await look(house)
        await said(house, "/todo milk")
    assert lines(house.adapter.pages[-1][1], 0) == ["☐ bread", MILK]


async def test_who_has_not_looked_for_a_week_is_not_shown_it_anew(house: House) -> None:
    await look(house)
    house.clock.advance(7 * DAY)
    async with kept_current(house):
        await said(house, "/todo milk")
    assert house.adapter.pages == []


async def test_what_is_too_much_is_counted(house: House) -> None:
    for n in range(22):
        await said(house, f"/todo thing {n:02}")
    found = lines(await opened(house), 0)
    assert (len(found), found[-1]) == (21, "… and 2 more")


async def test_after_everything_was_forgotten_the_page_works_again(house: House) -> None:
    await said(house, "/todo milk")
    await opened(house)
    await house.db.write(lambda tx: tx.run("DELETE FROM keyboard"))
    await said(house, "/timezone")
    data = carried(await page(house), "milk", "☑ Done")
    await house.press("", data=data)
    await house.work()
    assert await house.column("SELECT state FROM todo") == ["done"]


async def test_with_too_many_buttons_a_new_keyboard_begins_and_the_former_one_stays(house: House) -> None:
    await look(house)
    person_id = await person(house)

    def todo(n: int) -> Intent:
        return intents.command("todo", str(n))

    def hang(tx: Tx, first: int) -> tuple[LaneKey, dict[Order, str]]:
        lane = pages.lane(tx, person_id)
        assert lane is not None
        return lane, pages.hang(tx, lane, person_id, [("x", todo(n)) for n in range(first, first + 60)], first)

    _, former = await house.db.write(lambda tx: hang(tx, 0))
    lane, newer = await house.db.write(lambda tx: hang(tx, 50))
    assert set(newer) == {todo(n) for n in range(50, 110)}
    assert newer[todo(50)] != former[todo(50)]
    token, _, number = former[todo(7)].partition(":")
    keyboard_row = await house.db.read(lambda tx: keyboards.find(tx, lane.tenant_id, "1", token))
    assert keyboard_row is not None
    assert keyboard_row.offers[int(number)] == ("x", todo(7))


async def test_it_is_shown_anew_when_the_other_side_ends_a_link(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/todo tax")
    person_id = await person(other, ANN)
    await other.db.write(lambda tx: pages.look(tx, other.tenant_id, person_id, other.clock.now()))
    async with kept_current(other):
        await said(one, "/unlink")
    [(address, found)] = other.adapter.pages
    assert address == ANN
    assert lines(found, 0) == ["Nothing to do."]


async def test_what_a_group_has_is_ticked_off_as_long_as_somebody_is_in_it(house: House) -> None:
    await said(house, "/help", **GROUP)
    await said(house, "/todo cake", **GROUP)
    await said(house, "/todo pie", **GROUP)
    found = await opened(house)
    await house.press("", data=carried(found, "cake", "☑ Done"))
    await house.work()
    assert await house.column("SELECT state FROM todo ORDER BY id") == ["done", "open"]
    assert lines(await page(house), 0) == ["☐ pie · “`Family`”"]
    assert "cake" in await said(house, "/undo")
    assert await house.column("SELECT state FROM todo ORDER BY id") == ["open", "open"]
    house.adapter.absent.add(("-5", OWNER))
    await house.press("", data=carried(found, "pie", "☑ Done"))
    await house.work()
    assert await house.column("SELECT state FROM todo ORDER BY id") == ["open", "open"]


async def test_the_last_thing_of_a_group_that_was_ticked_off_is_taken_back_where_it_was(house: House) -> None:
    await said(house, "/help", **GROUP)
    await said(house, "/todo cake", **GROUP)
    await said(house, "/todo milk")
    states = "SELECT state FROM todo ORDER BY id"
    for absent, state in ((False, "open"), (True, "done")):
        await house.press("", data=carried(await opened(house), "cake", "☑ Done"))
        await house.work()
        assert await house.column(states) == ["done", "open"]
        if absent:
            house.adapter.absent.add(("-5", OWNER))
        assert ("cake" in await said(house, "/undo")) is not absent
        assert await house.column(states) == [state, "open"]


@pytest.mark.parametrize("commits", range(1, 6))
async def test_after_a_crash_what_was_taken_back_in_a_group_is_said_to_be(
    database: Database, tmp_path: Path, commits: int
) -> None:
    crashing = CrashingDatabase(database)
    first = await home(crashing, tmp_path)
    await said(first, "/help", **GROUP)
    await said(first, "/todo cake", **GROUP)
    [todo_id] = await first.column("SELECT id FROM todo")
    await said(first, f"/todo done {ids.ref('t', todo_id)} 1")
    await first.hear("/undo")
    crashing.arm(commits, after=True)
    with contextlib.suppress(Crash):
        await first.work()
    second = await home(database, tmp_path)
    open_again = await second.column("SELECT state FROM todo") == ["open"]
    second.adapter.absent.add(("-5", OWNER))
    await second.app._take_up()
    await second.later(60)
    answers = "\n".join(first.adapter.texts("1") + second.adapter.texts("1"))
    assert ("Taken back" in answers) is open_again
    assert await second.column("SELECT state FROM todo") == ["open" if open_again else "done"]


async def test_a_zone_is_called_as_the_language_calls_it(house: House) -> None:
    await said(house, "/timezone Shanghai")
    await said(house, "/language zh")
    assert lines(await opened(house), 2)[0] == "时区：上海。"


async def test_what_is_on_today_stands_first(house: House) -> None:
    file = Attachment(kind="document", file="f", name="own.ics", size=200)
    house.adapter.files = {
        "f": calendar("DTSTART:20260921T160000Z\nDTEND:20260921T170000Z", "DTSTART:20260922T080000Z")
    }
    assert (await opened(house)).sections[0][0] == "To do"
    assert "is added" in await said(house, "/calendar add", attachments=(file,))
    shown = await opened(house)
    assert shown.sections[0][0] == "Today"
    assert lines(shown, 0) == ["🗓 16:00–17:00 it"]
