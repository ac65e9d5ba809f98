"""`run_python`: sums, dates and tables, computed instead of guessed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import Field

from core.capabilities.data.sandbox import Sandbox
from core.kernel.errors import ToolError
from core.kernel.timing.zones import to_local
from core.kernel.types import Json, Role
from core.toolkit.params import Params
from core.toolkit.services import Services
from core.toolkit.tool import Offered, ToolContext, tool


class RunPythonParams(Params):
    """`code`: Python with math, datetime, json, re, decimal, collections; print what you want to know."""

    code: str = Field(min_length=1, max_length=20_000)


@tool(Role.TELLER, Role.WORKER, offered=Offered.FOUND, matrix=False)
async def run_python(params: RunPythonParams, context: ToolContext) -> Json:
    """Run Python code to calculate: compute sums, dates, tables. No files, no network, 2 seconds."""
    now = to_local(context.clock.now(), context.zone)
    try:
        ran = await context.services.get(Sandbox).run(params.code, now)
    except TimeoutError as error:
        raise ToolError("run_python", "too many programs run at the moment; try again later") from error
    told: dict[str, Json] = {"output": ran.output}
    if ran.error:
        told["error"] = ran.error
    if ran.cut:
        told["truncated"] = True
    return told


def services(services: Services) -> Sequence[object]:
    """Return what runs programs."""
    return (Sandbox(),)


async def run(services: Services) -> None:
    """End the processes of programs when the program ends."""
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        await services.get(Sandbox).close()
