"""Help for tests of hooks: a house that can be reached, and programs that post."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers

from bot.config.sections import AccessSection, HttpSection
from core.agents.llm.scripted import Rule
from core.capabilities.hooks import calls
from core.kernel import secret_words
from core.kernel.ports import Database
from core.toolkit.web import BodyTooLarge, WebAnswer
from tests.fakes import FRIEND, FakeAdapter, House, house

URL = "https://bot.example.org"
KEY = "a-long-random-text-of-32-characters"
PAGE = HttpSection(port=8080, public_url=f"{URL}/")


class Posted:
    """A request as the web server hands it over."""

    def __init__(self, name: str, body: bytes, headers: Mapping[str, str], peer: str) -> None:
        self.name, self.headers, self.peer = name, Headers(headers), peer
        self._body = body

    async def body(self, most: int) -> bytes:
        if len(self._body) > most:
            raise BodyTooLarge
        return self._body


async def home(
    db: Database, folder: Path, model: Rule | None = lambda _: "fine", *, admin: str = "", **options: Any
) -> House:
    """A house that programs can reach; `admin` administers the group -5."""
    adapter = FakeAdapter()
    if admin:
        adapter.admins.add(("-5", admin))
    access = AccessSection(mode="allowlist", allow=(FRIEND,))
    given: dict[str, Any] = {"adapter": adapter, "access": access, "http": PAGE, "secret_key": KEY, **options}
    script = () if model is None else (model,)
    return await house(db, folder / "house", *script, model=model is not None, **given)


def secret_in(text: str) -> str:
    """The secret of the address that a text shows."""
    found = re.search(rf"{re.escape(URL)}/hook/({secret_words.SHAPE.pattern})", text)
    assert found is not None, text
    return found[1]


async def post(
    home: House, secret: str, body: bytes | str = b"", *, peer: str = "192.0.2.1", **headers: str
) -> WebAnswer:
    """Post something to a hook; the names of `headers` have _ for -."""
    raw = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await calls.take(home.app.container, Posted(secret, raw, named, peer))
