"""Reads what people wish in few words, with the templates of a language: whole texts, each a wish.

A row is the name of a wish and a template with slots, which have the same names in every language: `x` is what the
wish is about (`noun` a word that is so by itself: "alarm", `place` a town, or a country that has one zone), `list` the
words for a list, `when` a time (`day` a word that says one: "tomorrow's"), `to` the time that something is moved to,
`by` the length that it is put off by, or comes `earlier`, `who` whom it is for, `begin` and `until` two clocks. What is
not named is not looked at.

A text is looked up by the classes of its first and its last token, so that of all templates few are tried.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from core.kernel.timing.expressions import At, Clock, Date, Delay, Every, InDays, Weekday
from core.language.engine.kinds import NOON
from core.language.engine.reminders import Reminders
from core.language.engine.said import FOLLOWING, Scan
from core.language.engine.templates import Match, Template, Templates, compiled, expanded
from core.language.engine.times import Reader
from core.language.engine.tokens import ANY, FOLD, MAX_LENGTH, Tokens
from core.language.grammar import PhraseTable, Span, Wish
from core.language.zone_search import zone_of

_MARKS = " \n\t,;:.，、。；："
# A text that is quoted as a whole; of others the quotations stay.
_QUOTED = re.compile(r"""["“„«「『]([^"“”„«»「」『』]+)["“”»」』]""")
_TODAY = InDays(days=0)
# Several days that are asked about, by the groups that say them.
_SPANS: Mapping[str, Span] = {
    "week": "week",
    "thisweek": "week",
    "weekend": "weekend",
    "nextweekend": "next weekend",
}
_DAY = 24 * 60
# From so many words on a text is read by templates with one long free text only, so that none takes long.
_LONG, _HEAVY = 40, 40
_DAYS = "<singleday>|<day>|<tonight>|<month>|<any>|<nth>|<nthword>"
# What says nothing in front of a text; a tick does, and so do quotes.
_PICTURE = re.compile(r"(?![@/☑✅✔\"'])\W")
_LATE, _EARLY = range(6, 12), range(6, 10)
# Both have no text of their own: a mark behind them makes a question of them.
_QUESTIONS = frozenset({"done", "todo.done"})
# What is said to cancel something, or to be reminded, may be all that another wish says more exactly: it is tried last.
_LAST = {"cancel": 1, "remind": 2}


class Phrases:
    """Reads phrases with the templates of a language, times in them with its reader, and reminders with its reminders.

    `texts` are templates by what they are for: `lead` is what may stand before a wish, with `you` where somebody is
    asked ("can you"), and `wanted` what they are asked to do then, without the word `asking` that does no more than
    ask; `vague` names nothing, and `days` make a day of a week or month ("friday next week").
    """

    def __init__(
        self,
        reader: Reader,
        tables: Sequence[PhraseTable],
        macros: Mapping[str, str],
        *,
        texts: Mapping[str, str],
        reminders: Reminders,
    ) -> None:
        self._reader, self._reminders = reader, reminders
        self._texts = Templates({"days": _DAYS, "wanted": "", **texts}, macros, reader.alphabet)
        self._beginning: dict[str, list[tuple[str, Template]]] = {}
        self._ending: dict[str, list[tuple[str, Template]]] = {}
        # Free text begins and ends them: they cost something for every text.
        self._open: list[tuple[str, Template]] = []
        rows = [(name, row, {**macros, **one.macros}) for one in tables for name, row in one.rows.items()]
        for name, templates, known in sorted(rows, key=lambda row: _LAST.get(row[0], 0)):
            for text in templates:
                template = compiled(expanded(text, known), reader.alphabet)
                open_end = ANY in template.first
                if open_end and ANY in template.last:
                    self._open.append((name, template))
                    continue
                row = name, template
                for code in template.last if open_end else template.first:
                    (self._ending if open_end else self._beginning).setdefault(code, []).append(row)

    def wish(self, text: str) -> Wish | None:
        """Return what a text wishes; None when it is no wish, or more than one."""
        if len(text) > MAX_LENGTH:
            return None
        tokens = self._reader.alphabet.read(text.translate(FOLD))
        for one in (tokens, self._reader.alphabet.forgiven(tokens)):
            if one and (found := self._wish(text, one)):
                return found
        return None

    def _wish(self, text: str, tokens: Tokens) -> Wish | None:
        first, last = 0, bisect_left(tokens.ends, self._reader.trimmed(tokens.text) + 1)
        while first < last and _PICTURE.match(tokens.words[first]):
            first += 1
        asked = last and "?" in tokens.text[tokens.ends[last - 1] :]
        if lead := self._texts["lead"].match(tokens, first, last):
            first = lead.end
            # "Can you …?" ends with a mark that is not part of what is wished.
            if lead.has("you") and self._texts["asking"].whole(tokens, last - 1, last):
                last, asked = last - 1, False
            elif asked and lead.has("you"):
                text, asked = text[: tokens.ends[last - 1]], False
                if not self._texts["wanted"].search(tokens, first, last):
                    return None
        return self._found(text, tokens, first, last, asked=bool(asked))

    def _found(self, text: str, tokens: Tokens, first: int, last: int, *, asked: bool) -> Wish | None:
        if first >= last:
            return None
        long = last - first > _LONG * self._reader.alphabet.width
        for name, template in self._rows(tokens.codes[first], tokens.codes[last - 1]):
            if long and template.weight > _HEAVY:
                continue
            match = template.whole(tokens, first, last)
            # "Done?" is not "done".
            if match and not (asked and name in _QUESTIONS):
                found = self._filled(name, match, tokens, text, asked=asked)
                if found is not None:
                    return found
        return None

    @lru_cache(4_096)  # noqa: B019 - there is one for each language, for good
    def _rows(self, begin: str, end: str) -> tuple[tuple[str, Template], ...]:
        """The templates that can begin and end with these codes."""
        rows = chain(self._beginning.get(begin, ()), self._ending.get(end, ()), self._open)
        return tuple((name, one) for name, one in rows if end in one.last or ANY in one.last)

    def _filled(self, name: str, match: Match, tokens: Tokens, text: str, *, asked: bool) -> Wish | None:
        """The wish of a template with what stands in its slots; None where something in one does not fit."""
        about = _written(match, "x", tokens, text).strip(_MARKS)
        if quoted := _QUOTED.fullmatch(about):
            about = quoted[1].strip(_MARKS)
        # "The time in Rome?" is asked for in any case.
        if match.has("x") and not (about and self._is_clear(match, tokens, asked=asked and name != "time")):
            return None
        place = _written(match, "place", tokens, tokens.text)
        kind = match.worth("list")
        named = kind if isinstance(kind, str) else _written(match, "list", tokens, text)
        # What is no place has no clock: "the time in the story". A list may be somebody's: "Bob's list".
        if (place and not zone_of(place)) or "'" in named:
            return None
        time = self._time(match, tokens)
        match name:
            case "remind":
                found = self._reminder(match, about, tokens, text, asked=asked)
                found = replace(found, calendar=True) if found and match.has("calendar") else found
            case "quiet" if match.has("begin"):
                found = self._quiet(*(_written(match, one, tokens, tokens.text) for one in ("begin", "until")))
            case "brief":
                found = _daily(time)
            case "today":
                found = self._day(match, time, tokens)
            case "cancel.due":
                due = _due(match, time)
                found = Wish(name=name, when=due) if due else None
            case "date":
                due = _due(match, time) or (None if match.has("when") else At(day=_TODAY))
                day = due and due.day and not due.clock
                found = Wish(name=name, when=None if due == At(day=_TODAY) else due) if day else None
            case "move":
                found = self._moved(match, about, time, tokens, text)
            case _:
                more = _written(match, "when", tokens, text) or _written(match, "who", tokens, text)
                length = self._time(match, tokens, "by")
                said = (time or not match.has("when")) and (not match.has("by") or (length and length.said.delay))
                whole, by = f"{about} {more}".strip() if about else place, _written(match, "by", tokens, text)
                found = Wish(name=name, text=whole, list=named, time=by) if said else None
        return found

    def _is_clear(self, match: Match, tokens: Tokens, *, asked: bool) -> bool:
        """Whether what a wish is about is named, and no question or wish of its own."""
        vague = self._texts["vague"].whole(tokens, *match.span("x"))
        return not vague and self._reminders.fits(tokens, *match.span("x"), asked)

    def _reminder(self, match: Match, about: str, tokens: Tokens, text: str, *, asked: bool) -> Wish | None:
        """A wish to be reminded: of what is in its slots, or of what the rest says that stands behind its verb."""
        who, when, rest = (_written(match, name, tokens, text) for name in ("who", "when", "rest"))
        line = _written(match, "line", tokens, text)
        rest = line or f"{rest} {_written(match, 'more', tokens, text)}".strip() or match.worth("wakes") or ""
        if not rest:
            # "Set an alarm for 7" is about just that.
            return self._reminders.ordered(when, about or match.worth("noun") or match.text("noun"))
        # "Remind me at 9 to call Oma?" may ask whether that is set.
        if (asked and not match.has("you")) or (when and not self._time(match, tokens)):
            return None
        found = self._reminders.told(who, when, rest, keeps=match.has("until"), behind=not line)
        return found or (self._reminders.ordered("", rest) if match.has("wakes") else None)

    def _time(self, match: Match, tokens: Tokens, name: str = "when") -> Scan | None:
        """The time that stands in its slot, and nothing beside it."""
        if not match.has(name):
            return None
        start, end = match.span(name)
        found = self._reader.scan_tokens(tokens, start, end, alone=True)
        return found if found and found.end == end else None

    def _day(self, match: Match, time: Scan | None, tokens: Tokens) -> Wish | None:
        """What is on at a day, and at no hour of it; or in a week, or at a weekend."""
        for group, span in _SPANS.items():
            if match.has(group):
                return Wish(name="today", span="next week" if match.worth(group) == 1 else span)
        day = match.worth("day") or (time.said.day if time else None)
        if match.has("when"):
            # Of a week or a month the first day is meant only where it is said.
            first = isinstance(day, Weekday) or (isinstance(day, Date) and day.months is not None and day.day == 1)
            whole = first and not self._texts["days"].search(tokens, *match.span("when"))
            if time is None or day is None or whole or time.said.clocks or time.said.every:
                return None
        day = day or _TODAY
        return Wish(name="today", when=None if day == _TODAY else At(day=day))

    def _moved(self, match: Match, about: str, due: Scan | None, tokens: Tokens, text: str) -> Wish | None:
        """Return the wish to move what is named, due then, or was said last: to a time, or by a length."""
        when = _due(match, due)
        if match.has("when") and when is None:
            return None
        if match.has("by"):
            length = self._time(match, tokens, "by")
            by = f"{'-' if match.has('earlier') else '+'}{_written(match, 'by', tokens, text)}"
            return Wish(name="move", text=about, when=when, time=by) if length and length.said.delay else None
        time = _written(match, "to", tokens, text) if self._time(match, tokens, "to") else ""
        return Wish(name="move", text=about, when=when, time=time) if time else None

    def _quiet(self, begin: str, until: str) -> Wish | None:
        first, last = self._reader.clock(begin), self._reader.clock(until)
        if first is None or last is None:
            return None
        if first.certain and not last.certain:
            # From 13 to 3 is in the afternoon, from 22 to 7 over night.
            halves = (replace(last, hour=last.hour % NOON + half) for half in (0, NOON))
            last = min(
                halves, key=lambda clock: (clock.hour * 60 + clock.minute - first.hour * 60 - first.minute - 1) % _DAY
            )
        # "From 10 to 7" is the night; "from 10 to 12" is not.
        late = not first.certain and first.hour in _LATE and last.hour <= first.hour
        night = _hours(replace(first, hour=first.hour + NOON) if late else first, last)
        # "From 9 to 5" may be the day just as well.
        day = _hours(first, replace(last, hour=last.hour + NOON)) if late and first.hour in _EARLY else ""
        either = day if not last.certain and last.hour < NOON else ""
        return Wish(name="quiet", hours=tuple(filter(None, (night, either)))) if night else None


def _written(match: Match, name: str, tokens: Tokens, text: str) -> str:
    """What stands in a slot, as a text has it; empty when nothing does."""
    if not match.has(name):
        return ""
    start, end = match.span(name)
    return text[tokens.starts[start] : tokens.ends[end - 1]]


def _due(match: Match, time: Scan | None) -> At | None:
    """A day, a clock or both: when that is due which shall be changed. A part of a day is none of these."""
    if time and time.said.part and not time.said.clocks:
        return None
    if day := match.worth("day"):
        return At(day=day)
    match time.when if time else None:
        case At() as when:
            return when
        case Delay(months=0, seconds=0, days=days) if time and time.said.strength > FOLLOWING:
            return At(day=InDays(days=days))
    return None


def _daily(time: Scan | None) -> Wish | None:
    """A brief at one time every day, in the half of it that is said, else in the likelier one."""
    match time.when if time else None:
        case Every(unit="day", n=1, clocks=(clock,)) | At(day=None, clock=Clock() as clock):
            return Wish(name="brief", when=Every(unit="day", clocks=(clock,)))
    return None


def _hours(first: Clock, last: Clock) -> str:
    """Empty when they are the same."""
    begin, until = f"{first.hour:02}:{first.minute:02}", f"{last.hour:02}:{last.minute:02}"
    return f"{begin}-{until}" if begin != until else ""
