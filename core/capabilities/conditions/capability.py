"""Conditions: what is done when something comes true."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.capabilities.conditions.keeps import KEEPS
from core.capabilities.conditions.looking import Looking
from core.capabilities.conditions.service import checked
from core.capabilities.files.service import ScopeFiles
from core.kernel.conditions import LOOK
from core.kernel.ports import Tx
from core.kernel.types import Millis
from core.toolkit.capability import Capability, Schedules
from core.toolkit.services import Conditions, Services


def services(house: Services) -> Sequence[object]:
    """Return what looks whether conditions have come true, and what says which may be waited for."""
    return Looking(house), Conditions(checked=partial(checked, rules=house.get(ScopeFiles).rules))


def due(house: Services, tx: Tx, now: Millis) -> Millis | None:
    """Have the conditions looked at whose turn it is; return when the next one's is."""
    return house.get(Looking).due(tx, now)


async def look(house: Services, scope_id: int) -> None:
    """Look at the conditions of a scope."""
    await house.get(Looking).look(scope_id)


CAPABILITY = Capability(
    name="conditions",
    services=services,
    schedules=Schedules(handlers={LOOK: look}, due=due),
    keeps=KEEPS,
)
