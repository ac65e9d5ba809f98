"""What free text says of what is scheduled: of what was just set, or of what it replies to, another time or that it is
not wanted; of anything by its name or by when it is due, that it shall move or not come."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from core.capabilities.reminders.answers import snooze_for
from core.capabilities.reminders.understands import to_reminder
from core.capabilities.schedules import corrections
from core.capabilities.schedules.commands import brief_at, no_brief, show, show_all
from core.capabilities.schedules.moving import move_due, move_to
from core.capabilities.schedules.several import ask_stop, ask_stop_all, cancel_due
from core.kernel.ids import ref
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.language import all_words
from core.language.grammar import Wish
from core.language.matching import beside
from core.language.short_texts import asks_to_remind, gives_up, stops, time_instead
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.toolkit import intents
from core.toolkit.capability import Candidate, Hearing, Rank, Resolve, Understands, Words


def _parse(words: Words) -> Iterator[Candidate]:
    text = words.text
    if words.whole:
        return
    # "Remind me tomorrow" wishes for another one, of which it is asked what it is about.
    if words.wish is None and (time := time_instead(text, bare=False)) and not (time == text and asks_to_remind(text)):
        yield Candidate(rank=Rank.CORRECTION, resolve=partial(corrections.corrected, corrections.read_move(time)))
    if gives_up(text):
        yield Candidate(rank=Rank.REGRET, resolve=corrections.taken_back)
    if words.replies and stops(text):
        yield Candidate(rank=Rank.REGRET, resolve=corrections.stopped)
    elif words.replies and (time := time_instead(text)):
        yield Candidate(rank=Rank.REGRET, resolve=partial(corrections.moved, corrections.read_move(time)))


def _all(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: show_all.of()


def _when(wish: Wish, words: Words) -> Resolve:
    """Show when that is due which is called so, or ask which of several; what is not scheduled is a question for a
    model."""

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        found = _called(wish.text, tx, hearing)
        return show.of(schedule=ref("s", found[0].trigger_id) if len(found) == 1 else wish.text) if found else None

    return resolve


def _called(words: str, tx: Tx, hearing: Hearing) -> list[Trigger]:
    """Return what is called so: here, else in the chats of those whom somebody is linked with."""
    here = beside(words, triggers.of_scope(tx, hearing.lane), exact=hearing.model)
    beyond = () if here else scheduling.of_linked(tx, hearing.access, hearing.participant)
    return here or beside(words, beyond, exact=hearing.model)


def _brief(wish: Wish, words: Words) -> Resolve:
    wanted = brief_at.of(when=wish.when)
    return lambda tx, hearing: wanted


def _no_brief(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: no_brief.of()


def _cancel_due(wish: Wish, words: Words) -> Resolve:
    wanted = cancel_due.of(due=wish.when)
    return lambda tx, hearing: wanted


def _cancel_all(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: ask_stop_all.of()


def _cancel_which(wish: Wish, words: Words) -> Resolve:
    """Stop the only one that is called "timer"; of none or several it is asked which one."""

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        found = beside(wish.text, triggers.of_scope(tx, hearing.lane), exact=True) if wish.text else []
        return intents.cancel(ref("s", found[0].trigger_id)) if len(found) == 1 else ask_stop.of(called=wish.text)

    return resolve


def _move(wish: Wish, words: Words) -> Resolve:
    """Move what is due at a time, or what a name means; with a model only what that surely means. Who names a reminder
    as one means the time of that, not of what it comes ahead of."""
    said = words.text.casefold()
    event = not any(word in said for word in all_words("reminder_words"))

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        if not wish.text and wish.when is None:
            return _moved_last(wish.time, tx, hearing)
        if wish.when is not None:
            return move_due.of(due=wish.when, time=wish.time)
        found = _called(wish.text, tx, hearing)
        if hearing.model and len(found) != 1:
            return None
        name = ref("s", found[0].trigger_id) if len(found) == 1 else wish.text
        return move_to.of(schedule=name, time=wish.time, event=event)

    return resolve


def _moved_last(time: str, tx: Tx, hearing: Hearing) -> Intent | None:
    """Move to a time, or by a length ("+an hour"), what a text does not name: what it replies to, or what was just set;
    else a reminder that waits comes again then, or so much later."""
    by = time.startswith(("+", "-"))
    move = corrections.Move(time, recurring=False) if by else corrections.read_move(time)
    planned = (corrections.moved if hearing.replies else corrections.corrected)(move, tx, hearing)
    if planned is not None or time.startswith("-"):
        return planned
    snooze = partial(snooze_for.of, words=time.removeprefix("+"))
    found = to_reminder(lambda reminder: snooze(reminder=reminder), not hearing.model, tx, hearing)
    # Where there is no model the command says that nothing waits.
    return found if found or hearing.model or hearing.replies else snooze(reminder="")


WISHES = {
    "cancel.all": _cancel_all,
    "cancel.which": _cancel_which,
    "cancel.due": _cancel_due,
    "move": _move,
    "tasks": _all,
    "when": _when,
    "brief": _brief,
    "brief.off": _no_brief,
}
UNDERSTANDS = Understands(parse=_parse, wishes=WISHES, edited=corrections.edited)
