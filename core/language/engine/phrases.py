"""Reads what people wish in few words, with the templates of a language: whole texts, each a wish.

A row is the name of a wish and a template with slots, which have the same names in every language: `x` is what the
wish is about (`noun` a word that is so by itself: "alarm", `place` a town, or a country that has one zone), `list`
the words for a list, `when` a time (`day` a word that says one: "tomorrow's"), `to` the time that something is moved
to, `by` the length that it is put off by, or comes `earlier`, `before` how long before its time (`ahead` a word that
says it: "the day"), `who` whom it is for, `begin` and `until` two clocks. What is not named is not looked at.

A text is looked up by the classes of its first and its last token, and by what a template needs, so that of all
templates few are tried.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, starmap

from core.language.engine.reminders import Reminders
from core.language.engine.slots import Slots
from core.language.engine.templates import Template, Templates, compiled, expanded
from core.language.engine.times import Reader
from core.language.engine.tokens import ANY, MAX_LENGTH, Tokens
from core.language.grammar import PhraseTable, Wish
from core.language.zone_search import zone_of

# From so many words on a text is read by templates with one long free text only, so that none takes long.
_LONG, _HEAVY = 40, 40
# What says nothing in front of a text; a tick does, and so do quotes.
_PICTURE = re.compile(r"(?![@/☑✅✔\"'])\W")
# Both have no text of their own: a mark behind them makes a question of them.
_QUESTIONS = frozenset({"done", "todo.done"})
# What is said to cancel something, or to be reminded, may be all that another wish says more exactly: it is tried last.
_LAST = {"cancel": 1, "remind": 2}


class Phrases:
    """Reads phrases with the templates of a language, times in them with its reader, and reminders with its reminders.

    `texts` are templates by what they are for: `lead` is what may stand before a wish, with `you` where somebody is
    asked ("can you"), and `wanted` what they are asked to do then, without the word `asking` that does no more than
    ask; `vague` names nothing; `theirs` in the name of a list makes it somebody else's. A wish that a table has a
    reading for is made by that of what stands in its slots.
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
        self._readings = dict(chain.from_iterable(one.readings.items() for one in tables))
        self._texts = Templates({"wanted": "", **texts}, macros, reader.alphabet)
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

    # One message is asked for by several capabilities.
    @lru_cache(16)  # noqa: B019 - there is one for each language, for good
    def wish(self, text: str) -> Wish | None:
        """Return what a text wishes; None when it is no wish, or more than one."""
        if len(text) > MAX_LENGTH or not self._reader.alphabet.ours.match(text):
            return None
        return next(filter(None, starmap(self._wish, self._reader.readings(text))), None)

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
        long, codes = last - first > _LONG * self._reader.alphabet.width, frozenset(tokens.codes)
        for name, template in self._rows(tokens.codes[first], tokens.codes[last - 1]):
            if any(map(codes.isdisjoint, template.needs)):
                continue
            if long and template.weight > _HEAVY:
                continue
            match = template.whole(tokens, first, last)
            # "Done?" is not "done".
            if match and not (asked and name in _QUESTIONS):
                found = self._filled(name, Slots(match, tokens, text, self._reader, asked=asked))
                if found is not None:
                    return found
        return None

    @lru_cache(8_192)  # noqa: B019 - there is one for each language, for good
    def _rows(self, begin: str, end: str) -> tuple[tuple[str, Template], ...]:
        """The templates that can begin and end with these codes."""
        rows = chain(self._beginning.get(begin, ()), self._ending.get(end, ()), self._open)
        return tuple((name, one) for name, one in rows if end in one.last or ANY in one.last)

    def _filled(self, name: str, slots: Slots) -> Wish | None:
        """The wish of a template with what stands in its slots; None where something in one does not fit."""
        # "The time in Rome?" is asked for in any case.
        if slots.has("x") and not (slots.about and self._is_clear(slots, asked=slots.asked and name != "time")):
            return None
        # What is no place has no clock: "the time in the story". A list may be somebody's: "Bob's list".
        theirs = slots.list and self._texts["theirs"].search(slots.tokens, *slots.match.span("list"))
        if (slots.place and not zone_of(slots.place)) or theirs or (slots.list and self._is_misspelt(slots)):
            return None
        if name == "remind":
            found = self._reminder(slots)
            return replace(found, calendar=True) if found and slots.has("calendar") else found
        return self._readings.get(name, partial(_plain, name))(slots)

    def _is_misspelt(self, slots: Slots) -> bool:
        """Return whether a word in the name of a list is nearly a key word: then the name counts as it is corrected."""
        first, last = slots.match.span("list")
        return any(map(self._reader.alphabet.nearly, slots.tokens.words[first:last]))

    def _is_clear(self, slots: Slots, *, asked: bool) -> bool:
        """Whether what a wish is about is named, and no question or wish of its own."""
        tokens, span = slots.tokens, slots.match.span("x")
        return not self._texts["vague"].whole(tokens, *span) and self._reminders.fits(tokens, *span, asked)

    def _reminder(self, slots: Slots) -> Wish | None:
        """A wish to be reminded: of what is in its slots, or of what the rest says that stands behind its verb."""
        who, when, line = slots.text("who"), slots.text("when"), slots.text("line")
        if slots.has("before") or slots.has("ahead"):
            time = slots.time("before")
            length = time.when if time else slots.worth("ahead")
            return self._reminders.ahead(who, when, slots.about, length, whole=slots.written)
        rest = line or f"{slots.text('rest') or slots.worth('wakes') or ''} {slots.text('more')}".strip()
        if not rest:
            # "Set an alarm for 7" is about just that.
            return self._reminders.ordered(when, slots.about or slots.worth("noun") or slots.match.text("noun"))
        # "Remind me at 9 to call Oma?" may ask whether that is set.
        time = slots.time() if when else None
        cut = time is None or slots.is_cut(time, slots.match.span("when")[0])
        if (slots.asked and not slots.has("you")) or (when and cut):
            return None
        found = self._reminders.told(who, when, rest, keeps=slots.has("until"), behind=not line)
        return found or (self._reminders.ordered("", rest) if slots.has("wakes") else None)


def _plain(name: str, slots: Slots) -> Wish | None:
    """The wish of a phrase that nobody reads otherwise: what it is about, a list, and a length."""
    length = slots.time("by")
    if (slots.has("when") and not slots.time()) or (slots.has("by") and not (length and length.said.delay)):
        return None
    more = slots.text("when") or slots.text("who")
    text = f"{slots.about} {more}".strip() if slots.about else slots.place
    return Wish(name=name, text=text, list=slots.list, time=slots.text("by"))
