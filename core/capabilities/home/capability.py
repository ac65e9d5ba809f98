"""A person's page (Slack's App Home)."""

from __future__ import annotations

from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="home",
)
