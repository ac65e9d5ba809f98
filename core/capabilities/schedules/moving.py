"""Giving what is scheduled another time. A series becomes a single time only after the person was asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.reminders.actions import change_reminder
from core.capabilities.reminders.commands import ahead_of_event, said_at, with_event
from core.capabilities.schedules import edited
from core.capabilities.schedules.commands import ask_which, due_then, id_first, meanings, name_of, own_task, resolved
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.clocks import near
from core.kernel.timing.expressions import At, Clock, Date, Every, Expression, Weekday
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.resolve import put_off
from core.kernel.timing.schedule import Interval, Once, Rule, Schedule, dump, load, next_after
from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import Millis
from core.language import languages
from core.scheduling import time_input
from core.scheduling import views as shown
from core.scheduling.service import Scheduled
from core.scheduling.time_input import When
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, Confirms, TimeWords, intent
from core.toolkit.said_once import once

# Words of former versions, which stand behind /move in the place of a time.
EDITED, ONCE = "edited", "once"
# So many characters of a text are shown in a question about it.
ASKED = 60
# A text, and behind it, in brackets, when the event begins that it comes ahead of.
_ASIDE = re.compile(r"(.+?) ?[(（]([^()（）]+)[)）]", re.DOTALL)
# Days of the week in a cron line that are told one by one, or the working days.
_WEEKDAYS = re.compile(r"[0-6](,[0-6])*|1-5|\*")
# Former versions put what is behind a text in these brackets in every language, in Chinese, too.
_NARROW = str.maketrans({"（": " (", "）": ")"})


@dataclass(frozen=True, kw_only=True)
class _Event:
    """The event that a reminder comes ahead of, and when it begins."""

    name: str
    begins: Once
    whole_day: bool


async def _move(run: CommandRun) -> Reply | Act:
    """Give something another time, or ask when."""
    first, words = id_first(run.rest)
    task = await own_task(run, "move", first or words)
    if isinstance(task, Reply):
        return task
    words = words if first else ""
    if words.startswith(f"{EDITED} "):
        return _edited(run, task, words.removeprefix(f"{EDITED} "))
    return _moved(run, task, words) if words and words != ONCE else _ask_new_time(run, task)


@intent(intents.MOVE, as_command="move", confirms=Confirms(yes=("assistant_yes",), in_words=True))
async def move_to(run: CommandRun, *, schedule: str, time: TimeWords = "", event: bool = False) -> Reply | Act:
    """Give something the time that an answer names; without one it is asked for. With `event` it is the time of what
    a reminder comes ahead of, where it comes ahead of anything."""
    task = await own_task(run, "move", schedule, lambda this: move_to.of(schedule=this, time=time, event=event))
    if isinstance(task, Reply):
        return task
    return _moved(run, task, time, of_event=event) if time else _ask_new_time(run, task)


@intent("schedules.move_due", as_command="move")
async def move_due(run: CommandRun, *, due: When, time: str) -> Reply | Act:
    """Give what is due at a time another one; of several it is asked which."""
    found = await run.context.db.read(lambda tx: due_then(run, tx, due) if isinstance(due, At) else [])
    if not found:
        return run.say("none_due")
    if len(found) > 1:
        return ask_which(run, found, partial(intents.move, time=time))
    return _moved(run, found[0], time) if found[0].mine else run.say("task_not_yours")


@intent("schedules.edited", as_command="move")
async def as_edited(
    run: CommandRun, *, schedule: str, text: str, named: bool = False, worded: bool = False
) -> Reply | Act:
    """Let something be what the message that has set it says now, or be about that, where it only `named` it. Where it
    `worded` all of it as an answer, it needs not to say that it is a wish."""
    task = await own_task(run, "move", schedule)
    return task if isinstance(task, Reply) else _edited(run, task, text, named=named, worded=worded)


@intent("schedules.recurs", as_command="move")
async def stays_recurring(run: CommandRun, *, schedule: str) -> Reply | Act:
    """Ask for another time: former versions kept so what would have made something that recurs come but once."""
    task = await own_task(run, "move", schedule)
    return task if isinstance(task, Reply) else _ask_new_time(run, task)


def _zone_of(run: CommandRun, task: Scheduled) -> ZoneInfo:
    """Return the zone by whose clock something is due: a rule has one of its own."""
    former = load(task.schedule)
    if isinstance(former, Rule):
        return ZoneInfo(former.zone)
    return ZoneInfo(task.zone) if task.zone else run.context.zone


def _moved(run: CommandRun, task: Scheduled, words: str, *, of_event: bool = False) -> Reply | Act:
    zone, text = _zone_of(run, task), ""
    if of_event and (event := _event_of(run, task, zone)):
        schedule, text = _ahead_of(run, words, task, event, zone)
    else:
        schedule = _new_time(run, words, task, zone)
    if schedule is None:
        return _ask_new_time(run, task)
    if task.put_off and not isinstance(schedule, Once):
        return run.say("skip_once")
    now = run.context.clock.now()
    if next_after(schedule, now) is None:
        at = shown.moment(run.language, now, run.context.zone, now)
        past = run.language.say("time_past", now=at, zone=shown.zone_name(run.language, run.context.zone.key))
        return _ask_new_time(run, task, past)
    when = time_input.when_of(words, run.language)
    recurs = not isinstance(load(task.schedule), Once)
    if recurs and isinstance(schedule, Once) and time_input.instant_of(words, zone) is None:
        return _ask_how_far(run, task, schedule, when, zone)
    # What it means by the day there, where its day was taken for the speaker's.
    first, *others = meanings(run, when, zone) if when is not None else [None]
    meant = [other for other in others if isinstance(other, Once)] if first == schedule else []
    return partial(_change, run, task, schedule, text, meant)


def _event_of(run: CommandRun, task: Scheduled, zone: ZoneInfo) -> _Event | None:
    """Return what a reminder comes ahead of, where its text ends as one that is set so ("dentist (15:00)")."""
    found = _ASIDE.fullmatch(task.text)
    if found is None or task.put_off or not isinstance(load(task.schedule), Once):
        return None
    name, time = found.groups()
    when = time_input.when_of(time, run.language)
    try:
        begins = time_input.reading(when, task.next_at, zone).schedule if isinstance(when, At) else None
    except Impossible:
        return None
    if not (isinstance(when, At) and isinstance(begins, Once)):
        return None
    there, here, whole_day = to_local(begins.at, zone), to_local(task.next_at, zone), when.clock is None
    shown = {with_event(one, name, there, here, whole_day=whole_day).translate(_NARROW) for one in languages().values()}
    return _Event(name=name, begins=begins, whole_day=whole_day) if task.text.translate(_NARROW) in shown else None


def _ahead_of(
    run: CommandRun, words: str, task: Scheduled, event: _Event, zone: ZoneInfo
) -> tuple[Schedule | None, str]:
    """Return when a reminder comes whose event is moved, as long ahead of that as it was, and its text. Where it is too
    late to come ahead, it comes with the event."""
    length = to_local(event.begins.at, zone).replace(tzinfo=None) - to_local(task.next_at, zone).replace(tzinfo=None)
    begins = _new_time(run, words, replace(task, schedule=dump(event.begins), next_at=event.begins.at), zone)
    if not isinstance(begins, Once):
        return begins, event.name
    wall = to_local(begins.at, zone).replace(tzinfo=None) - length
    early = Once(at=to_instant(wall, zone), wall=wall.isoformat(timespec="minutes"))
    if next_after(early, run.context.clock.now()) is None:
        return begins, event.name
    here = to_local(early.at, zone)
    there = here + length
    whole_day = event.whole_day and there.time() == to_local(event.begins.at, zone).time()
    return early, with_event(run.language, event.name, there, here, whole_day=whole_day)


def _edited(run: CommandRun, task: Scheduled, text: str, *, named: bool = False, worded: bool = False) -> Reply | Act:
    """Change something to what the message that set it says now. Where that sets nothing any more, all stays, and the
    person is told so."""
    zone, former = _zone_of(run, task), load(task.schedule)
    schedule: Schedule | None
    match edited.read(run, text, task, named=named, worded=worded):
        case None:
            schedule, said = None, ""
        case None, said:
            schedule = former
        case str() as words, said:
            schedule = _new_time(run, words, task, zone)
        case when, said:
            schedule = resolved(run, when, zone)
            if said and schedule is not None:
                said = ahead_of_event(run.language, said, when, schedule, zone)
    over = schedule is None or next_after(schedule, run.context.clock.now()) is None
    if schedule is None or over or (task.put_off and not isinstance(schedule, Once)):
        # Edit by edit that is said once.
        return once(run, run.language.say("edit_unread", task=shown.full(run, task, task.zone)))
    said = "" if said == task.text else said
    return partial(_change, run, task, schedule, said, ()) if said or schedule != former else run.reply("")


def _change(run: CommandRun, task: Scheduled, schedule: Schedule, text: str, others: Sequence[Once], tx: Tx) -> Reply:
    """Change it; `others` are times that may have been meant, too."""
    changed = run.actor.act(tx, change_reminder, schedule_id=task.schedule_id, schedule=dump(schedule), text=text)
    moved = replace(changed, names=task.names, zone=task.zone, mine=task.mine, apart=task.apart)
    offers = [
        *shown.other_times(run, moved, others, _zone_of(run, task)),
        (run.language["change"], intents.move(moved.schedule_id)),
        *shown.undo(run, moved.undo),
    ]
    return shown.in_place(run, shown.full(run, moved, task.zone), offers)


def _ask_new_time(run: CommandRun, task: Scheduled, why: str = "") -> Reply:
    question = run.language.say("ask_new_time", text=shown.cut(name_of(run, task), ASKED))
    # What recurs is not made to come but once by a button.
    once = isinstance(load(task.schedule), Once)
    times = time_input.offered(run.language, run.context.zone, run.context.clock.now()) if once else []
    order = move_to.asking("time", schedule=task.schedule_id)
    return replace(run.ask(run.language.sentences(why, question), order, options=times), foreign=task.tainted)


def _ask_how_far(run: CommandRun, task: Scheduled, at: Once, when: Expression | None, zone: ZoneInfo) -> Reply:
    """Ask how far a new time of something that recurs goes: all of it may move from now on, it may come just once, or
    its next time may be skipped."""
    language, now = run.language, run.context.clock.now()
    offers: list[Offer] = []
    if rule := _series(load(task.schedule), when, at, zone, now):
        words = language.grammar.say(rule, zone)
        offers.append((language.say("move_series", rule=words), intents.move(task.schedule_id, words)))
    offers += [
        (language["move_once"], intents.move(task.schedule_id, to_local(at.at, zone).isoformat())),
        (language["button_skip_next"], intents.skip(task.schedule_id)),
    ]
    moment, name = shown.moment(language, at.at, zone, now), shown.cut(name_of(run, task), ASKED)
    key = "move_recurs" if rule else "move_recurs_not_all"
    return replace(run.reply(language.say(key, text=name, moment=moment), offers=offers), foreign=task.tainted)


def _series(former: Schedule, when: Expression | None, at: Once, zone: ZoneInfo, now: Millis) -> Rule | None:
    """Return the series at the clock that was said, and on the weekday that was said where it comes on a single one.
    None where neither changes it, one of its several clocks would be lost, or it would come no more."""
    if not (isinstance(former, Rule) and isinstance(when, At)):
        return None
    minute, hour, day, month, weekday = former.cron.split()
    if when.clock is not None and len(former.clocks) > 1:
        return None
    if when.clock is not None:
        there = to_local(at.at, zone)
        minute, hour = str(there.minute), str(there.hour)
    if isinstance(when.day, Weekday) and (day, month) == ("*", "*") and weekday.isdecimal():
        weekday = str((when.day.weekday + 1) % 7)
    cron = " ".join((minute, hour, day, month, weekday))
    rule = replace(former, cron=cron)
    return None if cron == former.cron or next_after(rule, now) is None else rule


def _new_time(run: CommandRun, words: str, task: Scheduled, zone: ZoneInfo) -> Schedule | None:
    """Return a time for something that has one. Where only a day or only a time of day is said, it keeps the other."""
    if (instant := time_input.instant_of(words, zone)) is not None:
        return instant
    former, by = load(task.schedule), words.startswith(("+", "-"))
    when = time_input.when_of(words[by:], run.language)
    # A rule has one zone.
    if by or when is None or (isinstance(former, Rule) and isinstance(when, At) and when.zone):
        return put_off(former, when, zone, earlier=words[0] == "-") if by else None
    there = to_local(task.next_at, zone)
    if isinstance(when, At) and (kept := _kept(run, former, when, there, zone)):
        return kept
    alone = isinstance(former, Once) and isinstance(when, Every) and when.doubtful
    found = time_input.reading(when, said_at(run), zone).other if alone else resolved(run, when, zone)
    # Another rhythm ends when the former one did.
    if isinstance(found, Rule) and isinstance(former, Rule):
        return replace(found, until=found.until or former.until)
    if isinstance(found, Interval) and isinstance(former, Interval):
        found = replace(found, until=found.until or former.until)
    return found


def _kept(run: CommandRun, former: Schedule, when: At, there: datetime, zone: ZoneInfo) -> Schedule | None:
    """Return a time that keeps the day, or the days, of a former one, which is due next at an hour `there`, or that
    hour; None where it says both, or what it keeps is over."""
    clock, days = when.clock, 0
    if clock is not None and not when.zone:
        close, later = near(clock, there.time())
        # Only what keeps its day, or comes on each of some, may come on the next one, or on the one before.
        beside = _beside(former, later) if later and isinstance(former, Rule) else former
        if not later or (when.day is None and isinstance(beside, Once | Rule)):
            clock, days = close, later
            former = beside or former
    if when.day is None and isinstance(former, Rule) and clock is not None:
        daily = resolved(run, Every(unit="day", clocks=(clock,)), zone)
        if isinstance(daily, Rule):
            cron = " ".join([*daily.cron.split()[:2], *former.cron.split()[2:]])
            return replace(former, cron=cron, times=daily.times)
    if when.day is None and isinstance(former, Once):
        day = there.date() + timedelta(days=days)
        when = At(day=Date(year=day.year, month=day.month, day=day.day), clock=clock, zone=when.zone)
    elif clock is None and (isinstance(former, Rule) or (isinstance(former, Once) and former.wall)):
        when = replace(when, clock=Clock(hour=there.hour, minute=there.minute))
    found = resolved(run, when, zone)
    return found if isinstance(found, Once) and found.at > run.context.clock.now() else None


def _beside(rule: Rule, days: int) -> Rule | None:
    """Return a series that comes so many days (1 or -1) from each of its days, where these are all, or days of every
    week; None for others, and for one that leaves holidays out."""
    *monthly, weekdays = rule.cron.split()[2:]
    by_days = weekdays == "*" and rule.unit == "day"
    weekly = rule.every == 1 and _WEEKDAYS.fullmatch(weekdays)
    if monthly != ["*", "*"] or rule.without or not (by_days or weekly):
        return None
    if weekdays != "*":
        each = "12345" if weekdays == "1-5" else weekdays.split(",")
        weekdays = ",".join(sorted(str((int(one) + days) % 7) for one in each))
    cron = " ".join([*rule.cron.split()[:2], "*", "*", weekdays])
    anchor, until = (
        day and (date.fromisoformat(day) + timedelta(days=days)).isoformat() for day in (rule.anchor, rule.until)
    )
    return replace(rule, cron=cron, anchor=anchor, until=until)


INTENTS = (move_to, move_due, as_edited, stays_recurring)
COMMANDS: Mapping[str, Command] = {"move": Command(_move, asks_platform=True)}
