"""The Telegram adapter against a strict Bot API server, over real HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter, Timing
from core.errors import SendDoubtful, SendRefused, SendUnsent, StorageFull
from core.types import Destination, Inbound, Millis, Part, Skipped, Unreadable, Update
from tests.emulators.loopback import LoopbackServer, Reply, Request
from tests.emulators.telegram import TelegramServer

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER = 1001
# Pauses so short that a test need not wait, still long enough to be seen.
QUICK = Timing(poll=1, slack=2.0, watchdog=1.0, first=0.02, most=0.1)
DEADLINE = 15.0


class RealClock:
    """The machine's clock; it remembers how long it was asked to wait."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.on_sleep: Callable[[], None] = lambda: None
        self._slept = asyncio.Event()

    def now(self) -> Millis:
        return int(time.time() * 1000)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.on_sleep()
        self._slept.set()
        await asyncio.sleep(min(seconds, 0.1))

    async def wait_sleeps(self, count: int) -> None:
        async with asyncio.timeout(DEADLINE):
            while len(self.slept) < count:
                self._slept.clear()
                await self._slept.wait()


class Parrot(LoopbackServer):
    """A server that answers every getUpdates at once, with the same."""

    def __init__(self, result: list[Any]) -> None:
        super().__init__()
        self.asked = 0
        self._result = result

    async def answer(self, request: Request) -> Reply:
        self.asked += 1
        return Reply.json({"ok": True, "result": self._result})


class MemoryIntake:
    """The contract of `Intake` in memory: one transaction, first one wins, errors on demand."""

    def __init__(self) -> None:
        self.cursors: dict[tuple[int, str], str] = {}
        self.rows: dict[str, Update] = {}
        self.failures: list[Exception] = []
        self.on_accept: Callable[[], None] = lambda: None
        self._changed = asyncio.Condition()

    async def tenant(self, platform: str, external_id: str, name: str = "") -> int:
        self._fail()
        assert (platform, external_id) == ("telegram", "1000")
        return 1

    async def cursor(self, tenant_id: int, name: str) -> str | None:
        return self.cursors.get((tenant_id, name))

    async def accept(self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None = None) -> None:
        self.on_accept()
        self._fail()
        for update in updates:
            self.rows.setdefault(update.key, update)
        if cursor:
            self.cursors[tenant_id, cursor[0]] = cursor[1]
        async with self._changed:
            self._changed.notify_all()

    def _fail(self) -> None:
        if self.failures:
            raise self.failures.pop(0)

    def messages(self) -> list[str]:
        return [row.text for row in self.rows.values() if isinstance(row, Inbound)]

    async def wait(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE), self._changed:
            while not condition():
                await self._changed.wait()

    async def wait_messages(self, *texts: str) -> None:
        """Wait until exactly these messages are there."""
        try:
            await self.wait(lambda: len(self.messages()) >= len(texts))
        finally:
            assert self.messages() == list(texts)


@contextlib.asynccontextmanager
async def running(adapter: TelegramAdapter, intake: MemoryIntake) -> AsyncIterator[None]:
    task = asyncio.create_task(adapter.run(intake))
    try:
        yield
        assert not task.done(), task
    finally:
        task.cancel()
        await asyncio.wait([task])


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        yield server


@pytest.fixture
def clock() -> RealClock:
    return RealClock()


@pytest.fixture
async def adapter(server: TelegramServer, clock: RealClock) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, clock, timing=QUICK)
    yield adapter
    await adapter.close()


@pytest.fixture
def intake() -> MemoryIntake:
    return MemoryIntake()


def to(chat: int = USER, **fields: str) -> Destination:
    return Destination(tenant="1000", chat=str(chat), **fields)


def text(value: str = "hello", *entities: dict[str, Any]) -> Part:
    return Part(payload={"text": value, "entities": list(entities)})


BOLD = {"type": "bold", "offset": 0, "length": 5}


# Receiving.


async def test_the_backlog_and_then_each_message_is_taken_in(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    for number in range(150):
        server.say(f"m{number}")
    assert adapter.health()["ok"] is False
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        assert intake.messages() == [f"m{number}" for number in range(150)]
        server.say("later")
        await intake.wait(lambda: "later" in intake.messages())
    health = adapter.health()
    assert (health["ok"], health["last_error"], health["bot_id"]) == (True, "", "1000")
    assert health["last_poll_age_s"] < DEADLINE


async def test_the_first_poll_does_not_wait_and_asks_for_what_we_handle(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    first = server.calls("getUpdates")[0].params
    assert (first["timeout"], "offset" in first) == ("0", False)
    assert first["allowed_updates"] == '["message", "edited_message", "my_chat_member"]'


async def test_a_restart_goes_on_behind_the_stored_offset(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    last = server.say("one")
    async with running(adapter, intake):
        await intake.wait_messages("one")
    assert intake.cursors == {(1, "offset"): str(last + 1)}
    server.say("two")
    again = TelegramAdapter(TOKEN, server.url, RealClock(), timing=QUICK)
    async with running(again, intake):
        await intake.wait_messages("one", "two")
    await again.close()


async def test_nothing_is_confirmed_before_it_is_committed(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    server.say("keep me")
    intake.failures = [StorageFull("no tenant"), StorageFull("no space"), StorageFull("no space")]
    pending: list[int] = []
    intake.on_accept = lambda: pending.append(server.pending())
    async with running(adapter, intake):
        await intake.wait_messages("keep me")
        await server.wait_until(lambda: server.pending() == 0)
    assert pending == [1, 1, 1]


async def test_a_poison_update_is_kept_aside_and_the_rest_goes_on(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    server.push({"message": {"message_id": 1, "date": 10**30, "chat": {"id": 5, "type": "private"}, "text": "x"}})
    server.push({"message": ["no", "object"]})
    server.say("fine")
    server.block(USER)
    async with running(adapter, intake):
        await intake.wait(lambda: len(intake.rows) == 4)
        await server.wait_until(lambda: server.pending() == 0)
    assert [type(row) for row in intake.rows.values()] == [Unreadable, Unreadable, Inbound, Skipped]


async def test_an_edit_arrives_as_one(server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake) -> None:
    server.say("helo", message_id=50)
    server.edit(50, "hello")
    async with running(adapter, intake):
        await intake.wait_messages("helo", "hello")
    assert [row.edits for row in intake.rows.values() if isinstance(row, Inbound)] == ["", "50"]


@pytest.mark.parametrize("kind", ["404", "401", "409", "500", "502", "cut", "cut_after", "garbage", "429", "400"])
async def test_polling_recovers_and_backs_off(
    kind: str, server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake, clock: RealClock
) -> None:
    server.fault("getUpdates", kind=kind, times=4)
    server.say("after the storm")
    async with running(adapter, intake):
        await intake.wait_messages("after the storm")
    assert len(clock.slept) == 4
    assert all(later >= wait for later, wait in zip(clock.slept, (0.02, 0.04, 0.08, 0.1), strict=True))
    assert adapter.health()["ok"] is True


async def test_polling_waits_as_long_as_a_429_says(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake, clock: RealClock
) -> None:
    server.fault("getUpdates", kind="429", retry_after=17)
    server.fault("getUpdates", kind="429", retry_after="soon")
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    assert (clock.slept[0] >= 17, clock.slept[1] >= 1) == (True, True)


async def test_a_server_that_is_not_there_is_waited_for(intake: MemoryIntake, clock: RealClock) -> None:
    adapter = TelegramAdapter(TOKEN, f"http://127.0.0.1:{unused_port()}", clock, timing=QUICK)
    async with running(adapter, intake):
        await clock.wait_sleeps(3)
        health = adapter.health()
    assert health["ok"] is False
    assert health["last_error"].startswith("NetworkError from ConnectError")
    await adapter.close()


async def test_a_conflict_is_named_once_a_minute(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake, caplog: pytest.LogCaptureFixture
) -> None:
    server.fault("getUpdates", kind="409", times=5)
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(errors) == 1
    assert "somebody else receives with the token of bot 1000" in errors[0]


async def test_a_webhook_is_switched_off_and_what_waits_is_kept(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    server.say("waiting")
    server.fault("getUpdates", kind="409", description="Conflict: can't use getUpdates method while webhook is active")
    async with running(adapter, intake):
        await intake.wait_messages("waiting")
    [call] = server.calls("deleteWebhook")
    assert call.params["drop_pending_updates"] == "false"


async def test_a_stalled_connection_is_replaced(server: TelegramServer, intake: MemoryIntake, clock: RealClock) -> None:
    timing = Timing(poll=0, slack=60.0, watchdog=0.2, first=0.01, most=0.01)
    adapter = TelegramAdapter(TOKEN, server.url, clock, timing=timing)
    server.fault("getUpdates", kind="slow", delay=60)
    server.say("at last")
    async with running(adapter, intake):
        await intake.wait_messages("at last")
    await adapter.close()


@pytest.mark.parametrize("result", [[], [{"update_id": 5, "poll": {}}]])
async def test_a_server_that_never_lets_wait_is_not_asked_in_a_hot_loop(
    result: list[Any], intake: MemoryIntake, clock: RealClock
) -> None:
    async with Parrot(result) as parrot:
        adapter = TelegramAdapter(TOKEN, parrot.url, clock, timing=QUICK)
        async with running(adapter, intake):
            await clock.wait_sleeps(10)
        await adapter.close()
    # Three at once at most: the one that does not wait, the first that moves the offset, and the one under way.
    assert parrot.asked <= len(clock.slept) + 3


async def test_the_token_is_in_no_log_and_no_health(
    server: TelegramServer,
    adapter: TelegramAdapter,
    intake: MemoryIntake,
    clock: RealClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    seen: list[str] = []
    clock.on_sleep = lambda: seen.append(str(adapter.health()))
    for kind in ("404", "502", "cut", "garbage"):
        server.fault("getUpdates", kind=kind)
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    assert len(seen) == 4
    assert "TESTTOKEN" not in caplog.text + "".join(seen)


# Sending.


async def test_a_message_goes_out_with_its_entities_and_without_preview(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.say("question", message_id=5)
    message_id = await adapter.send(to(reply_to="5"), text("hello", BOLD))
    [sent] = server.sent()
    assert (str(sent.message_id), sent.text, sent.entities) == (message_id, "hello", [BOLD])
    assert sent.params["link_preview_options"] == {"is_disabled": True}
    assert sent.params["reply_parameters"] == {"message_id": 5, "allow_sending_without_reply": True}


async def test_what_is_rendered_is_sent_and_edited(server: TelegramServer, adapter: TelegramAdapter) -> None:
    [part] = adapter.render("# Tea\n\n**now** or [later](https://example.org)?", ["now", "later"])
    message_id = await adapter.send(to(), part)
    assert (
        await adapter.send(
            to(replaces=message_id),
            text(
                "done",
            ),
        )
        == message_id
    )
    assert await adapter.send(to(replaces=message_id), text("done")) == message_id
    [sent] = server.sent()
    assert sent.text == "done"
    assert server.calls("editMessageText")[-1].status == 400


async def test_a_topic_is_kept_and_a_lost_one_is_left_out(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.say("in a topic", message_thread_id=9, is_topic_message=True)
    await adapter.send(to(thread="9"), text("there"))
    await adapter.send(to(thread="8"), text("anywhere"))
    await adapter.send(to(thread="1"), text("general"))
    assert [message.params.get("message_thread_id") for message in server.sent()] == [9, None, None]


async def test_refused_entities_and_a_lost_topic_leave_plain_text(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    out_of_range = {"type": "bold", "offset": 3, "length": 50}
    await adapter.send(to(thread="8"), text("hello", out_of_range))
    [sent] = server.sent()
    assert (sent.text, sent.entities) == ("hello", [])


async def test_a_possible_repeat_is_marked_and_its_entities_move(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    await adapter.send(to(), text("hello", BOLD), repeated="↻ Possibly a repeat 😀")
    [sent] = server.sent()
    assert sent.text == "↻ Possibly a repeat 😀\nhello"
    assert sent.entities == [{**BOLD, "offset": 23}]


async def test_the_longest_part_has_room_for_the_mark(server: TelegramServer, adapter: TelegramAdapter) -> None:
    mark = "↻ Possibly a repeat – the connection broke while sending."
    for part in adapter.render("😀" * 5000):
        await adapter.send(to(), part, repeated=mark)
    await adapter.send(to(), text("x" * 4090), repeated=mark)
    await adapter.send(to(), text("y" * 4096), repeated=mark)
    *full, short, none = [message.text for message in server.sent()]
    assert all(message.startswith(f"{mark}\n😀") for message in full)
    assert (short, none) == (f"↻ Pos\n{'x' * 4090}", "y" * 4096)


@pytest.mark.parametrize("kind", ["cut_before", "cut_after", "500", "502", "500_after", "garbage_after"])
async def test_a_broken_send_is_in_doubt(kind: str, server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessage", kind=kind)
    with pytest.raises(SendDoubtful):
        await adapter.send(to(), text())


async def test_an_answer_that_does_not_come_is_in_doubt(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessage", kind="cut_after")
    with pytest.raises(SendDoubtful, match=r"^NetworkError from RemoteProtocolError|^NetworkError from ReadError"):
        await adapter.send(to(), text())
    assert len(server.sent()) == 1


async def test_what_never_left_is_unsent(clock: RealClock) -> None:
    adapter = TelegramAdapter(TOKEN, f"http://127.0.0.1:{unused_port()}", clock, timing=QUICK)
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), text())
    assert caught.value.retry_after == 0
    assert TOKEN not in str(caught.value)
    await adapter.close()
    with pytest.raises(SendUnsent, match="closed"):
        await adapter.send(to(), text())


@pytest.mark.parametrize("kind", ["400", "403", "404", "401"])
async def test_a_certain_no_is_a_refusal(kind: str, server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessage", kind=kind)
    with pytest.raises(SendRefused):
        await adapter.send(to(), text())
    assert len(server.calls("sendMessage")) == 1


async def test_an_unknown_chat_is_a_refusal_with_its_reason(server: TelegramServer, adapter: TelegramAdapter) -> None:
    with pytest.raises(SendRefused, match="hat not found"):
        await adapter.send(to(77), text())


@pytest.mark.parametrize(
    ("where", "part"),
    [
        (to(thread="x"), text()),
        (to(replaces="-"), text()),
        (to(), Part(payload={})),
        (to(), Part(payload={"text": None})),
    ],
)
async def test_what_makes_no_sense_is_refused_without_asking(
    where: Destination, part: Part, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    with pytest.raises(SendRefused):
        await adapter.send(where, part)
    assert server.calls() == []


async def test_one_chats_429_holds_up_no_other(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.open(1002)
    server.fault("sendMessage", chat=USER, kind="429", retry_after=30)
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), text())
    assert caught.value.retry_after == 30
    await adapter.send(to(1002), text())
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), text())
    assert 29 < caught.value.retry_after <= 30
    assert [(message.chat_id) for message in server.sent()] == [1002]
    assert len(server.calls("sendMessage")) == 2


async def test_two_429s_at_once_pause_every_chat(server: TelegramServer, adapter: TelegramAdapter) -> None:
    for chat in (1002, 1003):
        server.open(chat)
    server.fault("sendMessage", kind="429", retry_after=20, times=2)
    results = await asyncio.gather(adapter.send(to(), text()), adapter.send(to(1002), text()), return_exceptions=True)
    assert all(isinstance(result, SendUnsent) for result in results)
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(1003), text())
    assert 19 < caught.value.retry_after <= 20
    assert 19 < adapter.paused_until - time.monotonic() <= 20
    await adapter.typing(to(1003))
    assert len(server.calls()) == 2


async def test_a_chat_gets_five_at_once_and_the_rest_is_asked_to_wait(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    for _ in range(5):
        await adapter.send(to(), text())
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), text())
    assert 0 < caught.value.retry_after <= 1
    assert len(server.calls()) == 5


async def test_typing_is_shown_and_never_an_error(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.typing(to())
    for kind in ("429", "403", "500", "cut", "garbage"):
        server.fault("sendChatAction", kind=kind)
        await adapter.typing(to())
    await adapter.typing(to(thread="x"))
    calls = server.calls("sendChatAction")
    assert (len(calls), calls[0].status, calls[0].params["action"]) == (6, 200, "typing")


async def test_many_chats_are_sent_to_at_once(server: TelegramServer, adapter: TelegramAdapter) -> None:
    chats = range(2000, 2100)
    for chat in chats:
        server.open(chat)
    server.fault("sendMessage", chat=2000, kind="slow", delay=1.0)
    await asyncio.gather(*(adapter.send(to(chat), text()) for chat in chats))
    assert server.sent()[-1].chat_id == 2000
    assert len(server.sent()) == 100


def unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
