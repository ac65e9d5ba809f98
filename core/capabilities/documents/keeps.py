"""How what was read of documents is forgotten with them."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.store.conversation import passages
from core.toolkit.keeping import Keeps, Night


def expire(tx: Tx, night: Night, limit: int) -> int:
    """Erase what was read of files that are gone. That of files which are forgotten on request goes with these."""
    return passages.erase_gone(tx, max(1, limit // 100))


KEEPS = Keeps(expires={"passages of files": expire})
