"""Reading an item out of a line that somebody wrote: its text, who is to do it, and until when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import service as addressing
from core.kernel.timing.expressions import At, Delay, Every, Expression
from core.kernel.timing.resolve import Impossible, resolve
from core.kernel.timing.schedule import Once, Schedule
from core.kernel.timing.zones import to_local
from core.language import Language, languages
from core.scheduling import time_input
from core.scheduling.service import moment
from core.scheduling.time_input import SIGN
from core.toolkit.command import CommandRun
from core.toolkit.tool import ToolContext

# "@10" and "@5pm" are times.
HANDLE = re.compile(r"(?<!\S)@(?!\d{1,2}(?:[ap]m)?(?!\w))\w{2,64}(?=[\s,:，、：]|\Z)", re.IGNORECASE)
LONGEST_NAME = 60
# Units by which an item may come again: not more than once a day.
BY_DAYS = frozenset({"day", "week", "month", "year"})
NEVER = frozenset({"none", "off", "never", "无", "不限"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedItem:
    """An item as it was read. `due` is a date or an instant (ISO 8601), `other` what may be meant instead; both are
    empty when it has none. `unknown` are handles of people whom nobody knows; they stay in the text, and so does a name
    that several people here have (`shared`). `again` says when an item comes again and again.
    """

    content: str
    people: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    shared: str = ""
    due: str = ""
    other: str = ""
    again: Every | None = None


async def parse_item_of_others(run: CommandRun, text: str) -> ParsedItem:
    """Read an item that others wrote, in a message that is replied to or was forwarded: its time, but no people."""
    line = " ".join(text.split())
    found = await _timed(run, ParsedItem(content=line))
    return ParsedItem(content=line) if found.people else found


async def parse_item(run: CommandRun, text: str, due: str = "") -> ParsedItem:
    """Read a line such as "call Oma tomorrow at 5 @bob". Words that are not surely a time or a name stay in the text.

    If a day was picked before (`due`, or in lines of former versions "2026-11-27 ⏰ call Oma at 5"), the item is due
    then, and other times are text.
    """
    day, text = (due, text) if due else _picked(text)
    line = " ".join(text.split())
    named = HANDLE.findall(line)
    handles = await _known(run, named, noting=run.group)
    left = _without(run, line, handles)
    unknown = tuple(one for one in dict.fromkeys(named) if one not in handles)
    found = ParsedItem(content=left or line, people=handles if left else (), unknown=unknown, due=day)
    for read in (_timed, _assigned, _timed):
        found = await read(run, found)
    return found


def _picked(text: str) -> tuple[str, str]:
    """Return the day with which a text begins, before the sign, and the rest; empty and the text where there is
    none."""
    day, sign, rest = text.partition(f" {SIGN} ")
    try:
        return (date.fromisoformat(day).isoformat(), rest) if sign and rest.strip() else ("", text)
    except ValueError:
        return "", text


def _without(run: CommandRun, line: str, handles: Sequence[str]) -> str:
    """Return a line without these handles and the words that join them.

    The "for" of "for @bob and @kim" is removed with them, and so is a beginning such as "@bob needs to". Handles that
    are joined to other words stay: "ask @bob and me".
    """
    if not handles:
        return line
    # A pattern may look at a long gap in many ways.
    line = " ".join(line.split())
    words, does, joins = (_either(run, key) for key in ("todo_for_words", "todo_does_words", "todo_and_words"))
    one = rf"(?:{'|'.join(map(re.escape, handles))})(?=[\s,:，、：]|\Z)"
    several = rf"{one}(?:\s*[,，、]?(?:\s*(?<!\S)(?:{joins}))?\s*(?<![\w.]){one})*"
    begins = rf"\A{several}(?:[,:，：]?\s+(?:{does})(?:\s+|(?=[\u2e80-\u9fff]))|[:：]\s+)"
    within = rf"(?:(?<!\S)(?:{words})\s+)?(?<!\S){several}(?!\S)"

    def left(found: re.Match[str]) -> str:
        before, behind = found.string[: found.start()], found.string[found.end() :]
        joined = re.search(rf"(?<!\S)(?:{joins})\s+\Z", before, re.I) or re.match(rf"\s+(?:{joins})\s", behind, re.I)
        return found[0] if joined else ""

    line = re.sub(begins, "", line, flags=re.IGNORECASE)
    return " ".join(re.sub(within, left, line, flags=re.IGNORECASE).split())


def _either(run: CommandRun, key: str) -> str:
    return "|".join(re.escape(word) for language in _languages(run.context) for word in language[key].split("|"))


async def _known(run: CommandRun, names: Sequence[str], *, noting: bool = False) -> tuple[str, ...]:
    """Return those of the names that mean one contact each; with `noting`, also handles that can become contacts."""

    if not names:
        return ()
    return await run.context.db.read(
        lambda tx: tuple(
            name
            for name in dict.fromkeys(names)
            if len(found := contacts.named(tx, run.context.lane, name)) == 1
            or (noting and not found and addressing.notable(tx, run.context, name))
        )
    )


async def _timed(run: CommandRun, found: ParsedItem) -> ParsedItem:
    """Take the time off the text of an item, and the names before the time."""
    if found.due or found.again:
        return found
    there = await time_input.elsewhere(run, found.content)
    for request in filter(None, (one.grammar.request(found.content) for one in _languages(run.context))):
        if isinstance(request.when, Every) and request.when.unit in BY_DAYS and not (request.who or found.people):
            return replace(found, content=request.text, again=request.when)
        sure = time_input.sure(run, request.when) or time_input.agree(run, request.when, there)
        due, other = due_of(run.context, request.when) if sure else ("", "")
        if due and len(await _known(run, request.who)) == len(request.who):
            people = tuple(dict.fromkeys((*found.people, *request.who)))
            return replace(found, content=request.text, people=people, due=due, other=other)
    if there is None or not there.rest or not time_input.whole(run, there):
        return _by(run, found)
    return replace(found, content=there.rest, due=moment(there.at, run.context.zone))


def _by(run: CommandRun, found: ParsedItem) -> ParsedItem:
    """Take a day off the text of an item that is said to be the last one: "pay rent by Friday"."""
    for language in _languages(run.context):
        for match in filter(None, (form.fullmatch(found.content) for form in _forms(language["todo_last_day"]))):
            when = language.grammar.when(match["when"].strip())
            due, other = due_of(run.context, when) if isinstance(when, At) and when.day is not None else ("", "")
            if due:
                return replace(found, content=match["text"].strip(" ,，"), due=due, other=other)
    return found


@cache
def _forms(texts: str) -> list[re.Pattern[str]]:
    """Return forms such as "{text} by {when}" as patterns."""
    shapes = (re.escape(text).replace(r"\ ", r"\s+") for text in texts.split("|"))
    filled = (one.replace(r"\{text\}", "(?P<text>.+)").replace(r"\{when\}", "(?P<when>.+?)") for one in shapes)
    return [re.compile(one, re.IGNORECASE) for one in filled]


def _languages(context: ToolContext) -> list[Language]:
    """Return all languages, that of the chat first."""
    code = context.texts.code
    return sorted(languages().values(), key=lambda one: one.code != code)


async def _assigned(run: CommandRun, found: ParsedItem) -> ParsedItem:
    """In a group, take the name of who is to do an item off the end of its text ("… for Bob"). Where several have
    it, or an item comes again, which is for nobody, it stays there."""
    if not run.group or found.people or found.again:
        return found
    for language in _languages(run.context):
        # The last such word, which stands alone where words do, has the text before and the name behind it.
        word = language["todo_for"]
        text, _, name = (part.strip() for part in found.content.rpartition(f" {word} " if word.isascii() else word))
        fits = text and 0 < len(name) <= LONGEST_NAME
        named = await run.context.db.read(partial(contacts.named, lane=run.context.lane, name=name)) if fits else ()
        if named:
            return replace(found, content=text, people=(name,)) if len(named) == 1 else replace(found, shared=name)
    return found


def read_due(context: ToolContext, text: str) -> str | None:
    """Return a time that somebody wrote as a date or an instant; empty for "never", None when it is no time."""
    said = text.strip()
    if said.lower() in NEVER:
        return ""
    with suppress(ValueError):
        date.fromisoformat(said[:10])
        if "-" in said:
            return said
    for language in _languages(context):
        expression = language.grammar.when(said)
        if expression is not None and (due := due_of(context, expression)[0]):
            return due
    return None


def due_of(context: ToolContext, expression: Expression) -> tuple[str, str]:
    """Return when something is due by an expression, and when it may be due instead: dates or instants, or empty."""
    said, zone = context.said, context.zone
    try:
        reading = resolve(expression, said.sent_at if said else context.clock.now(), zone)
    except Impossible:
        return "", ""
    match expression:
        case At(clock=None) | Delay(seconds=0):
            day = True
        case _:
            day = False
    return _written(context, reading.schedule, day=day), _written(context, reading.other, day=day)


def _written(context: ToolContext, schedule: Schedule | None, *, day: bool) -> str:
    if not isinstance(schedule, Once):
        return ""
    zone = context.zone
    return to_local(schedule.at, zone).date().isoformat() if day else moment(schedule.at, zone)
