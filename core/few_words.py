"""What few words say of something that is there: an item of the list is done ("milk done") or goes ("remove eggs"),
what is scheduled shall not come ("cancel dentist").

What they mean is decided here, and handed on by its id: the command does not look for it again.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.ids import number, ref
from core.language import languages
from core.ports import Tx
from core.store import outbox, reminders, todos, triggers
from core.store.people import Seat
from core.store.todos import Todo
from core.store.triggers import Trigger
from core.toolkit.matching import beside, is_part, mentioned
from core.types import LaneKey, Message

# What says no more than that is short.
LONGEST = 100
TICK, REMOVE, CANCEL = "/todo done", "/todo remove", "/cancel"
# What is about something that must be there, and what few words say it by.
ABOUT = {TICK: "ticked_words", REMOVE: "removed_words", CANCEL: "cancelled_words"}
# What may stand behind "done": signs, with the shades of their skin.
CHEER = " !.,。！，👍👌✅☑✔🎉🙏💪\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"


def listed(tx: Tx, lane: LaneKey, seat: Seat, message: Message, *, model: bool) -> str:
    """What says in few words what became of something on the list ("milk done", "remove eggs"), or that something
    scheduled shall not come ("cancel dentist"), if there is such. Where there is a model, only by all of its text.

    What replies to a reminder, or to what somebody else wrote, is about that.
    """
    text = message.text.strip()
    if len(text) > LONGEST or text.endswith(("?", "？")):
        return ""
    for act, key in ABOUT.items():
        for words in _in_forms(text, key):
            found = _meant(tx, lane, act, words, exact=model, ticked=act == TICK)
            if len(found) == 1 or (found and not model):
                return _line(act, words, found) if _goes_on(tx, lane, seat, message.reply_to) else ""
    return ""


def _goes_on(tx: Tx, lane: LaneKey, seat: Seat, reply_to: str) -> bool:
    """Whether what is said is about no other message: it replies to none, or to what the bot said by itself."""
    if reply_to in ("", seat.place.thread):
        return True
    return outbox.is_own(tx, lane, reply_to) and reminders.by_message(tx, lane, reply_to) is None


def about(tx: Tx, lane: LaneKey, line: str, text: str, *, model: bool) -> str:
    """A line with the id of what it is about, where that is clear; else, with a model, none. Without one its command
    says what there is to choose from, or that there is nothing."""
    act = next((one for one in ABOUT if line.startswith(f"{one} ")), "")
    words = line.removeprefix(act).strip()
    if not act or _known(tx, lane, act, words):
        return line
    ticked = act == TICK and bool(_in_forms(text, ABOUT[TICK]))
    found = _meant(tx, lane, act, words, exact=False, ticked=ticked)
    if model:
        clear = len(found) == 1 and not is_part(words, found[0].text)
        return _line(act, words, found) if clear else ""
    mere = ticked and not found and _meant(tx, lane, act, words, exact=False, ticked=False)
    return "" if mere else _line(act, words, found)


def _known(tx: Tx, lane: LaneKey, act: str, words: str) -> bool:
    """Whether words are an id. A word may look like one, as "stretch" does."""
    found = number("s" if act == CANCEL else "t", words)
    return found is not None and (triggers if act == CANCEL else todos).find(tx, lane, found) is not None


def _meant(
    tx: Tx, lane: LaneKey, act: str, words: str, *, exact: bool, ticked: bool
) -> Sequence[Todo] | Sequence[Trigger]:
    """What words mean that stand beside others; when it is `ticked` by them, not what only mentions them."""
    if act == CANCEL:
        return beside(words, triggers.of_scope(tx, lane), exact=exact)
    found = beside(words, todos.open_of(tx, lane), exact=exact)
    return [one for one in found if not (ticked and mentioned(words, one.text))]


def _line(act: str, words: str, found: Sequence[Todo] | Sequence[Trigger]) -> str:
    """By the id of the only one that is meant, whole; else by the words, which the command asks back about."""
    one = found[0] if len(found) == 1 and not is_part(words, found[0].text) else None
    if one is None:
        return f"{act} {words}"
    return f"{act} {ref('t', one.todo_id) if isinstance(one, Todo) else ref('s', one.trigger_id)}"


def _in_forms(text: str, key: str) -> list[str]:
    """What stands in the place of {x} in the forms of any language that a text is of."""
    said = text.rstrip(CHEER)
    forms = (form for language in languages().values() for form in language[key].split("|"))
    return [words for form in forms if (words := _within(said, form))]


def _within(said: str, form: str) -> str:
    """What stands in the place of {x}; empty when a text is not of this form."""
    before, _, after = form.partition("{x}")
    folded = said.casefold()
    fits = folded.startswith(before) and folded.endswith(after) and len(said) > len(before) + len(after)
    return said[len(before) : len(said) - len(after)].strip() if fits else ""
