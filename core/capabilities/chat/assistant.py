"""What an assistant's model looks at, and how it finds its other tools (TOOLS: What a model is offered)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.kernel import ids
from core.kernel.errors import ToolError
from core.kernel.intent import Intent
from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.types import Json, Role
from core.scheduling import time_input
from core.toolkit import intents
from core.toolkit.params import Params
from core.toolkit.services import OpenQuestions
from core.toolkit.tool import Asks, Effect, Offered, Registry, ToolContext, tool

SHOWS = {
    "agenda": "today.show",
    "reminders": "schedules.list",
    "todos": "todos.show",
    "lists": "todos.lists",
    "contacts": "contacts.list",
    "tasks": "schedules.list",
}


class ShowParams(Params):
    """`day`: of the agenda, in the person's words; `words`: a list's name, or what one reminder is about; `read`: only
    you see it, to answer from it."""

    what: Literal["agenda", "reminders", "todos", "lists", "done", "contacts", "tasks"]
    day: str = Field(default="", max_length=60)
    words: str = Field(default="", max_length=100)
    read: bool = False


@tool(Role.TELLER, effect=Effect.ASKED, category="schedule", offered=Offered.ALWAYS, matrix=False)
async def show(params: ShowParams, context: ToolContext) -> Asks:
    """Show the person what is on at a `day`, what is scheduled, on a list (`words`), done, or whom this chat knows.
    With `read` only you see it, to answer from it."""
    return Asks(intents=[_wish(params, context)], reads=params.read)


def _wish(params: ShowParams, context: ToolContext) -> Intent:
    if params.what == "done":
        return intents.command("todo", "reopen")
    arguments: dict[str, Json] = {}
    if params.what == "agenda" and params.day:
        when = time_input.when_of(params.day, context.texts)
        if when is None:
            raise ToolError("show", f"{params.day!r} is not understood as a day; say it as the person did")
        arguments["when"] = time_input.packed(when)
    if params.what == "reminders" and params.words:
        return Intent("schedules.show", {"schedule": params.words})
    if params.what == "todos" and params.words:
        arguments["on"] = params.words
    return Intent(SHOWS[params.what], arguments)


class FindParams(Params):
    """`words`: what it should do."""

    words: str = Field(min_length=1, max_length=100)


@tool(Role.TELLER, idempotent=True, category="system", offered=Offered.ALWAYS, matrix=False)
async def find_tools(params: FindParams, context: ToolContext) -> Json:
    """Find more tools: contacts, messages to people, ending a question, calculating. Those found can be called then."""
    tools = [one for one in context.services.get(Registry).list() if one.offered is Offered.FOUND]
    said = folded(params.words).split()
    found = [one for one in tools if any(word in folded(f"{one.name} {one.description}") for word in said)]
    return {"tools": [{"name": one.name, "description": one.description} for one in found or tools]}


class EndParams(Params):
    """`question_id`: such as q12ab34."""

    question_id: str = Field(min_length=1, max_length=40)


@tool(Role.TELLER, effect=Effect.WRITE, category="chat", offered=Offered.FOUND, matrix=False)
def end_question(params: EndParams, context: ToolContext, tx: Tx) -> Json:
    """End an open question of yours."""
    number = ids.number("q", params.question_id)
    open_questions, person_id = context.services.get(OpenQuestions), context.principal.person_id
    if number is None or not open_questions.withdraw_one(tx, context.lane, person_id, number):
        raise ToolError("end_question", "there is no such open question to this person")
    return {"ended": True}
