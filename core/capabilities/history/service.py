"""What was said is looked up: the last messages, and those that answer a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import Any

from core.kernel.access import may
from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.types import Entry, Role, Standing
from core.language import languages
from core.store.conversation import history
from core.store.conversation import runs as journal
from core.store.conversation.history import Line, Permalink
from core.store.text_index import tokeniser
from core.toolkit.tool import ToolContext

MAXIMUM = 100
# So many lines are shown of what was found, a page at a time.
PAGE, MOST_FOUND = 5, 25


def seen(context: ToolContext) -> Mapping[str, Any]:
    """Whoever asks by command, perhaps a guest of a group, is not shown what its people said to each other; and what
    somebody and the bot said between them is shown to nobody else."""
    return {"spoken": context.role is Role.PERSON, "reader": _reader(context)}


def _reader(context: ToolContext) -> int | None:
    """Return who alone sees the answer; None where others do."""
    alone = not context.participant.group or bool(context.said and context.said.response_url)
    return context.principal.person_id if alone else None


def recent(tx: Tx, context: ToolContext, count: int) -> Sequence[Entry]:
    """Return the last messages that were said here to the bot and by it, oldest first: `MAXIMUM` at most."""
    return journal.recent(tx, context.lane, min(count, MAXIMUM), 0, **seen(context))


def found(tx: Tx, context: ToolContext, words: str, permalink: Permalink) -> list[Line]:
    """Return the lines of the scope that answer a question best, the best first: `MOST_FOUND` at most.

    What people of a group said to each other only those find who have access, no guests. Commands are no answer, nor
    is the question itself, or another one that the bot was asked, nor what we said that has none of its words.
    """
    sought = set(tokeniser.query_tokens(words, context.language))
    lines = history.find(
        tx,
        context.lane,
        words,
        reader_id=_reader(context),
        limit=2 * MOST_FOUND,
        language=context.language,
        spoken=not may(context.standing, Standing.MEMBER),
        but_run=context.run_id,
        answers=partial(_answers, asked=folded(words), sought=sought),
        permalink=permalink,
    )
    own, beside = list[Line](), list[Line]()
    for line in lines:
        (beside if sought.isdisjoint(tokeniser.tokens(line.text)) else own).append(line)
    # People's words that have those that are sought come first, then ours. What people said beside them may be the
    # answer, too.
    return [*sorted(own, key=lambda line: line.role != "user"), *beside][:MOST_FOUND]


def _answers(line: Line, *, asked: str, sought: Set[str]) -> bool:
    """Return whether a line may answer. What a person said does, unless it is a command or a question to the bot; what
    no person said does where it has words that are sought."""
    if line.role != "user":
        return not sought.isdisjoint(tokeniser.tokens(line.text))
    if line.text.startswith("/") or folded(line.text) == asked:
        return False
    if line.overheard or not line.text.rstrip().endswith(("?", "？")):
        return True
    wishes = [language.grammar.wish(line.text) for language in languages().values()]
    return all(wish is None or wish.name != "history" for wish in wishes)
