"""Slash commands, once for all platforms: text → tool calls as the person → reply. No model is needed."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace

from core.agents.loop import Outcome, Reply
from core.capabilities.chat import commands as basic
from core.capabilities.chat import private_answers
from core.capabilities.contacts import commands as contacts
from core.capabilities.links import commands as links
from core.capabilities.members import commands as people
from core.capabilities.messages import commands as errands
from core.capabilities.privacy import commands as privacy
from core.capabilities.privacy.retention import Keep
from core.capabilities.reminders import answers
from core.capabilities.reminders import commands as remind
from core.capabilities.schedules import commands as schedules
from core.capabilities.settings import commands as settings
from core.capabilities.settings import quiet_hours as quiet
from core.capabilities.today import commands as today
from core.capabilities.todos import commands as todo
from core.kernel.access import command_name, command_needs, may
from core.kernel.markdown import literal
from core.kernel.ports import Adapter
from core.kernel.types import Standing
from core.toolkit.command import Command, CommandRun
from core.toolkit.executor import Executor
from core.toolkit.menus import menus
from core.toolkit.tool import ToolContext

__all__ = ["COMMANDS", "Command", "CommandRun", "Commands", "menus"]

COMMANDS: Mapping[str, Command] = {
    **basic.COMMANDS,
    **settings.COMMANDS,
    **privacy.COMMANDS,
    **people.COMMANDS,
    **todo.COMMANDS,
    **today.COMMANDS,
    **remind.COMMANDS,
    **schedules.COMMANDS,
    **answers.COMMANDS,
    **quiet.COMMANDS,
    **contacts.COMMANDS,
    **errands.COMMANDS,
    **links.COMMANDS,
    **private_answers.COMMANDS,
}

# What other bots call them, and how alike the name of a command must be that is meant.
_MEANT = {
    "list": "todo",
    "lists": "todo",
    "reminders": "tasks",
    "schedules": "tasks",
    "schedule": "remind",
    "agenda": "today",
}
_NEAR = 0.8
# What an administrator of a group did can only be taken back by one; anybody else takes back what is their own.
_ASKS = frozenset({"undo", "status", "brief", "cancel", "move", "pause", "resume", "skip"})
# Whose answers concern only who asked; those of the second when they only ask.
_QUIET = frozenset({"help", "history", "id", "mute", "optout", "privacy", "status", "unmute"})
_QUIET_ASKED = frozenset({"language", "timezone", "quiet"})

# What is about the list, or the day, of the chat where it is written.
_LISTS = frozenset({"todo", "today", "tasks"})


class Commands:
    """Carries out slash commands. `adapters` are asked who administers a group; `keep` is what /privacy tells."""

    def __init__(self, executor: Executor, adapters: Mapping[str, Adapter], keep: Keep) -> None:
        self._executor, self._adapters, self._keep = executor, adapters, keep

    async def __call__(self, context: ToolContext, text: str) -> Outcome:
        """Carry out `text`, such as `/time Asia/Tokyo` or `/help@my_bot`."""
        word, *more = text.split(maxsplit=1)
        name = command_name(text)
        context = await self._standing(context, name)
        run = CommandRun(self._executor, context, more[0].strip() if more else "", self._adapters, self._keep)
        reply = await self._carry_out(run, name, word)
        return Outcome(replies=[replace(reply, own=reply.own or not run.worked)], asked=run.asked)

    async def _carry_out(self, run: CommandRun, name: str, word: str) -> Reply:
        command = COMMANDS.get(name)
        refused = _refused(run.context, name)
        if refused:
            return replace(run.say(refused), quiet=True)
        if command is None:
            return _unknown(run, name, word)
        quiet = name in _QUIET or (name in _QUIET_ASKED and not run.rest)
        reply = await command(run)
        if name in _LISTS and run.strays and reply.text:
            reply = replace(reply, text=f"{reply.text}\n\n{run.language['own_list']}")
        if run.aloud:
            # What only one person sees cannot be turned into what all see.
            reply = replace(reply, aloud=True, edits=reply.edits and not _for_one(run.context))
        return replace(reply, quiet=quiet)

    async def _standing(self, context: ToolContext, name: str) -> ToolContext:
        """The context with the standing of an administrator, where that matters and the platform says so."""
        needed = command_needs(name, group=context.seat.group)
        if not context.seat.group or not (needed in {Standing.MEMBER, Standing.ADMIN} or name in _ASKS):
            return context
        if may(context.standing, Standing.ADMIN) or not may(context.standing, Standing.GUEST):
            return context
        adapter = self._adapter(context)
        if adapter is None or not await adapter.administers(context.seat.place, context.principal.address):
            return context
        return replace(context, standing=Standing.ADMIN)

    def _adapter(self, context: ToolContext) -> Adapter | None:
        return self._adapters.get(context.seat.platform)


def _for_one(context: ToolContext) -> bool:
    """Whether only who asked would see the answer."""
    return context.said is not None and bool(context.said.hook)


def _unknown(run: CommandRun, name: str, word: str) -> Reply:
    """Say so, and offer the command of nearly this name with what stands behind it."""
    close = difflib.get_close_matches(name[:40], [one for one in COMMANDS if run.may(one)], 1, _NEAR)
    meant = _MEANT.get(name) or (close[0] if close else "")
    if not meant:
        return run.say("unknown_command", command=literal(word[:40]))
    text = run.language.say("unknown_command_like", command=literal(word[:40]), meant=run.language.command(f"/{meant}"))
    offers = [(run.language.command(f"/{meant}"), f"/{meant} {run.rest}".strip())]
    return replace(run.reply(text, offers=offers), own=True)


def _refused(context: ToolContext, name: str) -> str:
    """The text that says who may do this, or nothing when the person may."""
    needed = command_needs(name, group=context.seat.group)
    # Nobody knows who stands behind the group's own name.
    if context.principal.anonymous and (may(needed, Standing.MEMBER) or name in {"optout", "forget"}):
        return "refused_anonymous"
    return "" if may(context.standing, needed) else f"refused_{needed.value}"
