"""What is remembered: noted verbatim and only added to. What is newer supersedes what is older, and both stay."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import LONG_TERM_PATH, MEMORY, PREFIX, Memory, MemoryState, NewMemory, Source
from core.capabilities.memory.nearness import is_anothers, may_correct, overlap, recognisable
from core.kernel import ids
from core.kernel.clean_text import cleaned
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_local
from core.kernel.types import LaneKey
from core.language.lines import cut
from core.store.conversation import history, undo
from core.store.people import chats, optouts
from core.store.text_index import index
from core.toolkit.action import Action, action, note_undo
from core.toolkit.tool import ToolContext

# Characters of a memory; active ones of a scope, and those of them that stay.
LONGEST, MOST, MOST_LONG = 2_000, 10_000, 10_000
MOST_TAGS, LONGEST_TAG, LONGEST_SLUG, SHOWN, LONGEST_LABEL = 20, 50, 40, 60, 30
# How many are looked at that may be about the same; so much of an answer must be about a memory to go with it.
_LOOKED_AT, _ALIKE = 5, 0.5
# So many lines before the newest that were looked through are looked at again: one may be written by a transaction that
# was still under way, or edited.
_AGAIN = 200
# Memories that hide talk since they were deleted. One whose note was taken back hides none.
_HIDING = (
    "m.tenant_id = :tenant_id AND m.scope_id = :scope_id AND m.state = 'removed' AND m.id IN (SELECT forgotten_with"
    " FROM message WHERE forgotten_with > 0) AND NOT EXISTS (SELECT 1 FROM memory o WHERE o.tenant_id = m.tenant_id"
    " AND o.scope_id = m.scope_id AND o.content_key = m.content_key AND o.state <> 'removed')"
)
_NO_SLUG = re.compile(r"[^\w]+")


@dataclass(frozen=True, kw_only=True)
class Noted:
    """What came of noting something: `status` is noted or known (it is remembered already), `memory` its id,
    `superseded` what it corrects, `alike` what it may correct."""

    status: str
    memory: str
    content: str
    path: str
    superseded: str = ""
    alike: str = ""
    undo: str = ""


@dataclass(frozen=True, kw_only=True)
class Changed:
    """Holds what came of a change: `status` is changed, already or unknown; `memories` are their ids. `remark` is
    the key of a text that is said with it where it is taken back."""

    status: str
    memories: Sequence[str] = ()
    undo: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Says which lines of the transcript hold a memory, by their ids; all up to `newest` were looked through."""

    lines: Collection[int]
    newest: int


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Whether a chat is shown what a model notes by itself; not `changed` when it was so before."""

    silent: bool
    changed: bool
    undo: str = ""


def tags_of(tags: Sequence[str]) -> tuple[str, ...]:
    """Return tags as they are kept: lower-cased, each once, in their order."""
    found = (" ".join(cleaned(tag).lower().split())[:LONGEST_TAG] for tag in tags)
    return tuple(dict.fromkeys(tag for tag in found if tag))[:MOST_TAGS]


def find(tx: Tx, context: ToolContext, memory_id: str) -> Memory | None:
    """Return a memory of the chat by the id that people see, in any state but removed; one of another chat is as one
    that never was."""
    number = ids.number(PREFIX, memory_id[:40])
    found = None if number is None else memories.find(tx, context.lane, number)
    return None if found is None or found.state == MemoryState.REMOVED else found


def current(tx: Tx, context: ToolContext, memory_id: str) -> Memory | None:
    """Return a memory of the chat by the id that people see, or what has corrected it since; None where that was
    removed."""
    found = find(tx, context, memory_id)
    newest = None if found is None else chain(tx, context.lane, found)[0]
    return None if newest is None or newest.state == MemoryState.REMOVED else newest


def corrected(tx: Tx, context: ToolContext, memory_id: str) -> Memory | None:
    """Return what a note corrects by an id, or what has corrected that since; None for no id, and for what somebody
    else said of themself, beside which it stands. Raises `Refused`."""
    found = current(tx, context, memory_id) if memory_id else None
    if memory_id and found is None:
        raise Refused("memory_unknown")
    return None if found is None or is_anothers(found, context.principal.person_id) else found


def note(tx: Tx, context: ToolContext, new: NewMemory, older: Memory | None = None) -> Noted:
    """Remember something, unless it is remembered already; `older` is what it corrects. Raises `Refused`.

    Whoever wants to be left alone in the group is not noted about. Past so many the oldest short-term ones are
    archived; past so many long-term ones nothing is noted any more.
    """
    hold(tx, context.lane)
    lane, now = context.lane, context.clock.now()
    if optouts.named(tx, lane, new.content, *new.tags) is not None:
        raise Refused("memory_left_alone")
    known = memories.same(tx, lane, new.content, new.person_id)
    if known is not None:
        if new.long_term and not known.long_term:
            # What somebody wants kept that a model had noted is never archived.
            memories.keep_long(tx, known, LONG_TERM_PATH)
        noted = Noted(status="known", memory=known.ref, content=known.content, path=known.path)
        if older is None or older.memory_id == known.memory_id:
            return noted
        memories.move(tx, older, MemoryState.SUPERSEDED, now, superseded_by=known.memory_id)
        return replace(noted, superseded=older.ref, undo=_undo(tx, context, [older], "replace", "stand_again"))
    if memories.counts(tx, lane)["long_term"] >= MOST_LONG:
        raise Refused("memory_full", most=MOST_LONG)
    new = replace(new, tags=tags_of(new.tags), path=_path(tx, context, new), said_at=new.said_at or now)
    alike = "" if older is not None else _alike(tx, context, new)
    made = memories.insert(tx, lane, new, now)
    if older is not None:
        memories.move(tx, older, MemoryState.SUPERSEDED, now, superseded_by=made.memory_id)
    memories.archive_oldest(tx, lane, MOST, now)
    return Noted(
        status="noted",
        memory=made.ref,
        content=made.content,
        path=made.path,
        superseded="" if older is None else older.ref,
        alike=alike,
        undo=_undo(tx, context, [made], "add", "take_back"),
    )


def hold(tx: Tx, lane: LaneKey) -> None:
    """Let nobody else note in this tenant until the transaction ends: what is looked at stays so."""
    tx.lock(("ledger_head", lane.tenant_id))


def _path(tx: Tx, context: ToolContext, new: NewMemory) -> str:
    """Return the name that a memory has as a file: of a day one each, of what stays one for all."""
    if new.long_term:
        return LONG_TERM_PATH
    day = to_local(new.said_at or context.clock.now(), context.zone).date()
    slug = _NO_SLUG.sub("-", new.content.lower())[:LONGEST_SLUG].strip("-_") or "note"
    path = f"memory/{day.isoformat()}-{slug}.md"
    if memories.has_path(tx, context.lane, path):
        path = f"memory/{day.isoformat()}-{slug}-{memories.key(new.content)[:8]}.md"
    return path


def _alike(tx: Tx, context: ToolContext, new: NewMemory) -> str:
    """Return the id of what is remembered that a new memory of the same person may correct; empty for nothing."""
    lane = context.lane
    hits = index.search(
        tx, new.content, tenant_id=lane.tenant_id, scopes=(lane.scope_id,), kinds=(MEMORY,), limit=_LOOKED_AT
    )
    found = memories.by_numbers(tx, lane.tenant_id, [lane.scope_id], [hit.owner_id for hit in hits])
    mine = (one for one in found if one.person_id == new.person_id)
    return next((one.ref for one in mine if may_correct(new.content, one.content)), "")


def new_of(tx: Tx, context: ToolContext, content: str, *, source: Source = Source.PERSON) -> NewMemory:
    """Return what is to be noted now, with whose words it is and where they stand."""
    kept = cleaned(content)
    if not kept:
        raise Refused("memory_usage")
    if len(kept) > LONGEST:
        raise Refused("memory_long", most=LONGEST)
    said = context.said
    return NewMemory(
        content=kept,
        source=source,
        person_id=context.principal.person_id,
        run_id=context.run_id,
        message_id=None if said is None else history.line_of(tx, context.lane, said.inbox_id),
    )


def _remember(
    tx: Tx,
    context: ToolContext,
    content: str,
    *,
    tags: Sequence[str] = (),
    long_term: bool = True,
    supersedes: str = "",
    source: Source = Source.PERSON,
    tainted: bool = False,
) -> Noted:
    """Remember what somebody says; it corrects what has the id `supersedes`, as `corrected` has it."""
    hold(tx, context.lane)
    older = corrected(tx, context, supersedes)
    new = replace(new_of(tx, context, content, source=source), tags=tuple(tags), long_term=long_term, tainted=tainted)
    if older is not None:
        new = replace(new, tags=(*older.tags, *new.tags), long_term=long_term or older.long_term)
    return note(tx, context, new, older)


# It is named as the tool that models have.
remember = Action("remember", "memory", _remember)


@action("memory")
def memory_replace(tx: Tx, context: ToolContext, memory_id: str, older: str) -> Changed:
    """Let a memory correct an older one that it stands beside; of each that counts which has corrected it since. Return
    both, as they were then."""
    hold(tx, context.lane)
    new, old = current(tx, context, memory_id), current(tx, context, older)
    if new is None or old is None:
        raise Refused("memory_unknown")
    if new.memory_id == old.memory_id:
        return Changed(status="already")
    memories.move(tx, old, MemoryState.SUPERSEDED, context.clock.now(), superseded_by=new.memory_id)
    return Changed(
        status="changed", memories=[new.ref, old.ref], undo=_undo(tx, context, [old], "replace", "stand_again")
    )


@action("memory")
def memory_change(tx: Tx, context: ToolContext, memory_ids: Sequence[str], *, action: str) -> Changed:
    """Remove memories, restore what was removed or superseded, with the talk that was hidden with it, let what was
    replaced stand again, unless it was taken back itself since (`stand_again`), or take a new one back (`take_back`):
    then what it had superseded counts again, unless something newer has corrected it since."""
    hold(tx, context.lane)
    now, done, remark = context.clock.now(), list[Memory](), ""
    for memory_id in memory_ids:
        number = ids.number(PREFIX, memory_id[:40])
        found = None if number is None else memories.find(tx, context.lane, number)
        if found is None:
            continue
        if action == "stand_again" and found.state != MemoryState.SUPERSEDED:
            # It stands again already, or is gone, and what had replaced it brings it back no more when that goes.
            memories.move(tx, found, found.state, found.ended_at or now)
            done.append(found)
        elif action in {"restore", "stand_again"}:
            if _back(tx, context, found):
                done.append(found)
            elif found.state == MemoryState.REMOVED and _give_way_to_same(tx, context, found):
                done.append(found)
                remark = "memory_again"
        elif found.state != MemoryState.REMOVED and memories.move(
            tx, found, MemoryState.REMOVED, now, superseded_by=found.superseded_by
        ):
            done.append(found)
        if action == "take_back":
            release(tx, context.lane, found)
    if not done:
        return Changed(status="unknown")
    undo = _undo(tx, context, done, "remove", "restore") if action == "remove" else ""
    return Changed(status="changed", memories=[one.ref for one in done], undo=undo, remark=remark)


def talk_of(
    tx: Tx,
    context: ToolContext,
    gone: Memory,
    after: int = 0,
    among: Collection[int] | None = None,
    by: int | None = None,
) -> Talk:
    """Return the talk that is hidden with a memory: this run, and what was said and answered where the memory, or what
    it corrected, was noted; also what has the same words, shortened too, where these are enough to know the memory by.

    In a group that is what whoever deletes it said, and was answered, and pages that showed it; what others said stays.
    It is deleted `by` whoever asks, where nobody else is named.
    Of what a model answered when it noted by itself, only what is about the memory. Only lines behind the id `after`
    are looked at, or only those `among` which they are sought.
    """
    lane, newest = context.lane, history.newest(tx)
    deleter = context.principal.person_id if by is None else by
    mine = deleter if context.participant.group else None
    found = {line.message_id for line in history.of_run(tx, lane, context.run_id, after=after, among=among)}
    corrected = [gone]
    for one in corrected:
        corrected += [older for older in memories.superseded(tx, lane, one.memory_id) if older not in corrected]
        found |= {one.message_id} if one.message_id is not None else set()
        noted = history.of_run(tx, lane, one.run_id, after=after, among=among) if one.run_id is not None else ()
        for line in noted:
            if one.source == Source.PERSON or overlap(line.text, one.content) >= _ALIKE:
                found.add(line.message_id)
        if recognisable(one.content):
            # The label of a button is the shortest that a memory is shown as; without its ellipsis.
            shortest = LONGEST_LABEL - 1
            found.update(history.holding(tx, lane, one.content, shortest, person_id=mine, after=after, among=among))
    return Talk(lines=found if among is None else found.intersection(among), newest=newest)


def hide(tx: Tx, context: ToolContext, gone: Memory, talk: Talk) -> None:
    """Hide the talk that was found to hold a memory, and what was said since."""
    later = talk_of(tx, context, gone, after=max(0, talk.newest - _AGAIN))
    history.forget(tx, context.lane, sorted({*talk.lines, *later.lines}), gone.memory_id)


def release(tx: Tx, lane: LaneKey, gone: Memory) -> None:
    """Let what a memory that is gone had superseded count again, unless something newer has corrected that memory, or
    says the same: then it is superseded by that."""
    for older in memories.superseded(tx, lane, gone.memory_id):
        same = memories.same(tx, lane, older.content, older.person_id)
        newer = gone.superseded_by or (None if same is None else same.memory_id)
        state = MemoryState.ACTIVE if newer is None else MemoryState.SUPERSEDED
        memories.move(tx, older, state, older.ended_at or 0, superseded_by=newer)


def _back(tx: Tx, context: ToolContext, memory: Memory) -> bool:
    """Let a memory count again, unless what says the same does; what was corrected before it was removed is so again,
    where what had corrected it is still there. What was hidden with it is shown."""
    lane, newer = context.lane, None
    if memory.state == MemoryState.REMOVED and memory.superseded_by is not None:
        newer = memories.find(tx, lane, memory.superseded_by)
        if newer is not None and newer.state == MemoryState.REMOVED:
            newer = chain(tx, lane, newer)[0]
    if newer is not None and newer.state != MemoryState.REMOVED:
        ended_at = memory.ended_at or context.clock.now()
        moved = memories.move(tx, memory, MemoryState.SUPERSEDED, ended_at, superseded_by=newer.memory_id)
    elif memory.state == MemoryState.ACTIVE or memories.same(tx, lane, memory.content, memory.person_id) is not None:
        return False
    else:
        moved = memories.move(tx, memory, MemoryState.ACTIVE, context.clock.now())
    if moved:
        _show_talk(tx, context, memory)
    return moved


def _give_way_to_same(tx: Tx, context: ToolContext, memory: Memory) -> bool:
    """Let what was noted since, and says the same as a memory that was removed, stand in its place: what that had
    corrected is corrected by it, and the talk that was hidden is shown."""
    same = memories.same(tx, context.lane, memory.content, memory.person_id)
    if same is None:
        return False
    for older in memories.superseded(tx, context.lane, memory.memory_id):
        memories.move(tx, older, older.state, older.ended_at or 0, superseded_by=same.memory_id)
    _show_talk(tx, context, memory)
    return True


def _show_talk(tx: Tx, context: ToolContext, memory: Memory) -> None:
    """Show the talk that was hidden with a memory, but for what other memories hide that are removed, each by whoever
    deleted it: a line knows only one of these. What says the same as one that counts hides nothing any more."""
    lane = context.lane
    shown = history.recall(tx, lane, memory.memory_id)
    for other in memories.load(tx, _HIDING, lane.params()) if shown else ():
        # What a former version removed has another key than what says the same now.
        if memories.same(tx, lane, other.content, other.person_id) is not None:
            continue
        deleter = undo.changed_by(tx, lane, f"{MEMORY}:{other.memory_id}") or 0
        again = talk_of(tx, context, other, among=shown, by=deleter)
        history.forget(tx, lane, sorted(again.lines), other.memory_id)


@action("memory", concerns_all=lambda shown: shown.changed)
def silence_notes(tx: Tx, context: ToolContext, silent: bool) -> Shown:
    """Show in this chat what a model notes by itself, or do not."""
    if not chats.note_silently(tx, context.lane, silent):
        return Shown(silent=silent, changed=False)
    undo = note_undo(
        tx,
        context,
        context.texts["undo_memory_notes"],
        "silence_notes",
        about=f"notes:{context.lane.chat_id}",
        silent=not silent,
    )
    return Shown(silent=silent, changed=True, undo=undo.get("undo", ""))


def _undo(tx: Tx, context: ToolContext, changed: Sequence[Memory], change: str, action: str) -> str:
    """Note how a change of memories is taken back."""
    label = context.texts.say(f"undo_memory_{change}", text=cut(changed[0].content, SHOWN))
    # What is replaced has not changed itself: who noted it may still take it back.
    kind = "replaced" if change == "replace" else MEMORY
    about = f"{kind}:{changed[0].memory_id}" if len(changed) == 1 else ""
    refs = [one.ref for one in changed]
    return note_undo(tx, context, label, "memory_change", about=about, memory_ids=refs, action=action).get("undo", "")


def chain(tx: Tx, lane: LaneKey, memory: Memory) -> list[Memory]:
    """Return a memory with all that it corrected and that corrects it, the newest first."""
    newest, seen = memory, {memory.memory_id}
    while newest.superseded_by is not None and newest.superseded_by not in seen:
        above = memories.find(tx, lane, newest.superseded_by)
        if above is None:
            break
        newest = above
        seen.add(newest.memory_id)
    found, open_ones = list[Memory](), [newest]
    while open_ones:
        one = open_ones.pop(0)
        if one not in found:
            found.append(one)
            open_ones += memories.superseded(tx, lane, one.memory_id)
    return found
