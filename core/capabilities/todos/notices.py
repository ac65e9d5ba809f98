"""What is said of a change of the to-do list, and what to choose from when several items may be meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.capabilities.contacts.namesakes import told_apart
from core.capabilities.todos import intents
from core.capabilities.todos import repository as todos
from core.capabilities.todos.actions import Changed
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.service import CANDIDATES, Candidate
from core.capabilities.todos.views import LONGEST_LABEL, line_of, particulars
from core.kernel import ids
from core.kernel.markdown import literal, visible
from core.kernel.markdown import plain as as_seen
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.language.lines import cut
from core.language.matching import plain
from core.scheduling.views import group_title
from core.toolkit.acting_as import is_whispered
from core.toolkit.command import Act, CommandRun

LONGEST_NUMBER = 6


def page_of(text: str) -> int:
    """The number of a page; 0 when the text is none."""
    return int(text[:LONGEST_NUMBER]) if text.isascii() and text.isdecimal() else 0


def target(rest: str) -> tuple[str, str]:
    """The id that a text begins with, and what stands behind it; nothing when it begins with none."""
    found, _, more = rest.partition(" ")
    return (found, more.strip()) if ids.number("t", found) is not None else ("", "")


def which(
    run: CommandRun,
    tx: Tx,
    act: str,
    candidates: Sequence[Candidate],
    words: str = "",
    change: str = "",
    *,
    more: int = 0,
) -> Reply:
    """Several may be meant: each of the first is a button, which does the `change` that was said, and it says how many
    more there are, with those `more` that are no candidates. One alone is more than what the `words` name. Those that
    look alike say by whom or until when."""
    more += max(0, len(candidates) - CANDIDATES)
    candidates = candidates[:CANDIDATES]
    texts = [visible(plain(one.content)) for one in candidates]
    now, items = run.context.clock.now(), [found_of(run, tx, one) for one in candidates]
    about = ["" if item is None else particulars(run.language, item, run.context.zone, now) for item in items]
    labels = told_apart(texts, [visible(as_seen(text)) for text in about], LONGEST_LABEL)
    says = [intents.change(act, one.id, change) for one in candidates]
    offers = list(zip(labels, says, strict=True))
    part = len(candidates) == 1 and words
    asked = run.language.say("only_part", text=cut(words, LONGEST_LABEL)) if part else run.language["todo_which"]
    left = [run.language.say("today_more", count=more)] if more else []
    return run.reply("\n".join([asked, *left]), offers=offers)


def changed(run: CommandRun, tx: Tx, found: Changed, key: str) -> Reply:
    """Say what became of an item, with a button to take it back."""
    if found.entry is None:
        return run.say("todo_unknown")
    line = named_of(run, tx, found.entry)
    return run.undoable(run.language.say(key if found.status == "changed" else "todo_unchanged", item=line), found.undo)


def whose(run: CommandRun, said: Reply | Act) -> Reply | Act:
    """Where only one person of a channel sees the answer it says whose list it is, which would not be plain."""
    if not isinstance(said, Reply):
        return lambda tx: whose_reply(run, said(tx))
    return whose_reply(run, said)


def whose_reply(run: CommandRun, reply: Reply) -> Reply:
    """Return an answer with that."""
    if not (is_whispered(run.context) and reply.text) or run.aloud:
        return reply
    whose = run.language.say("group_list", group=literal(group_title(run)))
    return replace(reply, text=f"{reply.text}\n\n{whose}")


def found_of(run: CommandRun, tx: Tx, shown: Candidate) -> Todo | None:
    """The item that a result is about, as it is now."""
    return todos.find(tx, run.context.lane, ids.number("t", shown.id) or 0)


def named_of(run: CommandRun, tx: Tx, shown: Candidate) -> str:
    """The item that a result is about, as it is now: what it says when it is gone."""
    todo = found_of(run, tx, shown)
    return cut(plain(shown.content)) if todo is None else line_of(run, todo, box=False)
