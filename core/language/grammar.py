"""Defines what a language understands of time and lists, as values that the rest of the program reads.

Each language fills in one `Grammar`. Its `wish("remind me at 9 to call Oma")` is a `Wish` called "remind", with a
`Request` for the text "call Oma" and the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import chain
from typing import Any, Literal
from zoneinfo import ZoneInfo

from core.kernel.timing.expressions import Expression
from core.kernel.timing.schedule import Timed

# Several days: what is left of this week or weekend, or the whole next one.
Span = Literal["week", "weekend", "next week", "next weekend"]
# Who asks, among others: "Bob and me".
ME = "me"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Asks for a reminder of `text` at `when`; for who asks, where it names nobody else."""

    text: str  # as it was written
    when: Expression
    # The names of others as they were written, a handle with its sign (`@anna`), and `ME` beside them for who asks.
    who: tuple[str, ...] = ()
    everybody: bool = False  # it is for all of a group
    until_done: bool = False  # it is to come again until it is done


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Says what a whole text asks for."""

    name: str  # what is wished: "remind", "todo.add"
    text: str = ""  # what it is about, in the words that were written; empty where it is about nothing
    request: Request | None = None  # what was read of the text of a reminder; None where it says no time
    # Whom that text may mean instead, where names may be all that it says beside its time ("Bob at 9").
    names: tuple[str, ...] = ()
    # The time of what is no reminder: the day that is asked about, the rule of a brief, or when that is due which shall
    # be moved or cancelled.
    when: Expression | None = None
    hours: tuple[str, ...] = ()  # quiet ones ("22:00-07:00"), the likeliest first; none where there shall be none
    time: str = ""  # the words of what it is moved to, or by ("+an hour")
    span: Span | None = None  # several days that are asked about; of a date "week" asks for the number of its week
    calendar: bool = False  # the reminder was wished for on a calendar
    list: str = ""  # the words for a list, empty for the usual one
    kind: str = ""  # what the type of a file begins with ("image/"), empty for any


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseTable:
    """Holds what people say in one language for some wishes (docs/languages.md)."""

    rows: Mapping[str, Sequence[str]]  # templates by the name of the wish
    macros: Mapping[str, str] = field(default_factory=dict)  # what words in capitals stand for in these rows alone
    # What makes a wish of the slots of a template, in any language, where they say more than what they are.
    readings: Mapping[str, Callable[[Any], Wish | None]] = field(default_factory=dict)

    def templates(self) -> Iterator[str]:
        """Return all templates, and the macros."""
        return chain(self.macros.values(), *self.rows.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Reads what a language understands. Each part reads a whole text, or nothing: None when anything is left over.

    All are pure, and quick also on hostile texts (they refuse what is longer than 2,000 characters).
    """

    # Reads a time and nothing else: "in 2h", "明天下午三点".
    when: Callable[[str], Expression | None]
    # Reads what stands behind a command that sets a reminder: a time before, behind or around the text, and for whom
    # ("Bob at 9 to call Oma", "call Oma tomorrow 9am").
    request: Callable[[str], Request | None]
    # Reads free text with the verb of a wish: "remind me at 9 to call Oma", "what's on my list?", "done". Who carries
    # it out reads no more of it.
    wish: Callable[[str], Wish | None]
    # Writes a schedule the way people would, in a zone ("every weekday at 09:00"; an instant absolutely: "Fri 27 Nov
    # 2026 17:00"), and `when` reads that back. A language without texts needs none.
    say: Callable[[Timed, ZoneInfo], str] = lambda schedule, zone: ""
    # Tells whether a text begins as a question does: "when is Easter".
    asks: Callable[[str], bool] = lambda text: False
    # Yields the times that a text surely names, whatever else it says, in their order.
    times: Callable[[str], Iterator[Expression]] = lambda text: iter(())


def lazily(module: str) -> Grammar:
    """Return the `GRAMMAR` of a module, which is loaded with the first text: compiling its patterns takes a tenth of a
    second and more."""

    @cache
    def loaded() -> Grammar:
        grammar: Grammar = import_module(module).GRAMMAR
        return grammar

    return Grammar(
        when=lambda text: loaded().when(text),
        request=lambda text: loaded().request(text),
        wish=lambda text: loaded().wish(text),
        say=lambda schedule, zone: loaded().say(schedule, zone),
        asks=lambda text: loaded().asks(text),
        times=lambda text: loaded().times(text),
    )


# That of a language that understands nothing.
SILENT = Grammar(
    when=lambda text: None,
    request=lambda text: None,
    wish=lambda text: None,
)
