"""The command that tells what is on today, or on a day to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from zoneinfo import ZoneInfo

from core.capabilities.today import service as today
from core.capabilities.today.views import worded
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At, Clock, Expression, InDays
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Once
from core.kernel.timing.zones import day_of
from core.kernel.types import Millis
from core.scheduling import time_input
from core.scheduling.time_input import When
from core.toolkit import other_chats
from core.toolkit.command import Command, CommandRun, Menu, intent

TODAY = At(day=InDays(days=0))
# Of a day: so that a day of the week is today's, too.
_LAST_MINUTE = Clock(hour=23, minute=59)


async def _today(run: CommandRun) -> Reply:
    return await _shown(run, time_input.when_of(run.rest, run.language) if run.rest else TODAY)


@intent("today.show", as_command="today")
async def show(run: CommandRun, *, when: When = None) -> Reply:
    """Tell what is on at a day: today, unless another is given."""
    return await _shown(run, when or TODAY)


async def _shown(run: CommandRun, when: Expression | Once | None) -> Reply:
    context = run.context
    now = context.clock.now()
    at = _instant(when, now, context.zone)
    if at is None or day_of(context.zone, at) < day_of(context.zone, now):
        return run.say("today_usage")
    others = await other_chats.of_run(run)
    found = await context.db.read(
        lambda tx: today.gather(
            tx,
            context.lane,
            context.principal.person_id,
            context.zone,
            now,
            others=others,
            run_id=context.run_id,
            at=None if day_of(context.zone, at) == day_of(context.zone, now) else at,
        )
    )
    return run.reply(worded(run.language, found))


def _instant(when: Expression | Once | None, now: Millis, zone: ZoneInfo) -> Millis | None:
    """Return the last minute of a day; None where no day, or more than that was said."""
    if not isinstance(when, At) or when.day is None or when.clock is not None:
        return None
    try:
        schedule = resolve(replace(when, clock=_LAST_MINUTE), now, zone).schedule
    except Impossible:
        return None
    return schedule.at if isinstance(schedule, Once) else None


INTENTS = (show,)
COMMANDS: Mapping[str, Command] = {"today": Command(_today, menu=Menu(3), of_chat=True, aliases=("agenda",))}
