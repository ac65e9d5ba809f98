"""Whom an assistant's model may reach, and how it notes people (TOOLS: What a model is offered).

A model may obey anybody who wrote what it reads. So it reaches only people whom the platform or a person made known,
and only when the principal's own words of this run name them; else the principal says so by a button.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import Field

from core.capabilities.contacts import acquaintances, unmet
from core.capabilities.contacts import service as addressing
from core.capabilities.contacts.actions import contacts_upsert
from core.capabilities.contacts.reaching import know
from core.kernel.clean_text import one_line
from core.kernel.errors import ToolError
from core.kernel.intent import Intent
from core.kernel.markdown import called, literal
from core.kernel.own_words import own_words
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import Role
from core.language import all_words
from core.language.grammar import ME
from core.language.zone_search import zone_of
from core.toolkit import intents
from core.toolkit.command import Act, CommandRun, intent
from core.toolkit.params import Params
from core.toolkit.tool import Asks, Effect, Offered, ToolContext, tool

LONGEST_NAME, LONGEST_NOTE = 80, 500


@dataclass(frozen=True, kw_only=True)
class Whom:
    """Whom a model names: `names`, nobody for the principal alone, or `everybody` of a group. `sure` when the
    principal's own words name them all, and nobody else's were read."""

    names: tuple[str, ...] = ()
    everybody: bool = False
    sure: bool = True


async def whom(context: ToolContext, given: Sequence[str]) -> Whom:
    """Return whom a model names, and whether the principal does."""
    me, all_here = all_words("assistant_me"), all_words("assistant_all")
    names = [ME if name.casefold() in me else name for one in given if (name := one_line(one)[:LONGEST_NAME])]
    others = [name for name in names if name != ME and name.casefold() not in all_here]
    everybody = any(name.casefold() in all_here for name in names)
    tainted = await context.db.read(context.is_tainted)
    if not others:
        return Whom(everybody=everybody, sure=not (everybody and tainted))
    words = "\n".join(map(own_words, context.heard))
    said = await context.db.read(
        lambda tx: [
            unmet.says(words, name)
            or any(addressing.is_named(tx, context, one) for one in addressing.candidates(tx, context, name))
            for name in others
        ]
    )
    whole = tuple(name for name in names if name in others or name == ME)
    return Whom(names=whole, everybody=everybody, sure=not tainted and all(said))


async def picked(context: ToolContext, tool_name: str, meant: Whom) -> tuple[str, ...]:
    """Return all whom a model names: contacts by their ids, others with whom the principal shares a group or an
    invitation by their addresses. Raises `ToolError` unless each is one that may be reached."""
    found = await context.db.read(lambda tx: [_reachable(tx, context, name) for name in meant.names])
    for name, some in zip(meant.names, found, strict=True):
        if len(some) != 1 or not some[0]:
            raise ToolError(tool_name, f"{name!r} cannot be reached from here; tell the person so")
    return tuple(some[0] for some in found)


def _reachable(tx: Tx, context: ToolContext, name: str) -> list[str]:
    group = context.participant.group
    some = addressing.candidates(tx, context, name)
    if some or group:
        return [one.contact if one.me or one.private or group else "" for one in some]
    known = acquaintances.called(tx, context.lane, context.principal.person_id, [name])
    return [sender.address for _, sender in known]


def confirmed(context: ToolContext, key: str, yes: Intent, **values: str) -> Reply:
    """Ask the principal by a button, which then does it in their name; `values` are put into the text of `key`."""
    text = context.texts.say(key, **{name: literal(value) for name, value in values.items()})
    return Reply(n=0, text=text, offers=((context.texts["assistant_yes"], yes),))


def for_whom(text: str, names: Sequence[str]) -> str:
    """Return the text of an item with the names of whom it is for: a change of it reaches them."""
    return " — ".join(filter(None, (text, ", ".join(names))))


class ContactParams(Params):
    """`handle`: such as @anna, for who is new; `zone`: a town or an IANA name; `note`: what to know of them."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    handle: str = Field(default="", max_length=128)
    zone: str = Field(default="", max_length=64)
    note: str = Field(default="", max_length=LONGEST_NOTE)


@tool(Role.TELLER, effect=Effect.ASKED, offered=Offered.FOUND, matrix=False)
async def contact(params: ContactParams, context: ToolContext) -> Asks:
    """Note or change a contact: handle, time zone, a note."""
    wish = noted.of(name=params.name, handle=params.handle, zone=params.zone, note=params.note)
    return Asks(intents=[wish])


@intent("contacts.noted", as_command="contacts")
async def noted(run: CommandRun, *, name: str, handle: str = "", zone: str = "", note: str = "") -> Reply | Act:
    """Note somebody by their name and what the platform knows them by, or change what is noted."""
    place = zone_of(zone) if zone else ""
    if place is None:
        return run.say("contact_zone_unknown", place=literal(zone))
    if not await run.context.db.read(lambda tx: addressing.called(tx, run.context, name).people):
        await know(run, [name])
    return partial(_note, run, name=one_line(name), handle=handle.strip(), zone=place, note=note)


def _note(run: CommandRun, tx: Tx, *, name: str, handle: str, zone: str, note: str) -> Reply:
    found = addressing.called(tx, run.context, name).people
    if len(found) > 1:
        return run.say("which_person", name=literal(name))
    if not found and not handle:
        return run.say("contact_unknown", name=called(name, "–"), command=run.typed("/contacts"))
    platform = run.context.principal.address.partition(":")[0]
    address = f"{platform}:{handle}" if handle.startswith("@") else handle
    saved = run.actor.act(
        tx,
        contacts_upsert,
        contact_id=found[0].contact if found else "",
        subject_id=address or None,
        contact_nickname=None if found else name,
        timezone=zone or None,
        persona_brief=note or None,
        status="active",
    )
    text = run.language.say("contact_noted", name=called(name, "–"))
    return run.reply(text, offers=[(run.language["undo"], intents.undo(saved.undo))] if saved.undo else ())


INTENTS = (noted,)
