"""Work with data: JSON, base64, small programs; and what a Worker may know of its process."""

from __future__ import annotations

from core.capabilities.data import environment, python, sandbox, tools
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="data",
    tools=tools_in(tools, environment, *([python] if sandbox.AVAILABLE else [])),
    services=python.services,
    background=python.run,
)
