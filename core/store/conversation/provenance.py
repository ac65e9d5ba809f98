"""Provenance: what a message, and the buttons below it, came of; kept in columns, never read out of a key."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from core.kernel.ports import Row


class SourceKind(StrEnum):
    """What a message came of; its number is that of a row there."""

    # Something that nothing is looked up by: a notice, a greeting.
    NONE = ""
    # An answer, or another thing that a run said.
    RUN = "run"
    # What a trigger was due for: a reminder, a brief, a notice.
    TRIGGER = "trigger"
    # A question, asked for the first time or again.
    QUESTION = "question"
    # The page of a person, of which only the buttons are stored.
    PAGE = "page"
    # The bot leaves a group.
    LEAVE = "leave"
    # The owners are told of a message that may not have arrived: its row in the outbox.
    DOUBT = "doubt"


class Source(NamedTuple):
    """What a message came of. `epoch` counts how often its trigger had fired.

    A `comment` only says what became of such a message, or changes it, and is no part of it.
    """

    kind: SourceKind = SourceKind.NONE
    number: int | None = None
    epoch: int | None = None
    comment: bool = False

    def commented(self) -> Source:
        """Return the source of what is said about a message of this source."""
        return self._replace(comment=True)

    def run(self) -> int | None:
        """Return the run whose words a message has; None when it has none of a run."""
        return self.number if self.kind is SourceKind.RUN and not self.comment else None

    def trigger(self) -> int | None:
        """Return the trigger that a message is due for; None when it is due for none."""
        return self.number if self.kind is SourceKind.TRIGGER and not self.comment else None

    def question(self) -> int | None:
        """Return the question that a message asks; None when it asks none."""
        return self.number if self.kind is SourceKind.QUESTION and not self.comment else None


NO_SOURCE = Source()


def of_row(row: Row) -> Source:
    """Return the source of a row of the outbox."""
    return Source(SourceKind(row["source_kind"]), row["source_id"], row["epoch"], row["part"] is None)
