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
    """Updates that are accepted in one transaction. First each of them is let in, or turned away; then all locks are
    taken together; then each is stored, and carried out, in the order in which they came.

    - `turned_away` counts messages and presses of strangers, by address.
    - `to_show` has what the platform shows to whoever pressed a button or filled in a form, by the update's key.
    - `with_work` are the ids of the lanes that have work now, in their order.
    - `for_bot` are the messages for the bot that are let in and not stored yet.
    - `deferred` is what is done under the locks: the lanes to lock, and the call.
    """

    tx: Tx
    tenant_id: int
    now: Millis
    turned_away: Counter[str] = field(default_factory=Counter)
    to_show: dict[str, str] = field(default_factory=dict)
    with_work: dict[int, None] = field(default_factory=dict)
    for_bot: list[Heard] = field(default_factory=list)
    deferred: list[tuple[Sequence[LaneKey], Callable[[], None]]] = field(default_factory=list)
