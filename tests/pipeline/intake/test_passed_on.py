"""What somebody else wrote, and was forwarded or shared, orders and decides nothing: not even where no line says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.slack.parse.events import parse
from bot.adapters.slack.parse.messages import Known
from bot.adapters.slack.parse.text import Me
from core.kernel.ports import Database
from core.kernel.types import Inbound, Sender
from tests.asking import NAME, TEA, ask, asked, states
from tests.commanding import GROUP, friend, group, home, said
from tests.fakes import House, house
from tests.linking import ANN, DM, allowed, code_of, linked

pytestmark = pytest.mark.databases("sqlite")

ME = Me(team="T1", user="U0BOT")
KNOWN = Known(people={"U1": Sender(address=ANN, name="Ann", language="en")})
HIS: dict[str, Any] = {"forwarded": True}


def shared(text: str, ts: str = "1700000000.000100", **fields: Any) -> Inbound:
    """What Slack sends when Ann shares a message with the bot without a word of her own."""
    passed = {"is_share": True, "text": text, "from_url": "https://acme.slack.com/archives/C9/p1"}
    event = {"type": "message", "user": "U1", "text": "", "ts": ts, "channel": "D1", "attachments": [passed]}
    found = parse({**event, **fields}, ME, KNOWN)
    assert isinstance(found, Inbound)
    return found


async def passed_on(home_of: House, text: str, **fields: Any) -> None:
    await home_of.app.inbox.accept(home_of.tenant_id, [shared(text, **fields)])
    await home_of.work()


async def test_a_shared_message_of_slack_is_no_command(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await said(other, "/todo keep", **DM)
    await passed_on(other, "/forget yes")
    await passed_on(other, f"/link {await code_of(one, **friend())}", ts="1700000001.000100")
    assert await one.column("SELECT content FROM todo") == ["keep"]
    assert await one.column("SELECT asked_by FROM link_code") == [None]
    assert await one.column("SELECT command FROM run WHERE command <> ''") == []


@pytest.mark.parametrize("text", ["/forget yes", "/link forbid", "/unlink", "add milk to my list"])
async def test_nor_is_one_that_was_forwarded(database: Database, tmp_path: Path, text: str) -> None:
    one, other = await linked(database, tmp_path)
    await said(other, "/todo keep", **DM)
    await said(other, text, **HIS, **DM)
    assert await one.column("SELECT content FROM todo") == ["keep"]
    assert await one.column("SELECT count(*) FROM link") == [2]


async def test_it_interrupts_nothing(database: Database, tmp_path: Path) -> None:
    house = await asked(database, tmp_path, ask(NAME), "Hello!", "Hello again!")
    for text in ("/cancel", "/stop"):
        await said(house, text, **HIS)
    assert await states(house) == ["open"]
    await said(house, "/cancel")
    assert await states(house) == ["withdrawn"]


async def test_it_stands_alone_no_more_than_other_words(database: Database, tmp_path: Path) -> None:
    built = await house(database, tmp_path / "house", "Seen.")
    await built.hear("/todo milk", **HIS)
    await built.hear("what does that mean?")
    await built.work()
    assert built.model is not None
    assert [request.heard for request in built.model.requests] == [("/todo milk", "what does that mean?")]


@pytest.mark.parametrize(("question", "text"), [(TEA, "Coffee"), (NAME, "Ada")])
async def test_it_answers_no_question_of_the_model(
    database: Database, tmp_path: Path, question: dict[str, Any], text: str
) -> None:
    house = await asked(database, tmp_path, ask(question), "Seen.", "Thanks.")
    await said(house, text, **HIS)
    assert await states(house) == ["open"]
    await said(house, text)
    assert await states(house) == ["answered"]


async def test_it_is_no_time_that_a_command_asks_for(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/remind vote")
    await said(house, "tomorrow at 9", **HIS)
    assert await states(house) == ["open"]
    await said(house, "tomorrow at 9")
    assert await house.column("SELECT text FROM trigger") == ["vote"]


async def test_it_lets_nobody_in(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    word = re.search(r"start=([A-Za-z0-9_-]+)", await said(house, "/invite"))
    assert word is not None
    stranger: dict[str, Any] = {"chat": "9", "sender": "tg:9"}
    assert await said(house, f"/start {word[1]}", **HIS, **stranger) == ""
    assert await said(house, f"/start {word[1]}", **stranger) != ""


async def test_it_lets_nobody_be_heard_in_a_group_who_is_not(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/optout", **{**GROUP, "sender": "tg:7"})
    assert await said(house, "/privacy", **HIS, **{**GROUP, "sender": "tg:7"}) == ""
    assert await said(house, "/privacy", **{**GROUP, "sender": "tg:7"}) != ""


async def test_a_message_does_not_become_a_command_by_an_edit_that_leaves_what_it_shares(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo keep")
    await house.hear("look at this", key="m1", album="a1")
    await house.hear("/forget yes", edits="m1", **HIS)
    house.clock.advance(5)
    await house.work()
    assert await house.column("SELECT content FROM todo") == ["keep"]
