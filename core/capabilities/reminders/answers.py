"""Commands for a reminder that was posted: it is done, or it is to come again later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from core.capabilities.chat.corrections import GIVEN_UP
from core.capabilities.contacts.namesakes import told_apart
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.commands import failed, said_at
from core.capabilities.reminders.repository import Reminded, RemindedState
from core.kernel import ids
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At, Delay, InDays
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import Once
from core.kernel.timing.zones import zone_named
from core.kernel.types import Millis
from core.language.short_texts import wait_of
from core.scheduling import time_input
from core.scheduling.views import LONGEST_LABEL, cut, label
from core.toolkit.command import Command, CommandRun

# As much of a text as an answer about it shows.
SHOWN = 60
TOMORROW = At(day=InDays(days=1))


def _pressed(run: CommandRun) -> bool:
    """Whether a button said it: then its message shows what came of it."""
    return run.context.said is not None and run.context.said.pressed is not None


def _named(run: CommandRun) -> tuple[str, str]:
    """The id of a reminder, empty when none is named, and the words behind it."""
    first, _, rest = run.rest.partition(" ")
    return (first, rest.strip()) if ids.number("r", first) is not None else ("", run.rest)


async def _done(run: CommandRun) -> Reply:
    reminder, rest = _named(run)
    if rest == GIVEN_UP:
        return await _given_up(run, reminder)
    if rest:
        return run.say("posted_unknown")
    if not reminder and (unclear := await _unclear(run, "posted_none")):
        return unclear
    result = await run.call("finish_reminder", reminder_id=reminder)
    if not result.success:
        return failed(run, result.code, result.error)
    if result.result["status"] in {"done", "already"}:
        return run.reply("" if _pressed(run) else "✅")
    return run.say(f"posted_{result.result['status']}")


async def _given_up(run: CommandRun, reminder: str) -> Reply:
    """Somebody wants nothing of it any more. That it is done nobody said, so they are told what works."""
    result = await run.call("waiting_reminders", reminder_id=reminder)
    if not result.success:
        return failed(run, result.code, result.error)
    found = result.result["reminders"]
    if not found:
        return run.say("posted_unknown")
    if len(found) > 1:
        return _which(run, found, [f"/done {one['reminder_id']} {GIVEN_UP}" for one in found])
    one = found[0]
    if stays := await _stays(run, one):
        return stays
    ways = [
        ("button_done", f"/done {one['reminder_id']}"),
        ("button_tomorrow", f"/snooze {one['reminder_id']} tomorrow"),
    ]
    ways += [("button_stop", f"/cancel {one['schedule_id']}")] if one["schedule_id"] else []
    text = run.language.say("posted_drop", text=cut(one["text"], SHOWN))
    return run.reply(text, offers=[(run.language[name], said) for name, said in ways])


async def _stays(run: CommandRun, one: Mapping[str, Any]) -> Reply | None:
    """What somebody did with a reminder stays, and how to change that; nothing where it waits."""

    def look(tx: Tx) -> Reminded | None:
        found = reminders.find(tx, run.context.lane, ids.number("r", one["reminder_id"]) or 0)
        rows = [] if found is None else reminders.people(tx, found.first_id)
        return next((row for row in rows if row.person_id == run.context.principal.person_id), None)

    mine = await run.context.db.read(look)
    if mine is None or mine.state not in {RemindedState.DONE, RemindedState.SNOOZED}:
        return None
    done, tomorrow = f"/done {one['reminder_id']}", f"/snooze {one['reminder_id']} tomorrow"
    if mine.state == RemindedState.DONE:
        text = run.language.say("posted_stays_done", text=cut(one["text"], SHOWN))
        return run.reply(text, offers=[(run.language["button_tomorrow"], tomorrow)])
    moment = run.language.when(mine.until or 0, _zone(run).key)
    text = run.language.say("posted_stays_off", text=cut(one["text"], SHOWN), moment=moment)
    return run.reply(text, offers=[(run.language["button_done"], done)])


async def _unclear(run: CommandRun, none: str) -> Reply | None:
    """Ask which reminder is meant where it may be several, or say that there is none; nothing where that is clear."""
    result = await run.call("waiting_reminders")
    if not result.success or not result.result["aimless"]:
        return None
    found = result.result["reminders"]
    if not found:
        return run.say(none)
    if len(found) == 1:
        return None
    command = "done" if none == "posted_none" else "snooze"
    return _which(run, found, [f"/{command} {one['reminder_id']} {run.rest}".strip() for one in found])


def _which(run: CommandRun, found: Sequence[Mapping[str, Any]], says: Sequence[str]) -> Reply:
    """Ask which reminder is meant; those of one text say when they were due."""
    due = [run.language.when(one["due_at"], _zone(run).key) for one in found]
    labels = told_apart([label(one["text"]) for one in found], due, LONGEST_LABEL)
    return run.reply(run.language["posted_which"], offers=list(zip(labels, says, strict=True)))


async def _snooze(run: CommandRun) -> Reply:
    reminder, words = _named(run)
    if not reminder and (unclear := await _unclear(run, "posted_none_later")):
        return unclear
    if not words:
        options = [run.language[f"button_{name}"] for name in ("ten_minutes", "hour", "tomorrow")]
        return await run.ask(run.language["ask_later"], f"/snooze {reminder}".strip(), expects="time", options=options)
    until = _until(run, words)
    if until is None:
        return run.say("snooze_usage")
    result = await run.call("put_off_reminder", reminder_id=reminder, until=until)
    if not result.success:
        return failed(run, result.code, result.error)
    if result.result["status"] != "put_off":
        return run.say(f"posted_{result.result['status']}")
    return run.reply("" if _pressed(run) else f"💤 {run.language.when(until, _zone(run).key)}")


def _zone(run: CommandRun) -> ZoneInfo:
    """The person's, also in a group: they say when it suits them."""
    return zone_named(run.context.principal.timezone) or run.context.zone


def _until(run: CommandRun, words: str) -> Millis | None:
    """When it is to come again. A length of time that is over when it is read counts from now."""
    when = TOMORROW if words == "tomorrow" else time_input.when_of(wait_of(words) or words, run.language)
    if when is None:
        return None
    now = run.context.clock.now()
    try:
        found = time_input.reading(when, said_at(run), _zone(run)).schedule
        if isinstance(found, Once) and found.at <= now and isinstance(when, Delay):
            found = time_input.reading(when, now, _zone(run)).schedule
    except Impossible:
        return None
    return found.at if isinstance(found, Once) else None


COMMANDS: Mapping[str, Command] = {"done": Command(_done), "snooze": Command(_snooze)}
