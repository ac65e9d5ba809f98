"""A model that asks, for tests of questions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.kernel.ports import Database
from core.kernel.types import Answer, ToolCall
from tests.fakes import House, house

TEA = {"question": "Tea or coffee?", "options": ["Tea", "Coffee"], "default": "Tea", "timeout": 60}
NAME = {"question": "What is your name?", "timeout": 60}
GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}


def ask(arguments: Mapping[str, Any], call_id: str = "c1") -> Answer:
    return Answer(calls=(ToolCall(id=call_id, name="ask_user", arguments=arguments),))


def events(home: House) -> list[dict[str, Any]]:
    """The events the model was woken with."""
    assert home.model is not None
    return [json.loads(request.event) for request in home.model.requests if request.event]


async def asked(database: Database, folder: Path, *script: Any, **where: Any) -> House:
    """A house in which the model has asked what the script's first answers ask."""
    home = await house(database, folder / "house", *script)
    await home.hear("ask me", **where)
    await home.work()
    return home


async def states(home: House) -> list[str]:
    return await home.column("SELECT state FROM question ORDER BY id")
