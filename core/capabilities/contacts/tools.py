"""Contact tools: the people a scope knows, and whom something may be for (TOOLS: Contacts; seed 002)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Protocol

from pydantic import Field

from core.capabilities.contacts import address_book
from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import service as addressing
from core.capabilities.contacts.ranking import HOUR, MOST_LINKED, Item, Known, clip, rank, topic_weights
from core.capabilities.contacts.repository import Contact
from core.capabilities.contacts.rows import person_at
from core.kernel import ids
from core.kernel.clean_text import cleaned, one_line
from core.kernel.errors import ToolError
from core.kernel.markdown import called, visible
from core.kernel.ports import Tx
from core.kernel.timing.zones import is_zone
from core.kernel.types import Json, LaneKey, Millis, Role
from core.language import pick
from core.toolkit import undoable
from core.toolkit.params import Count, Integer, Number, Params
from core.toolkit.tool import Effect, ToolContext, tool

LONGEST_CONTEXT, LONGEST_BRIEF, LONGEST_SHORT = 2_000, 2_000, 64
MOST_TRAITS, PAGE, MOST_RANKED = 16, 8, 50
# What a contact has of its own: fields of `Contact` by the names of seed 002.
_FIELDS: Mapping[str, str] = {
    "kind": "kind",
    "status": "status",
    "contact_nickname": "nickname",
    "persona_brief": "persona_brief",
    "persona_traits": "persona_traits",
    "pronouns": "pronouns",
    "timezone": "timezone",
    "preference_context": "preference_context",
    "subject_id": "subject_id",
    "understanding_depth": "understanding_depth",
    "topic_weights": "topic_weights",
    "reciprocity_norm": "reciprocity_norm",
}
# What may have several lines.
_LONG = frozenset({"persona_brief", "preference_context"})
LIMIT: Mapping[str, str] = {"max_results": "limit", "maxResults": "limit"}
Short = Annotated[str, Field(max_length=LONGEST_SHORT)]


class UpsertParams(Params):
    """`contact_id` of who is changed, or `subject_id` (tg:1001, tg:@anna, …). What is not given stays, "" clears.
    `understanding_depth`: 0 to 100; weights and `reciprocity_norm`: 0 to 1; `timezone`: such as Europe/Berlin.
    """

    contact_id: str | None = None
    subject_id: str | None = Field(default=None, max_length=200)
    kind: Literal["agent", "human"] | None = None
    status: Literal["active", "inactive"] | None = None
    contact_nickname: str | None = Field(default=None, max_length=contacts.LONGEST_NAME)
    persona_brief: str | None = Field(default=None, max_length=LONGEST_BRIEF)
    persona_traits: dict[str, Number] | None = None
    pronouns: Short | None = None
    timezone: Short | None = None
    preference_context: str | None = Field(default=None, max_length=LONGEST_CONTEXT)
    understanding_depth: Number | None = None
    topic_weights: dict[str, Number] | None = None
    reciprocity_norm: Number | None = None


@tool(Role.TELLER, Role.PLANNER, Role.PERSON, effect=Effect.WRITE)
def contacts_upsert(params: UpsertParams, context: ToolContext, tx: Tx) -> Json:
    """Note somebody as a contact, or change what is noted of them; fields that are not given keep their values."""
    name, subject = "contacts_upsert", one_line(params.subject_id or "")
    address = address_book.address(name, subject)
    former = _former(tx, context, params, subject, address)
    values, warnings = _values(params)
    if address:
        values.pop("subject_id", None)
        _check_free(tx, context, former, address)
    number = None if former is None else former.contact_id
    saved = contacts.save(tx, context.lane, number, values, address, context.clock.now())
    found = contacts.find(tx, context.lane, saved)
    if found is None:
        raise ToolError(name, "the contact is gone; contacts_list shows who is there")
    result = {"contact": address_book.shown(found), **_back(tx, context, former, found, values)}
    return {**result, "warnings": warnings} if warnings else result


def _former(tx: Tx, context: ToolContext, params: UpsertParams, subject: str, address: str) -> Contact | None:
    """Whom the call means, if they are known. Raises `ToolError` when it names nobody."""
    if params.contact_id:
        found = address_book.find(tx, context, params.contact_id)
        if found is None:
            raise ToolError("contacts_upsert", f"contact not found: {params.contact_id[:40]}; contacts_list shows all")
        return found
    if not subject:
        raise ToolError("contacts_upsert", "contact_id or subject_id is needed, such as tg:1001 or tg:@anna")
    if not address:
        return contacts.with_subject(tx, context.lane, subject)
    return contacts.known_at(tx, context.lane, address)


def _check_free(tx: Tx, context: ToolContext, former: Contact | None, address: str) -> None:
    """Nobody gets the address of somebody else: messages for them would go there."""
    if former is None or address in former.addresses:
        return
    holder, person_id = contacts.known_at(tx, context.lane, address), person_at(tx, context.lane, address)
    if holder is not None and holder.contact_id != former.contact_id:
        other = ids.ref("c", holder.contact_id)
        raise ToolError("contacts_upsert", f"{address} is another contact's: {other}; change that one instead")
    if former.person_id is not None and person_id not in {None, former.person_id}:
        raise ToolError("contacts_upsert", f"{address} is somebody else's; note them as a contact of their own")


def _values(params: UpsertParams) -> tuple[dict[str, Any], list[str]]:
    """What is given, by the names of `Contact`, clipped; and what had to be left out."""
    given = params.model_dump(include=set(_FIELDS), exclude_none=True)
    values: dict[str, Any] = {
        _FIELDS[name]: _clean(name, value) if isinstance(value, str) else value for name, value in given.items()
    }
    warnings = []
    if values.get("timezone") and not is_zone(values["timezone"]):
        values["timezone"] = ""
        warnings.append("timezone_unknown_left_empty")
    if "nickname" in values:
        values["nickname"] = visible(values["nickname"])
    if "topic_weights" in values:
        values["topic_weights"] = topic_weights(values["topic_weights"])
    if "persona_traits" in values:
        values["persona_traits"] = _traits(values["persona_traits"])
    if "understanding_depth" in values:
        values["understanding_depth"] = clip(values["understanding_depth"], 100.0)
    if "reciprocity_norm" in values:
        values["reciprocity_norm"] = clip(values["reciprocity_norm"])
    return values, warnings


def _clean(name: str, text: str) -> str:
    return cleaned(text) if name in _LONG else one_line(text)


def _traits(traits: Mapping[str, float]) -> dict[str, float]:
    """The strongest traits, each between 0 and 1."""
    known = {one_line(name)[:LONGEST_SHORT]: clip(weight) for name, weight in traits.items()}
    kept = sorted((one for one in known.items() if one[0]), key=lambda one: (-one[1], one[0]))
    return dict(kept[:MOST_TRAITS])


def _back(
    tx: Tx, context: ToolContext, former: Contact | None, found: Contact, values: Mapping[str, Any]
) -> dict[str, str]:
    """How it is taken back: with the former values, or by taking who is new out of the book again."""
    contact_id = ids.ref("c", found.contact_id)
    if former is None:
        arguments: dict[str, Any] = {"status": "inactive"}
    else:
        arguments = {name: getattr(former, field) for name, field in _FIELDS.items() if field in values}
    label = pick(context.language).say("undo_contact", name=called(found.name, ""))
    about = f"contact:{found.contact_id}"
    return undoable.note(tx, context, label, "contacts_upsert", about=about, contact_id=contact_id, **arguments)


class ListParams(Params):
    """`status`: all, active or inactive; `limit`: 0 for all of them."""

    spellings: ClassVar[Mapping[str, str]] = LIMIT

    status: Literal["all", "active", "inactive"] = "all"
    limit: Integer = 0


@tool(Role.TELLER, Role.PLANNER, Role.PERSON)
async def contacts_list(params: ListParams, context: ToolContext) -> Json:
    """The contacts of this chat's book, in the order they were noted."""
    status = "" if params.status == "all" else params.status

    def look(tx: Tx) -> Json:
        found = contacts.listed(tx, context.lane, status)
        return [address_book.shown(one) for one in (found[: params.limit] if params.limit > 0 else found)]

    return await context.db.read(look)


class ShowParams(Params):
    """`called`: whom to show, as people call them; `begins`: a text that begins with a name; else a `page` of all."""

    called: str = Field(default="", max_length=contacts.LONGEST_NAME)
    begins: str = Field(default="", max_length=10_000)
    page: Count = 1


@tool(Role.PERSON)
async def show_contacts(params: ShowParams, context: ToolContext) -> Json:
    """The active contacts, or those a name may mean: each with its zone and whether messages reach it.

    `rest` is what stands behind the name a text begins with.
    """

    def look(tx: Tx) -> Json:
        if params.begins:
            found, rest = contacts.opening(tx, context.lane, params.begins)
            return {"contacts": [_card(tx, context, one) for one in found[:PAGE]], "rest": rest}
        if params.called:
            found = contacts.named(tx, context.lane, params.called)
            return {"contacts": [_card(tx, context, one) for one in found[:PAGE]]}
        everybody = sorted(contacts.listed(tx, context.lane, "active"), key=lambda one: one.name.casefold())
        pages = max(1, -(-len(everybody) // PAGE))
        page = min(params.page, pages)
        found = everybody[(page - 1) * PAGE : page * PAGE]
        return {"contacts": [_card(tx, context, one) for one in found], "page": page, "pages": pages}

    return await context.db.read(look)


def _card(tx: Tx, context: ToolContext, contact: Contact) -> dict[str, Any]:
    """`chosen`: the zone is the one they have chosen themselves; `private`: null when that is not to be told."""
    reach = addressing.seen(tx, context, contact)
    return {
        "contact": ids.ref("c", contact.contact_id),
        "name": contact.name,
        "addresses": list(contact.addresses),
        "zone": contact.timezone if reach is None else reach.zone,
        "chosen": reach is not None and reach.chosen,
        "private": None if reach is None else reach.lane is not None,
        "me": contact.person_id == context.principal.person_id,
    }


class Shareable(Protocol):
    """What may be shared: what the caller has tagged `share`, in their scope."""

    def items(self, tx: Tx, lane: LaneKey) -> Sequence[Item]:
        """All of it."""


# Memories will be such: until there are any, nothing is shared.
PROVIDERS: tuple[Shareable, ...] = ()
_WINDOW = re.compile(r"(\d{1,5})([hmd])")
_UNITS: Mapping[str, Millis] = {"h": HOUR, "m": HOUR // 60, "d": 24 * HOUR}


class RankParams(Params):
    """`freshness_window`: such as 72h; `human_public_send_enabled`: also what comes from chats that others read."""

    spellings: ClassVar[Mapping[str, str]] = LIMIT

    limit: Count = 3
    freshness_window: str = Field(default="72h", pattern=r"^\d{1,5}[hmd]$")
    max_linked_history_items: Annotated[Integer, Field(ge=0)] = MOST_LINKED
    human_public_send_enabled: bool = False
    push_topic: str = Field(default="share.proactive.v1", max_length=LONGEST_SHORT)


@tool(Role.PLANNER, Role.PERSON)
async def contacts_candidate_rank(params: RankParams, context: ToolContext) -> Json:
    """Choose whom to tell what was tagged to be shared; it sends nothing. Nothing can be tagged yet, so it is empty."""

    def look(tx: Tx) -> Json:
        items = [item for provider in PROVIDERS for item in provider.items(tx, context.lane)]
        return {"decisions": decisions(params, context, contacts.listed(tx, context.lane, "active"), items)}

    return await context.db.read(look)


def decisions(
    params: RankParams, context: ToolContext, book: Iterable[Contact], items: Sequence[Item]
) -> list[dict[str, Any]]:
    """The best items for the contacts of a book, as the tool tells them."""
    count, unit = _WINDOW.fullmatch(params.freshness_window).groups()  # type: ignore[union-attr] # its pattern says so
    choices = rank(
        book,
        items,
        context.clock.now(),
        known=Known(),
        window=int(count) * _UNITS[unit],
        linked=min(params.max_linked_history_items, MOST_LINKED),
        public=params.human_public_send_enabled,
    )
    return [
        {
            "contact_id": ids.ref("c", one.contact_id),
            "item_id": one.item_id,
            "score": round(one.score, 4),
            "topic": params.push_topic,
            "linked_history": list(one.linked),
            "idempotency_key": f"proactive:{context.run_id}:{ids.ref('c', one.contact_id)}:{one.item_id}",
        }
        for one in choices[: min(params.limit, MOST_RANKED)]
    ]
