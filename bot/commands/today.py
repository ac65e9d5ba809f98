"""The command that tells what is on today, or tomorrow."""

from __future__ import annotations

from collections.abc import Mapping

from bot.commands import elsewhere, spoken
from bot.commands.run import Command, CommandRun
from core.agents.loop import Reply
from core.ports import Tx
from core.store import today
from core.store.today import Today
from core.today import worded
from core.when.expressions import At, InDays

TODAY, TOMORROW = At(day=InDays(days=0)), At(day=InDays(days=1))


async def _today(run: CommandRun) -> Reply:
    when = spoken.when_of(run.rest, run.language) if run.rest else TODAY
    if when not in (TODAY, TOMORROW):
        return run.say("today_usage")
    tomorrow = when == TOMORROW
    groups, linked = await elsewhere.groups(run), await elsewhere.linked(run)

    def look(tx: Tx) -> Today:
        context = run.context
        now, person_id = context.clock.now(), context.principal.person_id
        return today.gather(
            tx,
            context.lane,
            person_id,
            context.zone,
            now,
            groups=groups,
            linked=linked,
            run_id=context.run_id,
            tomorrow=tomorrow,
        )

    return run.reply(worded(run.language, await run.context.db.read(look)))


COMMANDS: Mapping[str, Command] = {"today": _today}
