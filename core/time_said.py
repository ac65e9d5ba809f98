"""The time in what asks to be reminded and says no more than when: "remind me again tomorrow", "10分钟后提醒我"."""

from __future__ import annotations

from collections.abc import Iterator

from core.fastpath import LONGEST_TIME, is_time
from core.language import Language, languages

_SIGNS = " \t\n,.!。，！、"


def time_in(text: str) -> str:
    """The time alone, whichever side of it the wish stands on; the text where it says anything else."""
    if len(text) > LONGEST_TIME:
        return text
    rests = (rest for language in languages().values() for rest in _rests(text.strip(_SIGNS), language))
    return next((rest for rest in rests if is_time(rest)), text)


def _rests(said: str, language: Language) -> Iterator[str]:
    """What is left without the wish before a time, and without the one behind it."""
    lead = language.lead.match(said)
    found = language.reminding.match(said, lead.end() if lead else 0)
    if found:
        yield _bare(said[found.end() :], language)
        yield said[found.end() :].strip(_SIGNS)
    led = _bare(said[lead.end() :] if lead else said, language)
    if found := language.reminding.match(led):
        yield _bare(led[found.end() :], language)
    ends = [one for one in language["remind_ends"].split("|") if said.casefold().endswith(one) and len(one) < len(said)]
    if ends:
        yield _bare(said[: len(said) - len(max(ends, key=len))], language)


def _bare(said: str, language: Language) -> str:
    """A text without small words at either end of it, which say nothing of the time."""
    rest, before = said.strip(_SIGNS), ""
    words = language["remind_more"].split("|")
    while rest != before:
        before = rest
        for word in words:
            apart = " " if word.isascii() else ""
            rest = rest[len(word) :] if rest.casefold().startswith(f"{word}{apart}") else rest
            rest = rest[: len(rest) - len(word)] if rest.casefold().endswith(f"{apart}{word}") else rest
            rest = rest.strip(_SIGNS)
    return rest
