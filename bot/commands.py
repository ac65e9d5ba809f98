"""Slash commands, once for all platforms: text → tool calls as the person → reply. No model is needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from core.agents.loop import Outcome, Reply
from core.language import Language, pick
from core.toolkit.executor import Executor
from core.toolkit.tool import ToolContext
from core.types import ToolCall, ToolResult

SHOWN_HISTORY = 20
Command = Callable[["CommandRun"], Awaitable[Reply]]


class CommandRun:
    """One command being carried out: `rest` is what stands behind its name."""

    def __init__(self, executor: Executor, context: ToolContext, rest: str) -> None:
        self.context, self.rest = context, rest
        self.language: Language = pick(context.language)
        self._executor, self._n = executor, 0

    async def call(self, name: str, **arguments: Any) -> ToolResult:
        """Call a tool as the person, as the next step of the run."""
        self._n += 1
        return await self._executor.call(
            self.context, self._n, ToolCall(id=f"command_{self._n}", name=name, arguments=arguments)
        )

    def reply(self, text: str, choices: tuple[str, ...] = ()) -> Reply:
        """Say `text`."""
        return Reply(n=self._n, text=text, choices=choices)

    def failed(self, result: ToolResult) -> Reply:
        """Say what went wrong."""
        return self.reply(self.language.say("tool_failed", error=result.error))


async def _start(run: CommandRun) -> Reply:
    name = run.context.principal.name
    text = run.language.say("greeting_named", name=name) if name else run.language["greeting"]
    return run.reply(text, run.language.choices)


async def _help(run: CommandRun) -> Reply:
    return run.reply(run.language["help"], run.language.choices)


async def _time(run: CommandRun) -> Reply:
    zone = {"timezone": run.rest} if run.rest else {}
    result = await run.call("current_time", **zone)
    if not result.success:
        return run.failed(result)
    at = datetime.fromisoformat(result.result["iso"])
    return run.reply(run.language.say("time_is", clock=run.language.clock(at), zone=result.result["timezone"]))


async def _status(run: CommandRun) -> Reply:
    result = await run.call("query_state", state_name="health")
    return run.failed(result) if not result.success else run.reply("\n".join(_health(run.language, result.result)))


def _health(language: Language, state: Mapping[str, Any]) -> list[str]:
    waiting = state["waiting"]
    model = "status_model" if state["model_reachable"] else "status_model_down"
    return [
        language["health_ok" if state["ok"] else "health_bad"],
        language.say("status_uptime", duration=language.duration(state["uptime_s"] * 1000)),
        language.say("status_waiting", count=waiting) if waiting else language["status_nothing_waiting"],
        language.say(model, model=state["model"]) if state["model"] else language["status_model_none"],
    ]


async def _history(run: CommandRun) -> Reply:
    count = run.rest or SHOWN_HISTORY
    result = await run.call("get_recent_history", count=count)
    if not result.success:
        return run.failed(result)
    lines = [f"{entry['role']}: {entry['text']}" for entry in result.result["messages"]]
    return run.reply("\n".join(lines) or run.language["history_none"])


COMMANDS: Mapping[str, Command] = {
    "start": _start,
    "help": _help,
    "time": _time,
    "status": _status,
    "history": _history,
}


class Commands:
    """Carries out slash commands."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    async def __call__(self, context: ToolContext, text: str) -> Outcome:
        """Carry out `text`, such as `/time Asia/Tokyo` or `/help@my_bot`."""
        word, *more = text.split(maxsplit=1)
        name = word[1:].partition("@")[0].lower()
        run = CommandRun(self._executor, context, more[0].strip() if more else "")
        command = COMMANDS.get(name)
        if command is None:
            return Outcome(replies=[run.reply(run.language.say("unknown_command", command=word[:40]))])
        return Outcome(replies=[await command(run)])
