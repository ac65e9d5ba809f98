"""The command that tells what is on today, or tomorrow."""

from __future__ import annotations

from collections.abc import Mapping

from core.capabilities.today import service as today
from core.capabilities.today.views import worded
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At, Expression, InDays
from core.kernel.timing.schedule import Once
from core.scheduling import time_input
from core.scheduling.time_input import When
from core.toolkit import other_chats
from core.toolkit.command import Command, CommandRun, Menu, intent

TODAY, TOMORROW = At(day=InDays(days=0)), At(day=InDays(days=1))


async def _today(run: CommandRun) -> Reply:
    return await _shown(run, time_input.when_of(run.rest, run.language) if run.rest else TODAY)


@intent("today.show", as_command="today")
async def show(run: CommandRun, *, when: When = None) -> Reply:
    """Tell what is on at a day: today, unless another is given."""
    return await _shown(run, when or TODAY)


async def _shown(run: CommandRun, when: Expression | Once | None) -> Reply:
    if when not in (TODAY, TOMORROW):
        return run.say("today_usage")
    context, others = run.context, await other_chats.of_run(run)
    found = await context.db.read(
        lambda tx: today.gather(
            tx,
            context.lane,
            context.principal.person_id,
            context.zone,
            context.clock.now(),
            others=others,
            run_id=context.run_id,
            tomorrow=when == TOMORROW,
        )
    )
    return run.reply(worded(run.language, found))


INTENTS = (show,)
COMMANDS: Mapping[str, Command] = {"today": Command(_today, menu=Menu(3), of_chat=True, aliases=("agenda",))}
