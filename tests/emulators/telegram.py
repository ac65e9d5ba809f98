"""A strict Bot API server for tests and benchmarks.

In a test: ``async with TelegramServer() as server``; the bot's base URL is ``server.url + "/bot"``.
As a process: ``python -m tests.emulators.telegram --port 8081``, driven over ``/_control`` (see
``telegram_control``).
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.emulators.faults import Fault, FaultScript
from tests.emulators.loopback import Cut, LoopbackServer, Reply, Request, arguments, run_forever
from tests.emulators.telegram_chats import Call, Chats, SentMessage, found_entities
from tests.emulators.telegram_control import PREFIX, control
from tests.emulators.telegram_http import FAULT_KINDS, NOT_FOUND, fault_reply, method_name, raw_params
from tests.emulators.telegram_limit import ChatLimit
from tests.emulators.telegram_methods import Methods
from tests.emulators.telegram_rules import ApiError, decode
from tests.emulators.telegram_updates import UpdateQueue

DEFAULT_TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
DEFAULT_USER = 1001
LIMITED = frozenset({"sendMessage", "editMessageText"})


class TelegramServer(LoopbackServer):
    """The Bot API of one bot, and the hand of the user on the other side."""

    def __init__(
        self, *, token: str = DEFAULT_TOKEN, port: int = 0, username: str = "teller_test_bot", first_update_id: int = 1
    ) -> None:
        super().__init__(port=port)
        self.token = token
        bot = {
            "id": int(token.partition(":")[0]),
            "is_bot": True,
            "first_name": "Teller",
            "username": username,
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
        }
        self._changed = asyncio.Event()
        self.chats = Chats(bot)
        self.updates = UpdateQueue(self._changed, first_id=first_update_id)
        self.faults = FaultScript(FAULT_KINDS)
        self._methods = Methods(self.chats, self.updates)
        self._limit = ChatLimit()
        self._calls: list[Call] = []

    # The user's side.

    def say(
        self,
        text: str,
        user: int = DEFAULT_USER,
        chat: int | None = None,
        message_id: int | None = None,
        date: int | None = None,
        **fields: Any,
    ) -> int:
        """Let *user* write *text*, privately unless *chat* is given, and return the update_id.

        *date* is a Unix time in seconds, now by default; *fields* are further fields of the Message.
        """
        number = self.chats.next_message_id() if message_id is None else message_id
        message = self._message(text, user, chat, number, date) | fields
        return self._deliver("message", message)

    def edit(self, message_id: int, text: str, user: int = DEFAULT_USER, chat: int | None = None, **fields: Any) -> int:
        """Let *user* change one of their messages and return the update_id."""
        message = self._message(text, user, chat, message_id, None)
        return self._deliver("edited_message", message | {"edit_date": int(time.time())} | fields)

    def _message(self, text: str, user: int, chat: int | None, number: int, date: int | None) -> dict[str, Any]:
        message: dict[str, Any] = {
            "message_id": number,
            "from": self.chats.user(user),
            "chat": self.chats.open(user if chat is None else chat),
            "date": int(time.time()) if date is None else date,
            "text": text,
        }
        entities = found_entities(text)
        return {**message, "entities": entities} if entities else message

    def _deliver(self, kind: str, message: dict[str, Any]) -> int:
        self.chats.receive(message)
        return self.push({kind: message})

    def push(self, update: dict[str, Any]) -> int:
        """Queue a raw update, as broken as you like, and return its update_id."""
        return self.updates.push(update)

    def open(self, chat: int) -> None:
        """Make *chat* known to the bot without a word from anybody."""
        self.chats.open(chat)

    def block(self, user: int) -> None:
        """Let *user* block the bot; it gets a my_chat_member update and 403 from now on."""
        self.chats.open(user)
        self.chats.blocked.add(user)
        self._membership(user, "member", "kicked")

    def unblock(self, user: int) -> None:
        """Let *user* take the bot back."""
        self.chats.blocked.discard(user)
        self._membership(user, "kicked", "member")

    def _membership(self, user: int, old: str, new: str) -> None:
        until = {"kicked": {"until_date": 0}}
        change = {
            f"{age}_chat_member": {"user": self.chats.bot, "status": status, **until.get(status, {})}
            for age, status in (("old", old), ("new", new))
        }
        who = {"chat": self.chats.open(user), "from": self.chats.user(user), "date": int(time.time())}
        self.push({"my_chat_member": who | change})

    # The tester's side.

    def fault(self, method: str | None = None, chat: int | None = None, kind: str = "500", **options: Any) -> Fault:
        """Script a misfortune; see ``Fault`` for the options and ``FAULT_KINDS`` for the kinds."""
        return self.faults.add(Fault(method=method, chat=chat, kind=kind, **options))

    def limit(self, messages: int | None = None, seconds: float = 1.0) -> None:
        """Allow *messages* sends and edits per *seconds* in a chat; None is the documented limit, 0 is none."""
        self._limit.set(messages, seconds)

    def sent(self, chat: int | None = None) -> list[SentMessage]:
        """Return what the bot has sent and not deleted, oldest first, as it reads now."""
        return [m for m in self.chats.sent if chat in (None, m.chat_id) and not m.deleted]

    def calls(self, method: str | None = None) -> list[Call]:
        """Return the requests received, refused ones included."""
        return [call for call in self._calls if method in (None, call.method)]

    def pending(self) -> int:
        """Return how many updates the bot has not confirmed."""
        return len(self.updates)

    async def wait_until(self, condition: Callable[[], bool], timeout: float = 10.0) -> None:
        """Wait until *condition* holds, looking after every call; raise ``TimeoutError`` after *timeout* seconds."""
        async with asyncio.timeout(timeout):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def wait_sent(self, n: int, chat: int | None = None, timeout: float = 10.0) -> list[SentMessage]:
        """Return the messages sent once there are *n*; raise ``TimeoutError`` after *timeout* seconds."""
        try:
            await self.wait_until(lambda: len(self.sent(chat)) >= n, timeout)
        except TimeoutError:
            raise TimeoutError(f"wanted {n} messages, got {[m.text for m in self.sent(chat)]!r}") from None
        return self.sent(chat)

    # The bot's side.

    async def respond(self, request: Request) -> Reply:
        """Answer one request of the bot, or of the tester's control."""
        if request.path.startswith(PREFIX):
            return await control(self, request)
        try:
            found = self._methods.get(method_name(request, self.token))
            if found is None:
                raise NOT_FOUND
            call = Call(method=found[0], params=raw_params(request))
        except ApiError as error:
            return Reply.json(error.as_json(), error.code)
        self._calls.append(call)
        try:
            return await self._faulty(call, request)
        finally:
            self._changed.set()

    async def _faulty(self, call: Call, request: Request) -> Reply:
        fault = self.faults.take(call.method, _chat_of(call))
        if fault is None:
            return self._recorded(call, await self._perform(call, request))
        if fault.base == "slow" and not fault.late:
            await asyncio.sleep(fault.delay)
        if fault.late or fault.base == "slow":
            true_reply = await self._perform(call, request)
            self._changed.set()
        if fault.base == "cut":
            raise Cut
        if fault.base != "slow":
            return self._recorded(call, fault_reply(fault))
        if fault.late:
            await asyncio.sleep(fault.delay)
        return self._recorded(call, true_reply)

    @staticmethod
    def _recorded(call: Call, reply: Reply) -> Reply:
        def delivered(open_connection: bool) -> None:
            call.delivered = open_connection

        call.status = reply.status
        return replace(reply, delivered=delivered)

    async def _perform(self, call: Call, request: Request) -> Reply:
        found = self._methods.get(call.method)
        assert found is not None, call.method
        try:
            params = decode(call.method, call.params)
            if call.method in LIMITED:
                self._limit.check(_chat_of(call))
            result = found[1](params, call)
            if inspect.isawaitable(result):
                result = await self._while_connected(asyncio.ensure_future(result), request)
        except ApiError as error:
            return Reply.json(error.as_json(), error.code)
        return Reply.json({"ok": True, "result": result})

    @staticmethod
    async def _while_connected(work: asyncio.Future[Any], request: Request) -> object:
        """Give *work* up when the client hangs up, so that a dead poller cannot disturb its successor."""
        gone = asyncio.ensure_future(request.gone())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise Cut
            return await work
        finally:
            gone.cancel()
            work.cancel()


def _chat_of(call: Call) -> int | None:
    chat = str(call.params.get("chat_id", ""))
    return int(chat) if chat.lstrip("-").isdecimal() else None


def main() -> None:
    """Run the emulator as a process of its own."""
    parser = arguments("telegram")
    parser.add_argument("--token", default=DEFAULT_TOKEN)
    options = parser.parse_args()
    asyncio.run(run_forever(TelegramServer(port=options.port, token=options.token), "telegram"))


if __name__ == "__main__":
    main()
