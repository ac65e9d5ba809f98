"""What a model may note: what the person says, in about their own words, and little of it unasked.

A model notes what it has just read, again and again: what it was told of memories, what we say ourselves, what a page
says. So whether a person said something is looked at here, at the moment of noting, and never believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from core.capabilities.memory import finding
from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import Memory
from core.capabilities.memory.nearness import has_words, is_said, says
from core.kernel.own_words import own_words
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_instant
from core.kernel.types import Millis
from core.store.conversation import inbox
from core.toolkit.tool import ToolContext

# Of a person and a chat: how much is noted in a day without being asked for, and how many of their last messages count
# where they ask for what they said before.
UNASKED_A_DAY, BEFORE = 3, 10
_ALIKE = 5


@dataclass(frozen=True, kw_only=True)
class Wish:
    """A wish of a model to note something: whether the person `asked` for it, and has `said` it; what is `known`."""

    asked: bool
    said: bool
    known: Memory | None = None


def wish(tx: Tx, context: ToolContext, content: str) -> Wish:
    """Look at what a model wants to note."""
    words = "\n".join(map(own_words, context.heard))
    asked = has_words(words, "memory_ask_words")
    if asked:
        before = inbox.said_before(tx, context.lane, context.principal.person_id, BEFORE)
        words = "\n".join((words, *map(own_words, before)))
    return Wish(asked=asked, said=is_said(content, words, context.principal.name), known=_known(tx, context, content))


def _known(tx: Tx, context: ToolContext, content: str) -> Memory | None:
    """Return what is remembered that says all that the content does."""
    if (known := memories.same(tx, context.lane, content)) is not None:
        return known
    found = (one.memory for one in finding.search(tx, context, content, limit=_ALIKE))
    return next((one for one in found if one is not None and says(one.content, content)), None)


def too_many(tx: Tx, context: ToolContext) -> bool:
    """Return whether enough was noted today without being asked for."""
    noted = memories.unasked(tx, context.lane, context.principal.person_id, _midnight(context))
    return noted >= UNASKED_A_DAY


def _midnight(context: ToolContext) -> Millis:
    now = datetime.fromtimestamp(context.clock.now() / 1000, UTC).astimezone(context.zone)
    return to_instant(now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None), context.zone)
