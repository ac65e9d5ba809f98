"""Slash commands, once for all platforms: text → tool calls as the person → reply. No model is needed."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace

from core.kernel.access import command_name, may
from core.kernel.markdown import literal
from core.kernel.ports import Adapter
from core.kernel.replies import Outcome, Reply
from core.kernel.types import Standing
from core.toolkit.command import CommandRun, CommandTable, Quiet
from core.toolkit.executor import Executor
from core.toolkit.tool import ToolContext

# How alike the name of a command must be that is meant.
_NEAR = 0.8


class Commands:
    """Carries out the commands of `table`. `adapters` are asked who administers a group."""

    def __init__(self, table: CommandTable, executor: Executor, adapters: Mapping[str, Adapter]) -> None:
        self._table, self._executor, self._adapters = table, executor, adapters

    async def __call__(self, context: ToolContext, text: str) -> Outcome:
        """Carry out `text`, such as `/time Asia/Tokyo` or `/help@my_bot`."""
        word, *more = text.split(maxsplit=1)
        name = command_name(text)
        context = await self._standing(context, name)
        rest = more[0].strip() if more else ""
        run = CommandRun(self._executor, context, rest, self._adapters, self._table)
        reply = await self._carry_out(run, name, word)
        return Outcome(replies=[replace(reply, own=reply.own or not run.worked)], asked=run.asked)

    async def _carry_out(self, run: CommandRun, name: str, word: str) -> Reply:
        command = self._table.get(name)
        refused = self._refused(run.context, name)
        if refused:
            return replace(run.say(refused), quiet=True)
        if command is None:
            return _unknown(run, name, word)
        quiet = command.quiet is Quiet.ALWAYS or (command.quiet is Quiet.ASKED and not run.rest)
        reply = await command.handler(run)
        if command.of_chat and run.strays and reply.text:
            reply = replace(reply, text=f"{reply.text}\n\n{run.language['own_list']}")
        if run.aloud:
            # What only one person sees cannot be turned into what all see.
            reply = replace(reply, aloud=True, edits=reply.edits and not _for_one(run.context))
        return replace(reply, quiet=quiet)

    async def _standing(self, context: ToolContext, name: str) -> ToolContext:
        """The context with the standing of an administrator, where that matters and the platform says so."""
        needed = self._table.needs(name, group=context.participant.group)
        command = self._table.get(name)
        asks = command is not None and command.asks_platform
        if not context.participant.group or not (needed in {Standing.MEMBER, Standing.ADMIN} or asks):
            return context
        if may(context.standing, Standing.ADMIN) or not may(context.standing, Standing.GUEST):
            return context
        adapter = self._adapter(context)
        if adapter is None or not await adapter.administers(context.participant.place, context.principal.address):
            return context
        return replace(context, standing=Standing.ADMIN)

    def _refused(self, context: ToolContext, name: str) -> str:
        """Return the text that says who may do this, or nothing when the person may."""
        needed = self._table.needs(name, group=context.participant.group)
        command = self._table.get(name)
        # Nobody knows who stands behind the group's own name.
        if context.principal.anonymous and (may(needed, Standing.MEMBER) or (command is not None and command.named)):
            return "refused_anonymous"
        return "" if may(context.standing, needed) else f"refused_{needed.value}"

    def _adapter(self, context: ToolContext) -> Adapter | None:
        return self._adapters.get(context.participant.platform)


def _for_one(context: ToolContext) -> bool:
    """Whether only who asked would see the answer."""
    return context.said is not None and bool(context.said.response_url)


def _unknown(run: CommandRun, name: str, word: str) -> Reply:
    """Say so, and offer the command of nearly this name with what stands behind it."""
    close = difflib.get_close_matches(name[:40], [known for known in run.commands if run.may(known)], 1, _NEAR)
    meant = run.commands.meant(name) or (close[0] if close else "")
    if not meant:
        return run.say("unknown_command", command=literal(word[:40]))
    text = run.language.say("unknown_command_like", command=literal(word[:40]), meant=run.language.command(f"/{meant}"))
    offers = [(run.language.command(f"/{meant}"), f"/{meant} {run.rest}".strip())]
    return replace(run.reply(text, offers=offers), own=True)
