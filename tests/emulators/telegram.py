"""A strict Bot API server for tests and benchmarks.

In a test: ``async with TelegramServer() as server``; the bot's base URL is ``server.url + "/bot"``, that of its files
``server.url + "/file/bot"``. As a process: ``python -m tests.emulators.telegram --port 8081``, driven over
``/_control`` (see ``telegram_control``).

The user's side; what a user does returns the update_id, 0 when the bot does not get to see it:

- ``say(text, user, chat, reply_to=…, thread=…, anonymous=…)``, ``edit``, ``delete``, ``react``, ``rename``,
  ``block``, ``unblock``; ``last_message_id`` is the id of what was said last
- ``press(message, button) -> callback id``, then ``answers(callback)``; ``expire(callback)``
- ``send_media(kind, data=…, caption=…)``, ``album(kinds)``, ``origin(kind)`` for forwards
- ``group(chat, title, members={user: status}, bot="member", forum=…)`` sets one up silently; then ``member(chat,
  user, status, by=…)`` with ``bot_id`` for the bot, ``restrict``, ``migrate``, ``topic``, ``close_topic``,
  ``reopen_topic``, ``delete_topic``

The tester's side: ``sent``, ``wait_sent``, ``wait_until``, ``calls``, ``pending``, ``drafts``, ``shown_draft``,
``reactions``, ``menu``, ``webhook_trouble``, ``limit``, ``group_limit``, ``fault`` for any method and for "download",
``push`` for raw updates. Flags of the server: ``privacy`` (on), ``allow_http_webhook`` (off).
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
from dataclasses import replace
from typing import Any

from telegram.constants import FloodLimit

from tests.emulators.faults import FaultScript
from tests.emulators.loopback import Cut, LoopbackServer, Reply, Request, arguments, run_forever
from tests.emulators.telegram_callbacks import Callbacks
from tests.emulators.telegram_chats import Call, Chats, Room
from tests.emulators.telegram_commands import Commands
from tests.emulators.telegram_control import PREFIX, control
from tests.emulators.telegram_drafts import Drafts, Reactions
from tests.emulators.telegram_files import Files
from tests.emulators.telegram_groups import LEFT
from tests.emulators.telegram_http import (
    DOWNLOAD,
    FAULT_KINDS,
    NOT_FOUND,
    fault_reply,
    file_path,
    half,
    method_name,
    raw_params,
)
from tests.emulators.telegram_limit import ChatLimit
from tests.emulators.telegram_media import MediaSide
from tests.emulators.telegram_membership import Membership
from tests.emulators.telegram_messages import Messages
from tests.emulators.telegram_methods import Methods
from tests.emulators.telegram_people import GroupSide
from tests.emulators.telegram_rules import ApiError, decode
from tests.emulators.telegram_tester import TesterSide
from tests.emulators.telegram_updates import UpdateQueue
from tests.emulators.telegram_webhooks import Webhooks

DEFAULT_TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
LIMITED = frozenset({"sendMessage", "editMessageText", "editMessageReplyMarkup", "sendDocument"})


class TelegramServer(GroupSide, MediaSide, TesterSide, LoopbackServer):
    """The Bot API of one bot, and the hand of the user on the other side."""

    def __init__(
        self,
        *,
        token: str = DEFAULT_TOKEN,
        port: int = 0,
        username: str = "teller_test_bot",
        first_name: str = "Teller",
        privacy: bool = True,
        allow_http_webhook: bool = False,
        first_update_id: int = 1,
    ) -> None:
        super().__init__(port=port)
        self.token = token
        bot = {
            "id": int(token.partition(":")[0]),
            "is_bot": True,
            "first_name": first_name,
            "username": username,
            "can_join_groups": True,
            "can_read_all_group_messages": not privacy,
            "supports_inline_queries": False,
        }
        self._changed = asyncio.Event()
        self.changed = self._changed.set
        self.chats = Chats(bot)
        self.updates = UpdateQueue(self._changed, first_id=first_update_id)
        self.faults = FaultScript(FAULT_KINDS)
        self._webhooks = Webhooks(self.updates, self.changed, allow_http=allow_http_webhook)
        self._methods = self._furnished()
        self._limit, self._group_limit = ChatLimit(), ChatLimit(FloodLimit.MESSAGES_PER_MINUTE_PER_GROUP)
        # How often one message may be edited; off unless it is set.
        self.edit_limit = ChatLimit(1)
        self._calls: list[Call] = []

    def _furnished(self) -> Methods:
        self.callbacks = Callbacks(self.chats.bot)
        self.files = Files()
        self._commands = Commands(self.chats)
        self._drafts = Drafts(self.chats)
        rooms: list[Room] = [
            Messages(self.chats),
            self.callbacks,
            self._commands,
            Membership(self.chats, lambda chat, old: self._bot_changed(chat, self.bot_id, old, LEFT)),
            self.files,
            self._drafts,
            Reactions(self.chats),
        ]
        return Methods(self.chats, self.updates, self._webhooks, [room.table() for room in rooms])

    async def stop(self) -> None:
        """Stop delivering and listening."""
        await self._webhooks.stop()
        await super().stop()

    async def respond(self, request: Request) -> Reply:
        """Answer one request of the bot, or of the tester's control."""
        if request.path.startswith(PREFIX):
            return await control(self, request)
        try:
            call = self._call(request)
        except ApiError as error:
            return Reply.json(error.as_json(), error.code)
        self._calls.append(call)
        try:
            return await self._faulty(call, request)
        finally:
            self._changed.set()

    def _call(self, request: Request) -> Call:
        path = file_path(request, self.token)
        if path is not None:
            return Call(method=DOWNLOAD, params={"path": path})
        found = self._methods.get(method_name(request, self.token))
        if found is None:
            raise NOT_FOUND
        return Call(method=found[0], params=raw_params(request))

    async def _faulty(self, call: Call, request: Request) -> Reply:
        fault = self.faults.take(call.method, _chat_of(call))
        if fault is None:
            return self._recorded(call, await self._perform(call, request))
        if fault.base == "slow" and not fault.late:
            await asyncio.sleep(fault.delay)
        if fault.late or fault.base in ("slow", "short"):
            true_reply = await self._perform(call, request)
            self._changed.set()
        if fault.base == "cut":
            raise Cut
        if fault.base == "short":
            return self._recorded(call, half(true_reply))
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
        if call.method == DOWNLOAD:
            return self._download(call)
        found = self._methods.get(call.method)
        assert found is not None, call.method
        try:
            params = decode(call.method, call.params)
            if call.method in LIMITED:
                self._check_limits(_chat_of(call), params.get("message_id"))
            result = found[1](params, call)
            if inspect.isawaitable(result):
                result = await self._while_connected(asyncio.ensure_future(result), request)
        except ApiError as error:
            return Reply.json(error.as_json(), error.code)
        return Reply.json({"ok": True, "result": result})

    def _check_limits(self, chat: int | None, edited: int | None) -> None:
        self.edit_limit.check(edited)
        self._limit.check(chat)
        if chat is not None and chat < 0:
            self._group_limit.check(chat)

    def _download(self, call: Call) -> Reply:
        data = self.files.download(call.params["path"])
        if data is None:
            return Reply.json(NOT_FOUND.as_json(), NOT_FOUND.code)
        return Reply(content_type="application/octet-stream", chunks=(data,))

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
    parser.add_argument("--allow-http-webhook", action="store_true", help="post to http on the loopback interface")
    parser.add_argument("--privacy", action=argparse.BooleanOptionalAction, default=True, help="privacy mode")
    server = TelegramServer(**vars(parser.parse_args()))
    asyncio.run(run_forever(server, "telegram"))


if __name__ == "__main__":
    main()
