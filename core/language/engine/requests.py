"""Reads what stands behind the verb of a reminder, or behind its command: for whom, when, and of what.

A time stands before, behind or around the text. What is not read whole is none: for what may stand beside a time, and
what of time may be left over in a text, see `borders.py`.

A language has templates over its classes, by what they are for; what it does not tell never matches:

- `lead` is politeness in front, `until` until it is done; `leads` stands before a time in front, `connect` between a
  time and its text, with `sure`, `theirs` ("that") or `apart` (a colon) where it surely parts them, `about` where that
  is behind what else is no time, `told` the same behind a verb; `weak` is a time that is written in one word ("20m"
  tea); `comma` and `pause` are signs between them, which there are in most languages alike (`_SIGNS`).
- Whom it is for: `order`, a verb in front of them; `me`, `self` in a list, `us`, `many`, `for`, `and`, `unnamed`,
  `tells`, `after` and `plain` (`people.py`).
- At the borders: `begins` and `ends` are what no text begins with behind a time, or ends with before one, `hangs` what
  it does not end with at all; `hour` ends with what may be a clock, but a `thing`, or `owned`; `otherday` makes another
  of a day behind it.
- Of times within a text: `owns` makes one its own, that of a thing with `of`; `on` begins a day that is, `more`
  stands before one that is not; `clause` begins one that owns a time behind it, `ofday` is a day that owns the clock
  behind it, `owntime` what has a time of its own, `dated` what has a date each year.
- `unsure` and `odd` are not understood anywhere, or at the beginning, `rarely` not where something comes again, and
  `unread` not where no time is said; `second` is another wish, `asked` a question behind a verb, `asks` one that a wish
  is about, `question` one with a mark behind it; `dayish` is a day at the end of a text that has none, `waits` for what
  nobody can tell the time of. `shared` words show no language.
- `trails` is an end of a series that may stand behind a text without a comma, `holds` a word of the text to which it
  belongs then ("wait until").
- `doubtful` is no time behind a text, nor an `edge` of a month or a year.
- `closes` is a word at the end of a text that is no part of it, `final` one of a clause, `verb` one at its beginning;
  `again` and `wakes` are texts that say nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from core.kernel.timing.expressions import Every, Expression
from core.language.engine.borders import Borders
from core.language.engine.people import People, Reads, Who
from core.language.engine.said import STRONG, WEAK, WITHIN_A_DAY, Said, Scan, expression, join, times_until, to_wake
from core.language.engine.templates import Template, Templates
from core.language.engine.times import Reader
from core.language.engine.tokens import MAX_LENGTH, Tokens
from core.language.grammar import Request

_SIGNS: Mapping[str, str] = {"comma": "(,|:){1,2}", "pause": "(,|;|:|-){1,4}"}
_TAIL = 18
# A length behind a text is the end of a series that comes so often until then, at least on days or more seldom.
_OFTEN = {"day": 3, "week": 5, "month": 5, "year": 5}
# As many tokens of a text are searched for times: each of them may begin one.
_SEARCHED = 100
# Of more tokens nobody is reminded in one text; each of them may begin a time.
LONGEST = 500
# What surely parts a time and its text.
_PARTING = ("sure", "theirs", "apart")
_PAUSES, _MARKS = " ,;:–—-", "!?…"
_SAYS = re.compile(r"[^\W\d_]|[^\w\s.,!?;:'\"()–—…-]")


@dataclass(frozen=True, slots=True)
class _Line:
    """What is read: a text as it was written, its tokens up to `end`, what connects a time and a text in it, and how
    many tokens such a text has at least."""

    text: str
    tokens: Tokens
    end: int
    connect: Template
    shortest: int


@dataclass(frozen=True, slots=True)
class _Found:
    """The time of a request, and from and before which tokens its text stands; `apart` when a colon says that all the
    rest is text, `clause` when it is one of who asks, `until` when it comes until it is done."""

    when: Expression
    said: Said
    start: int
    end: int
    apart: bool = False
    clause: bool = False
    until: bool = False


class Requests:
    """Reads requests with the rules of a language, and times in them with its reader. Where `ours` are given, words of
    days that are read, days of other languages are seen. A language without spaces reads people by itself
    (`unspaced`)."""

    def __init__(
        self,
        reader: Reader,
        rules: Mapping[str, str],
        macros: Mapping[str, str],
        *,
        ours: Collection[str] | None = None,
        unspaced: Reads | None = None,
    ) -> None:
        self._reader = reader
        # Without spaces no word shows that what is rather weak is a time, so in front it is one.
        self.least = WEAK if unspaced else STRONG
        self.rules = Templates({**_SIGNS, **rules}, macros, reader.alphabet)
        self.people: Reads = unspaced or People(reader, self.rules)
        self.borders = Borders(reader, self.rules, ours, self.least)

    def read(self, text: str, *, told: bool = False, who: Who | None = None) -> Request | None:
        """Read a request whole; None without a time or a text, or when it is not clear which is which.

        `told` behind a verb; `who` when that said for whom it is.
        """
        if len(text) > MAX_LENGTH:
            return None
        found = (self._read(said, tokens, told, who) for said, tokens in self._reader.readings(text))
        return next(filter(None, found), None)

    def times(self, text: str) -> Iterator[Expression]:
        """The times that surely stand in a text, or in the beginning of a long one, in their order."""
        tokens = self._reader.alphabet.read(text[:MAX_LENGTH])
        end = min(len(tokens.codes), _SEARCHED)
        # What reaches to the end of a part may go on behind it: "at 5", "at 5 pm".
        found = (one for _, one in self.borders.times(tokens, 0, end) if one.end < end or end == len(tokens.codes))
        return (one.when for one in found)

    def _read(self, text: str, tokens: Tokens, told: bool, who: Who | None) -> Request | None:
        rules = self.rules
        end = bisect_left(tokens.ends, self._reader.trimmed(tokens.text) + 1)
        if end > LONGEST:
            return None
        start, until = rules.skip("lead", tokens, 0, end), False
        while ends := rules.ending("until", tokens, start, end):
            end, until = rules.without("pause", tokens, start, ends[0]), True
        order = rules["order"].match(tokens, start, end)
        # One sign is a text only where it is said that it is one, or stands apart: "见" is none in "明天见".
        shortest = 1 if told or order or who else self._reader.alphabet.width
        line = _Line(text, tokens, end, rules["told" if told and "told" in rules else "connect"], shortest)
        start = order.end if order else start
        whom = who or Who(end=start)
        if who is None and not self.strong(tokens, start, end):
            whom = self.people.read(text, tokens, start, end, told=order is not None)
        begin = start if who else whom.end
        found = self._front(line, begin) or self._back(line, begin) or self._weak(line, begin)
        said = self._text(line, found) if found else ""
        # Nothing of time, and no other wish, is left over in the text.
        if found is None or not said:
            return None
        text_start = self._begins(line, found)
        if not self.borders.is_content(tokens, text_start, found.end, found.said, apart=found.apart):
            return None
        if who is None and "shared" in rules and not self._is_ours(line, found):
            return None
        told_text = self._reader.alphabet.read(said)
        wakes = rules["wakes"].whole(told_text, 0, len(told_text.codes))
        often = isinstance(found.when, Every) and (found.said.span or found.when.unit in WITHIN_A_DAY)
        if wakes and not (found.said.clocks or found.said.delay or often):
            return None  # nobody means nine by "early"
        when = (wakes and expression(to_wake(found.said))) or found.when
        until = until or found.until
        return Request(text=said, when=when, who=whom.names, everybody=whom.everybody, until_done=until)

    def _is_ours(self, line: _Line, found: _Found) -> bool:
        """Whether what is said beside a text is of the language, since no verb shows it."""
        tokens, start = line.tokens, self._begins(line, found)
        beside = (*range(start), *range(found.end, len(tokens.codes)))
        said = (at for at in beside if any(map(str.isalpha, tokens.words[at])))
        return any(not self.rules["shared"].whole(tokens, at, at + 1) for at in said)

    def strong(self, tokens: Tokens, at: int, end: int, onto: Said | None = None) -> Scan | None:
        """The time that begins at a token, if that is surely one; with what it says `onto` what was said."""
        found = self._reader.scan_tokens(tokens, at, end, onto=onto)
        return found if found and found.said.strength >= self.least else None

    def _front(self, line: _Line, start: int) -> _Found | None:
        """A time, then the text; a clock or a repetition may come behind the text."""
        tokens, end = line.tokens, line.end
        leads = self.rules["leads"].match(tokens, start, end)
        first, until = self._first(tokens, start, end)
        if first is None and leads:
            first, until = self._first(tokens, leads.end, end)
        if first is None:
            return None
        sign = line.connect.match(tokens, first.end, end)
        begin, parted = (
            (sign.end, [one for one in ("sure", "theirs", "apart") if sign.has(one)]) if sign else (first.end, [])
        )
        # "Tomorrow about 5" is a time, "tomorrow about the party" is none.
        if not parted and not self.borders.may_follow(tokens, first.end, end):
            return None
        # "At 9 that Bob comes tomorrow": the other time is Bob's.
        theirs = "theirs" in parted and not (first.said.day or first.said.every)
        around = None if theirs else self._around(line, first, begin)
        if around or "apart" in parted or self.borders.may_end(tokens, begin, end, first.said):
            clause = sign is not None and sign.has("own")
            plain = _Found(first.when, first.said, begin, end, apart="apart" in parted, clause=clause)
            return replace(around or plain, until=until)
        return None

    def _first(self, tokens: Tokens, at: int, end: int) -> tuple[Scan | None, bool]:
        """The time in front, and whether it says, before, behind or within itself, until it is done."""
        rules = self.rules
        begins = rules["until"].match(tokens, at, end)
        first = self.strong(tokens, rules.skip("comma", tokens, begins.end, end) if begins else at, end)
        if first is None or not (within := rules["until"].match(tokens, first.end, end)):
            return first, begins is not None
        more = self.strong(tokens, rules.skip("comma", tokens, within.end, end), end)
        if more is None:
            return replace(first, end=within.end), True
        both = join(first.said, more.said)
        when = expression(both) if both else None
        return (Scan(when, both, more.end) if when and both else None), True

    def _around(self, line: _Line, first: Scan, start: int) -> _Found | None:
        more = self._tail(line, start, first.said) if first.said.every else None
        # What says more of what comes again: "every day at 9 to run, but not on Sundays".
        added = more[1].said if more else first.said
        ends = added.until and more and self._is_end(line, start, more[0], added)
        rest = more and (added.span or added.but or added.but_holidays or ends)
        back = more if rest else self._tail(line, start)
        if back is None or not self.borders.may_precede(line.tokens, start, back[0], back[1].said):
            return None
        between = line.tokens, start, back[0]
        one, other = first.said, back[1].said
        if rest:
            return None if self.rules["clause"].search(*between) else _Found(back[1].when, other, start, back[0])
        clock = one.clocks and not (one.day or one.every or one.delay)
        own = other.delay or ((other.day or other.every) and not clock)
        if own or self.rules["owntime"].search(*between):
            return None
        both = join(one, other) if one.day or one.every or clock else None
        when = expression(both) if both else None
        return _Found(when, both, start, back[0]) if both and when else None

    def _is_end(self, line: _Line, start: int, at: int, said: Said) -> bool:
        """Whether what stands behind a text surely ends the series, and is no part of the text: "to take the pills for
        7 days", but not "to order food for 2 months", nor "to hold the mail until Friday"."""
        if self.rules.ending("pause", line.tokens, start, at):
            return True
        trails, every = self.rules["trails"].match(line.tokens, at, line.end), said.every
        lasts = said.until.delay if said.until else None
        if every and lasts and times_until(every, lasts) < _OFTEN.get(every.unit, 1):
            return False
        return trails is not None and not self.rules["holds"].search(line.tokens, start, at)

    def _back(self, line: _Line, start: int) -> _Found | None:
        """The text, then a time."""
        found = self._tail(line, start)
        if found is None:
            return None
        at, time = found
        end = self.rules.without("until", line.tokens, start, at)
        said = time.said
        if not self.borders.may_precede(line.tokens, start, end, said):
            return None
        if self.rules["clause"].search(line.tokens, start, at):
            return None
        if said.clocks and not (said.day or said.every) and self.rules["ofday"].search(line.tokens, start, at):
            return None
        # "Book the hotel at 9 for two weeks" is said of the hotel.
        if said.until and said.every and said.every.doubtful:
            return None
        return _Found(time.when, said, start, end, until=end < at)

    def _tail(self, line: _Line, start: int, onto: Said | None = None) -> tuple[int, Scan] | None:
        """The first of the last words from where all is time, and that time, with what it says `onto` what was said;
        never where the text itself begins."""
        tokens, end, alphabet = line.tokens, line.end, self._reader.alphabet
        places = [at for at in range(start + 1, end) if not alphabet.gap or tokens.starts[at] > tokens.ends[at - 1]]
        for at in places[-_TAIL * alphabet.width :]:
            found = self.strong(tokens, at, end, onto)
            if found and found.end == end:
                if self.rules["doubtful"].whole(tokens, at, end):
                    return None
                sure = found.said.strength == STRONG or (found.said.day and found.said.clocks)
                # "两点" may be part of the text before it, unless it stands apart.
                apart = tokens.starts[at] > tokens.ends[at - 1] or self.rules.ending("pause", tokens, start, at)
                return (at, found) if sure or apart else None
        return None

    def _weak(self, line: _Line, start: int) -> _Found | None:
        """What may be a time and is one here: "20m tea", "11/27 to call Oma"."""
        tokens, end = line.tokens, line.end
        found = None if self.least == WEAK else self._reader.scan_tokens(tokens, start, end, alone=True)
        # What is sure to be a time, and is not read as one, goes on oddly.
        if found is None or found.said.strength == STRONG:
            return None
        sign = line.connect.match(tokens, found.end, end)
        parted = sign and any(sign.has(one) for one in (*_PARTING, "about"))
        compact = all(at in tokens.joined for at in range(start + 1, found.end))
        if not parted and not (compact and self.rules["weak"].whole(tokens, start, found.end)):
            return None
        return _Found(found.when, found.said, sign.end if sign else found.end, end)

    def _begins(self, line: _Line, found: _Found) -> int:
        """Where the text of a request begins, without what connects it."""
        sign = line.connect.match(line.tokens, found.start, found.end)
        return self.rules.skip("verb", line.tokens, sign.end if sign else found.start, found.end)

    def _text(self, line: _Line, found: _Found) -> str:
        """The text as it was written, without what connected it to its time, and without quotes around all of it."""
        tokens, rules, start = line.tokens, self.rules, self._begins(line, found)
        end = rules.without("pause", tokens, start, found.end)
        end = rules.without("closes", tokens, start, end) if end < line.end else end
        end = rules.without("final", tokens, start, end) if found.clause else end
        apart = 0 < start < end and tokens.starts[start] > tokens.ends[start - 1]
        if end - start < (1 if apart else line.shortest):
            return ""
        stop = tokens.ends[end - 1]
        while found.end == line.end == end and line.text[stop : stop + 1] in _MARKS and stop < len(line.text):
            stop += 1
        said, codes = line.text[tokens.starts[start] : stop].strip(), tokens.codes[start:end]
        if len(codes) > 1 and codes[0] == '"' == codes[-1] and '"' not in codes[1:-1]:
            said = said[1:-1].strip()
        said = said.strip(_PAUSES)
        return "" if rules["again"].whole(tokens, start, end) or not _SAYS.search(said) else said
