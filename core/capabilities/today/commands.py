"""The command that tells what is on today, or tomorrow."""

from __future__ import annotations

from collections.abc import Mapping

from core.capabilities.today import service as today
from core.capabilities.today.service import Today
from core.capabilities.today.views import worded
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At, InDays
from core.scheduling import time_input
from core.toolkit import other_chats
from core.toolkit.command import Command, CommandRun, Menu

TODAY, TOMORROW = At(day=InDays(days=0)), At(day=InDays(days=1))


async def _today(run: CommandRun) -> Reply:
    when = time_input.when_of(run.rest, run.language) if run.rest else TODAY
    if when not in (TODAY, TOMORROW):
        return run.say("today_usage")
    tomorrow = when == TOMORROW
    others = await other_chats.of_run(run)

    def look(tx: Tx) -> Today:
        context = run.context
        now, person_id = context.clock.now(), context.principal.person_id
        return today.gather(
            tx,
            context.lane,
            person_id,
            context.zone,
            now,
            others=others,
            run_id=context.run_id,
            tomorrow=tomorrow,
        )

    return run.reply(worded(run.language, await run.context.db.read(look)))


COMMANDS: Mapping[str, Command] = {"today": Command(_today, menu=Menu(3), of_chat=True, aliases=("agenda",))}
