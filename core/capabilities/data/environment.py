"""`sleep` and `get_env` (seed 004): a Worker's pause, and what it may know of the process that it runs in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import Field

from core.kernel.errors import ToolError
from core.kernel.types import Json, Role
from core.toolkit.params import Number, Params
from core.toolkit.tool import ToolContext, tool

LONGEST_SLEEP = 25.0
# In an address: https://me:word@host.
_PASSWORD = re.compile(r"://[^/\s@]*:[^/\s@]+@")


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The variables of the process, of which tools may see the `allowed` ones. `redact` blanks secrets in a text."""

    allowed: frozenset[str] = frozenset()
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    redact: Callable[[str], str] = str


class SleepParams(Params):
    """`duration`: in seconds, 25 at most."""

    duration: Number = Field(ge=0, le=LONGEST_SLEEP, allow_inf_nan=False)


@tool(Role.WORKER, category="system")
async def sleep(params: SleepParams, context: ToolContext) -> Json:
    """Wait for some seconds."""
    await context.clock.sleep(params.duration)
    return {"slept": params.duration}


class GetEnvParams(Params):
    """`key`: the name of the variable."""

    key: str = Field(min_length=1, max_length=200)


@tool(Role.WORKER, idempotent=True, category="system")
async def get_env(params: GetEnvParams, context: ToolContext) -> Json:
    """Read an environment variable that the configuration allows; null when it is not set."""
    environment = context.services.get(Environment)
    # Whether a name that is not allowed is set stays unsaid.
    if params.key not in environment.allowed:
        names = ", ".join(sorted(environment.allowed)) or "none"
        raise ToolError("get_env", f"this variable may not be read; allowed by the configuration: {names}")
    value = environment.variables.get(params.key)
    if value is not None and (environment.redact(value) != value or _PASSWORD.search(value)):
        raise ToolError("get_env", f"{params.key} holds a secret, which no tool is given")
    return {"value": value}
