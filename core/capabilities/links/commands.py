"""Commands for somebody who is on several platforms: to be one person there. In private only."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.capabilities.today.views import platform_name
from core.kernel.replies import Reply
from core.kernel.types import Standing
from core.store.people import invitations
from core.toolkit.command import Command, CommandRun

LENGTH = 8
ALLOW = {"allow": True, "允许": True, "forbid": False, "禁止": False}
ANSWERS = frozenset({"todos", "all", "no"})
CONFIRMS = {"yes": True, "drop": False}
# What is kept of an answer in the place of its code.
HIDDEN = "…"


async def _link(run: CommandRun) -> Reply:
    if run.group:
        return run.say("private_only")
    match run.rest.lower().split():
        case []:
            return await _offer(run)
        case [word] if word in ALLOW:
            return await _allow(run, on=ALLOW[word])
        case [answer, code_id] if answer in ANSWERS:
            return await _answer(run, code_id, answer)
        case [answer, code_id] if answer in CONFIRMS:
            return await _confirm(run, code_id, yes=CONFIRMS[answer])
        case words:
            return await _ask(run, "".join(words).replace("-", "").upper())


async def _offer(run: CommandRun) -> Reply:
    """A code to be written elsewhere, and with whom the person is linked."""
    # Only its digest goes into a step. A step that a former process left has a digest nobody knows the code of.
    code, known, allowed = "", "-", True
    while known != invitations.digest(code):
        code = "".join(secrets.choice(invitations.CODE_LETTERS) for _ in range(LENGTH))
        result = await run.call("create_link_code", digest=invitations.digest(code))
        if not result.success:
            return run.failed(result)
        known, allowed = result.result["digest"], bool(result.result.get("allowed", True))
    # It is written on another platform, so not the way commands are written here.
    known, lines = _told(run, code), await _lines(run)
    more = [*([] if allowed else [run.language["link_first"]]), *(["\n".join(lines)] if lines else [])]
    return replace(run.reply("\n\n".join([known, *more])), kept="\n\n".join([_told(run, HIDDEN), *more]))


def _told(run: CommandRun, code: str) -> str:
    return run.language.say("link_code", line=f"/link {code}", on_slack=f"/teller link {code}")


async def _lines(run: CommandRun) -> list[str]:
    found = await _links(run)
    return (
        [run.language["link_list"], *(run.language.say("link_line", **_named(one)) for one in found)] if found else []
    )


async def _links(run: CommandRun) -> Sequence[Mapping[str, str]]:
    result = await run.call("list_links")
    return result.result["links"] if result.success else []


def _named(found: Mapping[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in ("name", "platform", "account")}


async def _ask(run: CommandRun, code: str) -> Reply:
    if len(code) != LENGTH or not set(code) <= set(invitations.CODE_LETTERS):
        return run.say("link_usage")
    result = await run.call("ask_link", digest=invitations.digest(code))
    if not result.success or result.result["status"] != "confirm":
        return _said(run, result.result) if result.success else run.failed(result)
    found = result.result
    offers = [(run.language[f"link_{one}"], f"/link {one} {found['code']}") for one in CONFIRMS]
    return run.reply(run.language.say("link_confirm", **_named(found)), offers=offers)


async def _confirm(run: CommandRun, code_id: str, *, yes: bool) -> Reply:
    result = await run.call("confirm_link", code_id=code_id[:80], yes=yes)
    return _said(run, result.result) if result.success else run.failed(result)


def _said(run: CommandRun, found: Mapping[str, Any]) -> Reply:
    """What came of a code, or of a question."""
    key = f"link_{found['status']}"
    match found["status"]:
        case "asked":
            return run.say(key, platform=platform_name(found["platform"]))
        case "not_allowed":
            sides = [run.language.say("link_side", platform=platform_name(one)) for one in found["platforms"]]
            both = run.language.say("link_sides", one=sides[0], other=sides[-1])
            return run.say(key, sides=both if len(sides) > 1 else sides[0])
        case "too_many":
            return run.say(key, wait=run.language.duration(found["wait"]))
        case "linked":
            return run.say(f"link_made_{found['shares']}", **_named(found))
        case "denied" | "dropped":
            return run.say("link_was_denied", **_named(found))
        case _:
            return run.say(key)


async def _answer(run: CommandRun, code_id: str, answer: str) -> Reply:
    result = await run.call("answer_link", code_id=code_id[:80], answer=answer)
    return _said(run, result.result) if result.success else run.failed(result)


async def _allow(run: CommandRun, *, on: bool) -> Reply:
    result = await run.call("allow_links", on=on)
    if not result.success:
        return run.say("refused_owner") if result.code == "not_permitted" else run.failed(result)
    return run.say("link_allowed" if on else "link_forbidden", count=result.result["ended"])


async def _unlink(run: CommandRun) -> Reply:
    if run.group:
        return run.say("private_only")
    if run.rest:
        return await _end(run, run.rest[:80])
    # What is asked on the other side is taken back, too.
    dropped = await run.call("drop_question")
    found = await _links(run)
    if not found:
        return run.say("link_dropped" if dropped.success and dropped.result["dropped"] else "link_none")
    if len(found) == 1:
        return await _end(run, found[0]["person"])
    lines = [run.language["link_which"], *(run.language.say("link_line", **_named(one)) for one in found)]
    offers = [(_label(run, one), f"/unlink {one['person']}") for one in found]
    return run.reply("\n".join(lines), offers=offers)


def _label(run: CommandRun, found: Mapping[str, str]) -> str:
    return run.language.say("link_end", name=found["label"], platform=found["platform"])


async def _end(run: CommandRun, person: str) -> Reply:
    result = await run.call("end_link", person=person)
    if not result.success:
        return run.failed(result)
    found = result.result
    return run.say("link_ended", **_named(found)) if found["status"] == "ended" else run.say("link_none")


COMMANDS: Mapping[str, Command] = {
    "link": Command(_link, needs=Standing.MEMBER),
    "unlink": Command(_unlink, needs=Standing.MEMBER),
}
