"""/remember and /memory: what people want kept, and what there is, without any model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as with_values
from functools import partial

from core.capabilities.memory import finding, intents, service, views
from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import Memory, Source
from core.capabilities.memory.nearness import holds, in_first_person, is_anothers, says
from core.capabilities.memory.service import Noted, Talk, memory_change, memory_replace, remember, silence_notes
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.language.lines import cut
from core.language.short_texts import OFF, ON
from core.scheduling.views import group_title
from core.store.conversation import inbox
from core.toolkit.acting_as import is_whispered
from core.toolkit.command import Act, Command, CommandRun, Confirms, Menu, intent
from core.toolkit.intents import remind, undo

# Of those that "forget that …" may mean so many are offered.
MOST_OFFERED = 6
WORDS: Mapping[str, str] = {
    **{name: name for name in ("recent", "why", "edit", "delete", "notes", "search")},
    **{"warum": "why", "ändern": "edit", "löschen": "delete", "notizen": "notes", "suche": "search", "neu": "recent"},
    **{"最近": "recent", "为什么": "why", "修改": "edit", "删除": "delete", "笔记": "notes", "搜索": "search"},
}


def _remember(run: CommandRun, tx: Tx) -> Reply:
    said = run.context.said
    text = run.rest or ("" if said is None else said.quoted)
    return _noted(run, tx, text) if text.strip() else run.say("memory_usage")


@intent("memory.note", as_command="remember")
def keep(run: CommandRun, tx: Tx, *, text: str, timed: bool = False) -> Reply:
    """Remember a text, as it was said; one that is `timed` may be a reminder, too."""
    noted = _noted(run, tx, text)
    reminds: Offer = (run.language["offer_remind"], remind(text))
    return with_values(noted, offers=(*noted.offers, reminds)) if timed else noted


@intent("memory.correct", as_command="remember")
def correct(run: CommandRun, tx: Tx, *, text: str, older: str) -> Reply:
    """Remember a text that corrects what was remembered before."""
    return _noted(run, tx, text, supersedes=older)


@intent(intents.CONFIRM, as_command="remember", confirms=Confirms(yes=("memory_yes",), in_words=True))
def confirm(run: CommandRun, tx: Tx, *, content: str, tags: Sequence[str] = (), supersedes: str = "") -> Reply:
    """Remember what a model wants noted that has read others' words, as such."""
    made = run.actor.act(
        tx, remember, content=content, tags=list(tags), supersedes=supersedes, source=Source.ASSISTANT, tainted=True
    )
    return _said(run, tx, made)


def _noted(run: CommandRun, tx: Tx, text: str, supersedes: str = "") -> Reply:
    """Note what a person says; what they quote of others, as a reply does, is noted as that."""
    context, said = run.context, run.context.said
    quoted = said is not None and bool(said.quoted) and text == said.quoted
    if quoted and said is not None:
        quoted = not inbox.is_from(tx, context.lane, context.principal.person_id, said.reply_to, own=True)
    made = run.actor.act(tx, remember, content=text, supersedes=supersedes, tainted=quoted)
    return _said(run, tx, made)


def _said(run: CommandRun, tx: Tx, made: Noted) -> Reply:
    language = run.language
    if made.status == "known":
        lines = [language.say("memory_known", text=cut(made.content))]
    else:
        lines = [language.say("memory_noted", text=literal(made.content))]
    offers: list[Offer] = [(language["undo"], undo(made.undo))] if made.undo else []
    for ref, key in ((made.superseded, "memory_instead"), (made.alike, "memory_alike")):
        other = service.find(tx, run.context, ref) if ref else None
        if other is not None:
            lines.append(language.say(key, text=cut(other.content), day=views.day_of(run, other)))
    if is_whispered(run.context):
        lines.append(language.say("memory_of_group", group=literal(group_title(run))))
    if made.alike:
        offers.append((language["memory_replace"], intents.replace(made.memory, made.alike)))
    return run.reply("\n".join(lines), offers=offers)


@intent(intents.REPLACE, as_command="remember")
def replace(run: CommandRun, tx: Tx, *, memory: str, older: str) -> Reply:
    """Let a memory correct an older one."""
    done = run.actor.act(tx, memory_replace, memory_id=memory, older=older)
    if done.status == "already":
        return run.say("memory_already")
    new, old = (service.find(tx, run.context, ref) for ref in done.memories)
    assert new is not None
    assert old is not None
    instead = run.language.say("memory_instead", text=cut(old.content), day=views.day_of(run, old))
    said = f"{run.language.say('memory_replaced', text=cut(new.content))}\n{instead}"
    return run.undoable(said, done.undo)


async def _memory(run: CommandRun) -> Reply | Act:
    word, _, rest = run.rest.partition(" ")
    if WORDS.get(word.lower()) == "delete" and rest.strip():
        return await run.context.db.read(lambda tx: _forget(run, tx, rest.strip()))
    act = _ACTS.get(WORDS.get(word.lower(), ""))
    if act is not None and (reply := act(run, rest.strip())) is not None:
        return reply
    return partial(views.listed, run, page=1, words=run.rest)


@intent(intents.PAGE, as_command="memory")
def turn_to(run: CommandRun, tx: Tx, *, page: int, words: str = "") -> Reply:
    """Show a page of memories in the place of another."""
    return views.listed(run, tx, page=page, words=words, again=True)


@intent("memory.find", as_command="memory")
def find(run: CommandRun, tx: Tx, *, words: str) -> Reply:
    """Show what is known about something."""
    return views.listed(run, tx, page=1, words=words)


@intent(intents.OPEN, as_command="memory")
def show(run: CommandRun, tx: Tx, *, memory: str) -> Reply:
    """Show one memory, or what has corrected it since, with what can be done with it."""
    return _of(run, tx, memory, views.one)


@intent(intents.WHY, as_command="memory")
def why(run: CommandRun, tx: Tx, *, memory: str) -> Reply:
    """Show who said it, when and where, and what it corrected."""
    return views.why(run, tx, memory)


@intent(intents.DELETE, as_command="memory")
async def delete(run: CommandRun, *, memory: str) -> Reply | Act:
    """Delete a memory."""
    return await run.context.db.read(lambda tx: _delete(run, tx, service.find(tx, run.context, memory)))


@intent("memory.edit", as_command="memory")
def edit(run: CommandRun, tx: Tx, *, memory: str, text: str) -> Reply:
    """Note what a memory is to say from now on; what it said stays as what was corrected."""
    return _noted(run, tx, text, supersedes=memory)


@intent("memory.ask_edit", as_command="memory", asks=True)
def ask_edit(run: CommandRun, tx: Tx, *, memory: str) -> Reply:
    """Ask what a memory is to say."""
    return _of(run, tx, memory, _ask_edit)


def _ask_edit(run: CommandRun, tx: Tx, found: Memory) -> Reply:
    question = run.language.say("memory_ask_edit", text=cut(found.content))
    return run.ask(question, edit.asking("text", memory=found.ref))


@intent("memory.forget", as_command="memory")
async def forget(run: CommandRun, *, words: str) -> Reply | Act:
    """Delete what words mean; where that may be several, ask by buttons."""
    return await run.context.db.read(lambda tx: _forget(run, tx, words))


def _forget(run: CommandRun, tx: Tx, words: str) -> Reply | Act:
    """Delete what words mean for sure: an id, or the one memory that has them. What others of a group said in the first
    person is deleted by a button alone: "my locker" is not theirs."""
    me, by_id = run.context.principal.person_id, service.find(tx, run.context, words)
    if by_id is not None:
        return _delete(run, tx, by_id)
    known = memories.same(tx, run.context.lane, words, me)
    hits = finding.search(tx, run.context, words, limit=MOST_OFFERED)
    found = [one.memory for one in hits if one.memory is not None]
    # "Nuts" may mean "allergic to nuts" as well as "not allergic to nuts".
    meant = [known] if known is not None else [one for one in found if holds(one.content, words)]
    others = run.group and any(one.person_id != me and in_first_person(one.content) for one in meant)
    if len(meant) == 1 and not others and says(meant[0].content, words):
        return _delete(run, tx, meant[0])
    if not meant and not found:
        return run.say("memory_none_about", words=cut(words))
    which = sorted(meant or found, key=lambda one: is_anothers(one, me))
    offers = [(text, intents.delete(one.ref)) for text, one in zip(views.labels(run, which), which, strict=True)]
    lines = [run.language["memory_which"], *(views.line(run, one) for one in which)]
    return views.recalled(run.reply("\n".join(lines), offers=offers, once=False))


def _delete(run: CommandRun, tx: Tx, memory: Memory | None) -> Reply | Act:
    """Look through the talk for what goes with a memory, which takes long where it is long: so not in the transaction
    that deletes it."""
    if memory is None:
        return run.say("memory_unknown")
    return partial(_deleted, run, memory, service.talk_of(tx, run.context, memory))


def _deleted(run: CommandRun, memory: Memory, talk: Talk, tx: Tx) -> Reply:
    newest = service.current(tx, run.context, memory.ref)
    done = run.actor.act(tx, memory_change, memory_ids=[memory.ref], action="remove")
    if done.status == "unknown":
        return run.say("memory_unknown")
    service.hide(tx, run.context, memory, talk)
    lines = [run.language.say("memory_deleted", text=cut(memory.content))]
    if newest is not None and newest.memory_id != memory.memory_id:
        lines.append(run.language.say("memory_newer_stays", text=cut(newest.content)))
    # What the answer quotes would stay where it is said.
    said = run.undoable("\n".join(lines), done.undo)
    return views.recalled(with_values(said, kept=run.language.say("memory_deleted", text="…")))


def _of(run: CommandRun, tx: Tx, ref: str, do: Callable[[CommandRun, Tx, Memory], Reply]) -> Reply:
    """Do something with the memory of an id, or with what has corrected it since; one of another chat is as one that
    is not there."""
    found = service.current(tx, run.context, ref)
    return run.say("memory_unknown") if found is None else do(run, tx, found)


@intent("memory.notes", as_command="memory")
def show_notes(run: CommandRun, tx: Tx, *, on: bool) -> Reply:
    """Show in this chat what a model notes by itself, or do not."""
    done = run.actor.act(tx, silence_notes, silent=not on)
    return run.undoable(run.language["memory_notes_off" if done.silent else "memory_notes_on"], done.undo)


def _notes(run: CommandRun, rest: str) -> Reply | Act | None:
    said = rest.lower()
    if said not in ON | OFF:
        return run.say("memory_notes_usage")
    return lambda tx: show_notes.perform(run, tx, on=said in ON)


def _edit(run: CommandRun, rest: str) -> Act | None:
    ref, _, text = rest.partition(" ")
    if not ref:
        return None
    if not text.strip():
        return lambda tx: _of(run, tx, ref, _ask_edit)
    return lambda tx: _noted(run, tx, text, supersedes=ref)


# Each says None when what stands behind it makes it words to search for.
_ACTS: Mapping[str, Callable[[CommandRun, str], Reply | Act | None]] = {
    "recent": lambda run, rest: None if rest else partial(views.listed, run, page=1, words=""),
    "search": lambda run, rest: partial(views.listed, run, page=1, words=rest) if rest else None,
    "why": lambda run, rest: (lambda tx: views.why(run, tx, rest)) if rest else None,
    "edit": _edit,
    "notes": _notes,
}

INTENTS = (keep, correct, confirm, replace, turn_to, find, show, why, delete, edit, ask_edit, forget, show_notes)
COMMANDS: Mapping[str, Command] = {
    "remember": Command(_remember, menu=Menu(4), takes_words=True),
    "memory": Command(_memory, menu=Menu(5), aliases=("memories",)),
}
