"""Interactions (https://docs.slack.dev/interactivity/handling-user-interaction): people press a button, choose from a
menu, use a shortcut, or submit a window.

A button or a shortcut may open a window; all else becomes an update, a `Press` or the message that a window stands for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any, ClassVar

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.events import readable
from bot.adapters.slack.parse.messages import (
    LONGEST_MARK,
    Fields,
    Known,
    attachments,
    dumped,
    is_private,
    required,
    sender,
    stamp,
    text_of,
    thread_of,
)
from bot.adapters.slack.parse.text import Me, people_in, plain
from bot.adapters.slack.receive import modals
from bot.adapters.slack.receive.slash_commands import SECRET, hook_of
from bot.adapters.slack.send.client import described
from core.kernel.clean_text import storable
from core.kernel.ports import Clock
from core.kernel.timing.zones import to_local
from core.kernel.types import Inbound, Press, Sender
from core.kernel.updates import Skipped, Update
from core.language import Language, detect, pick
from core.toolkit import intents

log = logging.getLogger(__name__)

OURS, REPLY, NOTE = "teller:", "teller:answer", "teller:new_todo"
REMIND, NEW_TODO = "remind_message", "new_todo"
# Slack wants a window to be opened within three seconds; finding out who it is for may take a third of that.
OPEN_SECONDS, ASK_SECONDS, LINK_SECONDS = 2.0, 0.8, 1.0
LONGEST_DATA = 200
# Before a window opens, the names of at most so many people are asked for.
MOST_NAMED = 20

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of an interaction: `update` is to be kept if there is one, `answer` is the JSON that Slack gets at
    once, and `told` is a text that only the person who did it sees.
    """

    update: Update | None = None
    answer: Json | None = None
    told: str = ""


# Returns why somebody may not answer a question, empty if they may (`Intake.refuses`).
Refuses = Callable[[int, Inbound], Awaitable[str]]
Handler = Callable[["Interactions", Served, Fields], Awaitable[Taken]]


class Interactions:
    """Reads interactions and opens windows. `host` is the host of the Web API."""

    def __init__(self, clock: Clock, host: str, refuses: Refuses) -> None:
        self._clock, self._host, self._refuses = clock, host, refuses

    async def take(self, at: Served, payload: Fields) -> Taken:
        """Read an interaction. Raises what the Web API raises when it cannot say who the person is."""
        kind, view = text_of(payload, "type"), payload.get("view")
        opened = self._OPENS.get(text_of(payload, "callback_id"))
        submitted = self._SUBMITTED.get(text_of(view, "callback_id")) if isinstance(view, dict) else None
        if kind == "block_actions":
            return await self._pressed(at, payload)
        if kind in ("message_action", "shortcut") and opened is not None:
            return await opened(self, at, payload)
        if kind == "view_submission" and submitted is not None:
            return await submitted(self, at, payload)
        # Windows that are closed, and kinds that nobody has heard of.
        return Taken()

    async def worded(self, at: Served, text: str) -> str:
        """Return a text as a window shows it: nobody can be mentioned there, so people are called by their names."""
        users = people_in(text)[:MOST_NAMED]
        known = await at.people.known((), named=users)
        return plain(text, at.me, _called(known, users, pick(detect(text) or "")))

    async def _pressed(self, at: Served, payload: Fields) -> Taken:
        """Open the window that a button asks for, or return the press of a button or of a choice in a menu."""
        given = payload.get("actions")
        actions = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
        action = next((one for one in actions if text_of(one, "action_id").startswith(OURS)), None)
        if action is None:
            return Taken()
        if action.get("action_id") == REPLY:
            return await self._open_answer(at, payload)
        if action.get("action_id") == NOTE:
            return await self._open_todo(at, payload)
        user, known = await _who(at, payload)
        chat = _channel(payload) or await at.people.direct(user)
        read = partial(press, payload, action, at.me, known, chat=chat, host=self._host)
        return Taken(readable(payload, read, SECRET))

    async def _open_answer(self, at: Served, payload: Fields) -> Taken:
        """Open the window for a long answer, unless the question is known to be for somebody else.

        A window must open within three seconds: where that check takes too long the window opens all the same, since
        the answer that is sent is checked again.
        """
        place, user, chat = _message(payload), required(payload["user"], "id"), _channel(payload)
        note, language = {"chat": chat, "thread": thread_of(place, chat), "ts": stamp(place)}, at.people.language(user)
        if (payload.get("container") or {}).get("is_ephemeral") is True:
            # A message that only one person sees begins no thread, and its id does not last.
            note |= {"thread": text_of(place, "thread_ts"), "ts": ""}
        else:
            who = replace(_sender(payload, at.me, Known()), language=language)
            asked = Inbound(
                key="", chat=chat, sender=who, text="", sent_at=0, raw="", reply_to=note["ts"], answers=True
            )
            try:
                async with asyncio.timeout(ASK_SECONDS):
                    if refusal := await self._refuses(at.tenant, asked):
                        return Taken(told=refusal)
            except Exception as error:
                log.info("nobody knows whose question it is: %s", described(error))
        await _open(at, payload, modals.answer(pick(language), note))
        return Taken()

    async def _submit_answer(self, at: Served, payload: Fields) -> Taken:
        """Return the message that answers a question; the window says so where the answer is empty."""
        user, known = await _who(at, payload)
        view, note = payload["view"], modals.noted(payload["view"])
        who = _sender(payload, at.me, known)
        text = modals.text_entered(view, modals.LONGEST_ANSWER)
        if not text:
            return Taken(answer=modals.error(modals.TEXT, pick(who.language)["slack_empty"]))
        chat = note.get("chat") or await at.people.direct(user)
        asked = note.get("ts", "")
        more = {"thread": note.get("thread", ""), "reply_to": asked, "answers": bool(asked)}
        return Taken(self._said(payload, who, chat, text, **more))

    async def _open_reminder(self, at: Served, payload: Fields) -> Taken:
        """Open the window for a reminder of a message, with the text of that message, or the name of its file."""
        message = payload.get("message") or {}
        said = text_of(message, "text")
        users = people_in(said)[:MOST_NAMED]
        who, known = await asyncio.gather(_quickly(at, payload), at.people.known((), named=users))
        names = (f"[{one.name}]" for one in attachments(message.get("files"), at.me.team) if one.name)
        text = plain(said, at.me, _called(known, users, pick(who.language))).strip() or next(names, "")
        note = {"chat": _channel(payload), "ts": stamp(payload, "message_ts"), "quoted": text}
        view = modals.reminder(pick(who.language), note, " ".join(text.split()), who.timezone, self._clock.now())
        await _open(at, payload, view)
        return Taken()

    async def _submit_reminder(self, at: Served, payload: Fields) -> Taken:
        """Return the command that sets the reminder; the window says so where its text or its time is no good."""
        user, known = await _who(at, payload)
        who, view, note = _sender(payload, at.me, known), payload["view"], modals.noted(payload["view"])
        language, text, when = pick(who.language), _line(view, modals.LONGEST_TEXT), modals.when_entered(view)
        if not text:
            return Taken(answer=modals.error(modals.TEXT, language["slack_empty"]))
        if when <= self._clock.now():
            return Taken(answer=modals.error(modals.WHEN, language["slack_past"]))
        # As an instant, too: this person may have chosen another zone here, and a clock may show an hour twice.
        local = to_local(when, modals.zone_of(who.timezone))
        chat, link = await asyncio.gather(at.people.direct(user), _link(at, note))
        wall, quoted = local.replace(tzinfo=None).isoformat(timespec="minutes"), note.get("quoted", "")
        asked = intents.remind_at(text, when, wall, quoted=quoted, link=link)
        return Taken(self._said(payload, who, chat, text, quoted=quoted, link=link, intent=asked))

    async def _open_todo(self, at: Served, payload: Fields) -> Taken:
        """Open the window for a new to-do."""
        await _open(at, payload, modals.todo(pick(at.people.language(required(payload["user"], "id")))))
        return Taken()

    async def _submit_todo(self, at: Served, payload: Fields) -> Taken:
        """Return the command that adds the to-do; the window says so where its text is empty."""
        user, known = await _who(at, payload)
        who, view = _sender(payload, at.me, known), payload["view"]
        text = _line(view, modals.LONGEST_TODO)
        if not text:
            return Taken(answer=modals.error(modals.TEXT, pick(who.language)["slack_empty"]))
        try:
            day = date.fromisoformat(text_of(modals.entered(view, modals.DUE), "selected_date")).isoformat()
        except ValueError:
            # It may be left out.
            day = ""
        asked = intents.add(text, due=day)
        return Taken(self._said(payload, who, await at.people.direct(user), text, intent=asked))

    def _said(self, payload: Fields, who: Sender, chat: str, text: str, **more: Any) -> Update:
        """Return what somebody submitted as a message of theirs; a window that is submitted twice is one message."""
        view = payload["view"]

        def read() -> Inbound:
            return Inbound(
                key=f"v:{required(view, 'id')}:{storable(text_of(view, 'hash'))[:LONGEST_MARK]}",
                chat=chat,
                chat_kind="private" if is_private(chat) else "group",
                sender=who,
                text=text,
                sent_at=self._clock.now(),
                converses=not is_private(chat),
                polite=True,
                insists=True,
                raw=dumped(view, ("blocks", *SECRET)),
                **more,
            )

        return readable(view, read, SECRET)

    # By the callback id of a shortcut, and of a window.
    _OPENS: ClassVar[Mapping[str, Handler]] = {
        REMIND: _open_reminder,
        NEW_TODO: _open_todo,
    }
    _SUBMITTED: ClassVar[Mapping[str, Handler]] = {
        modals.ANSWER: _submit_answer,
        modals.REMINDER: _submit_reminder,
        modals.TODO: _submit_todo,
    }


def press(payload: Fields, action: Fields, me: Me, known: Known, *, chat: str, host: str) -> Press | Skipped:
    """Return the press of a button or of a choice in a menu; the core checks later whether its data is any good."""
    place = payload.get("container") or {}
    where = text_of(place, "message_ts") or text_of(place, "view_id")
    user, option = required(payload["user"], "id"), action.get("selected_option")
    key = f"p:{stamp(action, 'action_ts')}:{where}:{user}:{required(action, 'action_id')}"
    data = text_of(action, "value") or (text_of(option, "value") if isinstance(option, dict) else "")
    if not data:
        return Skipped(key=key)
    shown = _message(payload)
    return Press(
        key=key,
        chat=chat,
        chat_kind="private" if is_private(chat) else "group",
        sender=_sender(payload, me, known),
        data=storable(data)[:LONGEST_DATA],
        thread=thread_of(shown, chat) if "ts" in shown else "",
        message_id=text_of(shown, "ts"),
        response_url=hook_of(payload, host) if place.get("is_ephemeral") is True else "",
        toasts=False,
        raw=dumped(payload, (*SECRET, "message", "view", "state")),
    )


def presser(payload: Fields) -> tuple[str, str, str]:
    """Return the ids of the person who pressed, of the channel and of the thread, each empty where there is none."""
    user, shown = payload.get("user"), _message(payload)
    return text_of(user, "id") if isinstance(user, dict) else "", _channel(payload), text_of(shown, "thread_ts")


def _message(payload: Fields) -> Fields:
    """Return the time stamp and the thread of the message whose button was pressed, as fields of a message event."""
    place, shown = payload.get("container") or {}, payload.get("message") or {}
    ts = text_of(place, "message_ts")
    root = text_of(place, "thread_ts") or text_of(shown, "thread_ts")
    return {"ts": ts, **({"thread_ts": root} if root else {})} if ts else {}


def _channel(payload: Fields) -> str:
    """Return the id of the channel where somebody pressed, empty where the payload names none."""
    place, channel = payload.get("container") or {}, payload.get("channel")
    return storable(text_of(place, "channel_id") or (text_of(channel, "id") if isinstance(channel, dict) else ""))


async def _who(at: Served, payload: Fields) -> tuple[str, Known]:
    """Ask Slack who the person is; return their id, and what is known of them. Raises what the Web API raises."""
    user = required(payload["user"], "id")
    return user, Known(people={user: await at.people.one(user)})


def _sender(payload: Fields, me: Me, known: Known) -> Sender:
    """Return the person who did it; their name is their id where nothing is known of them."""
    user = payload["user"]
    return sender({"user": required(user, "id"), "user_team": text_of(user, "team_id")}, me, known)


async def _quickly(at: Served, payload: Fields) -> Sender:
    """Ask Slack who the person is; return a sender with their id alone if the answer takes too long."""
    try:
        async with asyncio.timeout(ASK_SECONDS):
            return await at.people.one(required(payload["user"], "id"))
    except Exception as error:
        log.info("nothing is known of who opens a window: %s", described(error))
        return _sender(payload, at.me, Known())


def _called(known: Known, users: Sequence[str], language: Language) -> Mapping[str, Sender]:
    """Return the people whom a text mentions, with the @names that it shows; who is unknown is called "somebody"."""
    found = {user: known.people.get(user) or Sender(address="", name=user) for user in users}
    somebody = language["slack_somebody"]
    named = {user: who.handle or (somebody if who.name == user else who.name) for user, who in found.items()}
    return {user: replace(found[user], handle=f"@{shown.removeprefix('@')}") for user, shown in named.items()}


async def _open(at: Served, payload: Fields, view: Json) -> None:
    """Open a window (views.open). A failure is only logged: the person sees no window and can press again."""
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            await at.workspace.client.views_open(trigger_id=required(payload, "trigger_id"), view=view)
    except Exception as error:
        log.warning("a window could not be opened: %s", described(error))


async def _link(at: Served, note: Mapping[str, str]) -> str:
    """Return the link to the message that a window was opened for (chat.getPermalink), empty where that fails."""
    try:
        async with asyncio.timeout(LINK_SECONDS):
            found = await at.workspace.client.chat_getPermalink(channel=note["chat"], message_ts=note["ts"])
        return storable(str(found["permalink"]))
    except Exception as error:
        log.info("no link to a message: %s", described(error))
        return ""


def _line(view: Fields, most: int) -> str:
    """Return the text that somebody entered, as one line."""
    return " ".join(modals.text_entered(view, most).split())
