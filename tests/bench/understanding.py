"""Sentences as people write them, against what is understood without a model: how many it acts on, and how many wrong.

Whoever wrote them had not seen the grammars (tests/language/sentences, a file a language): what is meant, about what,
and when, on a Wednesday afternoon. A third of them are near misses. What is wrong is listed, so that it can be judged:
a sentence may have a meaning that its writer did not think of.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import core.capabilities.all  # noqa: F401 - what people say is theirs
from core.kernel.timing.expressions import Every
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Interval, Once, Rule, next_after
from core.language import grammars, languages
from core.language.grammar import ME, Wish
from core.language.small_talk import understand

LANGUAGE = Path(__file__).parent.parent / "language"
# The first were looked at while the grammars were built, the second only when they were done. Of the third, by somebody
# else again, are those that were understood rightly in the end, with times wrapped in a wish.
FILES, HELD_OUT, FRESH = LANGUAGE / "sentences", LANGUAGE / "held_out", LANGUAGE / "fresh"
NOW = datetime(2026, 11, 25, 14, 13, tzinfo=UTC)
ZONE = ZoneInfo("UTC")
# What the grammars call what is meant; what they read otherwise is another wish.
ACTS: Mapping[str, str] = {
    "remind": "remind",
    "todo.add": "add",
    "todo.done": "done",
    "done": "done",
    "todo.remove": "remove",
    "todo.clear": "clear",
    "todo": "list",
    "todo.new": "list",
    "lists": "lists",
    "today": "today",
    "tasks": "reminders",
    "when": "reminders",
    "cancel": "cancel",
    "cancel.due": "cancel",
    "cancel.all": "cancel",
    "cancel.which": "cancel",
    "move": "move",
    "time": "time",
    "date": "date",
    "timezone": "zone",
}
ASKED, NONE = "remind?", "none"
NEVER = "no such time"
# Small talk is no wish, but for these.
TALK = {"time", "date"}
_ME = {"me", "ich", "mich", "我"}
MOST_LISTED = 200
_WORDS = re.compile(r"\w+")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """What somebody wrote, and what is meant by it: `times` are what may be meant, the likeliest first."""

    sentence: str
    act: str
    text: str
    times: tuple[str, ...]
    who: str


def sentences(code: str, folder: Path = FILES) -> list[Sentence]:
    """Return those of a language."""
    with (folder / f"{code}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Sentence(
            sentence=row["sentence"],
            act=row["act"],
            text=row["text"],
            times=tuple(part.strip() for part in row["when"].split("|") if part.strip()),
            who=row["who"],
        )
        for row in rows
    ]


def judged(meant: Sentence, code: str) -> str:
    """Return what came of a sentence of somebody with a language: it is left to a model, asked about, acted on rightly,
    or wrongly (how)."""
    own = languages()[code].grammar
    order = [own, *(one for one in grammars() if one is not own)]
    wish = next((found for grammar in order if (found := grammar.wish(meant.sentence))), None)
    if wish is None and meant.act in {"remind", ASKED} and _lacks_a_time(meant.sentence):
        return "asks"
    if wish is None:
        talk = {one.name for one in understand(meant.sentence, languages().values())} & TALK
        return "left" if not talk else "right" if talk == {meant.act} else f"wrong: {talk.pop()}"
    act = ACTS.get(wish.name, wish.name)
    if act == "remind" and wish.request is None:
        return "asks" if meant.act in {"remind", ASKED} else "wrong: asks when"
    if act == "remind" and meant.act == ASKED and _misread(wish, meant) == NEVER:
        return "asks"  # whoever names a day that never is, is asked for another
    if act != meant.act and not (act == "remind" and meant.act == ASKED and meant.times):
        return f"wrong: {act}"
    return "right" if act != "remind" or not (why := _misread(wish, meant)) else f"wrong: {why}"


def _lacks_a_time(text: str) -> bool:
    """Whether a text wishes for a reminder in a way that is asked back about where there is no model."""
    for language in languages().values():
        lead = language.lead.match(text)
        at = lead.end() if lead else 0
        if language.reminding.match(text, at):
            return not language.watching.match(text, at)
    return False


def _misread(wish: Wish, meant: Sentence) -> str:
    """Say what of a reminder is not as it was meant; empty when all of it is."""
    request = wish.request
    assert request is not None
    if meant.text and _words(request.text) != _words(meant.text):
        return f"text {request.text!r}"
    others = {name.removeprefix("@").casefold() for name in request.who if name != ME}
    said = {name.strip().removeprefix("@").casefold() for name in meant.who.split("|") if name.strip()} - _ME
    if said - {"everybody"} != others or ("everybody" in said) != request.everybody:
        return f"for {sorted(others) or request.everybody}"
    try:
        first = resolve(request.when, round(NOW.timestamp() * 1000), ZONE)
    except Impossible:
        return NEVER
    schedule = first.schedule
    repeats = isinstance(request.when, Every) or isinstance(schedule, Interval | Rule)
    if repeats != any(one.startswith("every ") for one in meant.times):
        return "comes again" if repeats else "comes once"
    if any(one.endswith(" until done") for one in meant.times) != request.until_done:
        return "until done"
    expected = {instant for one in meant.times for instant in _first(one.removesuffix(" until done"))}
    at = schedule.at if isinstance(schedule, Once) else next_after(schedule, round(NOW.timestamp() * 1000))
    found = datetime.fromtimestamp((at or 0) / 1000, UTC).replace(tzinfo=None, second=0, microsecond=0)
    return "" if not expected or found in expected else f"at {found.isoformat(timespec='minutes')}"


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


def _first(said: str) -> Iterator[datetime]:
    """Yield the instants that a time of the file may first mean; none for what is counted from now on."""
    if not said.startswith("every "):
        yield datetime.fromisoformat(said)
        return
    _, *unit, clocks = said.split()
    if not re.match(r"\d\d:\d\d", clocks) or "-" in clocks or unit[-1] in {"hours", "minutes"}:
        return
    clock = min(time.fromisoformat(one) for one in clocks.split(","))
    now, found = NOW.replace(tzinfo=None), 0
    for n in range(800):
        for one in sorted(time.fromisoformat(each) for each in clocks.split(",")):
            at = datetime.combine(now.date() + timedelta(days=n), one)
            if at > now and _fits(at, unit):
                yield at
                found += 1
            # Which of two weeks is the first one is not said.
            if found == (2 if unit[0] == "2" else 1):
                return
    assert found, (said, clock)


def _fits(at: datetime, unit: list[str]) -> bool:
    """Whether a day is one of those that a rule means."""
    day, name = at.date(), _DAYS[at.weekday()]
    match unit:
        case ["day"]:
            return True
        case ["weekday"]:
            return day.weekday() < 5
        case ["month", number]:
            last = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
            return day == last if number == "last" else str(day.day) == number
        case ["year", date]:
            return day.strftime("%m-%d") == date
        case [_, "weeks", names] | [names]:
            return name in names.split(",")
    return False


async def measure() -> str:
    """Count, a line for each language, of both sets, and list what is wrong."""
    head = f"{'sentences':12}{'own':>8}{'acts':>8}{'asks':>8}{'left':>8}{'wrong':>8}{'others':>8}{'acted on':>10}"
    lines, wrong = [head], list[str]()
    for path in (path for folder in (FILES, HELD_OUT, FRESH) for path in sorted(folder.glob("*.tsv"))):
        name = path.stem if path.parent == FILES else f"{path.stem} {path.parent.name.replace('_', ' ')}"
        results = [(meant, judged(meant, path.stem)) for meant in sentences(path.stem, path.parent)]
        own = Counter(result.partition(":")[0] for meant, result in results if meant.act != NONE)
        others = [result for meant, result in results if meant.act == NONE]
        acted = sum(result != "left" for result in others)
        lines.append(
            f"{name:12}{own.total():8}{own['right'] + own['wrong']:8}{own['asks']:8}{own['left']:8}"
            f"{own['wrong']:8}{len(others):8}{acted:10}"
        )
        wrong += [
            f"  {path.stem}  {meant.sentence}  →  {result.removeprefix('wrong: ')} (meant: {meant.act}"
            f"{' ' + ' | '.join(meant.times) if meant.times else ''})"
            for meant, result in results
            if result.startswith("wrong") or (meant.act == NONE and result != "left")
        ]
    return "\n".join([*lines, "", "not as it was meant:", *wrong[:MOST_LISTED]])
