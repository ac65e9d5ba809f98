"""The command that tells what is on today."""

from __future__ import annotations

from collections.abc import Mapping

from bot.commands.elsewhere import groups
from bot.commands.run import Command, CommandRun
from core.agents.loop import Reply
from core.store import today
from core.today import worded


async def _today(run: CommandRun) -> Reply:
    context, theirs = run.context, await groups(run)
    now, person_id = context.clock.now(), context.principal.person_id
    data = await context.db.read(
        lambda tx: today.gather(tx, context.lane, person_id, context.zone, now, groups=theirs, run_id=context.run_id)
    )
    return run.reply(worded(run.language, data))


COMMANDS: Mapping[str, Command] = {"today": _today}
