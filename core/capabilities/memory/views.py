"""Memories as they are shown: pages with a button for each, one with what can be done, and what corrected what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.capabilities.memory import finding, intents, service
from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import Memory, MemoryState, Source
from core.kernel.ids import number
from core.kernel.intent import Intent
from core.kernel.markdown import called, literal, truncated, visible
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.language.lines import cut
from core.language.short_texts import says
from core.scheduling.views import moment
from core.store.people import people
from core.toolkit.command import CommandRun

PAGE, MOST_FOUND, LONGEST_NAME = 8, 40, 20


def day_of(run: CommandRun, memory: Memory) -> str:
    """Return when a memory was said, as people write it."""
    return moment(run.language, memory.said_at, run.context.zone, run.context.clock.now())


def labels(run: CommandRun, found: Sequence[Memory]) -> list[str]:
    """Return the labels of buttons that are about memories, one each; in a group who said it stands before what others
    say alike."""
    plain, shown = [visible(one.content) for one in found], list[str]()
    short = [truncated(text, service.LONGEST_LABEL) for text in plain]
    for one, text in zip(found, short, strict=True):
        named = run.group and one.speaker and short.count(text) > 1
        shown.append(f"{truncated(visible(one.speaker), LONGEST_NAME)}: {text}" if named else text)
    return shown


def line(run: CommandRun, memory: Memory) -> str:
    """Return a memory as a line of a list: its text, who said it in a group, and when."""
    who = called(memory.speaker, "–") if run.group and memory.speaker else ""
    about = run.language.joined((who, day_of(run, memory)), "list_also")
    return f"• {run.language.say('aside', text=cut(memory.content), aside=about)}"


def names_us(words: str) -> bool:
    """Return whether words mean whoever asks, or all who are there, and nothing more."""
    return says(words, "memory_me") or says(words, "memory_us")


def listed(run: CommandRun, tx: Tx, *, page: int, words: str, again: bool = False) -> Reply:
    """Show a page of the memories, the newest first, or of those that words find."""
    language, lane = run.language, run.context.lane
    if not words or names_us(words):
        mine = run.context.principal.person_id if run.group and says(words, "memory_me") else None
        found = memories.recent(tx, lane, limit=PAGE + 1, offset=(page - 1) * PAGE, person_id=mine)
        title, nothing = language["memory_title"], language["memory_none"]
    else:
        # Whoever is called otherwise in the book is meant by their own name, too.
        sought = (words, *people.named_so(tx, lane, words))
        hits = [hit for one in sought for hit in finding.search(tx, run.context, one, limit=MOST_FOUND)]
        found = list(dict.fromkeys(one.memory for one in hits if one.memory is not None))[(page - 1) * PAGE :]
        title = language.say("memory_title_about", words=cut(words))
        nothing = language.say("memory_none_about", words=cut(words))
    more, found = len(found) > PAGE, found[:PAGE]
    if not found and page > 1:
        # What stood there was deleted since.
        return listed(run, tx, page=page - 1, words=words, again=again)
    if not found:
        # It has the words that were looked for, and is no line in which they are found.
        return recalled(run.reply(nothing, edits=again))
    offers = [(text, intents.show(one.ref)) for text, one in zip(labels(run, found), found, strict=True)]
    if page > 1:
        offers.append((language["memory_newer"], intents.page(page - 1, words)))
    if more:
        offers.append((language["memory_more"], intents.page(page + 1, words)))
    text = "\n".join([title, *(line(run, one) for one in found)])
    return recalled(run.reply(text, offers=offers, edits=again, once=False))


def one(run: CommandRun, tx: Tx, memory: Memory) -> Reply:
    """Show one memory, where it is from, and what can be done with it."""
    language = run.language
    offers = [
        (language["memory_button_edit"], Intent("memory.ask_edit", {"memory": memory.ref})),
        (language["memory_button_delete"], intents.delete(memory.ref)),
        (language["memory_button_why"], intents.why(memory.ref)),
        (language["memory_button_back"], intents.page(1)),
    ]
    lines = [literal(memory.content), _origin(run, memory)]
    if memory.tags:
        lines.append(literal(" ".join(f"#{tag}" for tag in memory.tags)))
    return recalled(run.reply("\n".join(lines), offers=offers, edits=True, once=False))


def history(run: CommandRun, tx: Tx, memory: Memory) -> Reply:
    """Show a memory with all that it corrected and that corrects it, the newest first."""
    found = service.chain(tx, run.context.lane, memory)
    lines = [run.language["memory_why_title"]]
    for each in found:
        mark = "✅" if each.state == MemoryState.ACTIVE else "↩"
        lines.append(f"{mark} {cut(each.content)}\n   {_origin(run, each)}")
    return recalled(run.reply("\n".join(lines)))


def recalled(reply: Reply) -> Reply:
    """Return an answer that shows memories as no new line of the talk: they would be found there, also when they are
    forgotten."""
    return replace(reply, own=True)


def why(run: CommandRun, tx: Tx, words: str) -> Reply:
    """Show what is known of a memory by its id, or by words the best one."""
    known = service.find(tx, run.context, words)
    if known is None and number("m", words) is None:
        hits = finding.search(tx, run.context, words, limit=1)
        known = hits[0].memory if hits else None
    return run.say("memory_unknown") if known is None else history(run, tx, known)


def _origin(run: CommandRun, memory: Memory) -> str:
    """Say who noted a memory, when, and of whose words."""
    keys: dict[Source, str] = {
        Source.PERSON: "memory_by_person",
        Source.ASSISTANT: "memory_by_model",
        Source.PLANNER: "memory_by_model",
        Source.IMPORT: "memory_by_import",
    }
    key = "memory_by_others" if memory.tainted else keys[memory.source]
    name = called(memory.speaker, "–") if memory.speaker else run.language["memory_somebody"]
    return run.language.say(key, name=name, day=day_of(run, memory), id=f"`{memory.ref}`")
