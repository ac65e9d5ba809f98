"""System tools (seed 004)."""

from __future__ import annotations

from core.kernel.errors import ToolError
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import Json, Role
from core.toolkit.params import Params
from core.toolkit.tool import ToolContext, tool


class EchoParams(Params):
    """`value`: text to give back."""

    value: str


@tool(Role.TELLER, Role.PLANNER, Role.WORKER, Role.PERSON, idempotent=True, category="system")
async def echo(params: EchoParams, context: ToolContext) -> Json:
    """Give a text back unchanged."""
    return params.value


class CurrentTimeParams(Params):
    """`timezone`: an IANA name such as Europe/Berlin; the person's own when not given."""

    timezone: str | None = None


@tool(Role.TELLER, Role.PLANNER, Role.WORKER, Role.PERSON, idempotent=True, category="system")
async def current_time(params: CurrentTimeParams, context: ToolContext) -> Json:
    """Current time in an IANA timezone (default: the person's)."""
    name = params.timezone
    zone = context.zone if name is None else zone_named(name)
    if zone is None:
        raise ToolError(
            "current_time", f"unknown timezone {(name or '')[:60]!r}; use an IANA name such as Asia/Shanghai"
        )
    now = context.clock.now()
    local = to_local(now, zone)
    return {"timestamp": now, "iso": local.isoformat(timespec="seconds"), "timezone": zone.key}
