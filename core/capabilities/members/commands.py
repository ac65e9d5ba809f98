"""Commands of an owner, in private: who may talk to the bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.kernel.markdown import coded, labelled, quoted
from core.kernel.replies import Offer, Reply
from core.kernel.types import Standing
from core.store.people import invitations
from core.toolkit.command import Command, CommandRun


async def _invite(run: CommandRun) -> Reply:
    if run.group:
        return run.say("private_only")
    if run.rest:
        return run.say("invite_usage")
    if not run.invites:
        return run.say("invite_nobody")
    # Only its digest goes into a step. A step that a former process left has a digest nobody knows the word of.
    word, known = invitations.new_word(), ""
    while known != invitations.digest(word):
        result = await run.call("create_invite", digest=invitations.digest(word))
        if not result.success:
            return run.failed(result)
        known = result.result["digest"]
    link = run.adapter.link(word) if run.adapter is not None else ""
    return run.say("invite_link", link=link) if link else run.say("invite_word", word=word)


async def _people(run: CommandRun) -> Reply:
    if run.group:
        return run.say("private_only")
    match _words(run):
        case []:
            return await _list(run, 1)
        case [page] if page.isascii() and page.isdecimal() and int(page[:6]) > 0:
            return await _list(run, int(page[:6]))
        case ["remove" | "restore" as act, person]:
            return await _change(run, f"{act}_person", person)
        case _:
            return run.say("people_usage")


def _words(run: CommandRun) -> list[str]:
    """What stands behind the command, whatever the capitals of its first word."""
    first, *others = run.rest.split() or [""]
    return [first.lower(), *others] if first else []


async def _list(run: CommandRun, page: int) -> Reply:
    result = await run.call("list_people", page=page)
    if not result.success:
        return run.failed(result)
    found = result.result
    lines = [_line(run, person) for person in found["people"]]
    lines += [run.language.say("people_unseen", address=coded(address)) for address in found["unseen"]]
    lines += [run.language["people_whole"]] if found["whole"] else []
    groups = [f"- {quoted(title)}" for title in found["groups"]] if page == 1 else []
    blocks = ["\n".join([run.language["people_title"], *lines]) if lines else run.language["people_none"]]
    blocks += ["\n".join([run.language["people_groups"], *groups])] if groups else []
    more = [(run.language["more"], f"/people {page + 1}")] if found["more"] else []
    return run.reply("\n\n".join(blocks), offers=[*_offers(run, found["people"], found["unseen"]), *more])


def _line(run: CommandRun, person: Mapping[str, Any]) -> str:
    return run.language.say(
        "people_line",
        name=quoted(person["name"]),
        address=coded(person["address"]),
        standing=run.language[f"standing_{person['standing']}"],
    )


def _offers(run: CommandRun, people: Sequence[Mapping[str, Any]], unseen: Sequence[str]) -> list[Offer]:
    """A button for each: to remove, or to restore who was removed; owners have none."""
    offers = []
    for person in people:
        act = {"removed": "restore", "owner": ""}.get(person["standing"], "remove")
        if act:
            name = labelled(person["name"], person["address"])
            offers.append((run.language.say(f"people_{act}", name=name), f"/people {act} {person['person']}"))
    label = run.language
    return offers + [
        (label.say("people_remove", name=labelled("", address)), f"/people remove {address}") for address in unseen
    ]


async def _change(run: CommandRun, tool: str, person: str) -> Reply:
    result = await run.call(tool, person=person[:80])
    return _changed(run, result.result, "person") if result.success else run.failed(result)


def _changed(run: CommandRun, found: Mapping[str, Any], kind: str) -> Reply:
    """Say what became of a person, with a button to take it back."""
    key = f"{kind}_{found['status']}"
    if "person" not in found:
        return run.say(key)
    text = run.language.say(key, name=quoted(found["name"]), address=coded(found["address"]))
    offers = [(run.language["undo"], f"/undo {found['undo']}")] if "undo" in found else []
    return run.reply(text, offers=offers)


async def _pair(run: CommandRun) -> Reply:
    if run.group:
        return run.say("private_only")
    match _words(run):
        case ["deny", code]:
            answer = "deny"
        case [code]:
            answer = "allow"
        case _:
            return run.say("pair_usage")
    result = await run.call("answer_pairing", code=code[:64], answer=answer)
    return _changed(run, result.result, "pair") if result.success else run.failed(result)


COMMANDS: Mapping[str, Command] = {
    "invite": Command(_invite, needs=Standing.OWNER),
    "people": Command(_people, needs=Standing.OWNER),
    "pair": Command(_pair, needs=Standing.OWNER),
}
