"""What free text says to a reminder, or wishes to be reminded of.

What answers a reminder is about that: in its words a time puts it off, and "done" finishes it. It answers the one it
replies to; without a reply, in private, the one that was the last thing said, or without a model the only one that
waits; and in a thread of a group the newest that was posted there, if it is for who speaks.

A model gets what the command could only answer with "nobody of that name". Where there is none, a wish for a reminder
that is not understood whole is asked back about by the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from core.capabilities.contacts import repository as contacts
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.answers import finish, give_up, snooze_for
from core.capabilities.reminders.commands import wanted
from core.capabilities.reminders.repository import Reminder
from core.capabilities.reminders.wishes import REMIND, edited, lacking
from core.kernel.clean_text import cleaned
from core.kernel.ids import ref
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import Inbound
from core.language import FALLBACK, grammars, languages, pick
from core.language.grammar import Grammar, Wish
from core.language.short_texts import (
    CHEER,
    LONGEST_TIME,
    first,
    is_nod,
    is_time,
    minutes,
    says,
    stops,
    wait_of,
)
from core.scheduling import time_input
from core.scheduling.time_input import Asked
from core.store.conversation import attachments
from core.store.conversation.last_words import last_words
from core.toolkit.capability import Candidate, Hearing, Rank, Resolve, Taker, Understands, Words

# What few words wish of a reminder.
DONE = "done"
_TICK = re.compile(r"\s*[✅☑✔]")


def _parse(words: Words) -> Iterator[Candidate]:
    if words.whole:
        return
    if words.quoted and words.wish is None and (about := _of_quoted(words)):
        yield Candidate(rank=Rank.COMMAND, resolve=_remind(about, words))
    text = words.text
    # With a model it must have a time: anything else is left to the model.
    lacks = lacking(text, words.grammars, quoted=words.quoted, only_text=words.model)
    answered = _done if _is_done(words.wish) else answer(text, words.grammars)
    # A number alone is so many minutes, where it replies.
    number = minutes(text) if words.replies and not answered else None
    if said := answered or (_later(number) if number else None):
        # What may mean something else is no answer to what was said long ago.
        alone = not (words.model or lacks or stops(text) or is_nod(text))
        yield Candidate(rank=Rank.ANSWER, resolve=partial(to_reminder, said, alone, time=said is not _done))
    elif is_nod(text):
        assent = says(text, "assent_words")
        yield Candidate(rank=Rank.ANSWER, resolve=partial(_nodded, assent))
    elif stops(text):
        yield Candidate(rank=Rank.ANSWER, resolve=_dropped)
    if lacks:
        yield Candidate(rank=Rank.WISH, resolve=partial(_set, lacks, says(lacks.text, "this_words")))
    elif answered and not words.model:
        yield Candidate(rank=Rank.WISH, resolve=partial(_to_nothing, answered, text))


# What is done with a reminder, by its id; empty for the one that it is about.
Answer = Callable[[str], Intent]


def _done(reminder: str) -> Intent:
    return finish.of(reminder=reminder)


def _later(words: str) -> Answer:
    return lambda reminder: snooze_for.of(reminder=reminder, words=words)


def answer(text: str, among: Sequence[Grammar]) -> Answer | None:
    """Return what a text says about a reminder that it answers: it is done, or comes again, and when if that is said;
    None when it says anything else."""
    bare = text.rstrip(CHEER)
    if (not bare and _TICK.match(text)) or says(text, "done_words"):
        return _done
    if bare and _is_done(first(lambda grammar: grammar.wish(bare), among)):
        return _done
    if is_time(text, among):
        return _later(text)
    if wait := wait_of(text):
        return _later(wait)
    return _later("") if says(text, "later_words") or says(text, "snooze_words") else None


def _is_done(wish: Wish | None) -> bool:
    return wish is not None and wish.name == DONE


def _of_quoted(words: Words) -> Wish | None:
    """Return a wish such as "remind me tomorrow", whose text is the message that it replies to."""
    for language in languages().values():
        wish = language.grammar.wish(language.say("about_this", rest=words.text))
        if wish is not None and wish.name == REMIND:
            return wish
    return None


def to_reminder(said: Answer, alone: bool, tx: Tx, hearing: Hearing, *, time: bool = False) -> Intent | None:
    """Return the intent of an answer to a reminder; when `alone`, also to the only one that waits. If several do, the
    command asks which. A `time` right behind a question that has run out was meant for that, and for none of them."""
    found = _replied_to(tx, hearing)
    if found is None and not hearing.participant.group and not hearing.replies:
        lane, last = hearing.lane, last_words(tx, hearing.lane)
        waiting = reminders.waiting(tx, lane, last.at)
        if not waiting and alone and not (time and last.ran_out):
            waiting = reminders.waiting(tx, lane, hearing.message.sent_at - reminders.WAITS)
        if len(waiting) > 1:
            return said("")
        found = waiting[0] if waiting else None
    return None if found is None else said(ref("r", found.reminder_id))


def _to_nothing(said: Answer, text: str, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return the intent of an answer to which no reminder waits. A time alone, in private, asks what to remind of; any
    other answer, and one in a group, where it must be a reply, is told that none waits."""
    if hearing.replies:
        return None
    time = wait_of(text) or text
    if hearing.participant.group or not is_time(time):
        return said("")
    return _set(time_input.read(time, pick(FALLBACK)), False, tx, hearing)


def _nodded(assent: bool, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return the intent of a nod ("ok"), which finishes a reminder.

    In a group it may be for somebody else, and an `assent` may answer what a model asked before: then it counts only if
    it replies, or stands in the thread of a reminder.
    """
    doubtful = hearing.participant.group or (hearing.model and assent)
    if doubtful and not hearing.replies and not _in_thread_of_it(tx, hearing):
        return None
    return to_reminder(_done, False, tx, hearing)


def _dropped(tx: Tx, hearing: Hearing) -> Intent | None:
    """Return the intent that gives a reminder up ("never mind"), if there is no model; in a group only if the text is
    surely about a reminder."""
    sure = not hearing.model and (not hearing.participant.group or hearing.replies or _in_thread_of_it(tx, hearing))
    return to_reminder(lambda reminder: give_up.of(reminder=reminder), False, tx, hearing) if sure else None


def _replied_to(tx: Tx, hearing: Hearing) -> Reminder | None:
    """Return the reminder that a message replies to, or that its thread is about."""
    lane, participant, reply_to = hearing.lane, hearing.participant, hearing.message.reply_to
    found = reminders.by_message(tx, lane, reply_to) if reply_to else None
    # Of a thread that began with something else it may be the last word.
    if found is not None or hearing.replies:
        return found
    if participant.group and participant.place.thread:
        # A thread is a conversation: what was posted there is answered there, whatever it began with.
        return reminders.newest_for(tx, lane, participant.person.person_id)
    return None


def _in_thread_of_it(tx: Tx, hearing: Hearing) -> bool:
    """Return whether the thread began with a reminder for the speaker, or one is the bot's last word in it."""
    participant = hearing.participant
    thread, address = participant.place.thread, participant.person.address
    return bool(thread) and reminders.waits(tx, hearing.lane.tenant_id, address, participant.place.chat, thread)


def _remind(wish: Wish, words: Words) -> Resolve:
    """Say what it is and whom it is for; a model may know better who is meant by a name that is nobody's."""
    asked = time_input.of_wish(wish, quoted=words.quoted)
    names = wish.request.who if words.model and wish.request is not None else ()
    resolve = partial(_set, asked, says(asked.text, "this_words"))
    return lambda tx, hearing: (
        resolve(tx, hearing) if all(contacts.may_mean(tx, hearing, name) for name in names) else None
    )


def _set(asked: Asked, is_this: bool, tx: Tx, hearing: Hearing) -> Intent | None:
    """Set it, with a link to what the message replies to or was forwarded from. "This" beside files is these."""
    message, participant = hearing.message, hearing.participant
    beside = is_this and asked.when is not None and not asked.quoted
    if beside and (files := attachments.came_with(tx, hearing.lane, message.inbox_id)):
        language = pick(participant.language or participant.person.language)
        named = [name or language.texts.get(f"kind_{kind}", language["kind_document"]) for kind, name in files]
        asked = replace(asked, text=time_input.cut(language.joined(cleaned(one) for one in named)))
    return wanted.of(asked=replace(asked, link=message.link))


def _meant(message: Inbound) -> Taker | None:
    """Read whether a message says no more than what answers a reminder, one that waits in its thread for who speaks."""
    said, address = message.text.strip(), message.sender.address
    if not 0 < len(said) <= LONGEST_TIME or not (answer(said, grammars()) or is_nod(said)):
        return None
    return lambda tx, tenant_id: reminders.waits(tx, tenant_id, address, message.chat, message.thread)


UNDERSTANDS = Understands(parse=_parse, wishes={REMIND: _remind}, meant=_meant, edited=edited)
