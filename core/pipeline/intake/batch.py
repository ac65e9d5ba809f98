"""What comes of updates while they are accepted, in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.kernel.ports import Tx
from core.kernel.types import Inbound, LaneKey, Millis


@dataclass(frozen=True, slots=True)
class Heard:
    """A message for the bot; `awaited` when it is for it only as long as a question waits for what its sender says."""

    message: Inbound
    awaited: bool

    def goes_on(self, later: Inbound) -> bool:
        """Return whether a later message is an edit of this one, or another part of the same album."""
        here = self.message
        follows = later.edits == here.message_id if later.edits else bool(later.album) and later.album == here.album
        place = (here.sender.address, here.chat, here.thread)
        return follows and place == (later.sender.address, later.chat, later.thread)


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Updates being accepted in one transaction. First each is let in, or not; then all locks are taken together; and
    then each is stored and done, in the order in which they came.

    `away` counts what strangers wrote, `shown` is what whoever pressed sees (by the update's key), `work` are the lanes
    that have work now, `heard` are the messages for the bot that are not stored yet, and `later` is what is done, and
    the lanes that it needs locked.
    """

    tx: Tx
    tenant_id: int
    now: Millis
    away: Counter[str] = field(default_factory=Counter)
    shown: dict[str, str] = field(default_factory=dict)
    work: dict[int, None] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    later: list[tuple[Sequence[LaneKey], Callable[[], None]]] = field(default_factory=list)
