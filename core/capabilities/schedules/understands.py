"""What free text says of what is scheduled: of what was just set, or of what it replies to, another time or that it is
not wanted; of anything by its name or by when it is due, that it shall move or not come."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from core.capabilities.schedules import corrections
from core.capabilities.schedules.commands import brief_at, cancel_due, move_due, move_to, no_brief, show_all
from core.kernel.ids import ref
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.language.grammar import Wish
from core.language.matching import beside
from core.language.short_texts import gives_up, says, time_instead
from core.scheduling import repository as triggers
from core.toolkit.capability import Candidate, Hearing, Rank, Resolve, Understands, Words


def _parse(words: Words) -> Iterator[Candidate]:
    text = words.text
    if words.whole:
        return
    if words.wish is None and (time := time_instead(text, bare=False)):
        yield Candidate(rank=Rank.CORRECTION, resolve=partial(corrections.corrected, corrections.read_move(time)))
    if gives_up(text):
        yield Candidate(rank=Rank.REGRET, resolve=corrections.taken_back)
    if words.replies and (gives_up(text) or says(text, "stop_words")):
        yield Candidate(rank=Rank.REGRET, resolve=corrections.stopped)
    elif words.replies and (time := time_instead(text)):
        yield Candidate(rank=Rank.REGRET, resolve=partial(corrections.moved, corrections.read_move(time)))


def _all(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: show_all.of()


def _brief(wish: Wish, words: Words) -> Resolve:
    wanted = brief_at.of(when=wish.when)
    return lambda tx, hearing: wanted


def _no_brief(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: no_brief.of()


def _cancel_due(wish: Wish, words: Words) -> Resolve:
    wanted = cancel_due.of(due=wish.when)
    return lambda tx, hearing: wanted


def _move(wish: Wish, words: Words) -> Resolve:
    """Move what is due at a time, or what a name means; with a model only what that surely means."""

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        if wish.when is not None:
            return move_due.of(due=wish.when, time=wish.time)
        found = beside(wish.text, triggers.of_scope(tx, hearing.lane), exact=hearing.model)
        if hearing.model and len(found) != 1:
            return None
        name = ref("s", found[0].trigger_id) if len(found) == 1 else wish.text
        return move_to.of(schedule=name, time=wish.time)

    return resolve


WISHES = {"cancel.due": _cancel_due, "move": _move, "tasks": _all, "brief": _brief, "brief.off": _no_brief}
UNDERSTANDS = Understands(parse=_parse, wishes=WISHES, edited=corrections.edited)
