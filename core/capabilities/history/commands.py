"""/history: the last messages, and what was said about something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.capabilities.history import service
from core.capabilities.history.service import PAGE
from core.capabilities.history.views import quotes
from core.kernel.markdown import called, literal
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.language.lines import cut
from core.toolkit.command import Command, CommandRun, Menu, Quiet, intent

SHOWN_HISTORY, LONGEST_LINE, LONGEST_WORDS = 20, 500, 80


def _history(run: CommandRun, tx: Tx) -> Reply:
    """The last messages; with a number so many of them, with words what was said about these."""
    said = run.rest or str(SHOWN_HISTORY)
    if not any(map(str.isalnum, said)) or (said.isdecimal() and said.strip("0") == ""):
        return run.say("history_usage")
    if not (said.isascii() and said.isdecimal()):
        return _found(run, tx, said, 1)
    lines = []
    for entry in service.recent(tx, run.context, int(said[:6])):
        mine = entry.role == "assistant"
        name = run.language["history_me"] if mine else called(entry.speaker, run.language["history_you"])
        text = " ".join(entry.text.split())
        shown = text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 1]}…"
        lines.append(f"- {name}: {literal(shown)}")
    if not lines:
        return run.reply(run.language["history_none"])
    return run.reply("\n".join(lines if run.rest else [*lines, "", run.language["history_usage"]]))


@intent("history.find", as_command="history")
def find(run: CommandRun, tx: Tx, *, words: str, page: int = 1) -> Reply:
    """Show a page of what was said about something."""
    return _found(run, tx, words, page)


def _found(run: CommandRun, tx: Tx, words: str, page: int) -> Reply:
    context, adapter = run.context, run.adapter
    permalink = (lambda place, message_id: "") if adapter is None else adapter.permalink
    lines = service.found(tx, context, words, permalink)
    about = cut(words, LONGEST_WORDS)
    if not lines:
        return run.say("history_nothing", words=about)
    pages = -(-len(lines) // PAGE)
    page = max(1, min(page, pages))
    shown = lines[(page - 1) * PAGE : page * PAGE]
    title = run.language.say("history_found", words=about)
    text = f"{title}\n{quotes(run.language, shown, context.zone, context.clock.now())}"
    turns = [(label, n) for label, n in (("‹", page - 1), ("›", page + 1)) if 1 <= n <= pages]
    offers = [(label, find.of(words=words[: 4 * LONGEST_WORDS], page=n)) for label, n in turns]
    # What is quoted is no new line of the talk: it would be found the next time.
    return replace(run.reply(text, offers=offers, edits=True, once=False), own=True)


INTENTS = (find,)
COMMANDS: Mapping[str, Command] = {"history": Command(_history, menu=Menu(25), quiet=Quiet.ALWAYS)}
