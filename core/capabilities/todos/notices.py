"""Answers about a change of the to-do list, and the choice when several items may be meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.capabilities.contacts.namesakes import told_apart
from core.capabilities.todos import intents
from core.capabilities.todos import repository as todos
from core.capabilities.todos.actions import Changed
from core.capabilities.todos.items import CANDIDATES, ItemCandidate
from core.capabilities.todos.repository import Todo
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
    """Return the number of a page; 0 when the text is none."""
    return int(text[:LONGEST_NUMBER]) if text.isascii() and text.isdecimal() else 0


def split_id(rest: str) -> tuple[str, str]:
    """Return the id with which a text begins, and the rest; both empty when it begins with none."""
    found, _, more = rest.partition(" ")
    return (found, more.strip()) if ids.number("t", found) is not None else ("", "")


def which(
    run: CommandRun,
    tx: Tx,
    act: str,
    candidates: Sequence[ItemCandidate],
    words: str = "",
    change: str = "",
    *,
    more: int = 0,
) -> Reply:
    """Ask which of several items is meant.

    Each of the first candidates is a button, which does `act` with the `change` that was said; items that look alike
    say by whom or until when. It says how many others there are, of which `more` are no candidates. A single candidate
    is asked about since the `words` name only a part of it.
    """
    more += max(0, len(candidates) - CANDIDATES)
    candidates = candidates[:CANDIDATES]
    texts = [visible(plain(one.content)) for one in candidates]
    now, items = run.context.clock.now(), [current_item(run, tx, one) for one in candidates]
    about = ["" if item is None else particulars(run.language, item, run.context.zone, now) for item in items]
    labels = told_apart(texts, [visible(as_seen(text)) for text in about], LONGEST_LABEL)
    says = [intents.change(act, one.id, change) for one in candidates]
    offers = list(zip(labels, says, strict=True))
    part = len(candidates) == 1 and words
    asked = run.language.say("only_part", text=cut(words, LONGEST_LABEL)) if part else run.language["todo_which"]
    left = [run.language.say("today_more", count=more)] if more else []
    return run.reply("\n".join([asked, *left]), offers=offers)


def changed(run: CommandRun, tx: Tx, found: Changed, key: str) -> Reply:
    """Say what became of an item, with a button to take that back."""
    if found.entry is None:
        return run.say("todo_unknown")
    line = current_line(run, tx, found.entry)
    return run.undoable(run.language.say(key if found.status == "changed" else "todo_unchanged", item=line), found.undo)


def whose_list(run: CommandRun, said: Reply | Act) -> Reply | Act:
    """Make an answer, or the one of an act, say whose list it is about, if only one person of a group sees it."""
    if not isinstance(said, Reply):
        return lambda tx: whose_list_reply(run, said(tx))
    return whose_list_reply(run, said)


def whose_list_reply(run: CommandRun, reply: Reply) -> Reply:
    """Return an answer that says whose list it is about, if only one person of a group sees it."""
    if not (is_whispered(run.context) and reply.text) or run.aloud:
        return reply
    whose = run.language.say("group_list", group=literal(group_title(run)))
    return replace(reply, text=f"{reply.text}\n\n{whose}")


def current_item(run: CommandRun, tx: Tx, shown: ItemCandidate) -> Todo | None:
    """Return the item that a result is about, as it is now; None when it is gone."""
    return todos.find(tx, run.context.lane, ids.number("t", shown.id) or 0)


def current_line(run: CommandRun, tx: Tx, shown: ItemCandidate) -> str:
    """Return the line of the item that a result is about, as it is now; its former words when it is gone."""
    todo = current_item(run, tx, shown)
    return cut(plain(shown.content)) if todo is None else line_of(run, todo, box=False)
