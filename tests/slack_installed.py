"""A whole bot whose app workspaces of the emulated Slack install by its pages, put together as the program does it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.app import App, build
from bot.config.config import Config, load
from bot.runtime import http, wiring
from core.kernel.clock import SystemClock
from core.kernel.ports import Database
from tests.databases import serve
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE

KEY = "a key for tests which is long enough"
FIRST, SECOND, ANN = "T0001", "T0002", "U1001"
SERVED = "SELECT external_id, ended_at IS NULL AS served FROM tenant ORDER BY id"


@dataclass(frozen=True, kw_only=True)
class Running:
    """A running bot; `url` is how browsers reach it."""

    app: App
    db: Database
    url: str

    async def rows(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        """Read rows."""
        found = await self.db.read(lambda tx: tx.all(sql, params))
        return [tuple(row[name] for name in row.keys()) for row in found]  # noqa: SIM118 - a row of SQLite is no mapping

    async def until(self, sql: str, *expected: tuple[Any, ...], **params: Any) -> None:
        """Wait until a query gives these rows."""
        found: Sequence[tuple[Any, ...]] = []
        try:
            async with asyncio.timeout(DEADLINE):
                while (found := await self.rows(sql, **params)) != list(expected):
                    await self.app.db.read(lambda tx: tx.one("SELECT 1 AS one"))
        except TimeoutError:
            raise AssertionError(found) from None

    async def becomes(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(DEADLINE):
            while not condition():
                await self.app.db.read(lambda tx: tx.one("SELECT 1 AS one"))


def configured(server: SlackServer, folder: Path, **more: str) -> Config:
    """The configuration of an app that is installed by its pages, over a web socket unless said otherwise."""
    app = server.world.app
    environ = {
        "TELLER_DATA_DIR": str(folder),
        "TELLER_SECRET_KEY": KEY,
        "TELLER_LANGUAGE": "en",
        "TELLER_TIMEZONE": "UTC",
        "TELLER_HTTP__PORT": "8080",
        "TELLER_SLACK__APP_TOKEN": app.app_token,
        "TELLER_SLACK__BASE_URL": server.api,
        "TELLER_SLACK__CLIENT_ID": app.client_id,
        "TELLER_SLACK__CLIENT_SECRET": app.client_secret,
        # Else what was missed is read a minute later.
        "TELLER_SLACK__HISTORY_LIMIT": "normal",
        **more,
    }
    return load(Path("/dev/null"), environ)


@contextlib.asynccontextmanager
async def running(config: Config) -> AsyncIterator[Running]:
    """Run a bot until the context ends."""
    assert config.problems_at_start() == []
    clock, ready, ports = SystemClock(), asyncio.Event(), list[int]()
    db = wiring.database(config, clock)

    @contextlib.asynccontextmanager
    async def web(app: App) -> AsyncIterator[None]:
        checks = http.Checks(app.db, app.adapters, app.clock)
        async with http.serving(checks, "127.0.0.1", 0, http.platform_endpoints(app.adapters)) as port:
            ports.append(port)
            yield

    async def is_ready(_: App) -> None:
        ready.set()

    found = wiring.adapters(config, clock, console=False, db=db)
    app = build(config, found, db=db, clock=clock, services=[web])
    task = asyncio.create_task(serve(app, is_ready))
    try:
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait({task, waiting}, timeout=DEADLINE, return_when=asyncio.FIRST_COMPLETED)
        assert ready.is_set(), task
        yield Running(app=app, db=db, url=f"http://127.0.0.1:{ports[0]}")
    finally:
        app.stop()
        await asyncio.wait_for(task, DEADLINE)


async def installed(server: SlackServer, bot: Running, team: str = FIRST, user: str = ANN) -> None:
    """Let somebody install the app in their workspace."""
    answer = await server.install(f"{bot.url}/slack/install", user, team)
    assert answer.status == 200, answer
    assert "I am installed in" in answer.body


async def answered(server: SlackServer, count: int, team: str = FIRST, user: str = ANN) -> list[str]:
    """What the bot has said to somebody in private, once that is so much."""

    def texts() -> list[str]:
        home = server.workspace(team)
        return [one.text for one in server.said(home.dm_with(user).id, team=team)]

    await server.wait_until(lambda: len(texts()) >= count, DEADLINE)
    return texts()


def nothing(server: SlackServer, team: str, **more: Any) -> None:
    """Let something come for a workspace that is of no interest."""
    server.push({"type": "reaction_added", "event_ts": "1.1"}, team, **more)


async def settled(server: SlackServer) -> None:
    """Wait until Slack has handed over all that it has."""
    await server.wait_until(lambda: not server.pending(), DEADLINE)
