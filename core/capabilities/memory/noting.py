"""What a model may note: what the person says, in about their own words, and little of it unasked.

A model notes what it has just read, again and again: what it was told of memories, what we say ourselves, what a page
says. So whether a person said something is looked at here, at the moment of noting, and never believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time

from core.capabilities.memory import finding
from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import Memory
from core.capabilities.memory.nearness import is_anothers, says
from core.kernel.own_words import own_words
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_instant, to_local
from core.language import all_words
from core.store.conversation import inbox
from core.store.text_index import tokeniser
from core.toolkit.acting_as import is_whispered
from core.toolkit.tool import ToolContext

# Of a person and a chat: how much is noted in a day without being asked for, and how many of their last messages count
# where they ask for what they said before.
UNASKED_A_DAY, BEFORE = 3, 10
_ALIKE = 5
# So much of what is to be noted must be among somebody's own words.
_SAID = 0.5
# What a note says of somebody that they never say themselves.
_ABOUT = "user person they prefers likes dislikes wants says der die person nutzer benutzer mag 用户 他 她"
# From here on scripts have no spaces between words.
_DENSE = "\u2e80"


@dataclass(frozen=True, kw_only=True)
class Wish:
    """A wish of a model to note something: whether the person `asked` for it, and has `said` it; what is `known`."""

    asked: bool
    said: bool
    known: Memory | None = None


def wish(tx: Tx, context: ToolContext, content: str) -> Wish:
    """Look at what a model wants to note. About half of it may be worded otherwise than the person did, as long as it
    has read nothing that others wrote."""
    words = "\n".join(map(own_words, context.heard))
    plain = f" {' '.join(tokeniser.words(words))} "
    asked = any(
        word in plain if word[:1] >= _DENSE else f" {' '.join(tokeniser.words(word))} " in plain
        for word in all_words("memory_ask_words")
    )
    if asked:
        before = inbox.said_before(tx, context.lane, context.principal.person_id, BEFORE)
        words = "\n".join((words, *map(own_words, before)))
    wanted = set(tokeniser.tokens(content)).difference(tokeniser.tokens(f"{_ABOUT} {context.principal.name}"))
    own = wanted.intersection(tokeniser.query_tokens(words) + tokeniser.tokens(words))
    known = memories.same(tx, context.lane, content, context.principal.person_id)
    if known is None:
        me = context.principal.person_id
        found = [one.memory for one in finding.search(tx, context, content, limit=_ALIKE) if one.memory is not None]
        known = next((one for one in found if says(one.content, content) and not is_anothers(one, me)), None)
    # After others' words what is worded otherwise may be theirs.
    least = len(wanted) if context.is_tainted(tx) else _SAID * len(wanted)
    return Wish(asked=asked, said=bool(wanted) and len(own) >= least, known=known)


def unwanted(tx: Tx, context: ToolContext) -> str:
    """Return why nothing is noted now without being asked for: it was said to the bot alone, and all of the group would
    see it, or enough was noted today, by the person's clock. Empty where it may be."""
    if is_whispered(context):
        return "all of the group can see what is noted here, and this was said to you alone"
    now = context.clock.now()
    today = to_local(now, context.zone).date()
    midnight = to_instant(datetime.combine(today, time()), context.zone)
    noted = memories.unasked(tx, context.lane, context.principal.person_id, midnight, now)
    return f"{UNASKED_A_DAY} notes a day unless the person asks for one" if noted >= UNASKED_A_DAY else ""
