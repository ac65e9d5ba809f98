"""What people press, choose, open and send (https://docs.slack.dev/interactivity/handling-user-interaction)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.events import readable
from bot.adapters.slack.parse.messages import (
    LONGEST_MARK,
    Fields,
    Known,
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
from core.kernel.ports import Clock
from core.kernel.types import Inbound, Press, Sender
from core.kernel.untrusted import clean
from core.kernel.updates import Skipped, Update
from core.language import Language, detect, pick
from core.toolkit import intents

log = logging.getLogger(__name__)

OURS, REPLY, NOTE = "teller:", "teller:answer", "teller:new_todo"
REMIND, NEW_TODO = "remind_message", "new_todo"
# A window must be open before three seconds are over; who it is for is worth a third of that.
OPEN_SECONDS, ASK_SECONDS, LINK_SECONDS = 2.0, 0.8, 1.0
LONGEST_DATA = 200
# So many people are asked for while a window waits.
MOST_NAMED = 20

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Taken:
    """What an interaction comes to: an update, if there is one, what to answer Slack at once, and what to tell who did
    it."""

    update: Update | None = None
    answer: Json | None = None
    told: str = ""


# Says why an answer in a window would be none (`Intake.refuses`).
Refuses = Callable[[int, Inbound], Awaitable[str]]


class Interactions:
    """Reads interactions, and opens windows. `host` is that of the Web API."""

    def __init__(self, clock: Clock, host: str, refuses: Refuses) -> None:
        self._clock, self._host, self._refuses = clock, host, refuses
        self._opens: Mapping[str, Callable[[Served, Fields], Any]] = {REMIND: self._remind, NEW_TODO: self._new_todo}
        self._reads: Mapping[str, Callable[[Served, Fields], Any]] = {
            modals.ANSWER: self._answered,
            modals.REMINDER: self._reminded,
            modals.TODO: self._noted,
        }

    async def take(self, at: Served, payload: Fields) -> Taken:
        """Read one; raises what the Web API does when who it was cannot be found out."""
        match text_of(payload, "type"):
            case "block_actions":
                return await self._acted(at, payload)
            case "message_action" | "shortcut":
                opened = self._opens.get(text_of(payload, "callback_id"))
                return await opened(at, payload) if opened else Taken()
            case "view_submission":
                view = payload.get("view")
                read = self._reads.get(text_of(view, "callback_id")) if isinstance(view, dict) else None
                return await read(at, payload) if read else Taken()
        # Windows that are closed, and kinds that nobody has heard of.
        return Taken()

    async def worded(self, at: Served, text: str) -> str:
        """What is told in a window, where nobody can be mentioned: they are called by their names."""
        users = people_in(text)[:MOST_NAMED]
        known = await at.people.known((), named=users)
        return plain(text, at.me, _called(known, users, pick(detect(text) or "")))

    async def _acted(self, at: Served, payload: Fields) -> Taken:
        action = _action(payload)
        if action is None:
            return Taken()
        if action.get("action_id") == REPLY:
            return await self._ask(at, payload)
        if action.get("action_id") == NOTE:
            return await self._new_todo(at, payload)
        user, known = await _who(at, payload)
        chat = _channel(payload) or await at.people.direct(user)

        def read() -> Update:
            return press(payload, action, at.me, known, chat=chat, host=self._host)

        return Taken(readable(payload, read, SECRET))

    async def _ask(self, at: Served, payload: Fields) -> Taken:
        """Open the window for a long answer, before anything else but a look at whose question it is."""
        place, user = _message(payload), required(payload["user"], "id")
        note = {"chat": _channel(payload), "thread": _thread(place, _channel(payload)), "ts": stamp(place)}
        if (payload.get("container") or {}).get("is_ephemeral") is True:
            # What only one person sees is no thread, and has no id that lasts.
            note |= {"thread": text_of(place, "thread_ts"), "ts": ""}
        elif told := await self._refused(at, payload, note):
            return Taken(told=told)
        await _open(at, payload, modals.answer(pick(at.people.language(user)), note))
        return Taken()

    async def _refused(self, at: Served, payload: Fields, note: Mapping[str, str]) -> str:
        """Return why somebody's answer would be none, if that is quick: what they send is looked at again."""
        user = required(payload["user"], "id")
        who = replace(_sender(payload, at.me, Known()), language=at.people.language(user))
        asked = Inbound(
            key="", chat=note["chat"], sender=who, text="", sent_at=0, raw="", reply_to=note["ts"], answers=True
        )
        try:
            async with asyncio.timeout(ASK_SECONDS):
                return await self._refuses(at.tenant, asked)
        except Exception as error:
            log.info("nobody knows whose question it is: %s", described(error))
            return ""

    async def _answered(self, at: Served, payload: Fields) -> Taken:
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

    async def _remind(self, at: Served, payload: Fields) -> Taken:
        """Open the window for a reminder of a message."""
        said = text_of(payload.get("message") or {}, "text")
        users = people_in(said)[:MOST_NAMED]
        who, known = await asyncio.gather(_quickly(at, payload), at.people.known((), named=users))
        text = plain(said, at.me, _called(known, users, pick(who.language))).strip()
        note = {"chat": _channel(payload), "ts": stamp(payload, "message_ts"), "quoted": text}
        view = modals.reminder(pick(who.language), note, " ".join(text.split()), who.timezone, self._clock.now())
        await _open(at, payload, view)
        return Taken()

    async def _reminded(self, at: Served, payload: Fields) -> Taken:
        user, known = await _who(at, payload)
        who, view, note = _sender(payload, at.me, known), payload["view"], modals.noted(payload["view"])
        language, text, when = pick(who.language), _line(view, modals.LONGEST_TEXT), modals.when_entered(view)
        if not text:
            return Taken(answer=modals.error(modals.TEXT, language["slack_empty"]))
        if when <= self._clock.now():
            return Taken(answer=modals.error(modals.WHEN, language["slack_past"]))
        # As an instant, too: they may go by another zone here, and a clock may show an hour twice.
        local = datetime.fromtimestamp(when / 1000, UTC).astimezone(modals.zone_of(who.timezone))
        chat, link = await asyncio.gather(at.people.direct(user), _link(at, note))
        wall, quoted = local.replace(tzinfo=None).isoformat(timespec="minutes"), note.get("quoted", "")
        asked = intents.remind_at(text, when, wall, quoted=quoted, link=link)
        return Taken(self._said(payload, who, chat, text, quoted=quoted, link=link, intent=asked))

    async def _new_todo(self, at: Served, payload: Fields) -> Taken:
        await _open(at, payload, modals.todo(pick(at.people.language(required(payload["user"], "id")))))
        return Taken()

    async def _noted(self, at: Served, payload: Fields) -> Taken:
        user, known = await _who(at, payload)
        who, view = _sender(payload, at.me, known), payload["view"]
        text = _line(view, modals.LONGEST_TODO)
        if not text:
            return Taken(answer=modals.error(modals.TEXT, pick(who.language)["slack_empty"]))
        day = _day(modals.entered(view, modals.DUE))
        asked = intents.add(text, due=day)
        return Taken(self._said(payload, who, await at.people.direct(user), text, intent=asked))

    def _said(self, payload: Fields, who: Sender, chat: str, text: str, **more: Any) -> Update:
        """Return what a window says as a message that somebody wrote; the same window is one message."""
        view = payload["view"]

        def read() -> Inbound:
            return Inbound(
                key=f"v:{required(view, 'id')}:{clean(text_of(view, 'hash'))[:LONGEST_MARK]}",
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


def press(payload: Fields, action: Fields, me: Me, known: Known, *, chat: str, host: str) -> Press | Skipped:
    """Read a press on a button, or a choice from a menu; what it carries is looked at later."""
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
        data=clean(data)[:LONGEST_DATA],
        thread=_thread(shown, chat) if "ts" in shown else "",
        message_id=text_of(shown, "ts"),
        response_url=hook_of(payload, host) if place.get("is_ephemeral") is True else "",
        toasts=False,
        raw=dumped(payload, (*SECRET, "message", "view", "state")),
    )


def presser(payload: Fields) -> tuple[str, str, str]:
    """Return who pressed where: ids of the person, of the channel and of the thread, each empty where there is none."""
    user, shown = payload.get("user"), _message(payload)
    return text_of(user, "id") if isinstance(user, dict) else "", _channel(payload), text_of(shown, "thread_ts")


def _action(payload: Fields) -> Fields | None:
    """Return the first action that is ours."""
    actions = payload.get("actions")
    for one in actions if isinstance(actions, list) else ():
        if isinstance(one, dict) and text_of(one, "action_id").startswith(OURS):
            return one
    return None


def _message(payload: Fields) -> Fields:
    """Return what is known of the message that was pressed: its time stamp and its thread."""
    place, shown = payload.get("container") or {}, payload.get("message") or {}
    ts = text_of(place, "message_ts")
    root = text_of(place, "thread_ts") or text_of(shown, "thread_ts")
    return {"ts": ts, **({"thread_ts": root} if root else {})} if ts else {}


def _thread(shown: Fields, channel: str) -> str:
    return thread_of(shown, channel)


def _channel(payload: Fields) -> str:
    place, channel = payload.get("container") or {}, payload.get("channel")
    return clean(text_of(place, "channel_id") or (text_of(channel, "id") if isinstance(channel, dict) else ""))


async def _who(at: Served, payload: Fields) -> tuple[str, Known]:
    user = required(payload["user"], "id")
    return user, Known(people={user: await at.people.one(user)})


def _sender(payload: Fields, me: Me, known: Known) -> Sender:
    user = payload["user"]
    return sender({"user": required(user, "id"), "user_team": text_of(user, "team_id")}, me, known)


async def _quickly(at: Served, payload: Fields) -> Sender:
    """Find out who it is, if that is quick."""
    try:
        async with asyncio.timeout(ASK_SECONDS):
            return await at.people.one(required(payload["user"], "id"))
    except Exception as error:
        log.info("nothing is known of who opens a window: %s", described(error))
        return _sender(payload, at.me, Known())


def _called(known: Known, users: Sequence[str], language: Language) -> Mapping[str, Sender]:
    """The people a message names, as it is shown: of whom nothing is known in time it is somebody."""
    found = {user: known.people.get(user) or Sender(address="", name=user) for user in users}
    somebody = language["slack_somebody"]
    named = {user: who.handle or (somebody if who.name == user else who.name) for user, who in found.items()}
    return {user: replace(found[user], handle=f"@{shown.removeprefix('@')}") for user, shown in named.items()}


async def _open(at: Served, payload: Fields, view: Json) -> None:
    """Open a window (views.open); too late or refused is logged: whoever pressed presses again."""
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            await at.workspace.client.views_open(trigger_id=required(payload, "trigger_id"), view=view)
    except Exception as error:
        log.warning("a window could not be opened: %s", described(error))


async def _link(at: Served, note: Mapping[str, str]) -> str:
    """Return the link to the message that a window is about (chat.getPermalink); empty when Slack does not give it."""
    try:
        async with asyncio.timeout(LINK_SECONDS):
            found = await at.workspace.client.chat_getPermalink(channel=note["chat"], message_ts=note["ts"])
        return clean(str(found["permalink"]))
    except Exception as error:
        log.info("no link to a message: %s", described(error))
        return ""


def _line(view: Fields, most: int) -> str:
    return " ".join(modals.text_entered(view, most).split())


def _day(chosen: Fields) -> str:
    try:
        return date.fromisoformat(text_of(chosen, "selected_date")).isoformat()
    except ValueError:
        return ""
