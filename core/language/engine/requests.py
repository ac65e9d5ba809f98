"""Reads what stands behind the verb of a reminder, or behind its command: for whom, when, and of what.

A time stands before, behind or around the text. What is not read whole is none: for what may stand beside a time, and
what of time may be left over in a text, see `borders.py`.

A language has templates over its classes, by what they are for; what it does not tell never matches:

- `lead` is politeness in front, `until` until it is done; `leads` stands before a time in front, `connect` between a
  time and its text, with `sure`, `theirs` ("that") or `apart` (a colon) where it surely parts them, `about` where that
  is behind what else is no time, `told` the same behind a verb; `weak` is a time that is written in one word ("20m"
  tea); `comma` and `pause` are signs between them.
- Whom it is for: `order`, a verb in front of them; `me`, `us`, `many`, `and`, `unnamed`, `tells`, `after`, `plain`
  (`people.py`).
- At the borders: `begins` and `ends` are what no text begins with behind a time, or ends with before one, `bounds` what
  it does not begin with before one, `count` not behind a clock, a `season` not where something comes
  again, `hangs` what it does not end with; `adverb` ends with a
  word of time that is none, `hour` with what may be one, but a `thing`, or `owned`; `otherday` makes another of a day
  behind it.
- Of times within a text: `owns` makes one its own, that of a thing with `of`; `on` begins a day that is, `more` stands
  before one that is not; `ofday` is a day that owns the clock behind it, `parts` what has a time of its own, `ownday`
  what has a day.
- `unsure` and `odd` are not understood anywhere, or at the beginning, `rarely` not where something comes again, and
  `unread` not where no time is said; `second` is another wish, `asked` a question behind a verb, `asks` one that a wish
  is about, `question` one with a mark behind it; `dayish` is a day at the end of a text that has none, `waits` for what
  nobody can tell the time of. `shared` words show no language, an `article` at the beginning of a text does.
- `doubtful` is no time behind a text, and an `amount` none within one.
- `closes` is a word at the end of a text that is no part of it, `final` one of a clause, `verb` one at its beginning;
  `again` and `wakes` are texts that say nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import product

from core.kernel.timing.expressions import Expression
from core.language.engine.borders import Borders, Rules
from core.language.engine.people import People, Reads, Who
from core.language.engine.said import STRONG, WEAK, Said, Scan, expression, join, to_wake, unsigned
from core.language.engine.templates import Template
from core.language.engine.times import Reader
from core.language.engine.tokens import FOLD, MAX_LENGTH, Tokens
from core.language.grammar import Request, Wish

_TAIL = 18
# Of more tokens nobody is reminded in one text; each of them may begin a time.
_LONGEST = 500
# What surely parts a time and its text.
_PARTING = ("sure", "theirs", "apart")
_PAUSES, _MARKS = " ,;:–—-", "!?…"
_SAYS = re.compile(r"[^\W_]|[^\w\s.,!?;:'\"()–—…-]")
# Stands where a text would, to see what is left without it.
_BLANK = "zzz"


@dataclass(frozen=True, slots=True)
class _Line:
    """What is read: a text as it was written, its tokens up to `end`, and what connects a time and a text in it."""

    text: str
    tokens: Tokens
    end: int
    connect: Template


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
    """Reads requests with the rules of a language, and times in them with its reader.

    A language without spaces reads people by itself (`unspaced`), any behind an `order`. `times` are forms that make a
    time of one without its preposition, `line` puts a time and a text together, `done` says until it is done. Where
    `ours` are given, words of days that are read, days of other languages are seen.
    """

    def __init__(
        self,
        reader: Reader,
        rules: Mapping[str, str],
        macros: Mapping[str, str],
        *,
        times: tuple[str, ...] = ("{}",),
        line: str = "{} {}",
        done: str = "",
        ours: Collection[str] | None = None,
        unspaced: Reads | None = None,
        order: str = "",
    ) -> None:
        self._reader, self._times, self._line_of, self._done = reader, times, line, done
        self.rules = Rules(rules, macros, reader)
        self._order = order
        self._people = unspaced or People(reader, self.rules)
        # Without spaces no word shows that what is rather weak is a time, so in front it is one.
        self._least = WEAK if unspaced else STRONG
        self._joints: tuple[str, ...] = ("", "，") if unspaced else (" ",)
        self._borders = Borders(reader, self.rules, ours, self._least)

    # Requests.

    def read(self, text: str, *, told: bool = False, who: Who | None = None) -> Request | None:
        """Read a request whole; None without a time or a text, or when it is not clear which is which.

        `told` behind a verb; `who` when that said for whom it is.
        """
        if len(text) > MAX_LENGTH:
            return None
        for said in dict.fromkeys((text, unsigned(text))):
            tokens = self._tokens(said)
            for one in (tokens, self._reader.alphabet.forgiven(tokens)):
                if one and (found := self._read(said, one, told, who)):
                    return found
        return None

    def _read(self, text: str, tokens: Tokens, told: bool, who: Who | None) -> Request | None:
        rules = self.rules
        end = bisect_left(tokens.ends, self._reader.trimmed(tokens.text) + 1)
        if end > _LONGEST:
            return None
        start, until = rules.skip("lead", tokens, 0, end), False
        while ends := rules.ending("until", tokens, start, end):
            end, until = rules.without("pause", tokens, start, ends[0]), True
        line = _Line(text, tokens, end, rules["told" if told and "told" in rules else "connect"])
        order = rules["order"].match(tokens, start, end)
        start = order.end if order else start
        whom = who or Who(end=start)
        if who is None and not self._strong(tokens, start, end):
            whom = self._people.read(text, tokens, start, end, told=order is not None)
        begin = start if who else whom.end
        found = self._front(line, begin) or self._back(line, begin) or self._weak(line, begin)
        said = self._text(line, found) if found else ""
        # Nothing of time, and no other wish, is left over in the text.
        if found is None or not said or not self._is_content(line, found):
            return None
        if who is None and "shared" in rules and not self._is_ours(line, found):
            return None
        told_text = self._tokens(said)
        wakes = rules["wakes"].whole(told_text, 0, len(told_text.codes))
        when = to_wake(found.when) if wakes else found.when
        until = until or found.until
        return Request(text=said, when=when, who=whom.names, everybody=whom.everybody, until_done=until)

    def _is_content(self, line: _Line, found: _Found) -> bool:
        start = self._begins(line, found)
        return self._borders.is_content(line.tokens, start, found.end, found.said, apart=found.apart)

    def _is_ours(self, line: _Line, found: _Found) -> bool:
        """Whether what is said beside a text is of the language, since no verb shows it."""
        tokens, start = line.tokens, self._begins(line, found)
        beside = (*range(start), *range(found.end, len(tokens.codes)))
        said = (at for at in beside if any(map(str.isalpha, tokens.words[at])))
        known = any(not self.rules["shared"].whole(tokens, at, at + 1) for at in said)
        return known or self.rules["article"].match(tokens, start, found.end) is not None

    def _strong(self, tokens: Tokens, at: int, end: int) -> Scan | None:
        found = self._reader.scan_tokens(tokens, at, end)
        return found if found and found.said.strength >= self._least else None

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
        if not parted and not self._borders.may_follow(tokens, first.end, end, first.said):
            return None
        # "At 9 that Bob comes tomorrow": the other time is Bob's.
        theirs = "theirs" in parted and not (first.said.day or first.said.every)
        around = None if theirs else self._around(line, first, begin)
        if around or "apart" in parted or self._borders.may_end(tokens, begin, end, first.said):
            clause = sign is not None and sign.has("own")
            plain = _Found(first.when, first.said, begin, end, apart="apart" in parted, clause=clause)
            return replace(around or plain, until=until)
        return None

    def _first(self, tokens: Tokens, at: int, end: int) -> tuple[Scan | None, bool]:
        """The time in front, and whether it says, before, behind or within itself, until it is done."""
        rules = self.rules
        begins = rules["until"].match(tokens, at, end)
        first = self._strong(tokens, rules.skip("comma", tokens, begins.end, end) if begins else at, end)
        if first is None or not (within := rules["until"].match(tokens, first.end, end)):
            return first, begins is not None
        more = self._strong(tokens, rules.skip("comma", tokens, within.end, end), end)
        if more is None:
            return replace(first, end=within.end), True
        both = join(first.said, more.said)
        when = expression(both) if both else None
        return (Scan(when, both, more.end) if when and both else None), True

    def _around(self, line: _Line, first: Scan, start: int) -> _Found | None:
        back = self._tail(line, start)
        if back is None or not self._borders.may_precede(line.tokens, start, back[0], back[1].said):
            return None
        between = line.tokens, start, back[0]
        one, other = first.said, back[1].said
        clock = one.clocks and not (one.day or one.every or one.delay)
        own = other.delay or (other.day and (not clock or self.rules["ownday"].search(*between)))
        if own or (other.every and not clock) or self.rules["parts"].search(*between):
            return None
        both = join(one, other) if one.day or one.every or clock else None
        when = expression(both) if both else None
        return _Found(when, both, start, back[0]) if both and when else None

    def _back(self, line: _Line, start: int) -> _Found | None:
        """The text, then a time."""
        found = self._tail(line, start)
        if found is None:
            return None
        at, time = found
        end = self.rules.without("until", line.tokens, start, at)
        said = time.said
        if not self._borders.may_precede(line.tokens, start, end, said, first=True):
            return None
        if said.clocks and not (said.day or said.every) and self.rules["ofday"].search(line.tokens, start, at):
            return None
        return _Found(time.when, said, start, end, until=end < at)

    def _tail(self, line: _Line, start: int) -> tuple[int, Scan] | None:
        """The first of the last words from where all is time, and that time; never where the text itself begins."""
        tokens, end, alphabet = line.tokens, line.end, self._reader.alphabet
        places = [at for at in range(start + 1, end) if alphabet.begins(tokens, at)]
        for at in places[-_TAIL * alphabet.width :]:
            found = self._strong(tokens, at, end)
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
        found = None if self._least == WEAK else self._reader.scan_tokens(tokens, start, end, alone=True)
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
        if start >= end:
            return ""
        stop = tokens.ends[end - 1]
        while found.end == line.end == end and line.text[stop : stop + 1] in _MARKS and stop < len(line.text):
            stop += 1
        said, codes = line.text[tokens.starts[start] : stop].strip(), tokens.codes[start:end]
        if len(codes) > 1 and codes[0] == '"' == codes[-1] and '"' not in codes[1:-1]:
            said = said[1:-1].strip()
        said = said.strip(_PAUSES)
        return "" if rules["again"].whole(tokens, start, end) or not _SAYS.search(said) else said

    def _tokens(self, text: str) -> Tokens:
        return self._reader.alphabet.read(text.translate(FOLD))

    # Wishes.

    def told(self, who: str, time: str, rest: str, *, keeps: bool = False, behind: bool = True) -> Wish | None:
        """A wish for a reminder, by what stands around its verb, the rest `behind` it; until it is done when it `keeps`
        coming."""
        rest = f"{rest.rstrip(' .!')}{self._done}" if keeps else rest
        tokens = self._tokens(who or rest)
        size, whom = len(tokens.codes), Who()
        if who:
            whom = self._people.whole(who, tokens)
            if whom.end < size:
                return None
        elif not self._strong(tokens, 0, size):
            whom = self._people.read(rest, tokens, 0, size, told=True)
            known = whom.end or (time and self._least == STRONG)
            if behind and not known and not self.rules["tells"].match(tokens, 0, size):
                return None
            stop = tokens.ends[whom.end - 1] if whom.end else 0
            who, rest = rest[:stop], rest[stop:].strip(" ,:")
        if self._asks(rest):
            return None
        others = who if whom.everybody else _capital(who, whom) if whom.names else ""
        for order, joint in product(("", self._order) if self._order and others else ("",), self._joints):
            body = joint.join(filter(None, (time, rest)))
            line = f"{order}{others}{' ' if order else self._joints[0]}{body}" if others else body
            found = self.read(body, told=behind, who=replace(whom, names=_capitals(whom), end=0))
            # What is written down must be read as the same.
            if found is not None and (self._least == STRONG or self.read(line) == found):
                return self._remind(line, found)
        return None

    def _remind(self, line: str, found: Request) -> Wish:
        """A wish to be reminded, of which a request is read."""
        names: tuple[str, ...] = ()
        if line.startswith(found.text) and not found.who and not found.everybody:
            # Whom a text names that says nothing beside its time; a name with a small letter is one here, too.
            for said in dict.fromkeys((line, line[:1].upper() + line[1:])):
                named = self.read(f"{said} {_BLANK}")
                if not names and named and named.who and (named.text, named.when) == (_BLANK, found.when):
                    names = named.who
        return Wish(name="remind", text=line, request=found, names=names)

    def ordered(self, time: str, text: str) -> Wish | None:
        """A wish of a phrase: its time, empty where there is none but in the text, and what it is about."""
        if not time:
            found = self.read(text)
            return self._remind(text, found) if found else self._timeless(text)
        for form in self._times:
            said = form.format(time)
            line = self._line_of.format(said, text)
            if self._reader.when(said) is not None and (found := self.read(line)):
                return self._remind(line, found)
        return None

    def _timeless(self, text: str) -> Wish | None:
        """A wish to be reminded that says no time, which is asked for; None where one may be left over in its text."""
        tokens = self._tokens(text)
        end = bisect_left(tokens.ends, self._reader.trimmed(tokens.text) + 1)
        if not 0 < end <= _LONGEST or self._asks(text):
            return None
        waits = self.rules["waits"].search(tokens, 0, end) or self.rules["unread"].search(tokens, 0, end)
        whole = not waits and self._borders.is_content(tokens, 0, end, Said())
        return Wish(name="remind", text=text.strip()) if whole else None

    def _asks(self, text: str) -> bool:
        tokens = self._tokens(text)
        return self.rules["asked"].match(tokens, 0, len(tokens.codes)) is not None

    def fits(self, tokens: Tokens, start: int, end: int, asked: bool) -> bool:
        """Whether a stretch of a text may be what a wish is about: no question, which `asked` ones are more often, and
        no wish of its own."""
        question = self.rules["question" if asked else "asks"].match(tokens, start, end)
        return question is None and not self.rules["second"].search(tokens, start, end)


def _capital(text: str, whom: Who) -> str:
    """Names as they were written, each with a capital: behind a verb small letters are names, too."""
    for name in whom.names:
        text = text if name == "me" else text.replace(name, name[:1].upper() + name[1:], 1)
    return text


def _capitals(whom: Who) -> tuple[str, ...]:
    return tuple(name if name == "me" else name[:1].upper() + name[1:] for name in whom.names)
