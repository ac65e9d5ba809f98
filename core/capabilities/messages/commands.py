"""Commands that send somebody a message, and that end such messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core.capabilities.contacts.commands import Card, begin, for_one
from core.capabilities.contacts.reaching import in_private, know
from core.kernel.markdown import called, labelled, lines
from core.kernel.replies import Offer, Reply
from core.kernel.types import Standing, ToolResult
from core.scheduling import refusals
from core.scheduling.views import keyboard_row
from core.toolkit.command import Command, CommandRun, Quiet

LONGEST = 3_000
# What is read back of a message.
SHOWN = 300
REASONS = frozenset({"inactive", "muted", "no_access", "no_private_chat", "self"})


async def _send(run: CommandRun) -> Reply:
    if not run.rest:
        return run.say("send_usage", command=run.typed("/send Bob"))
    found = await run.call("show_contacts", begins=run.rest[:10_000])
    if found.success and not found.result["contacts"] and await know(run, [run.rest[:SHOWN]]):
        return await begin(run, run.rest, "/send {}", _send_to)
    return await for_one(run, found, run.rest, "/send {}", _send_to)


async def _send_to(run: CommandRun, card: Card, text: str) -> Reply:
    name = called(card["name"], "–")
    if not text:
        return await run.ask(run.language.say("send_what", name=name), f"/send {card['contact']}")
    if len(text) > LONGEST:
        return run.say("send_too_long")
    # What stands in the way of it is said by the tool.
    await in_private(run, card)
    result = await run.call("contacts_send", contact_id=card["contact"], message_text=text)
    if not result.success:
        why = refusals.reason(result.error)
        said = run.say(f"send_{why}", name=name) if why in REASONS else run.failed(result)
        return refusals.full(run, result.error, name) or said
    return _sent(run, result, name, text)


def _sent(run: CommandRun, result: ToolResult, name: str, text: str) -> Reply:
    found = result.result
    if found.get("duplicate"):
        return run.say("send_again", name=name)
    words = lines(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")
    if "held_until" in found:
        when = run.language.moment(datetime.fromisoformat(found["held_until"]))
        return run.say("send_held", name=name, words=words, when=when)
    return run.say("send_queued", name=name, words=words)


async def _mute(run: CommandRun) -> Reply:
    if not run.rest:
        return await _list(run)
    result = await run.call("mute_person", person=run.rest[:200])
    if result.success and result.result["status"] == "unknown" and await know(run, [run.rest[:SHOWN]]):
        result = await run.call("mute_person", person=run.rest[:200])
    return _changed(run, result, "mute", "muted") if result.success else run.failed(result)


async def _unmute(run: CommandRun) -> Reply:
    if not run.rest:
        return await _list(run)
    result = await run.call("unmute_person", person=run.rest[:200])
    return _changed(run, result, "unmute", "unmuted") if result.success else run.failed(result)


def _changed(run: CommandRun, result: ToolResult, command: str, key: str) -> Reply:
    found = result.result
    match found["status"]:
        case "several":
            return _which(run, command, found["candidates"])
        case "unknown":
            return run.say(f"{key}_unknown", name=called(run.rest, "–"))
        case "self":
            return run.say("muted_self")
        case "already":
            return run.say("muted_already", name=_name(found))
        case _:
            back = [(run.language["undo"], f"/undo {found['undo']}")] if "undo" in found else []
            return _personal(run, run.language.say(key, name=_name(found)), back, edits=command == "unmute")


def _which(run: CommandRun, command: str, candidates: Sequence[Mapping[str, Any]]) -> Reply:
    ways = [(one, f"/{command} {one['person']}") for one in candidates]
    text = [run.language["contact_which"], *(f"- {_name(one)}: {run.typed(way)}" for one, way in ways)]
    return _personal(run, "\n".join(text), [(_label(one), way) for one, way in ways])


def _personal(run: CommandRun, text: str, offers: Sequence[Offer], *, edits: bool = True) -> Reply:
    """What is nobody else's business: in a group all see buttons, so there are none.

    It takes the place of a list of ours (`edits`), but not of somebody's message that had the button.
    """
    if run.group:
        return run.reply(text)
    return keyboard_row(run, text, offers) if edits else run.reply(text, offers=offers)


async def _list(run: CommandRun) -> Reply:
    """Whom somebody has muted, with a button each to hear them again."""
    result = await run.call("list_muted")
    if not result.success:
        return run.failed(result)
    muted: Sequence[Mapping[str, Any]] = result.result["muted"]
    if not muted:
        return run.say("muted_none", command=run.typed("/mute Anna"))
    text = "\n".join([run.language["muted_list"], *(f"- {_name(one)}" for one in muted)])
    offers: list[Offer] = [(run.language.say("unmute", name=_label(one)), f"/unmute {one['person']}") for one in muted]
    return _personal(run, text, offers)


def _name(other: Mapping[str, Any]) -> str:
    return called(other["name"], other["address"])


def _label(other: Mapping[str, Any]) -> str:
    return labelled(other["name"], other["address"])


COMMANDS: Mapping[str, Command] = {
    "send": Command(_send, in_group=Standing.MEMBER),
    "mute": Command(_mute, quiet=Quiet.ALWAYS),
    "unmute": Command(_unmute, quiet=Quiet.ALWAYS),
}
