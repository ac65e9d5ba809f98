"""Makes wishes to be reminded of what phrases say of them.

"Tomorrow at 9 remind Bob to call Oma" has a time before its verb (`when`), a person behind it (`who`), and a rest. They
are put together as one line, "Bob tomorrow at 9 to call Oma", which is read as a request (`requests.py`). The wish
keeps the line, and the request that was read of it.
"""

from __future__ import annotations

from dataclasses import replace

from core.kernel.timing.expressions import At, Delay
from core.language.engine.people import Who
from core.language.engine.requests import LONGEST, Requests
from core.language.engine.said import STRONG, Said
from core.language.engine.slots import Slots
from core.language.engine.tokens import Tokens
from core.language.grammar import ME, Request, Wish

# Stands where a text would, to see what is left without it.
_BLANK = "zzz"
# A time that is cut begins so many tokens before its slot at most.
_BEFORE = 8


class Reminders:
    """Makes wishes to be reminded with what reads requests.

    `line` puts a time and a text together ("{} to {}"), `done` says until it is done, `order` stands before whom it is
    for where that is no name without it.
    """

    def __init__(self, requests: Requests, *, line: str = "{} {}", done: str, order: str = "") -> None:
        self.reader, self._requests, self._line, self._done, self._order = requests.reader, requests, line, done, order

    def wish(self, slots: Slots) -> Wish | None:
        """Return the wish of a phrase: of what is in its slots, or of what the rest says that stands behind its verb;
        None where something of it is not understood."""
        behind = f"{slots.text('rest') or slots.worth('wakes') or ''} {slots.text('more')}".strip()
        named, rest = slots.has("who"), slots.text("line") or behind
        whom = self._requests.people.whole(slots.written, slots.tokens, *slots.span("who")) if named else Who()
        if whom is None:
            return None
        (start, end), begin = slots.span("x" if slots.has("x") else "rest"), slots.span("when")[0]
        # Between a `rest` and its time there may be a verb.
        before = start < end <= begin if slots.has("x") else start < end == begin
        time = slots.time() if before else None
        if time and not self._requests.borders.may_precede(slots.tokens, start, end, time.said):
            return None  # "Take the pills, at the latest | at 5"
        if slots.has("before") or slots.has("ahead"):
            wish = self._before_event(slots, whom)
        elif not rest:
            # "Set an alarm for 7" is about just that.
            about = slots.about or slots.worth("noun") or slots.match.text("noun")
            wish = self._timed(slots.text("when"), about, who=whom if named else None)
        elif (slots.asked and not slots.has("you")) or (slots.has("when") and not self._is_whole_time(slots)):
            return None  # "Remind me at 9 to call Oma?" may ask whether that is set.
        else:
            wish = self._around_verb(slots, whom, rest) or (self._timed("", rest) if slots.has("wakes") else None)
        return replace(wish, calendar=True) if wish and slots.has("calendar") else wish

    def _is_whole_time(self, slots: Slots) -> bool:
        """Return whether what stands in a slot is a time, and says no more from some token before it on: "call mum
        every 15th | at 9"."""
        time, start = slots.time(), slots.span("when")[0]
        if time is None:
            return False
        places = range(max(0, start - _BEFORE), start)
        longer = (self.reader.scan_tokens(slots.tokens, at, time.end) for at in places)
        return not any(other and other.end == time.end and other.said.when != time.said.when for other in longer)

    def _around_verb(self, slots: Slots, whom: Who, rest: str) -> Wish | None:
        """Return a wish by what stands around its verb, and the rest of it, which stands behind that or is a line."""
        who, time, behind = slots.text("who"), slots.text("when"), not slots.has("line")
        if slots.has("until"):
            rest = f"{rest.rstrip(' .!')}{self._done}"
        tokens = self.reader.alphabet.read(rest)
        size = len(tokens.codes)
        if not who and not self.reader.sure(tokens, 0, size):
            whom = self._requests.people.read(rest, tokens, 0, size, told=True)
            known = whom.end or (time and self.reader.least == STRONG)
            if behind and not known and not self._requests.rules["tells"].match(tokens, 0, size):
                return None
            stop = tokens.ends[whom.end - 1] if whom.end else 0
            who, rest = rest[:stop], rest[stop:].strip(" ,:")
        if self.asks(rest):
            return None
        # Behind a verb small letters are names, too.
        names = tuple(name if name == ME else name[:1].upper() + name[1:] for name in whom.names)
        for written, name in zip(whom.names, names, strict=True):
            who = who.replace(written, name, 1)
        gap, head = self.reader.alphabet.gap, self._order + who if names or whom.everybody else ""
        whom = replace(whom, names=names)
        # A verb parts a time and what follows it, also where no space does: "um sechs Uhr zehn" "wecken" is at 6:10.
        signs = ("",) if not time else (gap, ": ") if gap else ("，",)
        for sign in signs:
            request = self._requests.read(f"{time}{sign}{rest}", told=behind, who=whom)
            if request is None or request.text in rest:
                break
        if request is None or request.text not in rest:
            return None
        line = gap.join(filter(None, (head, time, rest)))
        if time and (sign == ": " or (not gap and self._requests.read(line) != request)):
            line = gap.join(filter(None, (head, f"{time}{sign}{rest}")))
        return self._of_request(line, request)

    def _of_request(self, line: str, request: Request) -> Wish:
        """Return the wish of a line, of which a request was read, with the names that its text may be instead."""
        names: tuple[str, ...] = ()
        if line.startswith(request.text) and not request.who and not request.everybody:
            # Whom a text names that says nothing beside its time; a name with a small letter is one here, too.
            for written in dict.fromkeys((line, line[:1].upper() + line[1:])):
                named = self._requests.read(f"{written} {_BLANK}")
                if not names and named and named.who and (named.text, named.when) == (_BLANK, request.when):
                    names = named.who
        return Wish(name="remind", text=line, request=request, names=names)

    def _before_event(self, slots: Slots, whom: Who) -> Wish | None:
        """Return a wish of the whole message for a reminder that comes so long before an event.

        The event's time stands in its text or apart. The reminder is for whom the verb says, and nobody whom the text
        names. Where hours are counted the event's clock must be said.
        """
        length, event = slots.time("before"), self._timed(slots.text("when"), slots.about)
        match event and event.request, length.said.when if length else slots.worth("ahead"):
            case Request(when=At(ahead=None) as when, who=()) as request, Delay(months=0) as before:
                if when.clock or not before.seconds:
                    at = replace(when, ahead=before, of_event=True)
                    request = replace(request, when=at, everybody=whom.everybody)
                    return Wish(name="remind", text=slots.written, request=request)
        return None

    def _timed(self, time: str, text: str, *, who: Who | None = None) -> Wish | None:
        """Return a wish by its time, empty where there is none but in the text, and what it is about; `who` is given
        where that was said before."""
        if not time:
            request = self._requests.read(text, who=who)
            return self._of_request(text, request) if request else self._timeless(text)
        for words in self.reader.worded(time):
            line = self._line.format(words, text)
            request = self._requests.read(line, who=Who())
            if request and request.text in text:
                return self._of_request(line, request)
        return None

    def _timeless(self, text: str) -> Wish | None:
        """Return a wish that says no time, which is asked for; None where one may be left over in its text."""
        tokens = self.reader.alphabet.read(text)
        end = self.reader.content_end(tokens)
        if not 0 < end <= LONGEST or self.asks(text):
            return None
        waits = any(self._requests.rules[name].search(tokens, 0, end) for name in ("waits", "unread"))
        whole = not waits and self._requests.borders.is_content(tokens, 0, end, Said())
        return Wish(name="remind", text=text.strip()) if whole else None

    def asks(self, text: str) -> bool:
        """Return whether a text begins as a question does."""
        tokens = self.reader.alphabet.read(text)
        return self._requests.rules["asked"].match(tokens, 0, len(tokens.codes)) is not None

    def fits(self, tokens: Tokens, start: int, end: int, asked: bool) -> bool:
        """Return whether a stretch of a text may be what a wish is about: no question, which `asked` ones are more
        often, and no wish of its own, which the sign before it may show."""
        question = self._requests.rules["question" if asked else "asks"].match(tokens, start, end)
        return question is None and not self._requests.rules["second"].search(tokens, max(start - 1, 0), end)
