"""Answers in words ("yes", "no", or a label) to buttons that ask whether something shall be done.

Which buttons ask that, an intent says where it is registered (`Confirms` in core.toolkit.command).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property, partial

from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.language import all_words
from core.language.short_texts import CHEER, gives_up, is_nod, says
from core.store.conversation import keyboards
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.last_words import RIGHT_AFTER, SAME_ANSWER, last_words
from core.toolkit import intents
from core.toolkit.capability import Candidate, Hearing, Rank
from core.toolkit.command import Confirms, IntentHandler

# No answer is longer.
_LONGEST = 60
# A place in a text where a number is put in.
_HOLE = re.compile(r"\{\w+\}")


class _Said(Enum):
    """What somebody answers to what was asked with buttons."""

    # It shall be done.
    YES = "yes"
    # It shall not.
    NO = "no"
    # Neither is sure: "noted".
    NOD = "nod"
    # What may stand on one of the buttons.
    LABEL = "label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The intent of an answer in words, with the keyboard and the `label` of the button that is meant. Without a label
    no button is meant surely: then the intent only says that nothing has happened yet."""

    intent: Intent
    keyboard_row: KeyboardRow
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation(Candidate):
    """A text that may answer buttons, by its words alone. `answered` says which button it means here."""

    answered: Callable[[Tx, Hearing], Answered | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A keyboard that asks whether something shall be done: `yes` is label and intent of the button that does it, `no`
    of the one that declines, if there is one.

    `among` when the button is the last of a choice: then only its label means it.
    """

    confirms: Confirms
    keyboard_row: KeyboardRow
    yes: tuple[str, Intent]
    no: tuple[str, Intent] | None
    among: bool


class Confirmations:
    """Reads answers in words to what intents say that they confirm."""

    def __init__(self, handlers: Iterable[IntentHandler[...]]) -> None:
        self._confirms = {one.name: one.confirms for one in handlers if one.confirms is not None}

    @cached_property
    def _all_labels(self) -> re.Pattern[str]:
        return _labels(*sorted({key for one in self._confirms.values() for key in (*one.yes, one.no) if key}))

    def read(self, text: str) -> Confirmation | None:
        """Return a text as a possible answer, by its words alone; None where it can be none."""
        if len(text) > _LONGEST or not self._confirms:
            return None
        if says(text, "confirm_words") or (is_nod(text) and not text.rstrip(CHEER)):
            said = _Said.YES
        elif gives_up(text):
            said = _Said.NO
        elif is_nod(text):
            said = _Said.NOD
        elif self._all_labels.fullmatch(text):
            said = _Said.LABEL
        else:
            return None
        answered = partial(self._answered, text, said)

        def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
            found = answered(tx, hearing)
            return None if found is None else found.intent

        return Confirmation(rank=Rank.CONFIRMED, resolve=resolve, answered=answered)

    def _answered(self, text: str, said: _Said, tx: Tx, hearing: Hearing) -> Answered | None:
        """Return the button that a text means, if it asks this person: below the message that is replied to, else below
        the bot's last one here.

        The answer only says that nothing has happened yet where the button is not meant surely: it was asked long ago,
        or beside other questions; what it does cannot be taken back; or the words fit no button, or two.
        """
        if hearing.replies:
            asked, sure = self._asked(keyboards.by_message(tx, hearing.lane, hearing.message.reply_to)), True
        else:
            asked, sure = self._asked_last(tx, hearing)
        if asked is None or asked.keyboard_row.person_id != hearing.participant.person.person_id:
            return None
        pressed = {_Said.YES: asked.yes, _Said.NO: asked.no}.get(said)
        for one in filter(None, (asked.yes, asked.no)):
            pressed = one if _is_label(text, one[0]) else pressed
        row = asked.keyboard_row
        if pressed is None:
            unsure = said is _Said.NOD or any(_labels(key).fullmatch(text) for key in asked.confirms.yes)
            return Answered(intent=intents.press(), keyboard_row=row) if unsure else None
        named = sum(_is_label(text, label) for label, _ in row.offers) == 1
        meant = sure and asked.confirms.in_words and (named or not asked.among)
        if pressed is asked.yes and not meant:
            return Answered(intent=intents.press(), keyboard_row=row)
        label, intent = pressed
        return Answered(intent=intent, keyboard_row=row, label=label)

    def _asked(self, row: KeyboardRow | None) -> _Asked | None:
        """Return what a keyboard asks; None where it does not ask whether something shall be done, or has ended."""
        if row is None or row.ended:
            return None
        no, among = None, False
        match row.offers:
            case ((label, Intent() as yes),):
                pass
            case ((label, Intent() as yes), (other, Intent() as declines)):
                no = (other, declines)
            case (_, _, *_, (label, Intent() as yes)):
                among = True
            case _:
                return None
        confirms = self._confirms.get(yes.name)
        if confirms is None or not any(_labels(key).fullmatch(label) for key in confirms.yes):
            return None
        declined = bool(confirms.no) and not among
        if declined != bool(no) or (no and not _labels(confirms.no).fullmatch(no[0])):
            return None
        return _Asked(confirms=confirms, keyboard_row=row, yes=(label, yes), no=no, among=among)

    def _asked_last(self, tx: Tx, hearing: Hearing) -> tuple[_Asked | None, bool]:
        """Return what the bot's last message asks, and whether that is the only question, asked a moment ago."""
        lane, (at, run_id, text, _) = hearing.lane, last_words(tx, hearing.lane)
        asked = self._asked(keyboards.newest(tx, lane, at - SAME_ANSWER))
        if asked is None or not asked.keyboard_row.is_of(run_id) or asked.keyboard_row.text != text:
            return None, False
        alone = sum(self._asked(one) is not None for one in keyboards.of_run(tx, lane, run_id)) == 1
        return asked, alone and -SAME_ANSWER <= hearing.message.sent_at - at <= RIGHT_AFTER


def _is_label(text: str, label: str) -> bool:
    """Return whether a text names a button, in small or capital letters, with or without a full stop."""
    return text.rstrip(CHEER).casefold() == label.rstrip(CHEER).casefold()


def _labels(*keys: str) -> re.Pattern[str]:
    """Return a pattern of what stands on buttons in any language, with any numbers. A full stop may follow it, since
    what is spoken is written down as a sentence."""
    return _any_of(frozenset(label for key in keys for label in all_words(key)))


@cache
def _any_of(labels: frozenset[str]) -> re.Pattern[str]:
    patterns = (r"\d+".join(map(re.escape, _HOLE.split(label))) for label in sorted(labels))
    return re.compile(f"(?:{'|'.join(patterns)})[{re.escape(CHEER)}]*", re.IGNORECASE)
