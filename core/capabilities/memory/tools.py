"""Memory tools (TOOLS: Memory and history): noting for a model, and looking things up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, ClassVar

from pydantic import Field

from core.capabilities.memory import finding, intents, noting, service
from core.capabilities.memory import repository as memories
from core.capabilities.memory.finding import Found
from core.capabilities.memory.models import MEMORY, Memory, Source
from core.capabilities.memory.service import LONGEST, Noted
from core.kernel.clean_text import Text
from core.kernel.errors import ToolError
from core.kernel.markdown import literal
from core.kernel.ports import FOREVER, Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import DAY, Json, LaneKey, Millis, Role
from core.scheduling.service import moment
from core.store.conversation.history import MESSAGE
from core.store.conversation.imports import IMPORTED
from core.store.conversation.passages import PASSAGE
from core.store.people import chats
from core.toolkit.acting_as import is_whispered
from core.toolkit.intents import undo
from core.toolkit.params import Count, Params, capped
from core.toolkit.services import Services
from core.toolkit.tool import Beside, Effect, Offered, StateProvider, ToolContext, told_to_model, tool

LOOKERS = (Role.PLANNER, Role.PERSON)
MOST_HITS, MOST_RECALLED, MOST_RECENT, MOST_DAYS, MOST_FOUND = 20, 20, 200, 3_650, 8
SHOWN, SHOWN_TITLE = 300, 80
# What is searched: memories, what was said here, what was brought along of other conversations, and documents.
EVERYTHING = (MEMORY, MESSAGE, IMPORTED, PASSAGE)
SEARCHED: Mapping[str, str] = {"q": "query", "max_results": "limit", "maxResults": "limit"}
# What a model is told to change, by the code of what was refused.
TOLD = {
    "memory_full": "memory full: {most} long-term memories; tell the person, who can delete some (/memory)",
    "memory_unknown": "no memory has this id",
    "memory_left_alone": "it is about somebody who wants to be left alone here; tell the person that it is not noted",
    "memory_usage": "content is empty",
    "memory_long": f"content is too long; at most {LONGEST} characters",
}
Tags = list[str]


class RememberParams(Params):
    """`content`: what the person said, in their own words; `supersedes`: the id of a memory that it corrects."""

    content: Annotated[Text, Field(min_length=1, max_length=LONGEST)]
    tags: Tags = Field(default_factory=Tags, max_length=service.MOST_TAGS)
    long_term: bool = False
    supersedes: str = Field(default="", max_length=40)


@tool(Role.TELLER, Role.PLANNER, effect=Effect.WRITE, offered=Offered.ALWAYS)
def remember(params: RememberParams, context: ToolContext, tx: Tx) -> Json | Beside:
    """Remember what the person says of themselves or wants kept, in their words; never what you read."""
    service.hold(tx, context.lane)
    wish = noting.wish(tx, context, params.content)
    if wish.known is not None and not params.supersedes:
        return _known(context, wish.known, shown=wish.asked)
    if context.role is Role.PLANNER:
        if context.tainted:
            raise ToolError("remember", "refused: this run has read what others wrote; say so in your outcome")
        with told_to_model("remember", TOLD):
            new = replace(service.new_of(tx, context, params.content, source=Source.PLANNER), person_id=None)
            made = service.note(
                tx, context, replace(new, tags=tuple(params.tags)), service.corrected(tx, context, params.supersedes)
            )
        return _result(context, made)
    if not (wish.asked or wish.said):
        raise ToolError(
            "remember", "refused: the person did not say this now; note only their own words, as they said them"
        )
    if not wish.asked and (reason := noting.unwanted(tx, context)):
        raise ToolError("remember", f"refused: {reason}; go on")
    with told_to_model("remember", TOLD):
        older = service.corrected(tx, context, params.supersedes)
    if context.tainted or not wish.said:
        return _confirmed(context, params, shown=wish.asked)
    with told_to_model("remember", TOLD):
        new = service.new_of(tx, context, params.content, source=Source.ASSISTANT)
        new = replace(new, tags=tuple(params.tags), long_term=params.long_term, asked=wish.asked)
        made = service.note(tx, replace(context, shows=True), new, older)
    result = _result(context, made)
    if not wish.asked and chats.notes_silently(tx, context.lane):
        return result
    said = context.texts.say("memory_noted_by_model", text=literal(made.content))
    if is_whispered(context):
        group = context.participant.title or context.texts["this_group"]
        said = f"{said}\n{context.texts.say('memory_of_group', group=literal(group))}"
    offers: Sequence[Offer] = [(context.texts["undo"], undo(made.undo))] if made.undo else ()
    shown = {"shown": said} if wish.asked else {}
    return Beside(result={**result, **shown}, reply=Reply(n=0, text=said, offers=tuple(offers)))


def _known(context: ToolContext, known: Memory, *, shown: bool) -> Json | Beside:
    """Return the result for a memory that is there already: it is not noted again."""
    result = {"memory_id": known.ref, "path": known.path, "timestamp": moment(known.said_at, context.zone)}
    if not shown:
        return {**result, "known": True}
    said = context.texts.say("memory_known", text=literal(known.content))
    return Beside(result={**result, "known": True, "shown": said}, reply=Reply(n=0, text=said))


def _confirmed(context: ToolContext, params: RememberParams, *, shown: bool) -> Beside:
    """Ask the person by a button: others' words were read, or it is not what they said."""
    said = context.texts.say("memory_confirm", text=literal(params.content))
    yes = intents.confirm(params.content, service.tags_of(params.tags), params.supersedes)
    result: dict[str, Json] = {"status": "waits for the person's button"}
    return Beside(
        result={**result, "shown": said} if shown else result,
        reply=Reply(n=0, text=said, offers=((context.texts["memory_yes"], yes),)),
    )


def _result(context: ToolContext, made: Noted) -> dict[str, Json]:
    result = {"memory_id": made.memory, "path": made.path, "timestamp": moment(context.clock.now(), context.zone)}
    return {**result, "superseded": made.superseded} if made.superseded else result


class SearchParams(Params):
    """`query`: words of what is sought; `after`, `before`: a date or an ISO time."""

    query: str = Field(min_length=1, max_length=1_000)
    after: str = Field(default="", max_length=40)
    before: str = Field(default="", max_length=40)


@tool(Role.TELLER, idempotent=True, offered=Offered.ALWAYS, matrix=False)
async def search(params: SearchParams, context: ToolContext) -> Json:
    """Search what is remembered, was said here, or stands in documents sent."""
    found = await _search(params, context, "search", EVERYTHING, MOST_FOUND)
    hits = [_hit(context, one) for one in found]
    return {"hits": hits, **_taint(found)}


class MatrixSearchParams(SearchParams):
    """`query`: words of what is sought; `after`, `before`: a date or an ISO time; `limit`: 20 at most."""

    spellings: ClassVar[Mapping[str, str]] = SEARCHED

    limit: Count = 5


@tool(*LOOKERS, idempotent=True)
async def search_memory(params: MatrixSearchParams, context: ToolContext) -> Json:
    """Search memories and history of this chat by words; `score`: more is better."""
    limit, note = capped(params.limit, MOST_HITS)
    found = await _search(params, context, "search_memory", EVERYTHING, limit)
    hits = [
        {"source": hit["source"], "content": hit["text"], "score": round(one.score, 4)}
        for one, hit in ((one, _hit(context, one, path=True)) for one in found)
    ]
    return {"hits": hits, **note, **_taint(found)}


class RecallParams(Params):
    """`query`: words of what is sought; `limit`: 20 at most."""

    spellings: ClassVar[Mapping[str, str]] = SEARCHED

    query: str = Field(min_length=1, max_length=1_000)
    limit: Count = 5


@tool(*LOOKERS, idempotent=True)
async def recall(params: RecallParams, context: ToolContext) -> Json:
    """Recall memories of this chat by words; `score`: more is better."""
    limit, note = capped(params.limit, MOST_RECALLED)
    found = await context.db.read(lambda tx: finding.search(tx, context, params.query, limit=limit))
    shown = [{**_told(context, one.memory), "score": round(one.score, 4)} for one in found if one.memory is not None]
    return {"memories": shown, "count": len(shown), **note, **_taint(found)}


class RecentlyParams(Params):
    """`days`: how far back; `limit`: how many; `include_body`: with their whole text."""

    days: Count = 3
    limit: Count = 50
    include_body: bool = False


@tool(*LOOKERS, idempotent=True)
async def memory_recently(params: RecentlyParams, context: ToolContext) -> Json:
    """The newest memories of this chat."""
    days, _ = capped(params.days, MOST_DAYS)
    limit, note = capped(params.limit, MOST_RECENT)
    now, lane = context.clock.now(), context.lane
    found = await context.db.read(lambda tx: memories.recent(tx, lane, since=now - days * DAY, limit=limit))
    items = [
        {
            "id": one.ref,
            "path": one.path,
            "title": " ".join(one.content.split())[:SHOWN_TITLE],
            "tags": list(one.tags),
            "timestamp": moment(one.said_at, context.zone),
            **({"body": one.content} if params.include_body else {}),
        }
        for one in found
    ]
    tainted = {"tainted": True} if any(one.tainted for one in found) else {}
    return {
        "days": days, "count": len(items), "items": items, "generated_at": moment(now, context.zone), **note, **tainted
    }  # fmt: skip


async def _search(
    params: SearchParams, context: ToolContext, name: str, kinds: Sequence[str], limit: int
) -> Sequence[Found]:
    after = _instant(params.after, context, name) if params.after else 0
    before = _instant(params.before, context, name, end=True) if params.before else FOREVER
    return await context.db.read(
        lambda tx: finding.search(tx, context, params.query, kinds=kinds, limit=limit, after=after, before=before)
    )


def _instant(text: str, context: ToolContext, name: str, *, end: bool = False) -> Millis:
    """Read a date, the whole of it, or a time."""
    try:
        if len(text.strip()) <= len("2026-11-27"):
            day = date.fromisoformat(text.strip()) + timedelta(days=int(end))
            return to_instant(datetime.combine(day, time()), context.zone)
        said = datetime.fromisoformat(text.strip())
        return to_instant(said, context.zone) if said.tzinfo is None else round(said.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise ToolError(name, f"{text!r} is no date or ISO time, e.g. 2026-11-27 or 2026-11-27T17:00") from error


def _hit(context: ToolContext, found: Found, *, path: bool = False) -> dict[str, Any]:
    """Show a memory by its id or its `path`, and a line by its day and number, or by where it came from."""
    if found.memory is not None:
        one = found.memory
        source, at, speaker, text = one.path if path else one.ref, one.said_at, one.speaker, one.content
    else:
        line = found.line
        assert line is not None
        day = to_local(line.at, context.zone).date().isoformat()
        mine = line.role == "assistant" and not line.source
        speaker = "you" if mine else line.speaker or line.source
        where = f"{line.source}, {line.unit} {line.part}" if line.part else line.source or str(line.message_id)
        source, at, text = f"history/{day}#{where}", line.at, line.text
    shown = {"source": source, "date": moment(at, context.zone)[: len("2026-11-27T17:00")]}
    return {**shown, **({"speaker": speaker} if speaker else {}), "text": text[:SHOWN]}


def _told(context: ToolContext, memory: Memory) -> dict[str, Json]:
    return {
        "memory_id": memory.ref,
        "content": memory.content,
        "tags": list(memory.tags),
        "timestamp": moment(memory.said_at, context.zone),
    }


def _taint(found: Sequence[Found]) -> dict[str, Json]:
    """Say that others' words are among it: the run that reads them is tainted from then on."""
    others = any(
        (one.memory is not None and one.memory.tainted) or (one.line is not None and one.line.tainted) for one in found
    )
    return {"tainted": True} if others else {}


class MemoryCounts(StateProvider):
    """The state provider `memory`: how much is remembered in the scope that asks."""

    name = "memory"
    roles = frozenset({Role.TELLER, Role.PLANNER, Role.PERSON})

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """Return the state as JSON."""
        found = memories.counts(tx, lane)
        return {state: found.get(state, 0) for state in ("active", "long_term", "superseded", "archived")}


def states(services: Services) -> Sequence[StateProvider]:
    """Return what `query_state` tells about memories."""
    return (MemoryCounts(),)
