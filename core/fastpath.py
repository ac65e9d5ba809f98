"""The fast path: what the grammar of a language understands whole is a command in other words, and needs no model.

It costs every message some 20 µs a language, in the transaction that opens its case. What a message means is read there
and kept with its run, so that a run which is taken up again goes on with the same.

Where there is a model, it gets what the command could only answer with "nothing like that" or "nobody of that name".
Where there is none, a wish for a reminder that is not understood whole is asked back about by the command.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from core.ids import number, ref
from core.language import languages
from core.language.grammar import ME, Grammar
from core.ports import Tx
from core.store import contacts, reminders, todos
from core.store.people import Seat
from core.store.reminders import Reminder
from core.toolkit.matching import matching
from core.types import LaneKey, Message
from core.when import foreign
from core.when.expressions import Delay

log = logging.getLogger(__name__)
T = TypeVar("T")

LONGEST = 2_000
# A time and nothing else is short.
LONGEST_TIME = 100
DONE, SNOOZE, REMIND, HUSH = "/done", "/snooze", "/remind", "/hush"
# What is about an item that must be on the list.
ABOUT = ("/todo done ", "/todo remove ")
# What may stand behind "done": signs, with the shades of their skin.
_CHEER = " !.,。！，👍👌✅☑✔🎉🙏💪\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_NOD = re.compile(r"\s*[👍👌✅☑✔]")
_MORE = re.compile(r"\+\s?(?=\d)")
_BARE = re.compile(r"\d{1,3}")


class FastPath:
    """Says which command a message is (core.case.Fast); `model` whether there is one for what is none."""

    def __init__(self, grammars: Sequence[Grammar] | None = None, *, model: bool = True) -> None:
        self._grammars = _grammars() if grammars is None else list(grammars)
        self._model = model

    def __call__(self, tx: Tx, lane: LaneKey, seat: Seat, message: Message) -> str:
        """The line of a command, or an empty text.

        What answers a reminder is about that: in its words a time puts it off, and "done" finishes it. It answers the
        one it replies to; without a reply, in private, the one that was the last thing said, and in a thread of a group
        the newest that was posted there, if it is for who speaks.
        """
        text = message.text.strip()
        # What was forwarded are somebody else's words.
        if not text or len(text) > LONGEST or text.startswith("/") or message.forwarded:
            return ""
        # In a thread of a group: elsewhere the bot does not go on by itself, and such words mean something else.
        if seat.group and seat.place.thread and _hushes(text):
            return HUSH
        line = self._command(text)
        if line and line != DONE:
            return line if line.startswith("/") and self._fits(tx, lane, seat, line) else ""
        answer = DONE if line else self._answer(text)
        found = _answered(tx, lane, seat, message) if answer else None
        if found is None:
            return self._wish(text)
        act, _, rest = answer.partition(" ")
        return f"{act} {ref('r', found.reminder_id)} {rest}".strip()

    def _command(self, text: str) -> str:
        return _first(lambda grammar: grammar.command(text), self._grammars) or ""

    def _wish(self, text: str) -> str:
        """A wish for a reminder of which something lacks: all but the time, or without a model anything."""
        for language in languages().values():
            lead = language.lead.match(text)
            if found := language.reminding.match(text, lead.end() if lead else 0):
                rest = text[found.end() :].strip()
                if not self._model or _is_time(rest, self._grammars):
                    # Without "me" a word that is no time might be a name: "tomorow at 9 to call Oma".
                    me = (found.groupdict().get("me") or "").strip()
                    return " ".join(filter(None, (REMIND, me, rest)))
        return ""

    def _answer(self, text: str) -> str:
        """What a text says about a reminder that it answers: it is done, or comes again, and when if that is said."""
        bare = text.rstrip(_CHEER)
        if (not bare and _NOD.match(text)) or _among(bare, "done_words") or (bare and self._command(bare) == DONE):
            return DONE
        if _is_time(text, self._grammars):
            return f"{SNOOZE} {text}"
        if wait := wait_of(text):
            return f"{SNOOZE} {wait}"
        return SNOOZE if _among(bare, "later_words") or _among(bare, "snooze_words") else ""

    def _fits(self, tx: Tx, lane: LaneKey, seat: Seat, line: str) -> bool:
        """Whether the command has something to be about, where a model might know better."""
        if not self._model:
            return True
        if about := next((one for one in ABOUT if line.startswith(one)), ""):
            words = line.removeprefix(about)
            return number("t", words) is not None or len(matching(words, todos.open_of(tx, lane))) == 1
        word, _, rest = line.partition(" ")
        request = _first(lambda grammar: grammar.request(rest), self._grammars) if word == REMIND else None
        return request is None or all(_known(tx, lane, seat, name) for name in request.who)


def _known(tx: Tx, lane: LaneKey, seat: Seat, name: str) -> bool:
    return name == ME or (seat.group and name.startswith("@")) or bool(contacts.named(tx, lane, name))


def _hushes(text: str) -> bool:
    """Whether a text wants the bot to be quiet, in any language, also with a word or two of politeness before it."""
    bare = text.rstrip(_CHEER)
    leads = (language.lead.match(bare) for language in languages().values())
    return any(_among(one, "hush_words") for one in (bare, *(bare[lead.end() :] for lead in leads if lead)))


def _among(text: str, key: str) -> bool:
    """Whether it is one of these words, in any language."""
    said = " ".join(text.casefold().split())
    return any(said in language[key].split("|") for language in languages().values())


def wait_of(text: str) -> str:
    """A length of time as people say it beside a reminder ("+1 h", "in 10"), as a time; empty when it is none."""
    said = text.strip()
    if more := _MORE.match(said):
        said = said[more.end() :]
        return said if is_time(said) else f"{said}m" if _BARE.fullmatch(said) else ""
    for language in languages().values():
        for word in language["wait_words"].split("|"):
            rest = said[len(word) :].strip() if said.casefold().startswith(word) else ""
            if _BARE.fullmatch(rest):
                return f"{rest}m"
            if _lasts(rest) and not is_time(said):
                return rest
    return ""


def _lasts(text: str) -> bool:
    """Whether a text is a length of time: "1 hour"."""
    if not 0 < len(text) <= LONGEST_TIME:
        return False
    return isinstance(_first(lambda grammar: grammar.when(text), _grammars()), Delay)


def is_time(text: str) -> bool:
    """Whether a text is a time and nothing else, in any language."""
    return _is_time(text.strip(), _grammars())


def answers(text: str) -> bool:
    """Whether a text is what answers a reminder and nothing else, in any language: it is done, or comes again."""
    said = text.strip()
    return 0 < len(said) <= LONGEST_TIME and bool(FastPath()._answer(said))


def leaves(text: str) -> bool:
    """Whether a text says that a question of a command shall be left ("never mind"), in any language."""
    return _among(text.rstrip(_CHEER), "skip_words")


def is_wish(text: str) -> bool:
    """Whether a text asks for something by itself, in any language: then it answers no question of a command."""
    said = text.strip()
    if said.endswith(("?", "？")) or foreign.wish(said) or _asks(said.casefold()):
        return True
    for language in languages().values():
        lead = language.lead.match(said)
        if language.reminding.match(said, lead.end() if lead else 0):
            return True
    return _first(lambda grammar: grammar.command(said), _grammars()) is not None


def _asks(said: str) -> bool:
    """Whether a text begins as a question does."""
    words = (word for language in languages().values() for word in language["asking_words"].split("|"))
    return any(said.startswith(word) and not (word.isascii() and said[len(word) :][:1].isalnum()) for word in words)


def _grammars() -> list[Grammar]:
    return [language.grammar for language in languages().values()]


def _is_time(text: str, grammars: Sequence[Grammar]) -> bool:
    return 0 < len(text) <= LONGEST_TIME and _first(lambda grammar: grammar.when(text), grammars) is not None


def _answered(tx: Tx, lane: LaneKey, seat: Seat, message: Message) -> Reminder | None:
    found = reminders.by_message(tx, lane, message.reply_to) if message.reply_to else None
    # Of a thread that began with something else it may be the last word.
    if found is not None or message.reply_to not in ("", seat.place.thread):
        return found
    if seat.group and seat.place.thread:
        # A thread is a conversation: what was posted there is answered there, whatever it began with.
        return reminders.newest_for(tx, lane, seat.person.person_id)
    return None if seat.group else reminders.last_word(tx, lane)


def _first(read: Callable[[Grammar], T | None], grammars: Sequence[Grammar]) -> T | None:
    """What the first grammar reads that reads anything. A grammar that fails has understood nothing: whatever somebody
    writes, their messages go on."""
    for grammar in grammars:
        try:
            found = read(grammar)
        except Exception:
            log.exception("a grammar failed")
            continue
        if found is not None:
            return found
    return None
