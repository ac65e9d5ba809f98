"""Tells what short texts say, in any language: a time, a wait, that something is done, later or not wanted.

`time_instead("no, make it 4")` is "at 4", `wait_of("+1 h")` is "1 h", `stops("never mind")` is true. All functions are
pure. A grammar that fails has understood nothing: whatever somebody writes, their messages go on.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import TypeVar

from core.kernel.timing.expressions import Delay
from core.language import all_words, dateparser_fallback, grammars, has_at_edge, languages
from core.language.engine.tokens import MAX_LENGTH
from core.language.grammar import Grammar
from core.language.small_talk import understand

# Whole answers to a setting, in all languages.
AUTOMATIC = frozenset({"auto", "automatic", "automatisch", "自动"})
ON = frozenset({"on", "yes", "an", "ein", "ja", "开", "打开"})
OFF = frozenset({"off", "no", "aus", "nein", "关", "关闭"})

log = logging.getLogger(__name__)
T = TypeVar("T")

# No longer text is read, and no longer one is a time and nothing else.
LONGEST, LONGEST_TIME = MAX_LENGTH, 100
# What may stand behind "done": signs, with the shades of their skin.
CHEER = " !.,。！，👍👌✅☑✔🎉🙏💪\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_NOD = re.compile(r"\s*[👍👌]")
_MORE = re.compile(r"\+\s?(?=\d)")
# What begins so names one more time, and no other one.
_ALSO = re.compile(r"(?:and|then|also)\b|还有|也|和", re.IGNORECASE)
_MINUTES, _HOUR = re.compile(r"\d{1,3}"), re.compile(r"[01]?[0-9]|2[0-3]")
# So many words may correct a time, with pauses between them: "no, sorry – make it 4".
_MOST_WORDS, _PAUSES = 4, " \t,，、.。:：;；!！…–—-"
_SIGNS = " \t\n,.!。，！、"
_MOST_LINES = 8


def first(read: Callable[[Grammar], T | None], among: Sequence[Grammar]) -> T | None:
    """Return what the first grammar reads that reads anything."""
    for grammar in among:
        try:
            reading = read(grammar)
        except Exception:
            log.exception("a grammar failed")
            continue
        if reading is not None:
            return reading
    return None


def several(text: str, among: Sequence[Grammar]) -> bool:
    """Return whether two or more of the first lines of a text each wish something by themselves."""
    lines = [line for line in text.splitlines() if line.strip()][:_MOST_LINES]
    wished = [any(first(methodcaller("wish", line), [grammar]) for grammar in among) for line in lines]
    return sum(wished) > 1


def says(text: str, key: str) -> bool:
    """Return whether a text is one of the words of `key`, in any language, whatever cheers behind it."""
    return " ".join(text.rstrip(CHEER).casefold().split()) in all_words(key)


# Times.


def is_time(text: str, among: Sequence[Grammar] | None = None) -> bool:
    """Return whether a text is a time and nothing else, in any language or `among` these grammars."""
    text = text.strip()
    if not 0 < len(text) <= LONGEST_TIME:
        return False
    return first(methodcaller("when", text), grammars() if among is None else among) is not None


def minutes(text: str) -> str:
    """Return a number alone as a time of so many minutes; empty when it is none."""
    return f"{text}m" if _MINUTES.fullmatch(text) else ""


def wait_of(text: str) -> str:
    """Return a length of time as people say it beside a reminder ("+1 h", "in 10", "noch 10 min schlummern"), as a
    time; empty when it is none."""
    said = text.strip()
    if more := _MORE.match(said):
        said = said[more.end() :]
        return said if is_time(said) else minutes(said)
    folded = said.casefold()
    for word in all_words("wait_words"):
        if len(said) > len(word) and folded.endswith(f" {word}" if word.isascii() else word):
            rest = said[: -len(word)].rstrip()
            return rest if is_time(rest) else wait_of(rest)
        if not folded.startswith(word):
            continue
        rest = said[len(word) :].strip()
        if wait := minutes(rest):
            return wait
        if isinstance(first(methodcaller("when", rest), grammars()), Delay) and not is_time(said):
            return rest
    return ""


def time_instead(text: str, *, bare: bool = True) -> str:
    """Return the time that a text wants for something instead of the one it has; empty when it wants none.

    A `bare` number is an hour there, else only beside words ("make it 4").
    """
    text = text.strip()
    if len(text) > LONGEST_TIME or text.endswith(("?", "？")) or _ALSO.match(text):
        return ""
    if is_time(text):
        return text
    said, words = corrected(text)
    if is_time(said):
        return said
    if ((bare or words) and _HOUR.fullmatch(said)) or (words and is_time(f"at {said}")):
        return f"at {said}"
    return wait_of(said)


def corrected(text: str) -> tuple[str, bool]:
    """Return a text without the words around a time that correct another ("no, make it 4", "friday instead"), and
    whether there were any."""
    said = text.strip().rstrip(_PAUSES)
    for _ in range(_MOST_WORDS):
        said, before = _without_correction(said), said
        if said == before:
            break
    return said, said != text.strip().rstrip(_PAUSES)


def _without_correction(said: str) -> str:
    """Return a text without one word that corrects in front or at its end."""
    for word in all_words("correct_words"):
        if has_at_edge(said, word):
            return said[len(word) :].strip(_PAUSES)
    for word in all_words("correct_ends"):
        if has_at_edge(said, word, at_end=True):
            return said[: -len(word)].strip(_PAUSES)
    return said


def time_of_wish(text: str) -> str:
    """Return the time in what asks to be reminded and says no more than when ("remind me again tomorrow",
    "10分钟后提醒我"), whichever side of it the wish stands on; the text where it says anything else.

    A wish for others, too ("remind us tomorrow"), says more than that; so does one for a timer or an alarm, which is a
    thing of its own.
    """
    if len(text) > LONGEST_TIME:
        return text
    # Small words at either end of it say nothing of the time.
    rest, before = text.strip(_SIGNS), ""
    while rest != before:
        before = rest
        for word in all_words("remind_more"):
            apart = " " if word.isascii() else ""
            rest = rest[len(word) :] if rest.casefold().startswith(f"{word}{apart}") else rest
            rest = rest[: len(rest) - len(word)] if rest.casefold().endswith(f"{apart}{word}") else rest
            rest = rest.strip(_SIGNS)
    return rest if is_time(rest) else text


def asks_to_remind(time: str) -> bool:
    """Return whether somebody who says no more than a time asks to be reminded then ("remind me at 10", "10点提醒我"),
    in words that may stand before it or behind it."""
    return any(language.reminding.search(time) for language in languages().values())


# Answers.


def is_nod(text: str) -> bool:
    """Return whether a text is a nod, in words or by a sign."""
    return bool(not text.rstrip(CHEER) and _NOD.match(text)) or says(text, "nod_words")


def gives_up(text: str) -> bool:
    """Return whether a text says no more than that something is not wanted."""
    return says(text, "drop_words")


def stops(text: str) -> bool:
    """Return whether a reply says that what it replies to shall stop, or is not wanted."""
    return gives_up(text) or says(text, "stop_words")


def leaves(text: str) -> bool:
    """Return whether a text says that a question of a command shall be left ("never mind")."""
    return says(text, "skip_words") or gives_up(text)


def is_small_talk(text: str) -> bool:
    """Return whether a text is a nod, a greeting, thanks or the like and nothing else."""
    return is_nod(text) or bool(understand(text, languages().values()))


def is_wish(text: str) -> bool:
    """Return whether a text asks for something by itself: then it answers no question of a command."""
    said = text.strip()
    if said.endswith(("?", "？")) or dateparser_fallback.wish(said):
        return True
    # What begins as a question asks, too.
    if any(has_at_edge(said, word) for word in all_words("asking_words")):
        return True
    for language in languages().values():
        lead = language.lead.match(said)
        start = lead.end() if lead else 0
        if language.reminding.match(said, start) or language.watching.match(said, start):
            return True
    # In Chinese the word that wishes stands behind the time.
    if asks_to_remind(said) and is_time(said):
        return True
    return first(methodcaller("wish", said), grammars()) is not None
