"""Sending where something must wait: what goes on meanwhile, in which order, and what nobody waits for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import SendPaced, SendUnsent
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey, Millis, Urgency
from core.store.conversation import outbox
from tests.fakes import FRIEND, Hitch, House, house

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house that knows two chats and has nothing to do."""
    home = await house(database, tmp_path / "house", lambda request: "")
    await home.hear("hello", chat="1")
    await home.hear("hello", chat="2", sender=FRIEND)
    await home.work()
    return home


async def lane(home: House, chat: str = "1") -> LaneKey:
    (row,) = await home.rows(
        "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = :chat",
        chat=chat,
    )
    return LaneKey(**row)


async def queue(home: House, text: str, *, chat: str = "1", **more: Any) -> int:
    """Queue a message whose key is its text; returns its row."""
    key = await lane(home, chat)

    def add(tx: Tx) -> int:
        outbox.add(tx, key, text, {"text": text, "serial": 0}, now=home.clock.now(), **more)
        found = outbox.row_of(tx, key.tenant_id, text)
        assert found is not None
        return found

    return await home.db.write(add)


async def wait_until(home: House, text: str, at: Millis) -> None:
    """Let a message not go before an instant."""
    sql = "UPDATE outbox SET not_before = :at WHERE message_key = :key"
    await home.db.write(lambda tx: tx.run(sql, {"at": at, "key": text}))


async def test_what_must_wait_holds_up_no_other_kind(home: House) -> None:
    """An edit that comes too soon, a reminder, or an answer that is tried again: the others of the chat go on."""
    target = await queue(home, "first")
    await home.send()
    await queue(home, "edit", replaces_id=target)
    home.adapter.hitches.append(Hitch(error=SendUnsent("too soon", 40.0)))
    await home.send()
    await queue(home, "answer")
    await queue(home, "reminder", urgency=Urgency.REMINDER)
    await home.send()
    assert home.adapter.texts() == ["first", "answer", "reminder"]
    await home.later(41)
    assert home.adapter.texts()[-1] == "edit"


async def test_a_reminder_that_must_wait_holds_up_no_answer_and_an_answer_no_reminder(home: House) -> None:
    await queue(home, "reminder", urgency=Urgency.REMINDER)
    home.adapter.hitches.append(Hitch(error=SendUnsent("too soon", 40.0)))
    await home.send()
    await queue(home, "answer")
    home.adapter.hitches.append(Hitch(error=SendUnsent("connect", 90.0)))
    await home.send()
    await home.later(41)
    assert home.adapter.texts() == ["reminder"]
    await home.later(60)
    assert home.adapter.texts() == ["reminder", "answer"]


async def test_what_comes_after_it_of_its_kind_waits_with_it(home: House) -> None:
    for n in range(3):
        await queue(home, f"answer {n}")
    home.adapter.hitches.append(Hitch(error=SendUnsent("connect", 10.0)))
    await home.send()
    await queue(home, "answer 3")
    await home.send()
    assert home.adapter.texts() == []
    await home.later(11)
    assert home.adapter.texts() == [f"answer {n}" for n in range(4)]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_chat_is_looked_at_again_when_the_first_that_waits_may_go(home: House) -> None:
    now = home.clock.now()
    for n, seconds in enumerate((30, 10)):
        await queue(home, f"{n}", urgency=(Urgency.INTERACTIVE, Urgency.REMINDER)[n])
        await wait_until(home, f"{n}", now + seconds * 1000)
    chat_id = (await lane(home)).chat_id
    assert await home.db.write(lambda tx: outbox.claim(tx, chat_id, now)) == now + 10_000


async def test_the_platform_hears_which_messages_nobody_waits_for(home: House) -> None:
    await queue(home, "reminder", urgency=Urgency.REMINDER)
    await queue(home, "answer")
    await home.send()
    assert [(sent.text, sent.to.bulk) for sent in home.adapter.sent] == [("answer", False), ("reminder", True)]


async def test_chats_where_nobody_waits_are_due_last_and_in_bulk(home: House) -> None:
    await queue(home, "reminder", urgency=Urgency.REMINDER)
    await queue(home, "answer", chat="2")
    await queue(home, "progress", chat="2", urgency=Urgency.PROGRESS)
    found = await home.db.read(lambda tx: outbox.due(tx, home.clock.now()))
    assert list(found.items()) == [((await lane(home, "2")).chat_id, False), ((await lane(home)).chat_id, True)]
    assert list(await home.db.read(lambda tx: outbox.due(tx, home.clock.now(), 1))) == [(await lane(home, "2")).chat_id]


async def test_what_only_keeps_our_own_pace_is_no_news(home: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "core.delivery.sender")
    await queue(home, "paced")
    home.adapter.hitches.append(Hitch(error=SendPaced("too soon for its limits", 1.0)))
    await home.send()
    assert "sent later" not in caplog.text
    await home.later(2)
    await queue(home, "limited")
    home.adapter.hitches.append(Hitch(error=SendUnsent("ratelimited", 1.0)))
    await home.send()
    assert "(ratelimited)" in caplog.text
    assert home.adapter.texts() == ["paced"]
