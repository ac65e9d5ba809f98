"""A house that may read a calendar, and the server of that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.capabilities.calendars.served import BODY, KEY
from tests.capabilities.web.net import web_house
from tests.fakes import House
from tests.toolkit.fetch.servers import WebServer, page, web_server


@pytest.fixture
async def server() -> AsyncIterator[WebServer]:
    async with web_server() as running:
        running.answers["/private-canary/basic.ics"] = page(BODY, Content_Type="text/calendar", ETag='"v1"')
        yield running


@pytest.fixture
async def home(database: Database, tmp_path: Path, server: WebServer) -> AsyncIterator[House]:
    async with web_house(database, tmp_path / "house", server, model=False, secret_key=KEY) as made:
        yield made
