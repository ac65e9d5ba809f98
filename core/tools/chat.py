"""Chat tools (TOOLS: Chat)."""

from __future__ import annotations

from pydantic import Field

from core.toolkit.params import Params
from core.toolkit.tool import Effect, ToolContext, tool
from core.types import Json, Role


class ReplyParams(Params):
    """`text`: Markdown."""

    text: str = Field(min_length=1)


@tool(Role.TELLER, effect=Effect.READ)
async def reply(params: ReplyParams, context: ToolContext) -> Json:
    """Send a message to the chat. Plain text as your final answer does the same."""
    return None
