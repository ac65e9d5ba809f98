"""A person's page (Slack's App Home)."""

from __future__ import annotations

from core.capabilities.home import hooks, repository, service
from core.toolkit.capability import Capability, Schedules, Tells

CAPABILITY = Capability(
    name="home",
    services=hooks.services,
    schedules=Schedules(handlers={"page": hooks.show}),
    tells=Tells(looked=service.look, changed=service.keep_current, shows=repository.hangs),
)
