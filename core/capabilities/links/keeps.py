"""How links end: when they run out, and when somebody leaves."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.links import service
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis
from core.store import expiry
from core.store.people import links
from core.toolkit.keeping import Keeps, Night
from core.toolkit.tool import ToolContext


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Delete codes that ran out long ago."""
    return expiry.aged(tx, "link_code", "expires_at < :before", night.ago(night.keep.buttons), limit)


def left(tx: Tx, context: ToolContext, person_id: int, tool: str) -> None:
    """Whoever leaves is linked with nobody any more."""
    service.leave(tx, context, context.lane.tenant_id, person_id, tool)


def shown_to(tx: Tx, person_id: int) -> Sequence[tuple[LaneKey, Millis]]:
    """Return the chats to which somebody's own was shown: of those with whom they are linked."""
    found = [(links.account(tx, other_id).lane, since) for other_id, since in links.since(tx, person_id)]
    return [(lane, since) for lane, since in found if lane is not None]


KEEPS = Keeps(expires={"codes of links": expire}, left=left, shown_to=shown_to)
