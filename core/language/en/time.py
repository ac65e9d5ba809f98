"""English: times as people write them, each a row of pieces."""

from __future__ import annotations

import re

from core.kernel.timing.expressions import Expression
from core.language.en import clocks as en_clocks
from core.language.en import days as en_days
from core.language.en import repeats as en_repeats
from core.language.en.words import DAY, FOLD, GAP, HOUR, MONTH, NTH_WORD, NUMBER, ZONES
from core.language.scanner import MAX_LENGTH, Reader, unsigned

READER = Reader(
    # The longer ones first: "every Monday" begins before "Monday", "3 May" before "3".
    opening=re.compile(
        rf"(?<!\w)(?:\d|@|(?:at|on|in|from|the|this|next|coming|over|today|tonight|tomorrow|tmrw?|day|end|half|noon|midday"
        rf"|midnight|every|each|once|daily|everyday|hourly|weekly|monthly|yearly|annually|last|{NTH_WORD}"
        rf"|week|work|business|weekdays|weekends|workdays|working|quarter|{DAY}s?|{MONTH}|{NUMBER}|{HOUR})(?!\w))",
        re.IGNORECASE,
    ),
    pieces=en_repeats.PIECES + en_days.PIECES + en_clocks.PIECES,
    between=re.compile(r"\s{0,3},?\s{0,3}"),
    # Ranges, choices, more days or clocks than are understood, and clocks of other places.
    against=re.compile(
        rf"\s{{0,3}}[-–—~]\s{{0,3}}\d|{GAP}(?:to|till|until|and|or|&|past)(?:{GAP}at)?{GAP}\d"
        rf"|\s{{0,3}}(?:[-–—/&]|,?{GAP}(?:to|and|or|till|until|through)(?:{GAP}on)?){GAP}{DAY}\b"
        rf"|{GAP}(?:{ZONES}|o'clock|ago|before|after|earlier)\b|{GAP}(?-i:[A-Z])[\w'-]{{1,20}}{GAP}time\b"
        rf"|{GAP}(?:floor|street|avenue|grade|anniversary|birthday|of{GAP}(?:every|each|the|next|this|last){GAP}(?:week|month|year|quarter))\b",
        re.IGNORECASE,
    ),
)
_LEAD = re.compile(r"\s*(?:(?:please|pls|ok(?:ay)?|then|and|remind me(?: again)?)\b[\s,:]*)*", re.IGNORECASE)


def trimmed(text: str) -> int:
    """Where a folded text ends without politeness and the marks at its end."""
    end = len(text.rstrip(" .!?,;:…"))
    if text[:end].lower().endswith(("please", "pls", "thanks", "thank you", "thx")):
        end = len(re.sub(r"(?i)[ ,]{0,5}\b(?:please|pls|thanks|thank you|thx)$", "", text[:end]))
    return end


def when(text: str) -> Expression | None:
    """The time that a text is ("in 2h", "tomorrow at 9"); None when anything else is in it."""
    if len(text) > MAX_LENGTH:
        return None
    folded = unsigned(text).translate(FOLD)
    lead = _LEAD.match(folded)
    return READER.whole(folded, lead.end() if lead else 0, trimmed(folded))
