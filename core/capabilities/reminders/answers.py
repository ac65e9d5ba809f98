"""Commands for a reminder that was posted: it is done, or it is to come again later."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.contacts.namesakes import told_apart
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.actions import Waiting, aimless, finish_reminder, put_off_reminder, waiting
from core.capabilities.reminders.commands import instant, said_at
from core.capabilities.reminders.repository import RemindedState
from core.capabilities.reminders.views import DONE, SNOOZE
from core.kernel import ids
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At, Delay, InDays
from core.kernel.timing.zones import zone_named
from core.kernel.types import Millis
from core.language.short_texts import wait_of
from core.scheduling import time_input
from core.scheduling.views import LONGEST_LABEL, by_both_clocks, cut, label
from core.store.conversation.last_words import last_words
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, WaitWords, intent

# As much of a text as an answer about it shows.
SHOWN = 60
TOMORROW = At(day=InDays(days=1))
# What former versions put behind /done where it is not done.
GIVEN_UP = "no"


def _pressed(run: CommandRun) -> bool:
    """Return whether a button said it: then its message shows what came of it."""
    return run.context.said is not None and run.context.said.pressed is not None


def _named(run: CommandRun) -> tuple[str, str]:
    """Return the id of a reminder, empty when none is named, and the words behind it."""
    first, _, rest = run.rest.partition(" ")
    return (first, rest.strip()) if ids.number("r", first) is not None else ("", run.rest)


def done(run: CommandRun, tx: Tx) -> Reply:
    """Finish the reminder that a message answers, or the one whose id stands behind /done."""
    reminder, rest = _named(run)
    if rest == GIVEN_UP:
        return _given_up(run, tx, reminder)
    return run.say("posted_unknown") if rest else _finished(run, tx, reminder)


@intent(DONE, as_command="done")
def finish(run: CommandRun, tx: Tx, *, reminder: str) -> Reply:
    """Finish a posted reminder: the one with this id, or empty for the one that it is about."""
    return _finished(run, tx, reminder)


def _finished(run: CommandRun, tx: Tx, reminder: str) -> Reply:
    # What a former version did in this run, before it was killed, waits no more.
    clear = reminder or run.actor.replays(finish_reminder.name)
    if not clear and (unclear := _unclear(run, tx, "posted_none", lambda one: finish.of(reminder=one))):
        return unclear
    pressed, lane = _pressed(run), run.context.lane
    # Where it was named, or the bot has said something since, it is shown which one was taken: another one may have
    # been meant.
    passed = aimless(run.context) and not reminders.waiting(tx, lane, last_words(tx, lane).at)
    named = not pressed and (run.rest not in {"", reminder} or passed)
    posted = run.actor.act(tx, finish_reminder, reminder_id=reminder)
    if posted.status in {"done", "already"}:
        return run.reply("" if pressed else f"✅ — {cut(posted.text, SHOWN)}" if named else "✅")
    return run.say(f"posted_{posted.status}")


def _given_up(run: CommandRun, tx: Tx, reminder: str) -> Reply:
    """Answer somebody who wants no more of a reminder. They have not said that it is done, so they are told what
    works."""
    found = waiting(tx, run.context, reminder)
    if not found:
        return run.say("posted_unknown")
    if len(found) > 1:
        return which(run, found, [give_up.of(reminder=posted.reminder_id) for posted in found])
    (posted,) = found
    if stays := _stays(run, tx, posted):
        return stays
    ways = [
        ("button_done", finish.of(reminder=posted.reminder_id)),
        ("button_tomorrow", snooze_for.of(reminder=posted.reminder_id, words="tomorrow")),
    ]
    ways += [("button_stop", intents.cancel(posted.schedule_id))] if posted.schedule_id else []
    text = run.language.say("posted_drop", text=cut(posted.text, SHOWN))
    return run.reply(text, offers=[(run.language[name], said) for name, said in ways])


def _stays(run: CommandRun, tx: Tx, posted: Waiting) -> Reply | None:
    """Say that what somebody did with a reminder stays, and how to change that; None while the reminder waits."""
    reminder = reminders.find(tx, run.context.lane, ids.number("r", posted.reminder_id) or 0)
    rows = [] if reminder is None else reminders.people(tx, reminder.first_id)
    mine = next((row for row in rows if row.person_id == run.context.principal.person_id), None)
    if mine is None or mine.state not in {RemindedState.DONE, RemindedState.SNOOZED}:
        return None
    done = finish.of(reminder=posted.reminder_id)
    tomorrow = snooze_for.of(reminder=posted.reminder_id, words="tomorrow")
    if mine.state == RemindedState.DONE:
        text = run.language.say("posted_stays_done", text=cut(posted.text, SHOWN))
        return run.reply(text, offers=[(run.language["button_tomorrow"], tomorrow)])
    moment = run.language.when(mine.until or 0, _zone(run).key)
    text = run.language.say("posted_stays_off", text=cut(posted.text, SHOWN), moment=moment)
    return run.reply(text, offers=[(run.language["button_done"], done)])


def _unclear(run: CommandRun, tx: Tx, none: str, order: Callable[[str], Intent]) -> Reply | None:
    """Ask which reminder is meant where it may be several, or say that there is none (`none`); nothing where that is
    clear. `order` is what is done with one, by its id."""
    if not aimless(run.context):
        return None
    found = waiting(tx, run.context)
    if not found:
        return run.say(none)
    if len(found) == 1:
        return None
    return which(run, found, [order(posted.reminder_id) for posted in found])


def which(run: CommandRun, found: Sequence[Waiting], orders: Sequence[Intent]) -> Reply:
    """Ask which reminder is meant; those of one text say when they were due."""
    due = [run.language.when(posted.due_at, _zone(run).key) for posted in found]
    labels = told_apart([label(posted.text) for posted in found], due, LONGEST_LABEL)
    return run.reply(run.language["posted_which"], offers=list(zip(labels, orders, strict=True)))


async def _snooze(run: CommandRun) -> Reply | Act:
    """Put a reminder off: until when is read before anything is done."""
    reminder, words = _named(run)
    return partial(_put_off, run, reminder, words, _until(run, words) if words else None)


@intent(SNOOZE, as_command="snooze")
async def snooze_for(run: CommandRun, *, reminder: str, words: WaitWords) -> Reply | Act:
    """Bring a reminder again as an answer says: the one with this id, or empty for the one that it is about."""
    return partial(_put_off, run, reminder, words, _until(run, words) if words else None)


@intent("reminders.give_up", as_command="done")
def give_up(run: CommandRun, tx: Tx, *, reminder: str) -> Reply:
    """Say what works for a reminder that is not wanted any more."""
    return _given_up(run, tx, reminder)


INTENTS = (finish, snooze_for, give_up)


def _put_off(run: CommandRun, reminder: str, words: str, until: Millis | None, tx: Tx) -> Reply:
    clear = reminder or run.actor.replays(put_off_reminder.name)
    again = partial(snooze_for.of, words=words)
    if not clear and (unclear := _unclear(run, tx, "posted_none_later", lambda one: again(reminder=one))):
        return unclear
    if not words:
        options = [run.language[f"button_{name}"] for name in ("ten_minutes", "hour", "tomorrow")]
        return run.ask(run.language["ask_later"], snooze_for.asking("words", reminder=reminder), options=options)
    if until is None:
        return run.say("snooze_usage")
    posted = run.actor.act(tx, put_off_reminder, reminder_id=reminder, until=until)
    if posted.status != "put_off":
        return run.say(f"posted_{posted.status}")
    if _pressed(run):
        return run.reply("")
    # What is said to none in particular may have been about something else: a question that has just run out.
    named = f" — {cut(posted.text, SHOWN)}" if aimless(run.context) else ""
    # Everybody of a group reads it, and the message of the reminder goes by the group's clock.
    return run.reply(f"💤 {by_both_clocks(run.language, posted.until, _zone(run), run.context.zone)}{named}")


def _zone(run: CommandRun) -> ZoneInfo:
    """Return the person's, also in a group: they say when it suits them."""
    return zone_named(run.context.principal.timezone) or run.context.zone


def _until(run: CommandRun, words: str) -> Millis | None:
    """Return when it is to come again. A length of time that is over when it is read counts from now."""
    when = TOMORROW if words == "tomorrow" else time_input.when_of(wait_of(words) or words, run.language)
    if when is None:
        return None
    now, until = run.context.clock.now(), instant(when, said_at(run), _zone(run))
    late = until is not None and until <= now and isinstance(when, Delay)
    return instant(when, now, _zone(run)) if late else until


COMMANDS: Mapping[str, Command] = {"snooze": Command(_snooze, takes_words=True)}
