"""Contact tools: the people a scope knows, and whom something may be for (TOOLS: Contacts; seed 002)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from core.capabilities.contacts import address_book, sharing
from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts.actions import LONGEST_SHORT, save
from core.capabilities.contacts.ranking import MOST_LINKED, Item, Known, rank
from core.capabilities.contacts.repository import Contact
from core.kernel import ids
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.types import HOUR, Json, Millis, Role
from core.toolkit.params import Count, Integer, Number, Params
from core.toolkit.tool import Effect, ToolContext, told_to_model, tool

CALLERS = (Role.TELLER, Role.PLANNER)
LONGEST_CONTEXT, LONGEST_BRIEF = 2_000, 2_000
MOST_RANKED = 50
LIMIT: Mapping[str, str] = {"max_results": "limit", "maxResults": "limit"}
# What a model is told to change, by the code of what was refused.
TOLD = {
    "contact_address_bad": "invalid reference id: {reference}; write tg:1001, tg:@name or slack:T1:U2",
    "contact_missing": "contact not found: {contact}; contacts_list shows all",
    "contact_needed": "contact_id or subject_id is needed, such as tg:1001 or tg:@anna",
    "contact_address_taken": "{reference} is another contact's: {contact}; change that one instead",
    "contact_address_elses": "{reference} is somebody else's; note them as a contact of their own",
    "left_alone": "{person} wants nothing noted about them in this group; tell the person so",
    "contact_gone": "the contact is gone; contacts_list shows who is there",
}
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


@tool(*CALLERS, effect=Effect.WRITE)
def contacts_upsert(params: UpsertParams, context: ToolContext, tx: Tx) -> Json:
    """Note somebody as a contact, or change what is noted of them; fields that are not given keep their values."""
    if context.is_tainted(tx):
        raise ToolError("contacts_upsert", "refused: you have read what others wrote; tell the person whom to note")
    fields = params.model_dump(exclude={"contact_id"}, exclude_none=True)
    with told_to_model("contacts_upsert", TOLD):
        saved = save(tx, context, params.contact_id or "", fields)
    result = {"contact": dict(saved.contact)}
    return {**result, "warnings": list(saved.warnings)} if saved.warnings else result


class ListParams(Params):
    """`status`: all, active or inactive; `limit`: 0 for all of them."""

    spellings: ClassVar[Mapping[str, str]] = LIMIT

    status: Literal["all", "active", "inactive"] = "all"
    limit: Integer = 0


@tool(*CALLERS)
async def contacts_list(params: ListParams, context: ToolContext) -> Json:
    """The contacts of this chat's book, in the order they were noted."""
    status = "" if params.status == "all" else params.status

    def look(tx: Tx) -> Json:
        found = contacts.listed(tx, context.lane, status)
        return [address_book.shown(one) for one in (found[: params.limit] if params.limit > 0 else found)]

    return await context.db.read(look)


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


@tool(Role.PLANNER)
async def contacts_candidate_rank(params: RankParams, context: ToolContext) -> Json:
    """Choose whom to tell which memory that is tagged `share`; it sends and changes nothing."""

    def look(tx: Tx) -> Json:
        book = contacts.listed(tx, context.lane, "active")
        return {"decisions": decisions(params, context, book, sharing.items(tx, context))}

    return await context.db.read(look)


def decisions(
    params: RankParams, context: ToolContext, book: Iterable[Contact], items: Sequence[Item]
) -> list[dict[str, Any]]:
    """Return the best items for the contacts of a book, as the tool tells them."""
    count, unit = _WINDOW.fullmatch(params.freshness_window).groups()  # type: ignore[union-attr] # its pattern says so
    choices = rank(
        book,
        items,
        context.clock.now(),
        # Of messages to others nothing is kept but that there were some, so every item is new to everybody.
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
