"""Commands of an owner, in private: who may talk to the bot."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from core.capabilities.members import service
from core.capabilities.members.service import Changed, Listing, Member
from core.kernel.markdown import coded, labelled, quoted
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.types import Standing
from core.store.people import invitations
from core.toolkit import intents
from core.toolkit.command import LONELY, Command, CommandRun, intent


def _invite(run: CommandRun, tx: Tx) -> Reply:
    if run.group:
        return run.say("private_only")
    if run.rest:
        return run.say("invite_usage")
    # Nobody else sits at a console.
    if run.context.participant.platform == LONELY:
        return run.say("invite_nobody")
    # Only its digest is kept. A step that a former version left has a digest nobody knows the word of.
    # Letters, digits, - and _: links of Telegram carry 64 of these.
    word, kept = secrets.token_urlsafe(16), ""
    while kept != invitations.digest(word):
        kept = run.actor.act(tx, service.create_invite, digest=invitations.digest(word)).digest
    link = run.adapter.link(word) if run.adapter is not None else ""
    reply = run.say("invite_link", link=link) if link else run.say("invite_word", word=word)
    return replace(reply, kept=invitations.hidden(reply.text))


def _people(run: CommandRun, tx: Tx) -> Reply:
    if run.group:
        return run.say("private_only")
    match _words(run):
        case []:
            return _shown(run, tx, page=1)
        case [page] if page.isascii() and page.isdecimal() and int(page[:6]) > 0:
            return _shown(run, tx, page=int(page[:6]))
        case ["remove", person]:
            return _removed(run, tx, person=person)
        case ["restore", person]:
            return _restored(run, tx, person=person)
        case _:
            return run.say("people_usage")


def _shown(run: CommandRun, tx: Tx, *, page: Annotated[int, Field(ge=1)]) -> Reply:
    """Show a page of everybody."""
    return run.say("private_only") if run.group else _list(run, service.listing(tx, run.context, page), page)


def _removed(run: CommandRun, tx: Tx, *, person: str) -> Reply:
    """Take the access of whom an id means, or an address."""
    if run.group:
        return run.say("private_only")
    return _changed(run, run.actor.act(tx, service.remove_person, person=person[:80]), "person")


def _restored(run: CommandRun, tx: Tx, *, person: str) -> Reply:
    """Give somebody who was removed their access back."""
    if run.group:
        return run.say("private_only")
    return _changed(run, run.actor.act(tx, service.restore_person, person=person[:80]), "person")


show = intent("members.show", as_command="people")(_shown)
remove = intent("members.remove", as_command="people")(_removed)
restore = intent("members.restore", as_command="people")(_restored)


def _words(run: CommandRun) -> list[str]:
    """Return what stands behind the command, whatever the capitals of its first word."""
    first, *others = run.rest.split() or [""]
    return [first.lower(), *others] if first else []


def _list(run: CommandRun, found: Listing, page: int) -> Reply:
    lines = [
        run.language.say(
            "people_line",
            name=quoted(person.name, run.language.quotes),
            address=coded(person.address),
            standing=run.language[f"standing_{person.standing}"],
        )
        for person in found.people
    ]
    lines += [run.language.say("people_unseen", address=coded(address)) for address in found.unseen]
    lines += [run.language["people_whole"]] if found.whole else []
    groups = [f"- {quoted(title, run.language.quotes)}" for title in found.groups] if page == 1 else []
    blocks = ["\n".join([run.language["people_title"], *lines]) if lines else run.language["people_none"]]
    blocks += ["\n".join([run.language["people_groups"], *groups])] if groups else []
    more = [(run.language["more"], show.of(page=page + 1))] if found.more else []
    return replace(run.reply("\n\n".join(blocks), offers=[*_offers(run, found.people, found.unseen), *more]), own=True)


def _offers(run: CommandRun, people: Sequence[Member], unseen: Sequence[str]) -> list[Offer]:
    """Return a button for each: to remove, or to restore who was removed; owners have none."""
    offers: list[Offer] = []
    for person in people:
        if person.standing == Standing.OWNER:
            continue
        act, asks = ("restore", restore) if person.standing == "removed" else ("remove", remove)
        name = labelled(person.name, person.address)
        offers.append((run.language.say(f"people_{act}", name=name), asks.of(person=person.person)))
    label = run.language
    return [
        *offers,
        *((label.say("people_remove", name=labelled("", address)), remove.of(person=address)) for address in unseen),
    ]


def _changed(run: CommandRun, changed: Changed, kind: str) -> Reply:
    """Say what became of a person, with a button to take it back."""
    name, address = quoted(changed.name, run.language.quotes), coded(changed.address)
    return run.undoable(run.language.say(f"{kind}_{changed.status}", name=name, address=address), changed.undo)


def _pair(run: CommandRun, tx: Tx) -> Reply:
    if run.group:
        return run.say("private_only")
    match _words(run):
        case ["deny", code]:
            return _answered(run, tx, code=code, allow=False)
        case [code]:
            return _answered(run, tx, code=code, allow=True)
        case _:
            return run.say("pair_usage")


def _answered(run: CommandRun, tx: Tx, *, code: str, allow: bool) -> Reply:
    """Let in who asked for it and was given a code, or not."""
    if run.group:
        return run.say("private_only")
    answer = "allow" if allow else "deny"
    return _changed(run, run.actor.act(tx, service.answer_pairing, code=code[:64], answer=answer), "pair")


pair = intent(intents.PAIR, as_command="pair")(_answered)


INTENTS = (show, remove, restore, pair)
COMMANDS: Mapping[str, Command] = {
    "invite": Command(_invite, needs=Standing.OWNER),
    "people": Command(_people, needs=Standing.OWNER),
    "pair": Command(_pair, needs=Standing.OWNER),
}
