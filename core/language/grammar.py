"""What a language understands of time and lists. Each language fills in one `Grammar`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from zoneinfo import ZoneInfo

from core.kernel.timing.expressions import Expression
from core.kernel.timing.schedule import Schedule

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
class Grammar:
    """Each part reads a whole text or nothing of it: None when anything is left over. All are pure, and quick also on
    hostile texts (they refuse what is longer than 2,000 characters).

    `when` reads a time and nothing else ("in 2h", "明天下午三点"). `request` reads what stands behind a command that
    sets a reminder: a time before, behind or around the text, and for whom ("Bob at 9 to call Oma", "call Oma tomorrow
    9am").
    `command` turns free text with the verb of a wish into the line of the command that does it: "remind me at 9 to call
    Oma" → "/remind at 9 to call Oma", "what's on my list?" → "/todo", "每天早上8点提醒我吃药" →
    "/remind 每天早上8点吃药", "done" → "/done". `say` writes a schedule the way people would, in a zone ("every weekday
    at 09:00"; an instant absolutely: "Fri 27 Nov 2026 17:00"); `when` reads back what it writes.
    """

    when: Callable[[str], Expression | None]
    request: Callable[[str], Request | None]
    command: Callable[[str], str | None]
    say: Callable[[Schedule, ZoneInfo], str]


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
        command=lambda text: loaded().command(text),
        say=lambda schedule, zone: loaded().say(schedule, zone),
    )


SILENT = Grammar(
    when=lambda text: None, request=lambda text: None, command=lambda text: None, say=lambda schedule, zone: ""
)
