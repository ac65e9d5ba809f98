"""Takes the bot's own name off what is said to it: "Please call Oma, Teller!" is "Please call Oma!".

The name is taken off wherever it stands, as nobody would say it to the bot's face.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language import languages

# What may stand between a name and what is said to it, in our languages; what is no more than that says nothing.
SEPARATORS = ",:;!，：；！、\u2014\u2013"
NOTHING = f"{SEPARATORS}?.？。… \t\r\n"
COMMAS = ",，"
LONGEST_LEAD = 40
_CLOSES = re.compile(r"[,:;!?.，：；！？。、…)\]]")
_ENDS = re.compile(r"[\s?!.？！。…]*\Z")


def without_name(text: str, places: Sequence[tuple[int, int]]) -> str:
    """Return a text without what stands at `places`, in their order; one that is nothing but the name stays: a call."""
    rest = text
    for start, end in reversed(places):
        rest = _joined(rest[:start], rest[end:])
    return rest if rest.strip(NOTHING) else text


def _joined(before: str, after: str) -> str:
    """Return what stood before and after a name as one text: of the commas around a name, none is left hanging."""
    left, right = before.rstrip(), after.lstrip()
    # What may stand before any question, such as a greeting, in any language.
    lead = left.rstrip(NOTHING).lstrip()
    is_lead = len(lead) <= LONGEST_LEAD and any(language.lead.fullmatch(lead) for language in languages().values())
    if not left or (is_lead and right.strip(NOTHING)):
        return right.lstrip(SEPARATORS).lstrip()
    if _ENDS.match(right):
        return left.rstrip(COMMAS).rstrip() + right.rstrip()
    if left[-1] in COMMAS and right[0] in COMMAS:
        left, after = left[:-1].rstrip(), f" {right[1:].lstrip()}" if right[0] == "," else right[1:]
        right = after.lstrip()
    if _CLOSES.match(right):
        return left + right
    return left + _gap(before[len(before.rstrip()) :], after[: len(after) - len(right)]) + right


def _gap(before: str, after: str) -> str:
    """Return one space for those around a name, or the line break among them; nothing where there was none."""
    for gap in (before, after):
        if "\n" in gap:
            return gap
    return " " if before or after else ""
