"""Memories are found: by what somebody asks, together with what was said; and those that matter to a run of a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from core.agents.fitting import weight
from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import MEMORY, Memory
from core.capabilities.memory.nearness import WEAK, in_first_person, negations
from core.kernel.access import may
from core.kernel.own_words import own_words
from core.kernel.ports import FOREVER, Tx
from core.kernel.timing.zones import to_local
from core.kernel.types import Message, Millis, Standing
from core.store.conversation import history
from core.store.conversation.history import Line
from core.store.people import groups
from core.store.people.groups import Group
from core.store.text_index import index, question, tokeniser
from core.toolkit import other_chats
from core.toolkit.acting_as import is_whispered
from core.toolkit.capability import Recalled
from core.toolkit.tool import ToolContext

# Of a run: how many memories it is told, with how many tokens in all and of one, and how many are looked at for them.
MOST_TOLD, MOST_TOKENS, MOST_OF_ONE, _LOOKED_AT = 8, 600, 300, 24
# More than is wanted is looked at, since not everybody may see all of it.
_MORE = 3
# A word that so many of the memories have says nothing of what matters, where there are more than a few.
_COMMON, _FEW, _SHORT_NUMBER = 0.2, 10, 2


@dataclass(frozen=True, kw_only=True)
class Found:
    """A memory or a line of the transcript that answers a question, and how well."""

    score: float
    memory: Memory | None = None
    line: Line | None = None


def search(
    tx: Tx,
    context: ToolContext,
    query: str,
    *,
    kinds: Sequence[str] = (MEMORY,),
    limit: int = 5,
    after: Millis = 0,
    before: Millis = FOREVER,
) -> list[Found]:
    """Return what answers a question best of the `kinds` of what the chat has, its memories and lines, the best first.

    What the run itself heard is not there.
    """
    lane = context.lane
    alone = not context.participant.group or is_whispered(context)
    # What people of a group said to each other no guest finds, by a model neither.
    seen: dict[str, Any] = {
        "reader_id": context.principal.person_id if alone else None,
        "spoken": not may(context.standing, Standing.MEMBER),
        "but_run": context.run_id,
    }
    hits = index.search(
        tx,
        query,
        tenant_id=lane.tenant_id,
        scopes=(lane.scope_id,),
        kinds=kinds,
        limit=_MORE * limit + _LOOKED_AT,
        after=after,
        before=before,
        reader_id=seen["reader_id"],
        counts=history.counting(tx, lane, **seen),
    )
    said = history.of_hits(tx, lane, hits, query=query, **seen)
    noted = memories.by_numbers(
        tx, lane.tenant_id, [lane.scope_id], [hit.owner_id for hit in hits if hit.kind == MEMORY]
    )
    known = {one.memory_id: one for one in noted}
    found = [
        Found(
            score=hit.score,
            memory=known.get(hit.owner_id) if hit.kind == MEMORY else None,
            line=said.get((hit.kind, hit.owner_id)),
        )
        for hit in hits
    ]
    return [one for one in found if one.memory is not None or one.line is not None][:limit]


async def matters(context: ToolContext, messages: Sequence[Message]) -> Recalled:
    """Return the few memories that matter to what somebody says, as JSON for a model; nothing where none does.

    In a group these are the group's alone. In private they are the person's, and of groups that they are in now what
    they said there themselves.
    """
    words = "\n".join(own_words(one.text) for one in messages)[: 4 * index.MOST_TOKENS]
    if not words.strip():
        return Recalled()
    here, elsewhere, places = await context.db.read(lambda tx: _candidates(tx, context, words))
    adapter = context.services.adapters.get(context.participant.platform)
    inside = {
        one.scope_id: one
        for one in places
        if adapter is not None and await other_chats.belongs(adapter, one.place, context.principal.address)
    }
    found = [*here, *(one for one in elsewhere if one.scope_id in inside)][: 2 * MOST_TOLD]
    # Of what has the same words only the newest is told; "allergic" and "not allergic" have not, nor two people's "I".
    newest = {
        (
            frozenset(tokeniser.tokens(one.content)),
            negations(one.content),
            one.person_id if in_first_person(one.content) else None,
        ): one
        for one in sorted(found, key=lambda one: (one.said_at, one.memory_id))
    }
    lines, tokens, taken = list[str](), 0, list[Memory]()
    for one in [one for one in found if one in newest.values()][:MOST_TOLD]:
        group = inside.get(one.scope_id) if one.scope_id != context.lane.scope_id else None
        line = told(one, context.zone, group, speaker=context.participant.group)
        if tokens + weight(line) <= MOST_TOKENS:
            tokens += weight(line)
            lines.append(line)
            taken.append(one)
    return Recalled(lines=lines, tainted=any(one.tainted for one in taken))


def told(memory: Memory, zone: ZoneInfo, group: Group | None = None, *, speaker: bool = False) -> str:
    """Return a memory as a line of JSON: its id, when it was said, by whom, in which group, and its text; of a long one
    the beginning."""
    text, tokens = memory.content, weight(memory.content)
    if tokens > MOST_OF_ONE:
        text = f"{text[: len(text) * MOST_OF_ONE // tokens]}…"
    day = to_local(memory.said_at, zone).date().isoformat()
    line = {"id": memory.ref, "date": day}
    line |= {"by": memory.speaker} if speaker and memory.speaker else {}
    line |= {} if group is None else {"group": group.title}
    return json.dumps({**line, "text": text}, ensure_ascii=False)


def _candidates(tx: Tx, context: ToolContext, words: str) -> tuple[list[Memory], list[Memory], list[Group]]:
    """Return what matters of the chat's own memories, and of those that somebody said in groups, with these."""
    lane, person_id = context.lane, context.principal.person_id
    here = _mattering(tx, context, words, [lane.scope_id]) if memories.has_any(tx, lane) else []
    # In a group it rather matters what who speaks has said.
    here.sort(key=lambda one: one.person_id != person_id)
    if context.participant.group:
        return here, [], []
    scopes = memories.scopes_of(tx, lane, person_id)
    # What they had noted of others' words there stays there.
    said = [
        one
        for one in (_mattering(tx, context, words, scopes) if scopes else ())
        if one.person_id == person_id and not one.tainted
    ]
    return here, said, groups.of_scopes(tx, lane.tenant_id, {one.scope_id for one in said})


def _mattering(tx: Tx, context: ToolContext, words: str, scopes: Sequence[int]) -> list[Memory]:
    """Return the memories that have a word of a text which few memories have, or several that some have; words of
    nearly every sentence are none. The best first."""
    tenant_id = context.lane.tenant_id
    # Words that mean about the same count, too, where there are several. Of a script without spaces a single sign says
    # too little, as a short number does.
    weights = question.terms(words)
    sought = [term for term in weights if term not in WEAK and len(term) > (_SHORT_NUMBER if term.isdecimal() else 1)]
    if not sought:
        return []
    places = [index.place(tenant_id, scope_id, MEMORY) for scope_id in scopes]
    counted = index.frequencies(tx, places, list(weights))
    most = max(_FEW, _COMMON * counted.everything)
    telling = {term for term in sought if 0 < counted.terms[term] <= most and weights[term] == 1}
    hits = index.search(
        tx, words, tenant_id=tenant_id, scopes=scopes, kinds=(MEMORY,), limit=_LOOKED_AT, counted=counted
    )
    near = [
        hit.owner_id for hit in hits if not hit.words.isdisjoint(telling) or len(hit.words.intersection(sought)) > 1
    ]
    return memories.by_numbers(tx, tenant_id, scopes, near[: 2 * MOST_TOLD])
