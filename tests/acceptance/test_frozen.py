"""A data folder that version 0.1.0 left when it was killed, with work in every state, opens and goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.acceptance.harness import MARK
from tests.acceptance.stories.days import DAY, MINUTE
from tests.acceptance.stories.stage import HOUR
from tests.frozen.thawing import Thawed, loaded, teller, thawed
from tests.postgres_server import PostgresServer


@pytest.fixture(params=["sqlite", "postgres"])
async def folder(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Thawed]:
    """The frozen folder, not opened yet."""
    if request.param == "sqlite":
        async with thawed(tmp_path) as found:
            yield found
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    url = loaded(server.create(empty=True))
    async with thawed(tmp_path, DATABASE__URL=url) as found:
        (tmp_path / "data" / "teller.db").unlink()
        yield found
    server.drop(url)


async def test_what_was_under_way_is_carried_to_its_end_once(folder: Thawed) -> None:
    on = folder.on
    await on.bot.start()
    await folder.sees("ida", "You said: decide this")
    await folder.sees("ned", "You said: think hard")
    await folder.sees("ned", "You said: And this, too.")
    await folder.sees("jon", "You said: knock")
    await folder.sees("rob", "You said: Anybody there?")
    await folder.sees("ola", "feed the cat")
    assert (await on.says(folder.who("ola"), "/tasks")).text.count("feed the cat") == 1
    on.passes(6 * MINUTE)
    await folder.sees("pat", "You said: what is love?")
    for name, answers in {"ida": 1, "ned": 2, "jon": 1, "ola": 2}.items():
        assert len(folder.texts(name)) == answers, folder.texts(name)
    knocked = [request for request in on.model.requests if request.last_user_text == "knock"]
    assert len(knocked) == 1
    assert "may or may not have happened" in str(knocked[0].messages[-1]["content"])


async def test_what_may_have_been_sent_is_sent_once_more_and_marked(folder: Thawed) -> None:
    on = folder.on
    assert [text[:5] for text in folder.texts("kim")] == ["It is"]
    assert folder.texts("kit") == []
    await on.bot.start()
    await on.until(lambda: len(folder.texts("kim")) == 2 and len(folder.texts("kit")) == 1)
    for name in ("kim", "kit"):
        assert folder.texts(name)[-1].startswith(MARK)
        await on.talk(folder.who(name))
    assert (len(folder.texts("kim")), len(folder.texts("kit"))) == (3, 2)


async def test_buttons_of_before_do_what_they_say(folder: Thawed) -> None:
    on = folder.on
    await on.bot.start()
    done = await folder.presses("bob", "⏰ sweep", "Done")
    assert "✅" in await on.closed(done)
    snooze = await folder.presses("sue", "⏰ sing", "+10 min")
    await on.becomes(snooze, "💤")
    await folder.presses("ann", "in 1 d: call Oma", "Undo")
    await folder.sees("ann", "Taken back: the reminder “call Oma”")
    await folder.presses("ann", "water plants", "Undo")
    await folder.sees("ann", "Taken back: the new to-do “water plants”")
    await folder.presses("gil", "next Wed 7 Mar: stretch", "Change")
    question = await folder.sees("gil", "When shall it be? “stretch”")
    changed = await on.says(folder.who("gil"), "every day at 14:00", reply_to=question)
    assert "every day at 14:00" in changed.text
    assert "14:00 ↻: stretch" in (await on.says(folder.who("gil"), "/tasks")).text
    vote = next(one for one in on.platform.shown(folder.family) if "1 of 2:" in one.text)
    await on.pressed(folder.who("cat"), vote, "Done")
    assert "2 of 2:" in await on.closed(vote)
    await folder.presses("vic", "call back", "OK")
    await on.sees(folder.family, f"{folder.who('vic').name} ✅")
    on.passes(10 * MINUTE)
    await on.until(lambda: folder.texts("sue").count("⏰ sing") == 1)


async def test_open_questions_take_an_answer(folder: Thawed) -> None:
    on = folder.on
    await on.bot.start()
    question = await folder.presses("eve", "Tea or coffee?", "Coffee")
    await folder.sees("eve", "Noted: Coffee (user).")
    assert await on.closed(question) == f"✅ Coffee — {folder.who('eve').name}"
    sown = await on.says(folder.who("dora"), "in 20 minutes")
    assert sown.text.endswith("in 20 min: sow the carrots")
    moved = await on.says(folder.who("dan"), "tomorrow at 15:00")
    assert "15:00" in moved.text
    tasks = await on.says(folder.who("dan"), "/tasks")
    assert "15:00: pay the rent" in tasks.text
    assert "11:00" not in tasks.text
    on.passes(20 * MINUTE)
    await folder.sees("dora", "⏰ sow the carrots")


async def test_an_open_question_ends_with_its_default(folder: Thawed) -> None:
    on = folder.on
    await on.bot.start()
    on.passes(HOUR)
    await folder.sees("fay", "Noted: Tea (default).")
    question = next(one for one in on.platform.shown(folder.home("fay")) if "Tea or coffee?" in one.text)
    assert await on.closed(question) == "⏱ No answer in time: Tea"


async def test_what_is_due_comes_once_at_its_time(folder: Thawed) -> None:
    on = folder.on
    await on.bot.start()
    # The one that was put off shows still until when.
    on.at("2035-03-07T11:11:30+00:00")
    await on.until(lambda: len([text for text in folder.texts("cat") if text.startswith("⏰ iron")]) == 2)
    on.at("2035-03-07T12:00:30+00:00")
    await folder.sees("sue", "⏰ dance")
    on.at("2035-03-07T12:30:10+00:00")
    await folder.sees("gil", "⏰ stretch")
    await on.sees(folder.family, ": stand-up")
    on.at("2035-03-07T17:30:10+00:00")
    await folder.sees("gil", "📅")
    on.at("2035-03-08T09:00:10+00:00")
    await folder.sees("ann", "⏰ call Oma")
    for text in ("look up", "look down"):
        await folder.sees("leo", f"⏰ {text}")
    on.at("2035-03-19T07:15:10+00:00")
    await folder.sees("gil", "⏰ take the pills")
    await on.talk(folder.who("gil"))
    came = [text.partition("\n")[0] for name in folder.people for text in folder.texts(name) if text.startswith("⏰")]
    once = ["⏰ iron", "⏰ dance", "⏰ look up", "⏰ look down", "⏰ take the pills", "⏰ feed the cat"]
    counted = {text: came.count(text) for text in once}
    assert counted == dict.fromkeys(once, 1) | {"⏰ iron": 2}, counted
    assert "⏰ water the garden" not in came


async def test_an_invitation_of_before_lets_somebody_in(folder: Thawed) -> None:
    on = folder.on
    await on.bot.start()
    (link,) = [text for text in on.texts(on.platform.private(on.platform.owner)) if "start=" in text]
    guest = on.platform.stranger()
    on.platform.follow(guest, link)
    await on.count(on.platform.private(guest), 1)
    await on.talk(guest)


async def test_the_ledger_with_rows_of_both_versions_holds(folder: Thawed) -> None:
    on = folder.on
    await on.bot.start()
    await folder.sees("ida", "You said: decide this")
    on.passes(DAY)
    await folder.sees("ann", "⏰ call Oma")
    await on.bot.stop()
    assert "The ledger is intact" in await teller(on.bot, "ledger", "verify")
    assert (folder.on.bot.data / "files").is_dir()
