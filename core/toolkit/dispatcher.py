"""Slash commands, once for all platforms: text → what the person does → reply. No model is needed."""

from __future__ import annotations

import difflib
import inspect
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from core.kernel.access import may
from core.kernel.errors import Refused, ToolError
from core.kernel.intent import Intent, Order
from core.kernel.markdown import literal
from core.kernel.ports import Adapter, Tx
from core.kernel.replies import Deed, Outcome, Reply
from core.kernel.types import Standing
from core.toolkit.action import Actions, worded
from core.toolkit.command import Act, Command, CommandRun, CommandTable, Quiet
from core.toolkit.tool import ToolContext

log = logging.getLogger(__name__)

# How alike the name of a command must be that is meant.
_NEAR = 0.8


class Commands:
    """Carries out the commands of `table`. `adapters` are asked who administers a group."""

    def __init__(self, table: CommandTable, actions: Actions, adapters: Mapping[str, Adapter]) -> None:
        self._table, self._actions, self._adapters = table, actions, adapters

    async def __call__(self, context: ToolContext, order: Order) -> Outcome:
        """Carry out an intent, or a line such as `/time Asia/Tokyo` or `/help@my_bot`."""
        word, *more = ("",) if isinstance(order, Intent) else order.split(maxsplit=1)
        name = self._table.name_of(order)
        if context.participant.group:
            context = await self._standing(context, name)
        rest = more[0].strip() if more else ""
        run = CommandRun(context, rest, self._adapters, self._table, actions=self._actions)
        command = self._table.get(name)
        if refused := self._refused(run.context, name):
            return _said(replace(run.say(refused), quiet=True))
        if command is None:
            return _said(run.say("unknown_button") if isinstance(order, Intent) else _unknown(run, name, word))
        handler: Any = command.handler
        if isinstance(order, Intent):
            try:
                known = self._table.intents[order.name]
                handler, run.asks = partial(known.perform, **known.read(order)), known.asks
            except ValueError:
                log.exception("arguments of an intent are not what its handler takes: %s", order.name)
                return _said(run.say("unknown_button"))
        try:
            said: Reply | Act = await handler(run) if inspect.iscoroutinefunction(handler) else partial(handler, run)
        except Refused as refusal:
            said = _refusal(run, refusal)
        if isinstance(said, Reply):
            return _said(_furnished(run, command, said))
        return Outcome(deed=CommandDeed(run, command, said))

    async def _standing(self, context: ToolContext, name: str) -> ToolContext:
        """The context in a group with the standing of an administrator, where that matters and the platform says
        so."""
        needed = self._table.needs(name, group=True)
        command = self._table.get(name)
        asks = command is not None and command.asks_platform
        if not (needed in {Standing.MEMBER, Standing.ADMIN} or asks):
            return context
        if may(context.standing, Standing.ADMIN) or not may(context.standing, Standing.GUEST):
            return context
        adapter = self._adapters.get(context.participant.platform)
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


@dataclass(frozen=True)
class CommandDeed:
    """What a command does in the transaction that ends its run."""

    run: CommandRun
    command: Command
    act: Act

    def carry_out(self, tx: Tx) -> Outcome:
        """Do it, and return what is said; raise what was raised, with nothing done."""
        self.run.actor.begin()
        return _said(_furnished(self.run, self.command, self.act(tx)))

    def refuse(self, error: Exception) -> Deed:
        """Say that it was not done, and why; what is a mistake of ours is for the log alone."""
        attempt = self.run.actor.attempt
        if isinstance(error, ToolError):
            error = Refused(error.code)
        if not isinstance(error, Refused):
            log.error("command failed: %s", attempt and attempt[0], exc_info=error)
        refusal = error if isinstance(error, Refused) else Refused("failed")

        def say_so(tx: Tx) -> Reply:
            self.run.actor.attempt = attempt
            self.run.actor.record_refusal(tx, refusal.code)
            return _refusal(self.run, refusal)

        return replace(self, act=say_so)


def _refusal(run: CommandRun, refusal: Refused) -> Reply:
    """Say why something was not done, to who asked alone."""
    return replace(run.reply(worded(run.language, refusal)), own=True)


def _said(reply: Reply) -> Outcome:
    return Outcome(replies=[reply], asked=reply.question is not None)


def _furnished(run: CommandRun, command: Command, reply: Reply) -> Reply:
    """The answer of a command, with who is to see it and whose list it is about."""
    quiet = command.quiet is Quiet.ALWAYS or (command.quiet is Quiet.ASKED and run.asks)
    if command.of_chat and run.strays and reply.text:
        reply = replace(reply, text=f"{reply.text}\n\n{run.language['own_list']}")
    if run.aloud:
        # What only one person sees cannot be turned into what all see.
        only_one_sees_it = run.context.said is not None and bool(run.context.said.response_url)
        reply = replace(reply, aloud=True, edits=reply.edits and not only_one_sees_it)
    return replace(reply, quiet=quiet)


def _unknown(run: CommandRun, name: str, word: str) -> Reply:
    """Say so, and offer the command of nearly this name with what stands behind it."""
    close = difflib.get_close_matches(name[:40], [known for known in run.commands if run.may(known)], 1, _NEAR)
    meant = run.commands.meant(name) or (close[0] if close else "")
    if not meant:
        return run.say("unknown_command", command=literal(word[:40]))
    text = run.language.say("unknown_command_like", command=literal(word[:40]), meant=run.language.command(f"/{meant}"))
    offers = [(run.language.command(f"/{meant}"), f"/{meant} {run.rest}".strip())]
    return replace(run.reply(text, offers=offers), own=True)
