"""/plan: a plan for what somebody has before them."""

from __future__ import annotations

from collections.abc import Mapping

from core.capabilities.planning.service import plan_for
from core.kernel.errors import Refused
from core.kernel.markdown import literal
from core.kernel.replies import Reply
from core.kernel.types import Standing
from core.toolkit.command import Command, CommandRun, intent


async def _plan(run: CommandRun) -> Reply:
    """Plan what stands behind the command; ask for it where nothing does."""
    if run.asks:
        return run.ask(run.language["plan_what"], make_plan.asking("task"))
    return await _planned(run, run.rest)


@intent("planning.make", as_command="plan")
async def make_plan(run: CommandRun, *, task: str) -> Reply:
    """Make a plan for a task."""
    return await _planned(run, task)


async def _planned(run: CommandRun, task: str) -> Reply:
    try:
        plan = await plan_for(run.context, task)
    except Refused as refusal:
        return run.say(refusal.code)
    lines = [f"🧭 **{literal(plan.summary)}**", *(f"{n}. {literal(one.step)}" for n, one in enumerate(plan.steps, 1))]
    for key, items in (
        ("plan_questions", plan.questions),
        ("plan_risks", plan.risks),
        ("plan_completion", plan.completion),
    ):
        if items:
            lines.append(f"\n{run.language[key]}")
            lines += [f"- {literal(one)}" for one in items]
    return run.reply("\n".join(lines))


COMMANDS: Mapping[str, Command] = {"plan": Command(_plan, needs=Standing.MEMBER)}
INTENTS = (make_plan,)
