"""Conditions: what is done when something comes true."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.capabilities.conditions.keeps import KEEPS
from core.capabilities.conditions.looking import Looking, due, look
from core.capabilities.conditions.service import checked
from core.capabilities.files.service import ScopeFiles
from core.kernel.conditions import LOOK
from core.toolkit.capability import Capability, Schedules
from core.toolkit.services import Conditions, Services


def services(services: Services) -> Sequence[object]:
    """Return what looks whether conditions have come true, and what says which may be waited for."""
    return Looking(services), Conditions(checked=partial(checked, rules=services.get(ScopeFiles).rules))


CAPABILITY = Capability(
    name="conditions",
    services=services,
    schedules=Schedules(handlers={LOOK: look}, due=due),
    keeps=KEEPS,
)
