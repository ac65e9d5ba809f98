"""What free text says of what was just set, or of what it replies to: another time for it, or that it is not wanted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from core.capabilities.schedules import corrections
from core.capabilities.schedules.commands import brief_at, no_brief, show_all
from core.language.grammar import Wish
from core.language.short_texts import gives_up, says, time_instead
from core.toolkit.capability import Candidate, Rank, Resolve, Understands, Words


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


WISHES = {"tasks": _all, "brief": _brief, "brief.off": _no_brief}
UNDERSTANDS = Understands(parse=_parse, wishes=WISHES, edited=corrections.edited)
