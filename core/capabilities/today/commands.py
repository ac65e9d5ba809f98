"""The command that tells what is on today, or on a day to come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.today import service as today
from core.capabilities.today.views import worded, worded_days
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At, Clock, Expression, InDays
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Once
from core.kernel.timing.zones import day_of, to_instant, to_local
from core.kernel.types import Millis
from core.language.grammar import Span
from core.scheduling import time_input
from core.scheduling.time_input import When
from core.toolkit import other_chats
from core.toolkit.command import Command, CommandRun, Menu, intent

TODAY = At(day=InDays(days=0))
WEEK, SATURDAY = 7, 5
# Of a day: so that a day of the week is today's, too.
_LAST_MINUTE = Clock(hour=23, minute=59)


async def _today(run: CommandRun) -> Reply:
    return await _shown(run, time_input.when_of(run.rest, run.language) if run.rest else TODAY)


@intent("today.show", as_command="today")
async def show(run: CommandRun, *, when: When = None, span: Span | None = None) -> Reply:
    """Tell what is on at a day, today unless another is given, or on each day of a span that has something."""
    if span is None:
        return await _shown(run, when or TODAY)
    now, zone = run.context.clock.now(), run.context.zone
    day = to_local(now, zone).date()
    noons = [datetime.combine(day + timedelta(days=n), time(12)) for n in _days(span, day.weekday())]
    found = await _gathered(run, [None if noon.date() == day else to_instant(noon, zone) for noon in noons])
    return replace(run.reply(worded_days(run.language, found)), foreign=any(one.foreign for one in found))


def _days(span: Span, weekday: int) -> range:
    """Return the days of a span, counted from today, which is the `weekday` (0 is Monday)."""
    match span:
        case "week":
            return range(WEEK - weekday)
        case "weekend":
            return range(max(0, SATURDAY - weekday), WEEK - weekday)
        case "next week":
            return range(WEEK - weekday, 2 * WEEK - weekday)
        case "next weekend":
            return range(WEEK + SATURDAY - weekday, 2 * WEEK - weekday)


async def _shown(run: CommandRun, when: Expression | Once | None) -> Reply:
    context = run.context
    now = context.clock.now()
    at = _instant(when, now, context.zone)
    if at is None or day_of(context.zone, at) < day_of(context.zone, now):
        return run.say("today_usage")
    today_or_then = None if day_of(context.zone, at) == day_of(context.zone, now) else at
    [found] = await _gathered(run, [today_or_then])
    return replace(run.reply(worded(run.language, found)), foreign=found.foreign)


async def _gathered(run: CommandRun, instants: Sequence[Millis | None]) -> Sequence[today.Today]:
    """Return what is on at the days of some instants, all at one time; None is today."""
    context, others = run.context, await other_chats.of_run(run)
    now, person_id = context.clock.now(), context.principal.person_id
    looks = [
        partial(
            today.gather,
            access=context.access,
            lane=context.lane,
            person_id=person_id,
            zone=context.zone,
            now=now,
            others=others,
            run_id=context.run_id,
            at=at,
            alone=context.said is not None and bool(context.said.response_url),
        )
        for at in instants
    ]
    return await context.db.read(lambda tx: [look(tx) for look in looks])


def _instant(when: Expression | Once | None, now: Millis, zone: ZoneInfo) -> Millis | None:
    """Return the last minute of a day; None where no day, or more than that was said."""
    if not isinstance(when, At) or when.day is None or when.clock is not None:
        return None
    try:
        schedule = resolve(replace(when, clock=_LAST_MINUTE), now, zone).schedule
    except Impossible:
        return None
    return schedule.at if isinstance(schedule, Once) else None


@intent("today.brief", as_command="today")
async def tell(run: CommandRun) -> Reply:
    """Tell what is on today, as the daily brief."""
    return replace(await _shown(run, TODAY), unasked=True)


INTENTS = (show, tell)
COMMANDS: Mapping[str, Command] = {"today": Command(_today, menu=Menu(3), of_chat="own_list", aliases=("agenda",))}
