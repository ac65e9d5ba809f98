"""A person's page (Slack's App Home)."""

from __future__ import annotations

from core.capabilities.home import hooks
from core.toolkit.capability import Capability, Schedules

CAPABILITY = Capability(
    name="home",
    services=hooks.services,
    schedules=Schedules(handlers={"page": hooks.show}),
    told=hooks.told,
)
