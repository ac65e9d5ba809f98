"""What free text wants of the conversation itself: quiet, an explanation, or something to be as it was before."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from core.capabilities.chat import corrections
from core.kernel.ports import Tx
from core.language import languages
from core.language.short_texts import CHEER, gives_up, says, time_instead
from core.toolkit.capability import Candidate, Hearing, Rank, Understands, Words

HUSH, HELP = "/hush", "/help"


def _parse(words: Words) -> Iterator[Candidate]:
    text = words.text
    if _hushes(text):
        yield Candidate(rank=Rank.ORDER, resolve=_hush)
    if says(text, "help_words"):
        yield Candidate(rank=Rank.ORDER, resolve=_help)
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


def _hushes(text: str) -> bool:
    """Whether a text wants the bot to be quiet, in any language, also with a word or two of politeness before it."""
    bare = text.rstrip(CHEER)
    leads = (language.lead.match(bare) for language in languages().values())
    return any(says(one, "hush_words") for one in (bare, *(bare[lead.end() :] for lead in leads if lead)))


def _hush(tx: Tx, hearing: Hearing) -> str:
    """In a thread of a group: elsewhere the bot does not go on by itself, and such words mean something else."""
    participant = hearing.participant
    return HUSH if participant.group and participant.place.thread else ""


def _help(tx: Tx, hearing: Hearing) -> str:
    return "" if hearing.participant.group else HELP


UNDERSTANDS = Understands(parse=_parse, edited=corrections.edited)
