"""English: patterns of words of time for those who read what stands beside it."""

from __future__ import annotations

from core.language.en.lexicon import DEEDS, HOUR_NAMES, NUMBERS, ZONE_NAMES

# Gaps are bounded, so that a run of spaces is not gone through again and again.
GAP = r"\s{1,3}"
NEAR = r"\s{0,3}"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
UNIT = r"(?:m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|months?|y|yrs?|years?)"
NUMBER = rf"(?:\d{{1,4}}(?:[.,]\d{{1,2}})?|{'|'.join(sorted(NUMBERS, key=len, reverse=True)).replace(' ', '[- ]')})"
HALF = rf"{NEAR}(?:am|pm|a\.m\.?|p\.m\.?)"
DEED = "|".join(DEEDS)
HOURS = HOUR_NAMES
ZONES = rf"(?:{'|'.join(ZONE_NAMES)})"
# What nobody needs to be reminded of: who wants to hear of it wants to know how it is then.
NEWS = (
    r"(?:weather|forecast|news|headlines|prices?|stocks?|scores?|traffic|temperature|changes|updates|bitcoin"
    r"|exchange{GAP}rates?|new{GAP}(?:\S{1,30}{GAP})?(?:e?-?mails?|messages?|posts?|articles?|episodes?|releases?|versions?))"
).replace("{GAP}", GAP)
