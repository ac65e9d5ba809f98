"""The calendars of a CalDAV account, read from a real server; and servers that are none, or mean harm."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring
from pydantic import SecretStr

from core.capabilities.calendars import syncing
from core.capabilities.calendars.caldav import MOST_RESOURCES, beside
from core.capabilities.calendars.caldav import _resources as resources
from core.kernel.ports import Database
from core.toolkit.fetch.addresses import own_networks, target
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.connecting import GuardedBackend
from tests.capabilities.calendars.radicale_server import PASSWORD, USER, Radicale, radicale
from tests.capabilities.calendars.test_calendars import everything
from tests.commanding import GROUP, said
from tests.fakes import FakeClock, House, house
from tests.toolkit.fetch.servers import onward, page, web_server

KEY = SecretStr("k" * 40)


@pytest.fixture
async def dav(tmp_path: Path) -> AsyncIterator[Radicale]:
    folder = tmp_path / "radicale"
    folder.mkdir()
    async with radicale(folder) as server:
        await server.make("work", "Work")
        await server.make("home", "Home *sweet*")
        await server.make("tasks", "Tasks", "VTODO")
        await server.put("work", "one", "DTSTART:20260921T130000Z\nDTEND:20260921T140000Z")
        await server.put("work", "two", "DTSTART;TZID=Europe/Berlin:20260914T090000\nRRULE:FREQ=WEEKLY;BYDAY=FR")
        await server.put("home", "three", "DTSTART;VALUE=DATE:20260926")
        await server.put("home", "old", "DTSTART:20200101T100000Z")
        yield server


@asynccontextmanager
async def near(database: Database, folder: Path, **options: Any) -> AsyncIterator[House]:
    """A house that may reach servers of this machine, as one of its own network."""
    own = own_networks(("127.0.0.1",))
    fetcher = Fetcher(guarded=GuardedBackend(own), own=own)
    given = {"secret_key": KEY, **options}
    yield await house(database, folder / "house", model=False, clock=FakeClock(), fetcher=fetcher, **given)
    await fetcher.close()


def added(url: str, user: str = USER, password: str = PASSWORD) -> str:
    return f"/calendar add {url} {user} {password}"


async def synced(home: House) -> None:
    """Read what is due."""
    while await syncing.sync_due(home.app.container):
        pass


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("path", ["", "/", f"/{USER}/", "/.well-known/caldav"])
async def test_the_calendars_of_an_account_are_added_and_shown(
    database: Database, tmp_path: Path, dav: Radicale, path: str
) -> None:
    async with near(database, tmp_path) as home:
        told = await said(home, added(dav.url + path))
        assert "**Home \\*sweet\\***" in told
        assert "**Work**" in told
        assert "Tasks" not in told
        # Whoever shares a calendar into the account has named it: a model obeys nobody after that.
        assert await home.column("SELECT tainted FROM message WHERE text LIKE '%sweet%'") == [1]
        await synced(home)
        assert "🗓 13:00–14:00 it" in await said(home, "/today")
        assert "🗓 07:00" in await said(home, "what's on Friday?")
        assert "🗓 it" in await said(home, "what's on Saturday?")
        assert "here already" in await said(home, added(dav.url))
        assert len(await home.column("SELECT id FROM calendar")) == 2


@pytest.mark.databases("sqlite")
async def test_one_calendar_is_added_by_its_own_address_and_read_again_when_it_has_changed(
    database: Database, tmp_path: Path, dav: Radicale, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    fetch = Fetcher.fetch

    async def counted(self: Fetcher, request: Any) -> Any:
        asked.append(request.method)
        return await fetch(self, request)

    monkeypatch.setattr(Fetcher, "fetch", counted)
    async with near(database, tmp_path) as home:
        assert "**Work**" in await said(home, added(f"{dav.url}/{USER}/work/"))
        assert len(await home.column("SELECT id FROM calendar")) == 1
        await synced(home)
        asked.clear()
        home.clock.advance(901)
        await synced(home)
        assert asked == ["PROPFIND"]
        await dav.put("work", "new", "DTSTART:20260921T180000Z")
        home.clock.advance(901)
        await synced(home)
        assert asked == ["PROPFIND", "PROPFIND", "REPORT"]
        assert "18:00" in await said(home, "/today")
        # Its server says so when it is gone.
        await dav.client.delete(f"/{USER}/work/")
        home.clock.advance(901)
        await synced(home)
        assert "cannot be read now" in await said(home, "/calendar")
        assert "18:00" in await said(home, "/today")


@pytest.mark.databases("sqlite")
async def test_name_and_password_are_in_nothing_that_is_kept(
    database: Database, tmp_path: Path, dav: Radicale, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with near(database, tmp_path) as home:
        await said(home, added(f"{dav.url}/"))
        await synced(home)
        await said(home, added(dav.url, password="wrong-canary"))
        await said(home, "what was that?", quoted=added(dav.url), reply_to="1")
        # Also where somebody writes it in another way.
        await said(home, f"/calendar add {USER} {PASSWORD} {dav.url}")
        await said(home, f"/calendar add dav.example.org {USER} {PASSWORD}")
        await said(home, f"/calendar {dav.url} {USER} {PASSWORD}")
        assert "in our private chat" in await said(home, added(dav.url), **GROUP)
        rows = [line for line in (await everything(home)).splitlines() if "canary" in line]
        assert rows == []
        ours = [one.getMessage() for one in caplog.records if not one.name.startswith(("httpx", "radicale"))]
        assert [line for line in ours if "canary" in line] == []
        assert "pass-canary" not in caplog.text
        assert len(await home.column("SELECT id FROM calendar")) == 2
    async with near(database, tmp_path, secret_key=None) as bare:
        bare.keys = iter(range(1000, 2000))
        assert "secret_key" in (await said(bare, added(dav.url))).replace("\\", "")
        assert "canary" not in await everything(bare)


@pytest.mark.databases("sqlite")
async def test_why_an_account_cannot_be_read_is_said_by_name(database: Database, tmp_path: Path, dav: Radicale) -> None:
    async with near(database, tmp_path) as home, web_server() as other:
        assert "does not let this name and password in" in await said(home, added(dav.url, password="wrong"))
        here = f"http://127.0.0.1:{other.port}"
        assert "no server for calendars" in await said(home, added(here))
        other.answers["/xml"] = page(b"<D:multistatus xmlns:D='DAV:'><broken", status="207 Multi-Status")
        assert "no server for calendars" in await said(home, added(f"{here}/xml"))
        # One that would be a calendar, were its entities unfolded.
        bomb = (
            b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><D:multistatus xmlns:D="DAV:" xmlns:C='
            b'"urn:ietf:params:xml:ns:caldav"><D:response><D:href>/c</D:href><D:propstat><D:status>HTTP/1.1 200 OK'
            b"</D:status><D:prop><D:displayname>&b;</D:displayname><D:resourcetype><C:calendar/></D:resourcetype></D:prop>"
            b"</D:propstat></D:response></D:multistatus>"
        )
        other.answers["/bomb"] = page(bomb, status="207 Multi-Status")
        assert "no server for calendars" in await said(home, added(f"{here}/bomb"))
        other.answers["/huge"] = page(b" " * (1 << 20), status="207 Multi-Status")
        assert "too large" in await said(home, added(f"{here}/huge"))
        assert "over https only" in await said(home, added("http://example.org/dav/"))
        for path in ("work", "home"):
            await dav.client.delete(f"/{USER}/{path}/")
        assert "no calendar with events" in await said(home, added(dav.url))
        assert await home.column("SELECT id FROM calendar") == []


@pytest.mark.databases("sqlite")
async def test_a_password_goes_to_no_other_server(database: Database, tmp_path: Path) -> None:
    async with near(database, tmp_path) as home, web_server() as first, web_server() as evil:
        there = f"http://127.0.0.1:{evil.port}"
        named = (
            f'<D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav</D:href><D:propstat><D:prop>'
            f"<D:current-user-principal><D:href>{there}/principal</D:href></D:current-user-principal></D:prop>"
            "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>"
        )
        first.answers["/dav"] = page(named.encode(), status="207 Multi-Status")
        first.answers["/on"] = onward(f"{there}/on", "307 Temporary Redirect")
        for path in ("/dav", "/on"):
            told = await said(home, added(f"http://127.0.0.1:{first.port}{path}"))
            assert "to which I don't tell your password" in told
        assert evil.asked
        assert not any("authorization" in asked.headers for asked in evil.asked)
        assert all("authorization" in asked.headers for asked in first.asked)


@pytest.mark.parametrize(
    ("first", "where", "may"),
    [
        ("https://caldav.icloud.com/", "https://p42-caldav.icloud.com:443/1/", True),
        ("https://example.org/", "https://dav.example.org/", True),
        ("https://dav.example.org/", "https://dav.example.org:8443/", True),
        ("http://nas.local/", "https://nas.local/", True),
        ("https://dav.example.org/", "http://dav.example.org/", False),
        ("https://dav.example.org/", "http://other.example.org/", False),
        ("https://example.org/", "https://evil.org/", False),
        ("https://dav.example.org/", "https://notexample.org/", False),
        ("https://dav.example.org/", "https://example.org.evil.test/", False),
        ("https://10.0.0.1/", "https://11.0.0.1/", False),
    ],
)
def test_a_password_is_for_servers_of_its_domain(first: str, where: str, may: bool) -> None:
    assert beside(target(first), target(where)) is may


RESPONSE = (
    "<D:response><D:href>/x</D:href><D:propstat><D:status>HTTP/1.1 200 OK</D:status><D:prop>{}</D:prop></D:propstat>"
    "</D:response>"
)


@pytest.mark.parametrize("nested", [False, True])
def test_an_answer_that_is_made_to_keep_the_bot_busy_does_not(nested: bool) -> None:
    before, behind = RESPONSE.split("{}")
    inner = f"{before * 4_000}{behind * 4_000}" if nested else RESPONSE.format("<D:href>/</D:href>" * 3) * 3_000
    answer = fromstring(f'<D:multistatus xmlns:D="DAV:">{inner}</D:multistatus>')
    began = time.process_time()
    found = list(resources(answer, target("https://dav.example.org/")))
    assert time.process_time() - began < 2
    assert len(found) == (1 if nested else MOST_RESOURCES)
