"""A house whose web is one server of this machine, under names of the public net."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.config.web import WebSection
from core.kernel.ports import Database
from core.toolkit.fetch.addresses import own_networks
from core.toolkit.fetch.allowance import PersonAllowance
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.connecting import GuardedBackend
from tests.fakes import FakeClock, House, house
from tests.toolkit.fetch.servers import PUBLIC, Net, WebServer

NAMES: Mapping[str, Sequence[Sequence[str]]] = {"example.org": [[PUBLIC]], "evil.example": [[PUBLIC]]}


@asynccontextmanager
async def web_house(
    database: Database, folder: Path, server: WebServer, *script: Any, web: WebSection | None = None, **options: Any
) -> AsyncIterator[House]:
    """Build a house that finds `server` behind the names of the net."""
    clock, web = FakeClock(), web or WebSection()
    net = Net(server, NAMES)
    guarded = GuardedBackend(own_networks(()), resolve=net.resolve, dial=net)
    allowance = PersonAllowance(database, clock, web.limits)
    fetcher = Fetcher(guarded=guarded, plain=net, allowance=allowance)
    yield await house(database, folder, *script, clock=clock, fetcher=fetcher, web=web, **options)
    await fetcher.close()
