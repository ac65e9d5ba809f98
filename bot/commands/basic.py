"""Commands of the conversation itself: hello, help, state, history, a new beginning, another try."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.commands.run import Command, CommandRun, called, visible
from core.agents.loop import Reply
from core.language import Language, pick

SHOWN_HISTORY = 20


async def _start(run: CommandRun) -> Reply:
    name = run.context.principal.name
    known = run.language.say("greeting_named", name=called(name, "")) if visible(name) else run.language["greeting"]
    return run.reply(known, run.language.choices)


async def _help(run: CommandRun) -> Reply:
    return run.reply(run.language["help"], run.language.choices)


async def _time(run: CommandRun) -> Reply:
    result = await run.call("current_time", timezone=run.rest or None)
    if not result.success:
        return run.failed(result)
    at = datetime.fromisoformat(result.result["iso"])
    return run.say("time_is", clock=run.language.clock(at), zone=result.result["timezone"])


async def _status(run: CommandRun) -> Reply:
    result = await run.call("query_state", state_name="health")
    if not result.success:
        return run.failed(result)
    lines = _health(run.language, result.result)
    if run.group:
        chat = await run.call("describe_chat")
        lines += _group(run, chat.result) if chat.success else []
    return run.reply("\n".join(lines))


def _health(language: Language, state: Mapping[str, Any]) -> list[str]:
    waiting = state["waiting"]
    model = "status_model" if state["model_reachable"] else "status_model_down"
    return [
        language["health_ok" if state["ok"] else "health_bad"],
        language.say("status_uptime", duration=language.duration(state["uptime_s"] * 1000)),
        language.say("status_waiting", count=waiting) if waiting else language["status_nothing_waiting"],
        language.say(model, model=state["model"]) if state["model"] else language["status_model_none"],
    ]


def _group(run: CommandRun, chat: Mapping[str, Any]) -> list[str]:
    """What is so in this group: who you are here, reading along, language and zone."""
    language, seat = run.language, run.context.seat
    chosen = pick(seat.language).name if seat.language else language["automatic"]
    return [
        language.say("status_standing", standing=language[f"standing_{run.context.standing.value}"]),
        language["status_reads_along" if chat["reads_along"] else "status_reads_not"],
        language.say("status_language", language=chosen),
        language.say("status_timezone", zone=run.context.zone.key),
    ]


async def _history(run: CommandRun) -> Reply:
    count = run.rest or SHOWN_HISTORY
    result = await run.call("get_recent_history", count=count)
    if not result.success:
        return run.failed(result)
    lines = [f"{entry['role']}: {entry['text']}" for entry in result.result["messages"]]
    return run.reply("\n".join(lines) or run.language["history_none"])


async def _new(run: CommandRun) -> Reply:
    result = await run.call("new_context")
    return run.done(result, run.language["new_done"]) if result.success else run.failed(result)


async def _id(run: CommandRun) -> Reply:
    place = run.context.seat.place
    lines = [run.language.say("id_person", id=_code(run.context.principal.address))]
    lines += [run.language.say("id_chat", id=_code(place.chat))]
    lines += [run.language.say("id_thread", id=_code(place.thread))] if place.thread else []
    return run.reply("\n".join(lines))


def _code(text: str) -> str:
    return f"`{text.replace('`', '')}`"


async def _retry(run: CommandRun) -> Reply:
    if not run.rest:
        return run.say("retry_usage")
    result = await run.call("retry_message", message=run.rest.split()[0][:40])
    return run.say(f"retry_{result.result['status']}") if result.success else run.failed(result)


# Both are done when they are accepted (core.inbox). Here they come only by an edit of what waited: too late.
async def _stop(run: CommandRun) -> Reply:
    return run.say("nothing_to_stop")


async def _cancel(run: CommandRun) -> Reply:
    return run.say("nothing_to_cancel")


COMMANDS: Mapping[str, Command] = {
    "start": _start,
    "help": _help,
    "stop": _stop,
    "cancel": _cancel,
    "new": _new,
    "status": _status,
    "time": _time,
    "history": _history,
    "id": _id,
    "retry": _retry,
}
