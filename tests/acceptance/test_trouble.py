"""Stories of trouble with Telegram: everybody who can be answered is answered."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest

from tests.acceptance.harness import MARK, OWNER, Bot, texts
from tests.acceptance.playing import AHEAD
from tests.emulators.telegram import TelegramServer

FRIEND = 1002


@pytest.fixture
def two(plain: Bot) -> Bot:
    """A bot that also serves a friend."""
    plain.settings |= {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": f'["tg:{FRIEND}"]'}
    return plain


@pytest.mark.parametrize("kind", ["429", "500", "502", "409", "404", "401", "cut", "cut_after", "garbage"])
async def test_receiving_recovers(plain: Bot, telegram: TelegramServer, kind: str) -> None:
    await plain.start()
    # The request that waits at the server is past the script; the one after it is hit.
    telegram.fault(method="getUpdates", kind=kind)
    telegram.say("echo one")
    await telegram.wait_sent(1)
    telegram.say("echo two")
    await telegram.wait_sent(2)
    assert texts(telegram) == ["one", "two"]


@pytest.mark.parametrize("kind", ["500", "502", "409", "cut", "garbage"])
async def test_a_send_that_may_have_arrived_is_sent_again_with_a_mark(
    plain: Bot, telegram: TelegramServer, kind: str
) -> None:
    await plain.start()
    telegram.fault(method="sendMessage", kind=kind)
    telegram.say("echo one")
    await telegram.wait_sent(1)
    telegram.say("echo two")
    await telegram.wait_sent(2)
    assert texts(telegram)[0].startswith(MARK)
    assert texts(telegram)[0].endswith("\none")
    assert texts(telegram)[1] == "two"


@pytest.mark.parametrize("kind", ["cut_after", "500_after"])
async def test_only_what_did_arrive_is_there_twice(plain: Bot, telegram: TelegramServer, kind: str) -> None:
    await plain.start()
    telegram.fault(method="sendMessage", kind=kind)
    telegram.say("echo one")
    await telegram.wait_sent(2)
    telegram.say("echo two")
    first, again, other = [message.text for message in await telegram.wait_sent(3)]
    assert (first, other) == ("one", "two")
    assert again.startswith(MARK)


async def test_an_outage_makes_no_answer_dead(plain: Bot, telegram: TelegramServer) -> None:
    await plain.start()
    await telegram.wait_until(lambda: len(telegram.calls("getUpdates")) > 1)
    outage = [telegram.fault(method=method, kind="502", times=10**6) for method in ("getUpdates", "sendMessage")]
    # The request that waits at the server is past the script.
    telegram.say("echo one")
    await telegram.wait_until(lambda: bool(telegram.calls("sendMessage")))
    # With pauses of one and two seconds before them.
    polls = len(telegram.calls("getUpdates"))
    await telegram.wait_until(lambda: len(telegram.calls("getUpdates")) >= polls + 2)
    for fault in outage:
        fault.times = 0
    telegram.say("echo two")
    await telegram.wait_sent(2)
    marked, other = texts(telegram)
    assert (marked.startswith(MARK), marked.endswith("\none"), other) == (True, True, "two")


async def test_a_send_that_must_wait_is_not_marked(plain: Bot, telegram: TelegramServer) -> None:
    await plain.start()
    telegram.fault(method="sendMessage", kind="429", retry_after=1)
    telegram.say("echo one")
    await telegram.wait_sent(1)
    first, second = telegram.calls("sendMessage")
    assert second.mono - first.mono >= 1
    assert texts(telegram) == ["one"]


async def test_one_chats_flood_limit_holds_up_nobody_else(two: Bot, telegram: TelegramServer) -> None:
    two.module = list(AHEAD)
    await two.start()
    telegram.fault(method="sendMessage", chat=FRIEND, kind="429", retry_after=60)
    telegram.say("echo for the friend", user=FRIEND)
    await two.until(lambda: len(telegram.calls("sendMessage")) == 1)
    telegram.say("echo for the owner")
    # That takes less than the minute which the friend has to wait.
    await telegram.wait_sent(1, chat=OWNER)
    two.advance(50)
    telegram.say("echo again")
    await telegram.wait_sent(2, chat=OWNER)
    assert texts(telegram, FRIEND) == []
    two.advance(11)
    await telegram.wait_sent(1, chat=FRIEND)


async def test_markup_that_is_refused_is_sent_as_plain_text(plain: Bot, telegram: TelegramServer) -> None:
    await plain.start()
    telegram.fault(method="sendMessage", kind="400", description="Bad Request: can't parse entities: scripted")
    telegram.say("echo **bold** words")
    (message,) = await telegram.wait_sent(1)
    assert (message.text, message.entities) == ("bold words", [])


@pytest.mark.parametrize("kind", ["400", "403"])
async def test_a_message_that_is_refused_dies_visibly_and_blocks_nobody(
    two: Bot, telegram: TelegramServer, kind: str
) -> None:
    await two.start()
    telegram.fault(method="sendMessage", chat=FRIEND, kind=kind)
    telegram.say("echo never", user=FRIEND)
    telegram.say("echo for the owner")
    await telegram.wait_sent(1, chat=OWNER)
    telegram.say("echo next", user=FRIEND)
    await telegram.wait_sent(1, chat=FRIEND)
    assert texts(telegram, FRIEND) == ["next"]
    await two.stop()
    (dead,) = two.rows("SELECT payload, error FROM outbox WHERE state = 'dead'")
    assert "never" in dead["payload"]
    assert dead["error"]


@pytest.mark.parametrize("kind", ["404", "401"])
async def test_an_answer_outlives_a_token_that_is_unknown_for_a_while(
    two: Bot, telegram: TelegramServer, kind: str
) -> None:
    await two.start()
    telegram.fault(method="sendMessage", chat=FRIEND, kind=kind)
    telegram.say("echo late", user=FRIEND)
    await two.until(lambda: len(telegram.calls("sendMessage")) == 1)
    telegram.say("echo for the owner")
    await telegram.wait_sent(1, chat=OWNER)
    await two.stop()
    assert texts(telegram, FRIEND) == []
    (waiting,) = two.rows("SELECT state, error FROM outbox WHERE ended_at IS NULL")
    assert (waiting["state"], "InvalidToken" in waiting["error"]) == ("new", True)
    # The pause is half a minute or more; the test does not wait for its end.
    with contextlib.closing(sqlite3.connect(two.data / "teller.db")) as conn, conn:
        conn.execute("UPDATE outbox SET not_before = 0")
    await two.start()
    await telegram.wait_sent(1, chat=FRIEND)
    assert texts(telegram, FRIEND) == ["late"]


async def test_somebody_who_blocked_the_bot_blocks_nobody(two: Bot, telegram: TelegramServer) -> None:
    telegram.say("echo never", user=FRIEND)
    telegram.block(FRIEND)
    telegram.say("echo for the owner")
    await two.start()
    await telegram.wait_sent(1)
    await two.until(lambda: len(telegram.calls("sendMessage")) == 2)
    assert texts(telegram) == ["for the owner"]
    await two.stop()
    (dead,) = two.rows("SELECT error FROM outbox WHERE state = 'dead'")
    assert "blocked" in dead["error"]
    assert two.value("SELECT count(*) FROM outbox WHERE state = 'sent'") == 1
