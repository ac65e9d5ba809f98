"""`tests.killable` with one tool more, whose effect is outside and which never ends."""

from __future__ import annotations

import asyncio
import os

from core.capabilities.chat import system
from core.kernel.types import Json, Role
from core.toolkit.params import Params
from core.toolkit.tool import Effect, ToolContext, tool
from tests.killable import Failpoint, run


class KnockParams(Params):
    """Nothing."""


@tool(Role.TELLER, effect=Effect.OUTWARD, category="system", timeout=600.0)
async def knock(params: KnockParams, context: ToolContext) -> Json:
    """Knock at a door that nobody opens."""
    await asyncio.Event().wait()


if __name__ == "__main__":
    vars(system)["knock"] = knock
    asyncio.run(run(Failpoint.parse(os.environ["TELLER_FAILPOINT"])))
