"""Help for tests of commands: a house, and what somebody is answered."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any

from bot.config.sections import AccessSection
from core.kernel.intent import Intent, unpacked
from core.kernel.ports import Database
from tests.fakes import FRIEND, OWNER, FakeAdapter, House
from tests.fakes import house as build

GROUP: Mapping[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}
GUEST = "tg:7"


async def home(db: Database, folder: Path, *, mode: str = "allowlist", admin: str = "", **sections: Any) -> House:
    """A house without a model whose owner has said hello; `admin` administers the group -5."""
    adapter = FakeAdapter()
    if admin:
        adapter.admins.add(("-5", admin))
    access = AccessSection.model_validate({"mode": mode, "allow": (FRIEND,)})
    made = await build(db, folder / "house", model=False, adapter=adapter, access=access, daily_tokens=1000, **sections)
    await said(made, "hello")
    return made


async def group(db: Database, folder: Path, **options: Any) -> House:
    """Such a house, in a group that the owner has brought it into."""
    made = await home(db, folder, **options)
    await said(made, "/help", **GROUP)
    return made


async def said(home: House, text: str, **fields: Any) -> str:
    """Say something, and return what that is answered: everything new in the chat, in one text."""
    chat = fields.get("chat", "1")
    before = len(home.adapter.texts(chat))
    await home.hear(text, **fields)
    await home.work()
    return "\n".join(home.adapter.texts(chat)[before:])


async def pressed(home: House, label: str, **fields: Any) -> str:
    """Press a button, and return what that is answered, without the message whose buttons gave way."""
    return await _answered(home, home.press(label, **fields), **fields)


async def confirmed(home: House, text: str, **fields: Any) -> str:
    """Say what a button does as well, and return what that is answered, without the message whose buttons gave way."""
    return await _answered(home, home.hear(text, **fields), **fields)


async def _answered(home: House, done: Awaitable[object], **fields: Any) -> str:
    chat = fields.get("chat", "1")
    before = {sent.platform_id for sent in home.shown(chat)}
    await done
    await home.work()
    return "\n".join(sent.text for sent in home.shown(chat) if sent.platform_id not in before)


def labels(home: House, chat: str = "1") -> list[str]:
    """The buttons of the newest message of a chat."""
    keyboard = home.shown(chat)[-1].keyboard
    return [] if keyboard is None else [button.label for button in keyboard.buttons]


async def intents(home: House, name: str) -> list[Intent]:
    """What the newest buttons ask for that is called so."""
    (stored,) = await home.column("SELECT buttons FROM keyboard ORDER BY id DESC LIMIT 1")
    found = [unpacked(asks) for _, asks in json.loads(str(stored)) if not isinstance(asks, str)]
    return [intent for intent in found if intent.name == name]


def friend(**fields: Any) -> dict[str, Any]:
    """Where the friend of the configuration talks in private."""
    return {"chat": "2", "sender": FRIEND, **fields}


async def planned(home: House) -> list[object]:
    """The texts of what is scheduled, in the order in which it was made."""
    return await home.column("SELECT text FROM trigger WHERE ended_at IS NULL ORDER BY id")


async def open_items(home: House) -> list[object]:
    """The to-dos that are open, in the order in which they were made."""
    return await home.column("SELECT content FROM todo WHERE state = 'open' ORDER BY id")


__all__ = [
    "FRIEND",
    "GROUP",
    "GUEST",
    "OWNER",
    "confirmed",
    "friend",
    "group",
    "home",
    "intents",
    "labels",
    "open_items",
    "planned",
    "pressed",
    "said",
]
