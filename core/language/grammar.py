"""What a language understands of time and lists. Each language fills in one `Grammar`."""

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
    """To be reminded of `text`, as it was written, at `when`.

    `who` are the names of others as they were written, a handle with its sign (`@anna`), and `ME` beside them for who
    asks; nobody: who asks.
    `everybody` when it is for all of a group. `until_done` when it is to come again until it is done.
    """

    text: str
    when: Expression
    who: tuple[str, ...] = ()
    everybody: bool = False
    until_done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a whole text asks for: `name` says what ("remind", "todo.add"), `text` what it is about, in the words
    that were written; empty where it is about nothing.

    Of a reminder `request` is what was read of that text, None where it says no time; `names` are whom the text may
    mean instead, where the names of others may be all that it says beside its time ("Bob at 9"). `when` is the time of
    what is no reminder: the day that is asked about, the rule of a brief, when that is due which shall be moved or
    cancelled; `time` are the words of what it is moved to, or of how long before something. `hours` are quiet ones
    ("22:00-07:00"), the likeliest first, none where there shall be none. `span` are several days that are asked
    about, as "next week"; of a date "week" asks for the number of its week. `calendar` when what is to be reminded of
    was wished for on a calendar. `list` are the words for a list, empty for the usual one; `kind` is what the type of a
    file begins with ("image/"), empty for any.
    """

    name: str
    text: str = ""
    request: Request | None = None
    names: tuple[str, ...] = ()
    when: Expression | None = None
    hours: tuple[str, ...] = ()
    time: str = ""
    span: Span | None = None
    calendar: bool = False
    list: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseTable:
    """What people say in one language for some wishes (docs/languages.md): `rows` are templates by the wish's name,
    `macros` what words in capitals stand for in them alone, beside the macros of the language; `readings` make wishes
    of what stands in their slots, in any language, where that is more than what they are."""

    rows: Mapping[str, Sequence[str]]
    macros: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, Callable[[Any], Wish | None]] = field(default_factory=dict)

    def templates(self) -> Iterator[str]:
        """All of them, and the macros."""
        return chain(self.macros.values(), *self.rows.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Each part reads a whole text or nothing of it: None when anything is left over. All are pure, and quick also on
    hostile texts (they refuse what is longer than 2,000 characters).

    `when` reads a time and nothing else ("in 2h", "明天下午三点"). `request` reads what stands behind a command that
    sets a reminder: a time before, behind or around the text, and for whom ("Bob at 9 to call Oma", "call Oma tomorrow
    9am").
    `wish` reads free text with the verb of a wish: "remind me at 9 to call Oma", "what's on my list?", "done". All that
    is in it is read then: who carries it out reads no more of it. `say` writes a schedule the way people would, in a
    zone ("every weekday at 09:00"; an instant absolutely: "Fri 27 Nov 2026 17:00"); `when` reads back what it writes.
    `asks` tells whether a text begins as a question does ("when is Easter"). `times` are those that a text surely
    names, whatever else it says, in their order. A language without texts needs no `say`.
    """

    when: Callable[[str], Expression | None]
    request: Callable[[str], Request | None]
    wish: Callable[[str], Wish | None]
    say: Callable[[Timed, ZoneInfo], str] = lambda schedule, zone: ""
    asks: Callable[[str], bool] = lambda text: False
    times: Callable[[str], Iterator[Expression]] = lambda text: iter(())


def lazily(module: str) -> Grammar:
    """The `GRAMMAR` of a module, which is loaded with the first text: compiling its patterns takes a tenth of a second
    and more."""

    @cache
    def loaded() -> Grammar:
        found: Grammar = import_module(module).GRAMMAR
        return found

    return Grammar(
        when=lambda text: loaded().when(text),
        request=lambda text: loaded().request(text),
        wish=lambda text: loaded().wish(text),
        say=lambda schedule, zone: loaded().say(schedule, zone),
        asks=lambda text: loaded().asks(text),
        times=lambda text: loaded().times(text),
    )


SILENT = Grammar(
    when=lambda text: None,
    request=lambda text: None,
    wish=lambda text: None,
)
