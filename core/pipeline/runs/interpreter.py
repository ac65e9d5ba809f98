"""The fast path: what the grammar of a language understands whole is a command in other words, and needs no model.

It costs every message some 20 µs a language, in the transaction that opens its case. What a message means is read there
and kept with its run, so that a run which is taken up again goes on with the same.

Where there is a model, it gets what the command could only answer with "nothing like that" or "nobody of that name".
Where there is none, a wish for a reminder that is not understood whole is asked back about by the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.capabilities.chat.corrections import ONCE, dropped, just_set, planned, taken_back
from core.capabilities.contacts import repository as contacts
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.repository import Reminder
from core.capabilities.todos import interpreter
from core.capabilities.todos.interpreter import CANCEL
from core.kernel.ids import number, ref
from core.kernel.ports import Tx
from core.kernel.timing.expressions import At, Every
from core.kernel.types import LaneKey, Message
from core.language import languages
from core.language.grammar import ME, Grammar
from core.language.short_texts import (
    CHEER,
    LONGEST,
    LONGEST_TIME,
    first,
    gives_up,
    is_nod,
    is_time,
    minutes,
    says,
    time_instead,
    wait_of,
)
from core.language.short_texts import grammars as every_grammar
from core.scheduling import repository as triggers
from core.store.conversation import keyboards
from core.store.people.people import Participant

DONE, SNOOZE, REMIND, HUSH, HELP = "/done", "/snooze", "/remind", "/hush", "/help"
ADD, MUTE, UNMUTE, ZONE = "/todo add", "/mute", "/unmute", "/timezone"
ZoneOf = Callable[[str], str | None]
_TICK = re.compile(r"\s*[✅☑✔]")


class Interpreter:
    """Says which command a message is; `model` whether there is one for what is none, `zone_of` which
    places are known by their zone."""

    def __init__(
        self, grammars: Sequence[Grammar] | None = None, *, model: bool = True, zone_of: ZoneOf | None = None
    ) -> None:
        self._grammars = every_grammar() if grammars is None else list(grammars)
        self._model, self._zone_of = model, zone_of or _by_place

    def __call__(self, tx: Tx, lane: LaneKey, participant: Participant, message: Message) -> str:
        """The line of a command, or an empty text.

        What answers a reminder is about that: in its words a time puts it off, and "done" finishes it. It answers the
        one it replies to; without a reply, in private, the one that was the last thing said, or without a model the
        only one that waits; and in a thread of a group the newest that was posted there, if it is for who speaks.
        """
        text = message.text.strip()
        # What was forwarded are somebody else's words.
        if not text or len(text) > LONGEST or text.startswith("/") or message.forwarded:
            return ""
        # In a thread of a group: elsewhere the bot does not go on by itself, and such words mean something else.
        if participant.group and participant.place.thread and _hushes(text):
            return HUSH
        if not participant.group and says(text, "help_words"):
            return HELP
        if message.quoted and says(text, "add_this_words"):
            return ADD
        line = self._command(text) or self._of_quoted(text, message)
        if line and line != DONE:
            fits = line.startswith("/") and self._fits(tx, lane, participant, line, text)
            return interpreter.about(tx, lane, line, text, model=self._model) if fits else ""
        return (
            ("" if line else _corrected(tx, lane, participant, message, model=self._model))
            or self._posted(tx, lane, participant, message, done=bool(line))
            or taken_back(tx, lane, participant, message, model=self._model)
            or _read_back(tx, lane, message.reply_to, text, model=self._model)
            or interpreter.listed(tx, lane, participant, message, model=self._model)
            or self._wish(text)
            or ("" if self._model else self._alone(participant, message, done=bool(line)))
        )

    def _alone(self, participant: Participant, message: Message, *, done: bool) -> str:
        """Without a model: what answers nothing. The command says so."""
        if message.reply_to not in ("", participant.place.thread):
            return ""
        return DONE if done else self._answer(message.text.strip())

    def _of_quoted(self, text: str, message: Message) -> str:
        """A wish that lacks what to be reminded of, and is a reply to it: "remind me tomorrow"."""
        for language in languages().values() if message.quoted else ():
            line = language.grammar.command(language.say("about_this", rest=text)) or ""
            if line.startswith(f"{REMIND} "):
                return line
        return ""

    def _posted(self, tx: Tx, lane: LaneKey, participant: Participant, message: Message, *, done: bool) -> str:
        """What answers a reminder that was posted; a number alone only what it replies to, a nod only the last word."""
        text = message.text.strip()
        bare = f"{SNOOZE} {minutes(text)}" if message.reply_to and minutes(text) else ""
        nod = "" if done else self._nod(tx, lane, participant, message) or self._drop(tx, lane, participant, message)
        answer = DONE if done else self._answer(text) or bare or nod
        found = _answered(tx, lane, participant, message) if answer else None
        if found is None and answer and not participant.group and message.reply_to in ("", participant.place.thread):
            last = self._model or bool(nod or self._wish(text))
            waiting = reminders.waiting(tx, lane, reminders.last_said(tx, lane))
            waiting = waiting or ([] if last else reminders.waiting(tx, lane, message.sent_at - reminders.WAITS))
            if len(waiting) > 1:
                return answer
            found = waiting[0] if waiting else None
        act, _, rest = answer.partition(" ")
        return "" if found is None else f"{act} {ref('r', found.reminder_id)} {rest}".strip()

    def _nod(self, tx: Tx, lane: LaneKey, participant: Participant, message: Message) -> str:
        """A nod, unless it may be for somebody else in a group, or the answer to what a model asked before. It is none
        of that where it replies, or stands in the thread of a reminder."""
        text = message.text.strip()
        if not is_nod(text):
            return ""
        doubtful = participant.group or (self._model and says(text, "assent_words"))
        replies = message.reply_to not in ("", participant.place.thread)
        return DONE if not doubtful or replies or _in_thread_of_it(tx, lane, participant) else ""

    def _drop(self, tx: Tx, lane: LaneKey, participant: Participant, message: Message) -> str:
        """That nothing more of it is wanted, without a model; in a group only where that is surely for it."""
        replies = message.reply_to not in ("", participant.place.thread)
        sure = not self._model and (not participant.group or replies or _in_thread_of_it(tx, lane, participant))
        return dropped(message.text.strip(), sure=sure)

    def _command(self, text: str) -> str:
        return first(lambda grammar: grammar.command(text), self._grammars) or ""

    def _wish(self, text: str) -> str:
        """A wish for a reminder of which something lacks: all but the time, or without a model anything."""
        for language in languages().values():
            lead = language.lead.match(text)
            if language.watching.match(text, lead.end() if lead else 0):
                return ""
            if found := language.reminding.match(text, lead.end() if lead else 0):
                rest = text[found.end() :].strip()
                if not self._model or is_time(rest, self._grammars):
                    # Without "me" a word that is no time might be a name: "tomorow at 9 to call Oma".
                    me = (found.groupdict().get("me") or "").strip()
                    return " ".join(filter(None, (REMIND, me, rest)))
        return ""

    def _answer(self, text: str) -> str:
        """What a text says about a reminder that it answers: it is done, or comes again, and when if that is said."""
        bare = text.rstrip(CHEER)
        if (not bare and _TICK.match(text)) or says(bare, "done_words") or (bare and self._command(bare) == DONE):
            return DONE
        if is_time(text, self._grammars):
            return f"{SNOOZE} {text}"
        if wait := wait_of(text):
            return f"{SNOOZE} {wait}"
        return SNOOZE if says(bare, "later_words") or says(bare, "snooze_words") else ""

    def _fits(self, tx: Tx, lane: LaneKey, participant: Participant, line: str, text: str) -> bool:
        """Whether the command has something to be about, where a model might know better."""
        act, _, about = line.partition(" ")
        if act == ZONE and about:
            # "I live in a house" says nothing of zones, nor "I live in Paris" of a group's.
            named = any(language["zone_word"] in text.casefold() for language in languages().values())
            known = bool(self._zone_of(about))
            return (named and not self._model) or (known and (named or not participant.group))
        if not self._model:
            return True
        if act in {MUTE, UNMUTE}:
            return _known(tx, lane, participant, about)
        word, _, rest = line.partition(" ")
        request = first(lambda grammar: grammar.request(rest), self._grammars) if word == REMIND else None
        return request is None or all(_known(tx, lane, participant, name) for name in request.who)


def _by_place(name: str) -> str | None:
    said = name.casefold()
    return next((one.places[said] for one in languages().values() if said in one.places), None)


def _read_back(tx: Tx, lane: LaneKey, reply_to: str, text: str, *, model: bool) -> str:
    """What a reply to something scheduled, where it was read back, changes: its time, or that it comes at all."""
    found = planned(keyboards.by_message(tx, lane, reply_to) if reply_to else None)
    if not found:
        return ""
    if says(text, "stop_words") or gives_up(text):
        return f"{CANCEL} {found}"
    time = time_instead(text)
    former = triggers.load(tx, lane.tenant_id, number("s", found) or 0) if time else None
    return _moved(found, time, recurs=former is not None and former.kind != "once", model=model) if time else ""


def _corrected(tx: Tx, lane: LaneKey, participant: Participant, message: Message, *, model: bool) -> str:
    """What is said right after something was set, and is another time for it: "make it 4", "in 3 hours"."""
    time = time_instead(message.text, bare=False)
    made = just_set(tx, lane, participant, message) if time else None
    if made is None:
        return ""
    return _moved(ref("s", made.trigger_id), time, recurs=made.kind != "once", model=model)


def _moved(schedule_id: str, time: str, *, recurs: bool, model: bool) -> str:
    """The line that puts something scheduled at another time."""
    if recurs:
        # "In 10 minutes" may be about this once: what recurs is not made to come once by a word.
        when = first(lambda grammar: grammar.when(time), every_grammar())
        if not (isinstance(when, Every) or (isinstance(when, At) and when.day is None)):
            return "" if model else f"/move {schedule_id} {ONCE}"
    return f"/move {schedule_id} {time}"


def _known(tx: Tx, lane: LaneKey, participant: Participant, name: str) -> bool:
    return name == ME or (participant.group and name.startswith("@")) or bool(contacts.named(tx, lane, name))


def _hushes(text: str) -> bool:
    """Whether a text wants the bot to be quiet, in any language, also with a word or two of politeness before it."""
    bare = text.rstrip(CHEER)
    leads = (language.lead.match(bare) for language in languages().values())
    return any(says(one, "hush_words") for one in (bare, *(bare[lead.end() :] for lead in leads if lead)))


def answers(text: str) -> bool:
    """Whether a text is what answers a reminder and nothing else, in any language: it is done, or comes again."""
    said = text.strip()
    return 0 < len(said) <= LONGEST_TIME and bool(Interpreter()._answer(said) or is_nod(said))


def _answered(tx: Tx, lane: LaneKey, participant: Participant, message: Message) -> Reminder | None:
    found = reminders.by_message(tx, lane, message.reply_to) if message.reply_to else None
    # Of a thread that began with something else it may be the last word.
    if found is not None or message.reply_to not in ("", participant.place.thread):
        return found
    if participant.group and participant.place.thread:
        # A thread is a conversation: what was posted there is answered there, whatever it began with.
        return reminders.newest_for(tx, lane, participant.person.person_id)
    return None


def _in_thread_of_it(tx: Tx, lane: LaneKey, participant: Participant) -> bool:
    """Whether the thread began with a reminder for who speaks, or one is the bot's last word in it."""
    thread, address = participant.place.thread, participant.person.address
    return bool(thread) and reminders.waits(tx, lane.tenant_id, address, participant.place.chat, thread)
