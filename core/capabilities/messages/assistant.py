"""What an assistant's model sends to people in the person's name."""

from __future__ import annotations

from pydantic import Field

from core.capabilities.contacts.assistant import confirmed, picked, whom
from core.capabilities.messages.actions import LONGEST
from core.capabilities.messages.commands import text_answered
from core.kernel.errors import ToolError
from core.kernel.types import Role
from core.toolkit.params import Params
from core.toolkit.tool import Asks, Effect, Offered, ToolContext, tool


class MessageParams(Params):
    """`to`: the name that the person said."""

    to: str = Field(min_length=1, max_length=80)
    text: str = Field(min_length=1, max_length=LONGEST)


@tool(Role.TELLER, effect=Effect.ASKED, category="contacts", offered=Offered.FOUND, matrix=False)
async def send_message(params: MessageParams, context: ToolContext) -> Asks:
    """Send somebody whom the person names a message in the person's name."""
    meant = await whom(context, [params.to])
    if not meant.names:
        raise ToolError("send_message", "it is for one person by name; your answer here needs no such message")
    (contact,) = await picked(context, "send_message", meant)
    wish = text_answered.of(contact=contact, text=params.text)
    if not meant.sure:
        return Asks(reply=confirmed(context, "confirm_send", wish, name=params.to, text=params.text))
    return Asks(intents=[wish])
