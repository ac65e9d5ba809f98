"""How an assistant's model sets reminders: by the person's own words for the time, which are read here."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from core.capabilities.contacts.assistant import confirmed, picked, whom
from core.capabilities.reminders.commands import wanted
from core.kernel.clean_text import Text
from core.kernel.errors import ToolError
from core.kernel.timing.expressions import Every
from core.kernel.timing.schedule import Once
from core.kernel.timing.zones import to_instant
from core.kernel.types import Role
from core.scheduling import time_input
from core.scheduling.time_input import LONGEST, Asked, When, packed
from core.toolkit import intents
from core.toolkit.params import Params
from core.toolkit.tool import Asks, Effect, Offered, ToolContext, tool

LONGEST_TIME = 100
# Stands for a time that the person is shown when they are asked.
UNREAD = (
    "{said!r} is not understood as a time; say it as the person did, such as 'tomorrow at 9', 'in 20 minutes',"
    " 'every weekday at 9:30', or as a local time such as 2026-11-27T09:00"
)


class RemindParams(Params):
    """`text`, `when`, `repeat`: the person's own words ("tomorrow at nine", "every weekday at 9:30"), or a local ISO
    time; `for`: names they said, everybody in a group; `until_done`: until somebody says so; `only_news`: work tells
    only what is new."""

    model_config = ConfigDict(populate_by_name=True, extra="forbid", frozen=True)
    spellings: ClassVar[dict[str, str]] = {"for": "for_"}

    text: Annotated[Text, Field(min_length=1, max_length=LONGEST)]
    when: str = Field(default="", max_length=LONGEST_TIME)
    repeat: str = Field(default="", max_length=LONGEST_TIME)
    for_: list[str] = Field(default_factory=list, alias="for", max_length=10)
    until_done: bool = False
    work: bool = False
    only_news: bool = False


@tool(Role.TELLER, effect=Effect.ASKED, category="schedule", offered=Offered.ALWAYS, matrix=False)
async def remind(params: RemindParams, context: ToolContext) -> Asks:
    """Set a reminder, alarm or timer for the person or others; with `work` its text is done then, not only said."""
    when = time_of(context, params.when, params.repeat)
    if params.only_news and not params.work:
        raise ToolError("remind", "only_news is for work; set work to true, or leave it out")
    if params.work and (params.for_ or params.until_done):
        raise ToolError("remind", "work is for this chat, and done once each time: leave for and until_done out")
    if params.work:
        return Asks(intents=[intents.work(params.text, packed(when) or {}, only_news=params.only_news)])
    meant = await whom(context, params.for_)
    asked = Asked(
        text=params.text,
        when=when,
        who=meant.names,
        everybody=meant.everybody,
        until_done=params.until_done,
    )
    if meant.sure:
        return Asks(intents=[wanted.of(asked=asked)])
    wish = wanted.of(asked=replace(asked, chosen=await picked(context, "remind", meant)))
    names = ", ".join(params.for_)
    said = " ".join(filter(None, (params.repeat, params.when)))
    return Asks(reply=confirmed(context, "confirm_remind", wish, name=names, text=params.text, when=said))


def time_of(context: ToolContext, when: str, repeat: str = "") -> When:
    """Read a time in the person's words, with what repeats it; raises `ToolError`."""
    said = " ".join(filter(None, (repeat, when)))
    if not said:
        raise ToolError("remind", "when is needed: ask the person if they did not say")
    for text in dict.fromkeys((said, " ".join(filter(None, (when, repeat))))):
        found = time_input.when_of(text.strip(), context.texts) or _local(text, context)
        if found is not None and (not repeat or isinstance(found, Every)):
            return found
    raise ToolError("remind", UNREAD.format(said=said))


def _local(text: str, context: ToolContext) -> Once | None:
    """Return an ISO time; without an offset it is that of the person's clock."""
    try:
        said = datetime.fromisoformat(text.strip())
        wall = said.replace(tzinfo=None).isoformat(timespec="minutes")
        if said.tzinfo is None:
            return Once(at=to_instant(said, context.zone), wall=wall)
    except (OverflowError, ValueError):
        return None
    return time_input.instant_of(text, context.zone)
