"""Slash commands (https://docs.slack.dev/interactivity/implementing-slash-commands) as what somebody said."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from dataclasses import replace
from urllib.parse import urlsplit

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.messages import (
    Fields,
    Known,
    dumped,
    is_private,
    mentioned,
    required,
    sender,
    text_of,
)
from bot.adapters.slack.parse.text import Me, plain
from bot.adapters.slack.render.command_style import COMMAND
from bot.adapters.slack.send.client import described
from core.kernel.types import Inbound, Millis
from core.kernel.updates import Update

log = logging.getLogger(__name__)

# Somebody waits for the acknowledgement.
OWN_SECONDS = 1.0
HOOKS = "hooks.slack.com"
# Stands for an address that must not be used: the sending half takes it for a dead one.
NOWHERE = "nowhere"
HELP, TODO = "help", "/todo"
# What is no business of a database.
SECRET = ("token", "response_url", "trigger_id")


def line(command: str, text: str, names: Collection[str]) -> tuple[str, str]:
    """Return what a command says, and the sentence that it may be (`Inbound.sentence`).

    `/teller todo milk` and `/todo milk` are one, and `/teller hello` is just hello. Words behind the name of a command
    that has no slash may go on a sentence: `/teller new reminder: tomorrow at 9 call Oma`.
    """
    own = command.removeprefix("/").lower()
    if own in names:
        return f"/{own} {text}".rstrip(), ""
    first, *rest = text.split(maxsplit=1)[:2] or [HELP]
    name = first.removeprefix("/").lower()
    if name not in names:
        return text or f"/{HELP}", ""
    return " ".join((f"/{name}", *rest)), text if rest and not first.startswith("/") else ""


def as_typed(update: Update, names: Collection[str]) -> Update:
    """Return a message that is a command with the app's name before it (`/teller todo`, where Slack took no command:
    behind a mention, or pasted) as that command; anything else as it is."""
    if not isinstance(update, Inbound) or update.forwarded:
        return update
    own, _, behind = update.text.partition(" ")
    if own.lower() != COMMAND:
        return update
    text, sentence = line(own, behind.strip(), names)
    return replace(update, text=text, sentence=sentence)


def hook_of(payload: Fields, host: str) -> str:
    """Return where an answer for one person's eyes goes: to Slack's own host, or that of the Web API, `host`.

    Where it leads elsewhere, or there is none, the answer is for one person's eyes all the same: it goes `NOWHERE`, and
    so to them by other ways.
    """
    url = text_of(payload, "response_url")
    try:
        parts = urlsplit(url)
    except ValueError:
        return NOWHERE
    return url if parts.netloc == host or (parts.scheme == "https" and parts.netloc == HOOKS) else NOWHERE


async def where(form: Fields, at: Served) -> str:
    """Return the channel of a command if the bot is in it, else the conversation of the bot with whoever wrote it."""
    channel, user = required(form, "channel_id"), required(form, "user_id")
    if not is_private(channel) and (await at.people.channels.place(channel)).member:
        return channel
    return await at.people.direct(user)


async def places(form: Fields, at: Served) -> tuple[str, str]:
    """Return where a command belongs, and the conversation of the bot with whoever wrote it, empty if nobody knows."""
    chat = await where(form, at)
    if is_private(chat):
        return chat, chat
    try:
        async with asyncio.timeout(OWN_SECONDS):
            return chat, await at.people.direct(required(form, "user_id"))
    except Exception as error:
        log.info("the conversation with somebody could not be opened: %s", described(error))
        return chat, ""


def command(
    form: Fields,
    me: Me,
    known: Known,
    *,
    chat: str,
    response_url: str,
    names: Collection[str],
    now: Millis,
    direct: str = "",
) -> Inbound:
    """Read a command of which it is known where it belongs; raise what a form that is none makes of that."""
    private, text = is_private(chat), text_of(form, "text").strip()
    # As message events have it.
    author = {"user": required(form, "user_id"), "user_team": text_of(form, "user_team_id")}
    said, sentence = line(required(form, "command"), plain(text, me, known.people), names)
    return Inbound(
        key=f"k:{required(form, 'trigger_id')}",
        chat=chat,
        chat_kind="private" if private else "group",
        title="" if private else known.title,
        sender=sender(author, me, known),
        text=said,
        sentence=sentence,
        sent_at=now,
        mentioned=mentioned(text, me, known),
        converses=not private,
        response_url="" if chat == form["channel_id"] and private else response_url,
        direct=direct,
        polite=True,
        raw=dumped(form, SECRET),
    )
