"""Whether something shall be done was asked with two buttons, and is answered in words: "yes", "no", or a label."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import partial

from core.capabilities.reminders import repository as reminders
from core.capabilities.schedules.corrections import AT_ONCE, RIGHT_AFTER
from core.capabilities.schedules.several import press, stop_all
from core.capabilities.todos.several import clear_all
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.language import languages
from core.language.short_texts import CHEER, gives_up, is_nod, says
from core.store.conversation import keyboards
from core.toolkit import intents
from core.toolkit.capability import Candidate, Hearing, Rank, Words

# What "yes" does: all of it can be taken back.
_DONE = frozenset({stop_all.name, clear_all.name})
# What only its button does.
_PRESSED = frozenset({intents.FORGET, intents.SHORTEN, intents.BRING})
# The labels of the buttons below what asks for these.
_LABELS = (
    *("tasks_stop_yes", "todo_clear_yes", "forget_everything", "forget_me", "retention_do", "import_yes"),
    *("tasks_stop_no", "todo_clear_no", "keep", "import_no"),
)
_LONGEST = 60


class _Said(Enum):
    """What somebody answers to what was asked with two buttons."""

    # It shall be done.
    YES = "yes"
    # It shall not.
    NO = "no"
    # Neither is sure: "noted".
    NOD = "nod"


def read(words: Words) -> Iterator[Candidate]:
    """Read a text that may answer what was asked with two buttons."""
    text = words.text
    if len(text) > _LONGEST:
        return
    if says(text, "confirm_words") or (is_nod(text) and not text.rstrip(CHEER)):
        said = _Said.YES
    elif gives_up(text):
        said = _Said.NO
    elif is_nod(text):
        said = _Said.NOD
    elif any(text.casefold() in one[key].casefold().split("|") for one in languages().values() for key in _LABELS):
        said = None
    else:
        return
    yield Candidate(rank=Rank.CONFIRMED, resolve=partial(_answer, text.casefold(), said))


def _answer(text: str, said: _Said | None, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what the button that is meant asks for: below the message that is replied to, else below the last one that
    the bot said here, if that asked the same person, a moment ago. Else, and of what cannot be taken back, it is said
    that nothing has happened yet."""
    lane, person_id, sent_at = hearing.lane, hearing.participant.person.person_id, hearing.message.sent_at
    if hearing.replies:
        row, recent = keyboards.by_message(tx, lane, hearing.message.reply_to), True
    else:
        at, run_id = reminders.last_words(tx, lane)
        row, recent = keyboards.newest(tx, lane, at - AT_ONCE), -AT_ONCE <= sent_at - at <= RIGHT_AFTER
        row = row if row is not None and row.is_of(run_id) else None
    if row is None or row.ended or row.person_id != person_id:
        return None
    match row.offers:
        case ((label, Intent() as yes), (other, Intent() as no)) if yes.name in _DONE | _PRESSED:
            said = _Said.YES if text == label.casefold() else _Said.NO if text == other.casefold() else said
            if said is None or said is _Said.NO:
                return None if said is None else no
            return yes if said is _Said.YES and recent and yes.name in _DONE else press.of()
    return None
