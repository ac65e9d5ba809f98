"""What people of Slack read: commands as they type them there, in channels, in threads and in private."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.adapters.slack.render.command_style import spelling
from core.kernel.errors import SendRefused
from core.kernel.ports import Database
from core.kernel.timing.schedule import Rule
from core.kernel.types import Keyboard
from core.store.conversation import dead_letters
from tests.commanding import FRIEND, GROUP, friend, home, labels, pressed, said
from tests.fakes import Hitch, House
from tests.triggering import passes, trigger

pytestmark = pytest.mark.databases("sqlite")

DAY = 86_400
THREAD: dict[str, Any] = {**GROUP, "thread": "1700000000.000100"}
ABSENT = "Forbidden: not_in_channel"


async def slack(db: Database, folder: Path, **options: Any) -> House:
    """A house whose platform writes commands as Slack does, and where the owner has said hello."""
    house = await home(db, folder, **options)
    house.adapter.spelling = spelling("/teller", "/todo")
    return house


async def test_help_lists_what_can_be_typed_and_what_works_in_threads(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    told = await said(house, "/help")
    assert "/teller tasks shows" in told
    assert "or /todo and /teller lists. /teller today" in told
    assert "/teller invite gives" in told
    assert "work in threads" in told
    assert "`@Teller /timezone Berlin`" in told


async def test_help_elsewhere_says_nothing_of_threads(database: Database, tmp_path: Path) -> None:
    told = await said(await home(database, tmp_path), "/help")
    assert "/tasks shows" in told
    assert "thread" not in told
    assert "/teller" not in told


async def test_the_greeting_promises_what_slack_does(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    told = await said(house, "hi", **GROUP)
    assert "in a thread I go on with whom I answered last" in told
    assert "begin with my name" not in told
    assert "/teller privacy says more" in told


async def test_in_a_thread_commands_stand_behind_a_mention(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    await said(house, "hi", **GROUP)
    told = await said(house, "/help", **THREAD)
    assert "@Teller /tasks shows" in told
    assert "or @Teller /todo and @Teller /lists." in told
    assert "/teller" not in told
    assert "/teller tasks shows" in await said(house, "/help", **GROUP)


async def test_what_nobody_understood_is_answered_with_commands_that_work(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    assert "/teller help shows more" in await said(house, "why is the sky blue?")
    # The long explanation comes once a chat and day.
    assert "/teller help 看更多" in await said(house, "天空为什么是蓝色的？", chat="D9")
    assert "write /teller remind first" in await said(house, "rappelle-moi demain à 17 heures d'appeler mamie")


async def test_the_values_of_texts_are_spelled_too(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    usage = await said(house, "/contacts zone")
    assert "`/teller contacts zone Dad New York`" in usage
    assert "`/teller contacts add Dad @dad`" in usage
    assert "Did you mean /teller status?" in await said(house, "/statu")
    assert labels(house) == ["/teller status"]
    assert "Up for" in await pressed(house, "/teller status")


@pytest.mark.databases("sqlite", "postgres")
async def test_a_chosen_language_is_spelled_at_once(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    await said(house, "/language zh")
    assert "/teller help" in await said(house, "/nonsense")


async def test_a_press_in_a_channel_where_one_is_ignored_says_how_to_end_that(
    database: Database, tmp_path: Path
) -> None:
    house = await slack(database, tmp_path)
    await said(house, "hi", **GROUP)
    await said(house, "/todo milk", **GROUP)
    await said(house, "/todo", **GROUP)
    label = labels(house, "-5")[0]
    await said(house, "/optout", **GROUP)
    told = await house.press(label, chat="-5", chat_kind="group")
    assert told == "You asked me to ignore you here. /teller optout off changes that."


async def test_a_channel_that_is_new_is_told_the_commands_that_work_there(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    told = await said(house, "hi", **GROUP)
    assert "/teller privacy says more, /teller optout makes me ignore you" in told


@pytest.mark.databases("sqlite", "postgres")
async def test_what_waits_for_the_end_of_quiet_hours_names_the_command_as_its_reader_writes_it(
    database: Database, tmp_path: Path
) -> None:
    house = await slack(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/quiet always", **friend())
    await said(house, "/send Bob lunch?")
    (held,) = await house.column("SELECT text FROM trigger WHERE deliver = 'note'")
    assert "`/teller mute p" in held


@pytest.mark.databases("sqlite", "postgres")
async def test_a_reminder_for_a_channel_without_the_bot_is_told_in_private_with_how_to_invite_it(
    database: Database, tmp_path: Path
) -> None:
    house = await slack(database, tmp_path)
    await said(house, "hi", **GROUP)
    await trigger(house, "stand-up", Rule(cron="0 9 * * *", zone="UTC"), chat="-5")
    house.adapter.hitches.append(Hitch(error=SendRefused(ABSENT)))
    await passes(house, DAY)
    told = house.shown()[-1].text
    assert "“stand-up”: I am not in that channel" in told
    assert "To invite me, write `/invite @Teller` there." in told
    assert told.endswith("there. It rests until that changes.")


@pytest.mark.databases("sqlite", "postgres")
async def test_who_asked_in_a_channel_that_the_bot_has_left_is_told_in_private(
    database: Database, tmp_path: Path
) -> None:
    house = await slack(database, tmp_path)
    await said(house, "hi", **GROUP)
    house.adapter.hitches.append(Hitch(error=SendRefused(ABSENT)))
    await said(house, "/time", **THREAD)
    told = house.shown()[-1].text
    assert "I couldn't answer you in “`Family`”: I am not in that channel" in told
    assert "`/invite @Teller`" in told
    assert await house.column("SELECT error FROM outbox WHERE state = 'dead'") == [ABSENT]
    assert await database.read(lambda tx: dead_letters.count(tx, dead_letters.OUTBOX)) == 0
    [row] = await house.column("SELECT id FROM outbox WHERE state = 'dead'")
    assert await database.write(lambda tx: dead_letters.drop(tx, dead_letters.OUTBOX, row, house.clock.now()))


@pytest.mark.databases("sqlite", "postgres")
async def test_an_answer_that_is_lost_and_not_told_of_wants_a_decision(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    house.adapter.hitches.append(Hitch(error=SendRefused(ABSENT)))
    await said(house, "/time")
    assert await database.read(lambda tx: dead_letters.count(tx, dead_letters.OUTBOX)) == 1


async def test_an_answer_that_is_refused_for_what_it_says_is_not_told_of(database: Database, tmp_path: Path) -> None:
    house = await slack(database, tmp_path)
    await said(house, "hi", **GROUP)
    before = len(house.shown())
    house.adapter.hitches.append(Hitch(error=SendRefused("invalid_blocks")))
    await said(house, "/time", **THREAD)
    assert len(house.shown()) == before


@pytest.mark.databases("sqlite", "postgres")
async def test_a_field_for_an_answer_is_named_in_the_language_of_who_is_asked(
    database: Database, tmp_path: Path
) -> None:
    house = await slack(database, tmp_path)
    drawn: list[Keyboard] = []
    render = house.adapter.render

    def watched(text: str, choices: Any = (), keyboard: Keyboard | None = None) -> Any:
        if keyboard is not None and keyboard.reply:
            drawn.append(keyboard)
        return render(text, choices, keyboard)

    house.adapter.render = watched  # type: ignore[method-assign] # looks on
    await said(house, "/language zh", **GROUP)
    await said(house, "/remind 明天9点", **GROUP)
    assert [keyboard.label for keyboard in drawn] == ["✍️ 回答……"]
