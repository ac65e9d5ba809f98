"""Replies that change the message whose button was pressed, again and again, and who may press."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import SendRefused
from core.kernel.intent import Order
from core.kernel.ports import Database, Tx
from core.kernel.replies import Outcome, Reply
from core.kernel.types import LaneKey
from core.store.conversation.keyboards import KeyboardRow
from core.toolkit import intents
from core.toolkit.tool import ToolContext
from tests.asking import GROUP
from tests.fakes import FRIEND, OWNER, Hitch, House, house

pytestmark = pytest.mark.databases("sqlite")

Answer = Callable[[str], Reply]


def page(text: str) -> Reply:
    """A list with a button for its next page; the page is what stands behind the command."""
    n = int(text.partition(" ")[2] or 1)
    return Reply(n=0, text=f"page {n}", offers=(("next", intents.command("list", str(n + 1))),), edits=True)


def answering(home: House, answer: Answer) -> None:
    """Let all commands be answered by one function."""

    async def commands(context: ToolContext, order: Order) -> Outcome:
        text = order if isinstance(order, str) else "/{command} {rest}".format_map(order.arguments).strip()
        return Outcome(replies=[answer(text)])

    home.app.worker.answering.collaborators = replace(home.app.worker.answering.collaborators, commands=commands)


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    made = await house(database, tmp_path / "house", lambda request: "Hm.")
    answering(made, page)
    return made


async def listed(home: House, text: str = "/list", **where: Any) -> None:
    await home.hear(text, **where)
    await home.work()


async def test_a_press_changes_the_message_and_not_what_follows_it(home: House) -> None:
    await listed(home)
    await home.hear("hello")
    await home.work()
    assert await home.press("next") == "next"
    await home.work()
    assert [message.text for message in home.shown()] == ["page 2", "Hm."]


async def test_it_is_changed_again_and_again(home: House) -> None:
    await listed(home)
    for _ in range(3):
        await home.press("next")
        await home.work()
    (message,) = home.shown()
    assert message.text == "page 4"
    assert message.keyboard is not None
    assert [button.label for button in message.keyboard.buttons] == ["next"]


async def test_a_button_of_an_earlier_state_still_says_what_it_said(home: House) -> None:
    await listed(home)
    old = home.button("next")
    for _ in range(2):
        await home.press("next")
        await home.work()
    assert await home.press("", data=old) == "next"
    await home.work()
    assert [message.text for message in home.shown()] == ["page 2"]


async def test_pressing_faster_than_is_answered_ends_with_the_last(home: House) -> None:
    await listed(home)
    button = home.button("next")
    for _ in range(3):
        await home.press("", data=button)
    await home.work()
    assert [message.text for message in home.shown()] == ["page 2"]


async def test_what_only_changes_a_message_is_not_said_again(home: House) -> None:
    await listed(home)
    await home.press("next")
    await home.work()
    assert await home.column("SELECT text FROM message WHERE role = 'assistant'") == ["page 1"]
    assert await home.column("SELECT count(*) FROM ledger WHERE tool = 'reply'") == [2]


async def test_a_message_that_did_not_arrive_is_not_changed_but_said_anew(home: House) -> None:
    home.adapter.hitches.append(Hitch(error=SendRefused("400"), effect=True))
    await listed(home)
    await home.press("next")
    await home.work()
    assert [message.text for message in home.shown()] == ["page 1", "page 2"]
    assert await home.column("SELECT text FROM message WHERE role = 'assistant'") == ["page 1", "page 2"]


async def test_a_message_that_is_forgotten_is_said_anew(home: House) -> None:
    await listed(home)
    await home.db.write(lambda tx: tx.run("DELETE FROM outbox"))
    await home.press("next")
    await home.work()
    assert [message.text for message in home.shown()] == ["page 1", "page 2"]


async def test_what_is_too_long_for_one_message_is_said_anew(home: House) -> None:
    await listed(home)
    answering(home, lambda text: Reply(n=0, text="page\fwhole", edits=True))
    await home.press("next")
    await home.work()
    assert [message.text for message in home.shown()] == ["page 1", "page", "whole"]


async def test_a_message_in_parts_is_not_changed(home: House) -> None:
    answering(
        home, lambda text: Reply(n=0, text="one\ftwo", offers=(("next", intents.command("list", "2")),), edits=True)
    )
    await listed(home)
    answering(home, page)
    await home.press("next")
    await home.work()
    assert [message.text for message in home.shown()] == ["one", "two", "page 2"]


async def test_buttons_that_are_not_for_once_stay_and_those_that_are_give_way(home: House) -> None:
    for once, left in ((False, ["again"]), (True, [])):
        first = Reply(n=0, text="x", offers=(("again", intents.command("x")),), once=once)
        answering(home, {"/first": first}.__getitem__)
        await listed(home, "/first")
        answering(home, lambda text: Reply(n=0, text="pressed"))
        shown = home.shown()[-1].platform_id
        assert await home.press("again") == "again"
        await home.work()
        (message,) = [one for one in home.shown() if one.platform_id == shown]
        assert [button.label for button in (message.keyboard.buttons if message.keyboard else ())] == left


async def test_a_button_for_once_below_a_message_that_is_changed_cannot_be_pressed_twice(home: House) -> None:
    answering(home, lambda text: Reply(n=0, text="milk is done", offers=(("Undo", intents.command("list", "9")),)))
    await listed(home)
    undo = home.button("Undo")
    answering(home, page)
    assert await home.press("", data=undo) == "Undo"
    assert await home.press("", data=undo) == "Already done."
    await home.work()
    assert [message.text for message in home.shown()] == ["page 9"]


async def test_a_reply_without_a_text_says_nothing(home: House) -> None:
    answering(home, lambda text: Reply(n=0, text=""))
    await listed(home, "/done")
    assert home.adapter.texts() == []
    assert await home.column("SELECT state FROM run") == ["done"]
    assert await home.column("SELECT state FROM inbox") == ["done"]
    assert await home.column("SELECT count(*) FROM message WHERE role = 'assistant'") == [0]
    assert await home.column("SELECT count(*) FROM ledger WHERE tool = 'reply'") == [0]


async def test_a_late_answer_to_a_press_shows_its_message_as_it_is(home: House) -> None:
    await listed(home)
    await home.press("next")
    home.clock.advance(900)
    await home.work()
    assert [message.text for message in home.shown()] == ["page 2"]


async def test_only_those_whom_a_board_names_may_press_and_owners(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", lambda request: "Hm.")
    for person in (OWNER, FRIEND, "tg:7", "tg:8"):
        await home.hear("hello", sender=person, **GROUP)
    await home.work()
    ids = await home.column("SELECT person_id FROM address WHERE external_id IN ('tg:2', 'tg:7') ORDER BY 1")
    (row,) = await home.rows(
        "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.kind = 'group'"
    )
    composer = home.app.worker._ending._composer

    def remind(tx: Tx) -> None:
        outgoing = composer.outgoing(
            "telegram", "k", "Tea!", [("Done", intents.command("help"))], once=False, people=tuple(ids)
        )
        composer.say(tx, LaneKey(**row), outgoing)

    await home.db.write(remind)
    await home.work()
    where = {"chat": "-5", "chat_kind": "group"}
    shown = {who: await home.press("Done", sender=who, **where) for who in (FRIEND, "tg:7", "tg:8", OWNER)}
    refused = "This button is for somebody else."
    assert shown == {FRIEND: "Done", "tg:7": "Done", "tg:8": refused, OWNER: "Done"}
    assert await home.column("SELECT count(*) FROM inbox WHERE pressed IS NOT NULL") == [3]


@pytest.mark.parametrize(
    ("person_id", "people", "pressers"),
    [(None, (), {1, 2, 3}), (1, (), {1}), (None, (1, 2), {1, 2}), (3, (1, 2), {1, 2})],
)
def test_a_board_is_for_whom_it_names(person_id: int | None, people: tuple[int, ...], pressers: set[int]) -> None:
    lane = LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1)
    keyboard_row = KeyboardRow(
        lane=lane, token="t", message_key="k:0", text="", offers=(), person_id=person_id, people=people
    )
    assert {one for one in (1, 2, 3) if keyboard_row.is_for(one)} == pressers


@pytest.mark.databases("sqlite", "postgres")
async def test_an_edit_that_is_refused_is_followed_by_a_message_once(home: House) -> None:
    await listed(home)
    old = home.button("next")
    home.adapter.hitches.append(Hitch(error=SendRefused("edit_window_closed")))
    await home.press("next")
    await home.work()
    assert [sent.text for sent in home.adapter.sent] == ["page 1", "page 2"]
    # Whatever was below the old message changes the new one from now on.
    for data in ("", old):
        await home.press("next", data=data)
        await home.work()
    assert [(sent.text, bool(sent.to.replaces)) for sent in home.adapter.sent[2:]] == [
        ("page 3", True),
        ("page 2", True),
    ]
    assert [message.text for message in home.shown()] == ["page 1", "page 2"]


@pytest.mark.parametrize("reasons", [("Forbidden: bot was blocked",), ("too long", "too long")])
async def test_nothing_more_is_tried_where_that_is_refused_too(home: House, reasons: tuple[str, ...]) -> None:
    await listed(home)
    home.adapter.hitches.extend(Hitch(error=SendRefused(reason)) for reason in reasons)
    await home.press("next")
    await home.work()
    assert [sent.text for sent in home.adapter.sent] == ["page 1"]
    assert await home.column("SELECT count(*) FROM outbox WHERE state = 'dead'") == [len(reasons)]
