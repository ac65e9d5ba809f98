"""What a chat may want to be kept for fewer days than others keep it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from core.toolkit.keeping import Keep

# Nobody means more days than these.
LONGEST = 3_650


class Kind(StrEnum):
    """A kind of things that a chat keeps for a number of days."""

    # What was said here and answered, and all that tells how: as it came in and went out, journals, buttons, questions
    # that have ended, texts of the ledger; with the files.
    MESSAGES = "messages"
    # The files that people sent.
    FILES = "files"


def most(keep: Keep, kind: Kind, days: Mapping[Kind, int]) -> int:
    """Return for how many days a chat may keep a kind of things at most, where it keeps others for `days`: files stay
    no longer than messages."""
    return min(keep.files, days.get(Kind.MESSAGES, LONGEST)) if kind is Kind.FILES else LONGEST


def narrowed(keep: Keep, days: Mapping[Kind, int]) -> Keep:
    """Return how long things are kept in a chat that wants some of them to be kept for fewer days."""
    messages = days.get(Kind.MESSAGES, LONGEST)
    files = min(messages, days.get(Kind.FILES, LONGEST))
    spans = {name: min(getattr(keep, name), messages) for name in ("inbox", "outbox", "journal", "readalong")}
    return replace(keep, **spans, files=min(keep.files, files))
