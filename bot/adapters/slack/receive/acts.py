"""Commands, and what people press, choose and write in windows: kept, and answered where they did it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace
from functools import partial

from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.events import readable, unreadable
from bot.adapters.slack.parse.messages import MOST_NAMED, Fields, is_private, required, text_of
from bot.adapters.slack.parse.text import people_in
from bot.adapters.slack.receive import modals
from bot.adapters.slack.receive.interactions import Interactions, presser
from bot.adapters.slack.receive.keeping import Keeper
from bot.adapters.slack.receive.slash_commands import SECRET, TODO, command, hook_of, places
from bot.adapters.slack.send.client import code
from bot.adapters.slack.send.ephemeral import NOT_HERE
from core.kernel.background import Background
from core.kernel.ports import Clock

OK = 200
# Slack waits three seconds; what was not found out by then comes again.
PATIENCE_SECONDS = 2.0
# What reading raises when something is not as Slack writes it; nothing gets better by its coming again.
UNREADABLE = (AttributeError, KeyError, TypeError, ValueError)


class Acts:
    """Takes commands and interactions; `host` is where Slack's answers go, `names` are the commands there are."""

    def __init__(
        self, keeper: Keeper, background: Background, clock: Clock, host: str, names: Collection[str], todo: str
    ) -> None:
        self._keeper, self._background, self._clock = keeper, background, clock
        self._host, self._names, self._todo = host, names, todo
        self._interactions = Interactions(clock, host, lambda tenant, answer: keeper.ready().refuses(tenant, answer))

    async def take(self, at: Served, payload: Fields) -> BoltResponse:
        """Take a command or an interaction."""
        try:
            return await (self._command if "command" in payload else self._interaction)(at, payload)
        except UNREADABLE as error:
            await self._keeper.keep(at, unreadable(payload, error, SECRET))
            return BoltResponse(status=OK)

    async def _command(self, at: Served, payload: Fields) -> BoltResponse:
        # At Slack the to-do list's command is called as the app's manifest says.
        form = {**payload, "command": TODO} if text_of(payload, "command").lower() == self._todo else payload
        async with asyncio.timeout(PATIENCE_SECONDS):
            author = (required(form, "user_id"),)
            knowing = at.people.known(author, named=people_in(text_of(form, "text"))[:MOST_NAMED])
            (chat, own), known = await asyncio.gather(places(form, at), knowing)
            if not is_private(chat):
                known = replace(known, title=await at.people.channels.title(chat))
        read = partial(
            command,
            form,
            at.me,
            known,
            chat=chat,
            direct=own,
            response_url=hook_of(form, self._host),
            names=self._names,
            now=self._clock.now(),
        )
        update = readable(form, read, SECRET)
        text = (await self._keeper.keep(at, update)).get(update.key, "")
        return BoltResponse(status=OK, body={"response_type": "ephemeral", "text": text} if text else "")

    async def _interaction(self, at: Served, payload: Fields) -> BoltResponse:
        taken = await self._interactions.take(at, payload)
        if taken.update is not None:
            text = (await self._keeper.keep(at, taken.update)).get(taken.update.key, "")
            if text and payload.get("type") == "view_submission":
                # In the window, which stays open with what was written.
                text = await self._interactions.worded(at, text)
                return BoltResponse(status=OK, body=modals.error(modals.TEXT, text))
            self._tell(at, payload, text)
        self._tell(at, payload, taken.told)
        return BoltResponse(status=OK, body=taken.answer or "")

    def _tell(self, at: Served, payload: Fields, text: str) -> None:
        """Show something to whoever pressed, in the place where they did."""
        user, channel, thread = presser(payload)
        if text and user:
            self._background.do("a press was not answered", whisper(at, user, channel, thread, text, pressed=True))


async def whisper(at: Served, user: str, channel: str, thread: str, text: str, *, pressed: bool = False) -> None:
    """Show something to one person alone, in the channel and thread or in their own conversation; there, too, what
    whoever `pressed` is told where the bot is not in the channel. Nobody else is written to for that."""
    client, where = at.workspace.client, channel or await at.people.direct(user)
    try:
        await client.chat_postEphemeral(channel=where, user=user, text=text, thread_ts=thread or None)
    except SlackApiError as error:
        if not pressed or code(error) not in NOT_HERE:
            raise
        await client.chat_postMessage(
            channel=user, text=text, unfurl_links=False, unfurl_media=False, link_names=False, parse="none"
        )
