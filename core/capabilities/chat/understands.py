"""What free text wants of the conversation itself: quiet, an explanation, the time or the date."""

from __future__ import annotations

from collections.abc import Iterator

from core.capabilities.chat.commands import date_of, explain, time_in
from core.capabilities.chat.private_answers import hush
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.language import languages
from core.language.grammar import Wish
from core.language.short_texts import CHEER, says
from core.toolkit.capability import Candidate, Hearing, Rank, Resolve, Understands, Words


def _parse(words: Words) -> Iterator[Candidate]:
    text = words.text
    # It wants the bot to be quiet, in any language, also with a word or two of politeness before it.
    bare = text.rstrip(CHEER)
    leads = (language.lead.match(bare) for language in languages().values())
    if any(says(one, "hush_words") for one in (bare, *(bare[lead.end() :] for lead in leads if lead))):
        yield Candidate(rank=Rank.ORDER, resolve=_hush)
    if says(text, "help_words"):
        yield Candidate(
            rank=Rank.ORDER, resolve=lambda tx, hearing: None if hearing.participant.group else explain.of()
        )


def _hush(tx: Tx, hearing: Hearing) -> Intent | None:
    """In a thread of a group: elsewhere the bot does not go on by itself, and such words mean something else."""
    participant = hearing.participant
    return hush.of() if participant.group and participant.place.thread else None


def _time(wish: Wish, words: Words) -> Resolve:
    wanted = time_in.of(place=wish.text)
    return lambda tx, hearing: wanted


def _date(wish: Wish, words: Words) -> Resolve:
    wanted = date_of.of(when=wish.when, week=wish.span == "week")
    return lambda tx, hearing: wanted


UNDERSTANDS = Understands(parse=_parse, wishes={"time": _time, "date": _date})
