"""What stands behind /calendar add is opened for the message that said it alone, and read by nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.store.people.encryption import Sealer
from tests.capabilities.calendars.served import ADDRESS, BODY, KEY
from tests.capabilities.calendars.test_calendars import everything
from tests.capabilities.transfer.test_export import document, whole
from tests.capabilities.web.net import web_house
from tests.commanding import GROUP, friend, labels, said
from tests.fakes import House
from tests.toolkit.fetch.servers import WebServer, page, web_server

pytestmark = pytest.mark.databases("sqlite")
# What a former version encrypted the words for.
FORMER = "a word of a command"


@pytest.fixture
async def server() -> AsyncIterator[WebServer]:
    async with web_server() as running:
        running.answers["/private-canary/basic.ics"] = page(BODY, Content_Type="text/calendar")
        yield running


@pytest.fixture
async def home(database: Database, tmp_path: Path, server: WebServer) -> AsyncIterator[House]:
    async with web_house(database, tmp_path / "house", server, model=False, secret_key=KEY) as made:
        yield made


async def waiting(home: House) -> list[str]:
    """The words of the message that came last, as they wait in the inbox."""
    return str((await home.column("SELECT text FROM inbox ORDER BY id DESC LIMIT 1"))[0]).split()


def former(*words: str) -> list[str]:
    """Words as a former version kept them."""
    sealer = Sealer([KEY.get_secret_value()])
    return [f"sealed:{sealer.seal(word, FORMER)}" for word in words]


async def of_former_version(home: House, *words: str) -> None:
    """The message that came last was accepted by a former version: it kept these words of it."""
    await home.db.write(
        lambda tx: tx.run(
            "UPDATE inbox SET text = :text WHERE id = (SELECT max(id) FROM inbox)", {"text": " ".join(words)}
        )
    )


@pytest.mark.parametrize("act", ["add", "rename Work", "remove"])
async def test_words_of_one_message_open_in_no_other(home: House, server: WebServer, act: str) -> None:
    await said(home, "hello", **friend())
    await home.hear(f"/calendar add {ADDRESS}", message_id="7")
    [word] = (await waiting(home))[2:]
    await home.work()
    server.asked.clear()
    for text in (word, *former(ADDRESS)):
        for chat in ({}, friend()):
            answer = await said(home, f"/calendar {act} {text}", message_id="8", **chat)
            assert "canary" not in answer.replace("\\", "")
            assert "sealed" not in answer
    # Nor where they are brought into the message that waits for its run in somebody else's chat.
    await home.hear("/calendar add http://example.org/other.ics", message_id="7", **friend())
    await of_former_version(home, "/calendar", "add", word)
    assert "no address of a calendar" in await said(home, "/help", **friend())
    assert server.asked == []
    assert "canary" not in str(await home.column("SELECT name FROM calendar"))


async def test_what_is_kept_of_the_conversation_has_none_of_the_words(home: House) -> None:
    await said(home, f"/calendar add {ADDRESS} ann password", message_id="7")
    await said(home, f"/calendar add {ADDRESS} Mine", message_id="8")
    await said(home, f"/calendar add {ADDRESS} Mine", message_id="8", edits="8")
    assert await home.column("SELECT text FROM message WHERE text LIKE '/calendar%' ORDER BY id") == [
        "/calendar add … … …",
        "/calendar add … …",
    ]


async def test_what_a_former_version_kept_of_the_conversation_is_shown_without_the_words(home: House) -> None:
    await said(home, "/calendar add Mine", message_id="7")
    kept = " ".join(["/calendar", "add", *former(ADDRESS, "Mine")])
    await home.db.write(lambda tx: tx.run("UPDATE message SET text = :text WHERE role = 'user'", {"text": kept}))
    assert "/calendar add … …" in await said(home, "/history 3")
    await said(home, "/export")
    exported = str(whole(document(home)))
    assert "/calendar add … …" in exported
    assert "sealed:" not in exported


async def test_what_waited_over_an_update_is_added(home: House) -> None:
    await home.hear("/calendar add http://example.org/x.ics Mine", message_id="7")
    await of_former_version(home, "/calendar", "add", *former(ADDRESS, "Mine"))
    assert "**Mine** is added" in await said(home, "/help")
    assert await home.column("SELECT text FROM message WHERE text LIKE '/calendar%'") == ["/calendar add … …"]


async def test_a_name_with_a_dot_is_given_and_an_address_is_none(home: House) -> None:
    await said(home, f"/calendar add {ADDRESS}", message_id="7")
    assert "**Dr. Miller**" in await said(home, "/calendar rename Work Dr. Miller", message_id="8")
    assert "canary" not in (await said(home, f"/calendar rename Miller {ADDRESS}", message_id="9")).replace("\\", "")
    assert await home.column("SELECT name FROM calendar") == ["Dr. Miller"]


@pytest.mark.parametrize("name", ["/calender", "/calendar_add", "/kalender", "/Kalendar", "/cal", "/calandar"])
@pytest.mark.parametrize("where", [{}, GROUP], ids=["private", "group"])
async def test_words_behind_a_misspelt_name_are_not_kept(home: House, name: str, where: dict[str, str]) -> None:
    await said(home, "/help", **where)
    answer = await said(home, f"{name} add {ADDRESS} Mine", **where)
    assert "I don't know" in answer
    assert labels(home, where.get("chat", "1")) == []
    await said(home, "hello", quoted=f"{name} add {ADDRESS}", reply_to="7")
    assert [line for line in (await everything(home)).splitlines() if "canary" in line] == []


async def test_who_misspells_it_is_told_to_write_it_again(home: House) -> None:
    answer = await said(home, f"/calender add {ADDRESS}")
    assert answer.replace("\\", "") == (
        "I don't know /calender. Write it again as /calendar add: I did not keep what stood behind it."
    )
    # Without a secret it is offered as any other.
    assert "Did you mean /calendar?" in await said(home, "/calender remove Work")
    assert labels(home) == ["/calendar"]
