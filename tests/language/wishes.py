"""Wishes as the tables of phrases write them: the name, what it is about, and its time."""

from __future__ import annotations

from core.kernel.timing.expressions import At, Clock, Every, InDays, Weekday
from core.language.grammar import Grammar, Request, Wish

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
TOMORROW = At(day=InDays(days=1))


def noted(wish: Wish | None) -> str | None:
    """Such as "remind: at 9 to call Oma", "today: Friday", "brief: 7:30", "quiet: 22:00-07:00"; None for none."""
    if wish is None:
        return None
    about = [wish.text, wish.span or "", *wish.hours]
    match wish.when:
        case None:
            pass
        case Every(unit="day", n=1, clocks=(clock,)):
            about = [f"{clock.hour}:{clock.minute:02}"]
        case At(day=None, clock=Clock() as clock):
            about = [f"{clock.hour}:{clock.minute:02}"]
        case At(day=Weekday(weekday=weekday, doubtful=doubtful), clock=None):
            about = [f"next {DAYS[weekday]}" if doubtful else DAYS[weekday]]
        case _:
            assert wish.when == TOMORROW
            about = ["tomorrow"]
    about = [*about, f"on {wish.list}"] if wish.list else about
    about = [*about, "calendar"] if wish.calendar else about
    about = [*about, f"to {wish.time}"] if wish.time else about
    said = " / ".join(filter(None, about))
    return f"{wish.name}: {said}" if said else wish.name


def request_of(grammar: Grammar, text: str) -> Request | None:
    """The request of a wish to be reminded; None where a text is none, or says no time."""
    wish = grammar.wish(text)
    return wish.request if wish is not None and wish.name == "remind" else None
