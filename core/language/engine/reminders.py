"""Makes wishes to be reminded of what phrases say of them: what stands around a verb, or a time and a text."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace

from core.kernel.timing.expressions import At, Delay, Expression
from core.language.engine.people import Who
from core.language.engine.requests import LONGEST, Requests
from core.language.engine.said import STRONG, Said
from core.language.engine.times import Reader
from core.language.engine.tokens import Tokens
from core.language.grammar import ME, Request, Wish

# Stands where a text would, to see what is left without it.
_BLANK = "zzz"


class Reminders:
    """Makes them with what reads requests.

    `line` puts a time and a text together, `done` says until it is done, `order` stands before whom it is for where
    that is no name without it.
    """

    def __init__(
        self,
        reader: Reader,
        requests: Requests,
        *,
        line: str = "{} {}",
        done: str,
        order: str = "",
    ) -> None:
        self._reader, self._requests, self._line, self._done, self._order = reader, requests, line, done, order

    def told(self, who: str, time: str, rest: str, *, keeps: bool = False, behind: bool = True) -> Wish | None:
        """A wish for a reminder, by what stands around its verb, the rest `behind` it; it `keeps` coming until done."""
        rest = f"{rest.rstrip(' .!')}{self._done}" if keeps else rest
        tokens = self._reader.alphabet.read(who or rest)
        size, whom = len(tokens.codes), Who()
        if who:
            whom = self._requests.people.whole(who, tokens)
            if whom.end < size:
                return None
        elif not self._requests.strong(tokens, 0, size):
            whom = self._requests.people.read(rest, tokens, 0, size, told=True)
            known = whom.end or (time and self._requests.least == STRONG)
            if behind and not known and not self._requests.rules["tells"].match(tokens, 0, size):
                return None
            stop = tokens.ends[whom.end - 1] if whom.end else 0
            who, rest = rest[:stop], rest[stop:].strip(" ,:")
        # Behind a verb small letters are names, too.
        names = tuple(name if name == ME else name[:1].upper() + name[1:] for name in whom.names)
        for plain, name in zip(whom.names, names, strict=True):
            who = who.replace(plain, name, 1)
        gap, head = self._reader.alphabet.gap, self._order + who if names or whom.everybody else ""
        whom = replace(whom, names=names, end=0)
        if self.asks(rest):
            return None
        # A verb parts a time and what follows it, also where no space does: "um sechs Uhr zehn" "wecken" is at 6:10.
        for sign in ((gap, ": ") if gap else ("，",)) if time else ("",):
            found = self._requests.read(f"{time}{sign}{rest}", told=behind, who=whom)
            if found is None:
                return None
            if found.text in rest:
                break
        else:
            return None
        line = gap.join(filter(None, (head, time, rest)))
        if time and (sign == ": " or (not gap and self._requests.read(line) != found)):
            line = gap.join(filter(None, (head, f"{time}{sign}{rest}")))
        return self._remind(line, found)

    def _remind(self, line: str, found: Request) -> Wish:
        """A wish to be reminded, of which a request is read."""
        names: tuple[str, ...] = ()
        if line.startswith(found.text) and not found.who and not found.everybody:
            # Whom a text names that says nothing beside its time; a name with a small letter is one here, too.
            for said in dict.fromkeys((line, line[:1].upper() + line[1:])):
                named = self._requests.read(f"{said} {_BLANK}")
                if not names and named and named.who and (named.text, named.when) == (_BLANK, found.when):
                    names = named.who
        return Wish(name="remind", text=line, request=found, names=names)

    def ahead(self, who: str, time: str, text: str, before: Expression | None, *, whole: str) -> Wish | None:
        """A wish of the `whole` message for a reminder that comes so long `before` an event, whose time stands in its
        text or apart: for whom the verb says, and nobody whom the text names. Where hours are counted the event's clock
        must be said."""
        tokens, found = self._reader.alphabet.read(who), self.ordered(time, text)
        whom = self._requests.people.whole(who, tokens) if who else Who()
        match found and found.request, before:
            case Request(when=At(ahead=None) as when, who=()) as request, Delay(months=0) as length:
                if whom.end == len(tokens.codes) and (when.clock or not length.seconds):
                    at = replace(when, ahead=length, of_event=True)
                    return Wish(name="remind", text=whole, request=replace(request, when=at, everybody=whom.everybody))
        return None

    def ordered(self, time: str, text: str) -> Wish | None:
        """A wish of a phrase: its time, empty where there is none but in the text, and what it is about."""
        if not time:
            found = self._requests.read(text)
            return self._remind(text, found) if found else self._timeless(text)
        for said in self._reader.worded(time):
            line = self._line.format(said, text)
            found = self._requests.read(line, who=Who())
            if found and found.text in text:
                return self._remind(line, found)
        return None

    def _timeless(self, text: str) -> Wish | None:
        """A wish to be reminded that says no time, which is asked for; None where one may be left over in its text."""
        tokens = self._reader.alphabet.read(text)
        end = bisect_left(tokens.ends, self._reader.trimmed(tokens.text) + 1)
        if not 0 < end <= LONGEST or self.asks(text):
            return None
        waits = any(self._requests.rules[name].search(tokens, 0, end) for name in ("waits", "unread"))
        whole = not waits and self._requests.borders.is_content(tokens, 0, end, Said())
        return Wish(name="remind", text=text.strip()) if whole else None

    def asks(self, text: str) -> bool:
        """Whether a text begins as a question does."""
        tokens = self._reader.alphabet.read(text)
        return self._requests.rules["asked"].match(tokens, 0, len(tokens.codes)) is not None

    def fits(self, tokens: Tokens, start: int, end: int, asked: bool) -> bool:
        """Whether a stretch of a text may be what a wish is about: no question, which `asked` ones are more often, and
        no wish of its own, which the sign before it may show."""
        question = self._requests.rules["question" if asked else "asks"].match(tokens, start, end)
        return question is None and not self._requests.rules["second"].search(tokens, max(start - 1, 0), end)
