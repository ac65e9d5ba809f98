"""Reads what stands behind the verb of a reminder, or behind its command: for whom, when, and of what.

"Bob tomorrow at 9 to call Oma" is `Request(text="call Oma", when=At(day=…, clock=…), who=("Bob",))`. A time stands
before, behind or around the text: each of these ways is tried in turn, and gives a `_Split` of the line. What is not
read whole is none: for what may stand beside a time, and what of time may be left over in a text, see `borders.py`.

A language has templates over its classes, its rules, by what they are for. What it does not tell never matches.

Around a time and its text:

- `lead` is politeness in front ("please"), `leads` what may stand before a time in front ("um").
- `connect` stands between them ("to"), `told` does so behind a verb, where that is not the same. Its groups tell how:
  with `sure`, `theirs` ("that") or `apart` (a colon) it parts them also where a time might go on, with `about`
  ("about") also behind what else is no time, and with `own` ("dass ich") the text is a clause of who asks.
- `comma` and `pause` are signs between them, of which most languages have the same (`_SIGNS`).
- `until` says that it comes until it is done ("until done").
- `weak` is a time in one word that is one only in front of a text ("20m tea"), `doubtful` what is none behind a text
  ("in May").
- `trails` is the end of a series that may stand behind a text without a comma ("for 7 days"), `holds` a word of the
  text to which it belongs then ("wait until").
- `closes` is what ends a text and is no part of it ("call Oma about"), `final` the same of a clause ("dass ich Oma
  anrufen soll"), and `verb` the same in front of a text ("soll ich").
- `again` and `wakes` are texts that say nothing else ("once more", "wake up").

For whom it is (`people.py`): `me`, `self` in a list, `us`, `many`, `for`, `and`, `unnamed`, `tells`, `after` and
`plain`; `order` is a verb in front of them.

What may stand beside a time (`borders.py`):

- `begins` is what no text begins with behind a time, `ends` what none ends with before one ("around"), `hangs` what
  none ends with whose time stands in front ("and").
- `hour` may be the clock of a day at the end of a text ("call Bob 9"), but as a `thing` ("chapter 5") or `owned` ("at
  9").
- `otherday` makes another day of the one behind it ("black" Friday), `dayish` is a day at the end of a text that was
  read as none ("yesterday").

What of time may be in a text:

- `owns` makes a time the text's own ("for Friday"), with `of` also where the reminder has none ("my Friday"). `on`
  begins a day that belongs to the text where the reminder's is said ("on Friday"), but behind `more` ("and on
  Friday").
- `clause` begins what owns a time behind it ("when he"), `ofday` is a day that owns the clock behind it
  ("tomorrow's"), `owntime` has a time of its own ("book"), and `dated` a date each year ("birthday").
- `edge` is a time that names only an edge of a month or a year ("in May", "end of the year").

What is not understood:

- `unsure` anywhere in a text, `odd` at its beginning, `rarely` where it comes again, `unread` where no time is said.
- `second` is another wish. `asked` is a question behind a verb, `asks` one that a wish is about, `question` the same
  with a mark behind it. `waits` is for what nobody can tell the time of ("when the price drops").
- `shared` are words that show no language, since others write them alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from core.kernel.timing.expressions import Every, Expression
from core.language.engine.borders import Borders
from core.language.engine.people import People, Who
from core.language.engine.said import STRONG, WEAK, WITHIN_A_DAY, Said, join, times_until, to_wake
from core.language.engine.templates import Template, Templates
from core.language.engine.times import Reader
from core.language.engine.tokens import MAX_LENGTH, Tokens, unquoted
from core.language.grammar import Request

# Signs between a time and a text, which are the same in most languages.
_SIGNS: Mapping[str, str] = {"comma": "(,|:){1,2}", "pause": "(,|;|:|-){1,4}"}
# A time behind a text begins with one of so many words at its end.
_TAIL = 18
# A length behind a text is the end of a series that comes so often until then, at least on days or more seldom.
_OFTEN = {"day": 3, "week": 5, "month": 5, "year": 5}
# Any token may begin a time: so many of a text are searched for one, and of more nobody is reminded in one text.
_SEARCHED = 100
LONGEST = 500
# The groups of what surely parts a time and its text.
_PARTING = ("sure", "theirs", "apart")
_PAUSES, _MARKS = " ,;:–—-", "!?…"
_SAYS_SOMETHING = re.compile(r"[^\W\d_]|[^\w\s.,!?;:'\"()–—…-]")


@dataclass(frozen=True, slots=True)
class _Line:
    """Holds what is read: a text as it was written, and its tokens up to `end`.

    `connect` is what connects a time and its text there, `shortest` how many tokens such a text has at least.
    """

    text: str
    tokens: Tokens
    end: int
    connect: Template
    shortest: int


@dataclass(frozen=True, slots=True)
class _Split:
    """Splits a line into the time of a request, and its text from the token `start` on and before `end`.

    `apart` when a colon says that all the rest is text, `clause` when the text is a clause of who asks, `until_done`
    when it comes until it is done.
    """

    said: Said
    start: int
    end: int
    apart: bool = False
    clause: bool = False
    until_done: bool = False


class Requests:
    """Reads requests with the rules of a language, and times in them with its reader.

    Where `ours` are given, words of days that are read, days of other languages are seen. A language may have its own
    way to read `people`.
    """

    def __init__(
        self,
        reader: Reader,
        rules: Mapping[str, str],
        macros: Mapping[str, str],
        *,
        ours: Collection[str] | None = None,
        people: type[People] = People,
    ) -> None:
        self.reader = reader
        self.rules = Templates({**_SIGNS, **rules}, macros, reader.alphabet)
        self.people = people(reader, self.rules)
        self.borders = Borders(reader, self.rules, ours)

    def read(self, text: str, *, told: bool = False, who: Who | None = None) -> Request | None:
        """Read a request whole; None without a time or a text, or when it is not clear which is which.

        It is `told` behind a verb; `who` is given when that said for whom it is.
        """
        if len(text) > MAX_LENGTH:
            return None
        requests = (self._read(written, tokens, told, who) for written, tokens in self.reader.readings(text))
        return next(filter(None, requests), None)

    def times(self, text: str) -> Iterator[Expression]:
        """Yield the times that surely stand in a text, or in the beginning of a long one, in their order."""
        tokens = self.reader.alphabet.read(text[:MAX_LENGTH])
        end = min(len(tokens.codes), _SEARCHED)
        for time in self.borders.times(tokens, 0, end):
            # What reaches to the end of a part may go on behind it: "at 5", "at 5 pm".
            if (time.end < end or end == len(tokens.codes)) and (when := time.said.when):
                yield when

    def _read(self, text: str, tokens: Tokens, told: bool, who: Who | None) -> Request | None:
        """Read a request of a text in one of the ways that it may be read."""
        rules, end = self.rules, self.reader.content_end(tokens)
        if end > LONGEST:
            return None
        start, until_done = rules.skip("lead", tokens, 0, end), False
        while until := rules.ending("until", tokens, start, end):
            end, until_done = rules.without("pause", tokens, start, until.start), True
        order = rules["order"].match(tokens, start, end)
        start = order.end if order else start
        # One sign is a text only where it is said that it is one, or stands apart: "见" is none in "明天见".
        shortest = 1 if told or order or who else self.reader.alphabet.width
        line = _Line(text, tokens, end, rules["told" if told and "told" in rules else "connect"], shortest)
        whom = replace(who or Who(), end=start)
        if who is None and not self.reader.sure(tokens, start, end):
            whom = self.people.read(text, tokens, start, end, told=order is not None)
        split = self._front(line, whom.end) or self._back(line, whom.end) or self._weak(line, whom.end)
        if split is None:
            return None
        sign = line.connect.match(tokens, split.start, split.end)
        split = replace(split, start=rules.skip("verb", tokens, sign.end if sign else split.start, split.end))
        # Nothing of time, and no other wish, is left over in the text.
        content, said, when = self._text(line, split), split.said, split.said.when
        if not content or not self.borders.is_content(tokens, split.start, split.end, said, apart=split.apart):
            return None
        if when is None or (who is None and "shared" in rules and not self._is_ours(line, split)):
            return None
        content_tokens = self.reader.alphabet.read(content)
        if rules["wakes"].whole(content_tokens, 0, len(content_tokens.codes)):
            often = isinstance(when, Every) and (said.span or when.unit in WITHIN_A_DAY)
            if not (said.clocks or said.delay or often):
                return None  # nobody means nine by "early"
            when = to_wake(said).when or when
        until_done = until_done or split.until_done
        return Request(text=content, when=when, who=whom.names, everybody=whom.everybody, until_done=until_done)

    def _is_ours(self, line: _Line, split: _Split) -> bool:
        """Return whether what is said beside a text is of the language, since no verb shows it."""
        tokens = line.tokens
        beside = (*range(split.start), *range(split.end, len(tokens.codes)))
        words = (at for at in beside if any(map(str.isalpha, tokens.words[at])))
        return any(not self.rules["shared"].whole(tokens, at, at + 1) for at in words)

    def _front(self, line: _Line, start: int) -> _Split | None:
        """Split a line with a time and then the text; a clock or a repetition may come behind the text."""
        tokens, end = line.tokens, line.end
        split = self._first(line, start) or self._first(line, self.rules.skip("leads", tokens, start, end))
        if split is None:
            return None
        sign, said = line.connect.match(tokens, split.start, end), split.said
        # "Tomorrow about 5" is a time, "tomorrow about the party" is none.
        parted = sign is not None and any(map(sign.has, _PARTING))
        if not parted and not self.borders.may_follow(tokens, split.start, end):
            return None
        # "At 9 that Bob comes tomorrow": the other time is Bob's.
        theirs = sign is not None and sign.has("theirs") and not (said.day or said.every)
        if sign:
            split = replace(split, start=sign.end, apart=sign.has("apart"), clause=sign.has("own"))
        if not theirs and (around := self._around(line, split)):
            return around
        return split if split.apart or self.borders.may_end(tokens, split.start, end, said) else None

    def _first(self, line: _Line, at: int) -> _Split | None:
        """Split off the time in front; it may say, before, behind or within itself, that it comes until it is done."""
        tokens, end, rules = line.tokens, line.end, self.rules
        begins = rules["until"].match(tokens, at, end)
        time = self.reader.sure(tokens, rules.skip("comma", tokens, begins.end, end) if begins else at, end)
        if time is None:
            return None
        split = _Split(time.said, time.end, end, until_done=begins is not None)
        if not (until := rules["until"].match(tokens, time.end, end)):
            return split
        more = self.reader.sure(tokens, rules.skip("comma", tokens, until.end, end), end)
        if more is None:
            return replace(split, start=until.end, until_done=True)
        said = join(time.said, more.said)
        return _Split(said, more.end, end, until_done=True) if said and said.when else None

    def _around(self, line: _Line, front: _Split) -> _Split | None:
        """Split a line whose time in front is split off, where more of that time stands behind the text."""
        tokens, start, first = line.tokens, front.start, front.said
        # What says more of what comes again: "every day at 9 to run, but not on Sundays".
        more = self._tail(line, start, first) if first.every else None
        if more:
            added = more.said
            ends = added.until and self._is_end(line, start, more.end, added)
            more = more if added.span or added.but or added.but_holidays or ends else None
        back = more or self._tail(line, start)
        if back is None or not self.borders.may_precede(tokens, start, back.end, back.said):
            return None
        split, last = replace(back, until_done=front.until_done), back.said
        if more:
            return None if self.rules["clause"].search(tokens, start, back.end) else split
        # A length behind the text is its own time, and so is a day, but where only a clock stands in front.
        only_clock = first.clocks and not (first.day or first.every or first.delay)
        own = last.delay or ((last.day or last.every) and not only_clock)
        if own or self.rules["owntime"].search(tokens, start, back.end):
            return None
        said = join(first, last) if first.day or first.every or only_clock else None
        return replace(split, said=said) if said and said.when else None

    def _is_end(self, line: _Line, start: int, at: int, said: Said) -> bool:
        """Return whether what stands behind a text surely ends the series, and is no part of the text: "to take the
        pills for 7 days", but not "to order food for 2 months", nor "to hold the mail until Friday"."""
        if self.rules.ending("pause", line.tokens, start, at):
            return True
        trails, every = self.rules["trails"].match(line.tokens, at, line.end), said.every
        lasts = said.until.delay if said.until else None
        if every and lasts and times_until(every, lasts) < _OFTEN.get(every.unit, 1):
            return False
        return trails is not None and not self.rules["holds"].search(line.tokens, start, at)

    def _back(self, line: _Line, start: int) -> _Split | None:
        """Split a line with the text and then a time."""
        split, rules = self._tail(line, start), self.rules
        if split is None:
            return None
        tokens, at, said = line.tokens, split.end, split.said
        end = rules.without("until", tokens, start, at)
        if not self.borders.may_precede(tokens, start, end, said) or rules["clause"].search(tokens, start, at):
            return None
        if said.clocks and not (said.day or said.every) and rules["ofday"].search(tokens, start, at):
            return None
        # "Book the hotel at 9 for two weeks" is said of the hotel.
        if said.until and said.every and said.every.doubtful:
            return None
        return replace(split, end=end, until_done=end < at)

    def _tail(self, line: _Line, start: int, onto: Said | None = None) -> _Split | None:
        """Split off the longest time at the end, which may say more of what was said before (`onto`).

        It never begins where the text itself does.
        """
        tokens, end, alphabet = line.tokens, line.end, self.reader.alphabet
        places = [at for at in range(start + 1, end) if not alphabet.gap or tokens.starts[at] > tokens.ends[at - 1]]
        times = (self.reader.sure(tokens, at, end, onto) for at in places[-_TAIL * alphabet.width :])
        time = next((time for time in times if time and time.end == end), None)
        if time is None or self.rules["doubtful"].whole(tokens, time.start, end):
            return None
        at, said = time.start, time.said
        # "两点" may be part of the text before it, unless it stands apart.
        apart = tokens.starts[at] > tokens.ends[at - 1] or self.rules.ending("pause", tokens, start, at)
        return _Split(said, start, at) if said.strength == STRONG or (said.day and said.clocks) or apart else None

    def _weak(self, line: _Line, start: int) -> _Split | None:
        """Split off what may be a time and is one here: "20m tea", "11/27 to call Oma"."""
        tokens, end = line.tokens, line.end
        time = None if self.reader.least == WEAK else self.reader.scan_tokens(tokens, start, end, alone=True)
        # What is sure to be a time, and is not read as one, goes on oddly.
        if time is None or time.said.strength == STRONG:
            return None
        sign = line.connect.match(tokens, time.end, end)
        parted = sign and any(map(sign.has, (*_PARTING, "about")))
        compact = all(at in tokens.joined for at in range(start + 1, time.end))
        if not parted and not (compact and self.rules["weak"].whole(tokens, start, time.end)):
            return None
        return _Split(time.said, sign.end if sign else time.end, end)

    def _text(self, line: _Line, split: _Split) -> str:
        """Return the text as it was written, without what ends it beside its time, and without quotes around all of it;
        empty where it says nothing."""
        tokens, rules, start = line.tokens, self.rules, split.start
        end = rules.without("pause", tokens, start, split.end)
        end = rules.without("closes", tokens, start, end) if end < line.end else end
        end = rules.without("final", tokens, start, end) if split.clause else end
        apart = 0 < start < end and tokens.starts[start] > tokens.ends[start - 1]
        if end - start < (1 if apart else line.shortest):
            return ""
        stop = tokens.ends[end - 1]
        while split.end == line.end == end and line.text[stop : stop + 1] in _MARKS and stop < len(line.text):
            stop += 1
        text = unquoted(line.text[tokens.starts[start] : stop].strip()).strip(_PAUSES)
        return "" if rules["again"].whole(tokens, start, end) or not _SAYS_SOMETHING.search(text) else text
