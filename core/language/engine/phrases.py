"""Reads what people wish in few words, with the templates of a language: whole texts, each a wish.

"Put milk on the shopping list" is `Wish(name="todo.add", text="milk", list="shopping")`, by a row that has the name of
the wish and a template, `put <x:text> on the? <list:title> list`.

The slots of a template have the same names in every language: `x` is what the wish is about (`noun` a word that is so
by itself: "alarm", `place` a town, or a country that has one zone), `list` the words for a list, `when` a time (`day` a
word that says one: "tomorrow's"), `to` the time that something is moved to, `by` the length that it is put off by, or
comes `earlier`, `before` how long before its time (`ahead` a word that says it: "the day"), `who` whom it is for,
`begin` and `until` two clocks. What is not named is not looked at.

A text is looked up by the classes of its first and its last token, and by what a template needs, so that of all
templates few are tried.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

from core.language.engine.reminders import Reminders
from core.language.engine.slots import Reading, Slots
from core.language.engine.templates import Template, Templates, compiled, expanded
from core.language.engine.tokens import ANY, MAX_LENGTH, Tokens
from core.language.grammar import PhraseTable, Wish
from core.language.zone_search import zone_of

# From so many words on a text is read by templates with one long free text only, so that none takes long.
_LONG, _HEAVY = 40, 40
# What says nothing in front of a text; a tick does, and so do quotes.
_PICTURE = re.compile(r"(?![@/☑✅✔\"'])\W")
# These have no text of their own: a mark behind them makes a question of them.
_QUESTIONS = frozenset({"done", "todo.done"})
# What is said to cancel something, or to be reminded, may be all that another wish says more exactly: it is tried last.
_LAST = {"cancel": 1, "remind": 2}
# The name of a wish, and a template of what people say for it.
_Row = tuple[str, Template]


class Phrases:
    """Reads phrases with the templates of a language. `reminders` reads those that are reminders.

    `texts` are templates by what they are for: `lead` is what may stand before a wish, with `you` where somebody is
    asked ("can you"), and `wanted` what they are asked to do then, without the word `asking` that does no more than
    ask; `vague` names nothing; `theirs` in the name of a list makes it somebody else's. A wish that a table has a
    reading for is made by that of what stands in its slots.
    """

    def __init__(
        self,
        tables: Sequence[PhraseTable],
        macros: Mapping[str, str],
        *,
        texts: Mapping[str, str],
        reminders: Reminders,
    ) -> None:
        self._reader, self._reminders = reminders.reader, reminders
        self._readings: dict[str, Reading] = {"remind": reminders.wish}
        for table in tables:
            self._readings |= table.readings
        self._texts = Templates({"wanted": "", **texts}, macros, self._reader.alphabet)
        rows = [
            (name, compiled(expanded(text, {**macros, **table.macros}), self._reader.alphabet))
            for table in tables
            for name, texts_of_wish in table.rows.items()
            for text in texts_of_wish
        ]
        # What begins with free text is tried behind what does not, and what ends with it, too, behind all others.
        self._all = sorted(
            rows, key=lambda row: (ANY in row[1].first, ANY in row[1].first & row[1].last, _LAST.get(row[0], 0))
        )

    # One message is asked for by several capabilities.
    @lru_cache(16)  # noqa: B019 - there is one for each language, for good
    def wish(self, text: str) -> Wish | None:
        """Return what a text wishes; None when it is no wish, or more than one."""
        if len(text) > MAX_LENGTH or not self._reader.alphabet.ours.match(text):
            return None
        for written, tokens in self._reader.readings(text):
            content, first, last = written, 0, self._reader.content_end(tokens)
            while first < last and _PICTURE.match(tokens.words[first]):
                first += 1
            asked = last > 0 and "?" in tokens.text[tokens.ends[last - 1] :]
            lead = self._texts["lead"].match(tokens, first, last)
            first = lead.end if lead else first
            if lead and lead.has("you"):
                # "Can you …?" ends with a mark that is not part of what is wished.
                if self._texts["asking"].whole(tokens, last - 1, last):
                    last, asked = last - 1, False
                elif asked:
                    content, asked = written[: tokens.ends[last - 1]], False
                    if not self._texts["wanted"].search(tokens, first, last):
                        continue
            if wish := self._try_templates(content, tokens, first, last, asked=asked):
                return wish
        return None

    def _try_templates(self, text: str, tokens: Tokens, first: int, last: int, *, asked: bool) -> Wish | None:
        """Return the wish of the first template that is all of a text from one token on and before another."""
        if first >= last:
            return None
        long, codes = last - first > _LONG * self._reader.alphabet.width, frozenset(tokens.codes)
        for name, template in self._rows(tokens.codes[first], tokens.codes[last - 1]):
            if any(map(codes.isdisjoint, template.needs)) or (long and template.weight > _HEAVY):
                continue
            match = template.whole(tokens, first, last)
            # "Done?" is not "done".
            if match and not (asked and name in _QUESTIONS):
                wish = self._filled(name, Slots(match, tokens, text, self._reader, asked=asked))
                if wish is not None:
                    return wish
        return None

    @lru_cache(8_192)  # noqa: B019 - there is one for each language, for good
    def _rows(self, begin: str, end: str) -> tuple[_Row, ...]:
        """Return the templates that can begin and end with these codes."""
        return tuple(row for row in self._beginning(begin) if {end, ANY} & row[1].last)

    @lru_cache(8_192)  # noqa: B019 - there is one for each language, for good
    def _beginning(self, begin: str) -> tuple[_Row, ...]:
        """Return the templates that can begin with a code."""
        return tuple(row for row in self._all if {begin, ANY} & row[1].first)

    def _filled(self, name: str, slots: Slots) -> Wish | None:
        """Return the wish of a template with what stands in its slots; None where something in one does not fit."""
        if slots.has("x"):
            first, last = slots.span("x")
            # "The time in Rome?" is asked for in any case.
            asked = slots.asked and name != "time"
            vague = not slots.about or self._texts["vague"].whole(slots.tokens, first, last)
            if vague or not self._reminders.fits(slots.tokens, first, last, asked):
                return None
        # What is no place has no clock: "the time in the story".
        if slots.place and not zone_of(slots.place):
            return None
        if slots.list:
            first, last = slots.span("list")
            # A list may be somebody's: "Bob's list". A misspelt key word in its name counts as it is corrected.
            misspelt = any(map(self._reader.alphabet.nearly, slots.tokens.words[first:last]))
            if misspelt or self._texts["theirs"].search(slots.tokens, first, last):
                return None
        return self._readings.get(name, partial(_plain, name))(slots)


def _plain(name: str, slots: Slots) -> Wish | None:
    """Return the wish of a phrase that nobody reads otherwise: what it is about, a list, and a length."""
    length = slots.time("by")
    if (slots.has("when") and not slots.time()) or (slots.has("by") and not (length and length.said.delay)):
        return None
    more = slots.text("when") or slots.text("who")
    text = f"{slots.about} {more}".strip() if slots.about else slots.place
    return Wish(name=name, text=text, list=slots.list, time=slots.text("by"))
