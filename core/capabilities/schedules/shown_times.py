"""The time in what asks to be reminded and says no more than when: "remind me again tomorrow", "10分钟后提醒我"."""

from __future__ import annotations

from core.language import languages
from core.pipeline.runs.interpreter import LONGEST_TIME, is_time

_SIGNS = " \t\n,.!。，！、"


def time_in(text: str) -> str:
    """The time alone, whichever side of it the wish stands on; the text where it says anything else.

    A wish for others, too ("remind us tomorrow"), says more than that; so does one for a timer or an alarm, which is a
    thing of its own.
    """
    if len(text) > LONGEST_TIME:
        return text
    said = _bare(text)
    return said if is_time(said) else text


def _bare(said: str) -> str:
    """A text without small words at either end of it, which say nothing of the time."""
    rest, before = said.strip(_SIGNS), ""
    words = [word for language in languages().values() for word in language["remind_more"].split("|")]
    while rest != before:
        before = rest
        for word in words:
            apart = " " if word.isascii() else ""
            rest = rest[len(word) :] if rest.casefold().startswith(f"{word}{apart}") else rest
            rest = rest[: len(rest) - len(word)] if rest.casefold().endswith(f"{apart}{word}") else rest
            rest = rest.strip(_SIGNS)
    return rest
