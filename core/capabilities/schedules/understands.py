"""What free text says of what was just set, or of what it replies to: another time for it, or that it is not wanted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from core.capabilities.schedules import corrections
from core.language.short_texts import gives_up, says, time_instead
from core.toolkit.capability import Candidate, Rank, Understands, Words


def _parse(words: Words) -> Iterator[Candidate]:
    text = words.text
    if words.whole:
        return
    if not words.command and (time := time_instead(text, bare=False)):
        yield Candidate(rank=Rank.CORRECTION, resolve=partial(corrections.corrected, corrections.read_move(time)))
    if gives_up(text):
        yield Candidate(rank=Rank.REGRET, resolve=corrections.taken_back)
    if words.replies and (gives_up(text) or says(text, "stop_words")):
        yield Candidate(rank=Rank.REGRET, resolve=corrections.stopped)
    elif words.replies and (time := time_instead(text)):
        yield Candidate(rank=Rank.REGRET, resolve=partial(corrections.moved, corrections.read_move(time)))


UNDERSTANDS = Understands(parse=_parse, edited=corrections.edited)
