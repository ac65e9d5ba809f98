"""What only one person is to see: by the address that came with a command or a press, or by chat.postEphemeral.

https://docs.slack.dev/interactivity/handling-user-interaction: a response_url takes five messages within half an hour.
It is a secret: no error and no log shows it.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.workspaces import Workspace
from bot.adapters.slack.parse.messages import is_private
from bot.adapters.slack.send.attempt import EPHEMERAL, Attempt
from bot.adapters.slack.send.client import Wire, code, described, fields, retry_after, verdict
from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent

SLACKS = "hooks.slack.com"
# Where somebody, or the bot, is not: they are told in their own conversation.
NOT_HERE = frozenset({"user_not_in_channel", "not_in_channel", "channel_not_found", "is_archived"})
MOST_ANSWER = 2_000


class Hooks:
    """Sends what is for one person's eyes."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def send(self, workspace: Workspace, tried: Attempt) -> str | None:
        """Return the id of a message that one person sees, or None when it has to go out in the plain way.

        In a conversation with that person alone the plain way is as good, once the hook is dead.
        """
        if tried.response_url and self.takes(tried.response_url):
            refusal = await self._posted(workspace, tried)
            simpler = tried.simpler(refusal) if refusal else None
            if simpler is not None:
                refusal = await self._posted(workspace, simpler)
            if not refusal:
                return EPHEMERAL
        if tried.replaces == EPHEMERAL and not tried.only_for:
            return EPHEMERAL
        if is_private(tried.channel):
            return None
        if not tried.only_for:
            raise SendRefused("nobody is known for whom alone the message is")
        # Show it to a member of a channel (chat.postEphemeral), or tell them in their own conversation. A refusal is
        # about that person: it says nothing of the channel.
        try:
            await self._shown(workspace, tried)
        except SlackApiError as error:
            refused = verdict(error)
            if isinstance(refused, SendRefused) and tried.simpler(code(error)) is None:
                raise SendRefused(described(error)) from None
            raise
        return EPHEMERAL

    def takes(self, response_url: str) -> bool:
        """Whether a hook leads to Slack: a forged one would learn what is said."""
        try:
            there, here = urlsplit(response_url), urlsplit(self._wire.base_url)
        except ValueError:
            return False
        known = {("https", SLACKS), (here.scheme, here.netloc), (here.scheme, f"hooks.{here.netloc}")}
        return (there.scheme, there.netloc) in known

    async def _posted(self, workspace: Workspace, tried: Attempt) -> str:
        """Post to the hook and return why it was refused, empty when it was not."""
        form = {"response_type": EPHEMERAL, "replace_original": bool(tried.replaces), **tried.content()}
        form |= {} if tried.replaces or not tried.thread else {"thread_ts": tried.thread}
        sending = self._wire.session.post(
            tried.response_url, json=form, allow_redirects=False, proxy=workspace.client.proxy
        )
        try:
            async with sending as answer:
                body = await answer.content.read(MOST_ANSWER)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise verdict(error) from None
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            raise SendUnsent("ratelimited", retry_after(answer.headers))
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise SendDoubtful(f"answer {answer.status}")
        try:
            said = fields(json.loads(body))
        except ValueError:
            # Slack answers "ok" as plain text, too.
            said = {}
        refused = said.get("ok") is False or answer.status != HTTPStatus.OK
        return str(said.get("error") or f"answer {answer.status}") if refused else ""

    async def _shown(self, workspace: Workspace, tried: Attempt) -> None:
        try:
            await workspace.client.chat_postEphemeral(
                channel=tried.channel,
                user=tried.only_for,
                thread_ts=tried.thread or None,
                link_names=False,
                parse="none",
                **tried.content(),
            )
        except SlackApiError as error:
            if code(error) not in NOT_HERE:
                raise
            # The id of a user stands for the conversation with them.
            await workspace.client.chat_postMessage(
                channel=tried.only_for, unfurl_links=False, unfurl_media=False, parse="none", **tried.content()
            )
