"""/healthz tells the truth about this bot, and nothing that helps a stranger."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import pytest

from bot.runtime import http
from core.kernel.errors import StorageError, TellerError
from core.kernel.ports import Database, Tx
from core.toolkit.web import NOT_FOUND, WebAnswer, WebRequest
from tests.operating import StillClock

pytestmark = pytest.mark.databases("sqlite")

T = TypeVar("T")
SECRET_ERROR = "cannot reach /bot12345:secret"


class Platform:
    """As much of an adapter as health needs."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {"ok": True, "last_poll_age_s": 3.5, "last_error": SECRET_ERROR, "bot_id": "12345"}

    def health(self) -> Mapping[str, Any]:
        return self.state


class Doorway:
    """A door for those who know the word; it remembers what was brought."""

    path = "/in/telegram"

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.open = asyncio.Event()
        self.open.set()

    def admits(self, headers: Mapping[str, str]) -> bool:
        return headers.get("x-word") == "sesame"

    async def take(self, body: bytes) -> int:
        await self.open.wait()
        self.taken.append(body)
        return 200


class Postable(Platform):
    """A platform that has one."""

    def __init__(self) -> None:
        super().__init__()
        self.endpoints = [Doorway()]


class Writes:
    """A database that can be told to fail; it counts the writes."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.room, self.broken, self.writes = True, False, 0

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        self.writes += 1
        if self.broken:
            raise StorageError("no")
        return await self._db.write(fn, order=order)

    def has_room(self) -> bool:
        return self.room


class Site:
    """A served house and its parts."""

    def __init__(self, database: Database) -> None:
        self.platform, self.db, self.clock = Platform(), Writes(database), StillClock()
        self.stopping = False
        self.port = 0
        self.checks = http.Checks(
            self.db,  # type: ignore[arg-type]
            {"telegram": self.platform},  # type: ignore[dict-item]
            self.clock,
            lambda: self.stopping,
        )

    async def get(
        self, path: str = "/healthz", method: str = "GET", headers: str = "", body: bytes = b""
    ) -> tuple[int, str]:
        """Status and body of a plain HTTP request."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n".encode() + body)
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        return int(head.split()[1]), body.decode()

    async def found(self) -> tuple[int, list[str]]:
        """Status and what is wrong."""
        status, body = await self.get()
        return status, json.loads(body)["wrong"]


@pytest.fixture
async def site(database: Database) -> AsyncIterator[Site]:
    found = Site(database)
    async with http.serving(found.checks, "127.0.0.1", 0) as found.port:
        yield found


@pytest.mark.databases("sqlite", "postgres")
async def test_a_healthy_bot_says_so(site: Site) -> None:
    status, body = await site.get()
    assert status == 200
    assert json.loads(body) == {
        "ok": True,
        "wrong": [],
        "checks": {"telegram": True, "database": True, "room": True, "serving": True},
        "last_poll_age_s": {"telegram": 3.5},
    }


async def test_what_is_wrong_is_named_and_explained_to_nobody(site: Site) -> None:
    site.platform.state["ok"] = False
    status, body = await site.get()
    assert (status, json.loads(body)["wrong"]) == (503, ["telegram"])
    assert "12345" not in body


async def test_a_full_disk_is_unhealthy_until_there_is_room(site: Site) -> None:
    site.db.room = False
    assert await site.found() == (503, ["room"])
    site.db.room = True
    assert await site.found() == (200, [])


async def test_a_bot_that_stops_is_unhealthy(site: Site) -> None:
    site.stopping = True
    assert await site.found() == (503, ["serving"])


async def test_the_database_is_written_to_at_most_every_five_seconds(site: Site) -> None:
    for _ in range(3):
        await site.get()
    assert site.db.writes == 1
    site.db.broken = True
    assert await site.found() == (200, [])
    site.clock.at += 5_000
    assert await site.found() == (503, ["database"])
    site.db.broken = False
    site.clock.at += 5_000
    assert await site.found() == (200, [])


async def test_there_is_one_page_only(site: Site) -> None:
    assert (await site.get("/"))[0] == 404
    assert (await site.get("/healthz/../data"))[0] == 404
    assert (await site.get(method="POST"))[0] == 405


async def test_a_silent_client_does_not_hold_up_the_stop(database: Database) -> None:
    site = Site(database)
    async with http.serving(site.checks, "127.0.0.1", 0) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_a_client_that_hangs_in_the_middle_does_not_hold_up_the_stop(database: Database) -> None:
    site, hang = Site(database), asyncio.Event()

    async def stuck(fn: Callable[[Tx], T]) -> T:
        hang.set()
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    site.db.write = stuck  # type: ignore[method-assign, assignment]
    async with AsyncExitStack() as serving:
        port = await serving.enter_async_context(http.serving(site.checks, "127.0.0.1", 0))
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        await hang.wait()
        # Without a grace of its own it would take five seconds.
        await asyncio.wait_for(serving.aclose(), 3)
    writer.close()


@pytest.mark.parametrize(
    "said",
    ["", "GET /hea", "POST /in/telegram HTTP/1.1\r\nHost: x\r\nX-Word: sesame\r\nContent-Length: 9\r\n\r\n{"],
    ids=["nothing", "half a head", "half a body"],
)
async def test_who_holds_a_connection_and_asks_for_nothing_is_hung_up_on(
    database: Database, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setattr(http, "WAITS", 0.05)
    site, door = Site(database), Doorway()
    async with http.serving(site.checks, "127.0.0.1", 0, [door]) as site.port:
        silent = [await asyncio.open_connection("127.0.0.1", site.port) for _ in range(99)]
        for _, writer in silent:
            writer.write(said.encode())
        assert {await asyncio.wait_for(hung_up(reader), 10) for reader, _ in silent} == {True}
        assert (await site.get())[0] == 200
        for _, writer in silent:
            writer.close()
    assert door.taken == []


async def test_who_waits_for_an_answer_is_not_hung_up_on(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "WAITS", 0.05)
    site, door = Site(database), Doorway()
    door.open.clear()
    async with http.serving(site.checks, "127.0.0.1", 0, [door]) as site.port:
        asking = asyncio.create_task(site.get("/in/telegram", "POST", "X-Word: sesame\r\nContent-Length: 2\r\n", b"{}"))
        for _ in range(5):
            reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
            assert await asyncio.wait_for(hung_up(reader), 10)
            writer.close()
        door.open.set()
        assert (await asking)[0] == 200


async def silent_clients(site: Site, count: int, host: str = "127.0.0.1") -> list[asyncio.StreamWriter]:
    """Let clients of an address connect that say nothing."""
    address = (host, 0)
    return [(await asyncio.open_connection("127.0.0.1", site.port, local_addr=address))[1] for _ in range(count)]


@pytest.mark.parametrize("hosts", [["127.0.0.1"], [f"127.0.0.{n}" for n in range(1, 21)]], ids=["one", "many"])
async def test_clients_that_say_nothing_do_not_keep_genuine_posts_out(
    database: Database, monkeypatch: pytest.MonkeyPatch, hosts: list[str]
) -> None:
    monkeypatch.setattr(http, "MOST_AT_ONCE", 60)
    site, door = Site(database), Doorway()
    async with http.serving(site.checks, "127.0.0.1", 0, [door]) as site.port:
        silent = [writer for host in hosts for writer in await silent_clients(site, 100 // len(hosts), host)]
        headers = "X-Word: sesame\r\nContent-Length: 2\r\n"
        assert [(await site.get("/in/telegram", "POST", headers, b"{}"))[0] for _ in range(20)] == [200] * 20
        for writer in silent:
            writer.close()
    assert door.taken == [b"{}"] * 20


@pytest.mark.databases("sqlite", "postgres")
async def test_who_shares_an_address_with_silent_clients_is_not_hung_up_on_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "MOST_OF_ONE", 5)
    site, door = Site(database), Doorway()
    door.open.clear()
    async with http.serving(site.checks, "127.0.0.1", 0, [door]) as site.port:
        headers = "X-Word: sesame\r\nContent-Length: 2\r\n"
        asking = asyncio.create_task(site.get("/in/telegram", "POST", headers, b"{}"))
        silent = await silent_clients(site, 20)
        door.open.set()
        assert (await asking)[0] == 200
        for writer in silent:
            writer.close()


class Page:
    """A page that counts who opens it."""

    path = "/page"
    visits = 0

    async def visit(self, query: Mapping[str, str], headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        self.visits += 1
        return 200, {}, ""


async def test_who_opens_a_page_too_often_leaves_room_for_others(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, page = Site(database), Page()
    async with http.serving(site.checks, "127.0.0.1", 0, [page]) as site.port:
        through = "X-Forwarded-For: {}\r\n"
        flood = [(await site.get("/page", headers=through.format("192.0.2.1")))[0] for _ in range(60)]
        assert flood == [200] * http.MOST_VISITS + [429] * (60 - http.MOST_VISITS)
        assert (await site.get("/page", headers=through.format("192.0.2.2")))[0] == 200
        # One customer has as many addresses of the newer kind as there are in half of one.
        flood = [(await site.get("/page", headers=through.format(f"2001:db8::{n:x}")))[0] for n in range(1, 61)]
        assert flood.count(200) == http.MOST_VISITS
        assert (await site.get("/page", headers=through.format("2001:db8:0:1::1")))[0] == 200
        monkeypatch.setattr(http, "VISITS_SECONDS", 0.0)
        assert (await site.get("/page", headers=through.format("192.0.2.1")))[0] == 200
    assert page.visits == 2 * http.MOST_VISITS + 3


class Letterbox:
    """A path of a capability that keeps what those post who know the name."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self.full = False

    async def take(self, request: WebRequest) -> WebAnswer:
        if request.name != "sesame":
            return NOT_FOUND
        body = await request.body(9)
        if self.full:
            raise StorageError("no")
        self.taken.append((request.peer, body))
        return WebAnswer(status=202, told={"id": "e1"}, headers={"X-More": "1"})


async def test_what_a_capability_takes_in_is_read_after_it_knows_who_posts(database: Database) -> None:
    site, box = Site(database), Letterbox()
    door = http.CapabilityEndpoint(path="/in", takes=box.take)
    async with http.serving(site.checks, "127.0.0.1", 0, [door]) as site.port:
        body = b"x" * 9
        length, through = f"Content-Length: {len(body)}\r\n", "X-Forwarded-For: 192.0.2.1\r\n"
        assert await site.get("/in/sesame", "POST", length + through, body) == (202, '{"id":"e1"}')
        # Whatever somebody says of where they come from.
        assert box.taken == [("127.0.0.1", body)]
        nowhere = await site.get("/out/open", "POST")
        assert nowhere == (404, "Not Found")
        for path in ("/in", "/in/open", "/in/", "/in/sesame/", "/in/sesame/more", "/in/%73esame%00"):
            assert await site.get(path, "POST") == nowhere, path
        # Nothing of a body is waited for.
        assert await site.get("/in/open", "POST", "Content-Length: 99999999\r\n") == nowhere
        assert (await site.get("/in/sesame", "POST", "Content-Length: 10\r\n"))[0] == 413
        chunked = b"5\r\nxxxxx\r\n" * 3 + b"0\r\n\r\n"
        assert (await site.get("/in/sesame", "POST", "Transfer-Encoding: chunked\r\n", chunked))[0] == 413
        for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"):
            assert (await site.get("/in/sesame", method))[0] == 405, method
        box.full = True
        assert (await site.get("/in/sesame", "POST"))[0] == 503
    assert len(box.taken) == 1


async def hung_up(reader: asyncio.StreamReader) -> bool:
    """Wait until the other side ends the connection without a word."""
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


async def test_a_port_in_use_is_told_in_a_sentence(site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(TellerError, match=rf"cannot listen on 127\.0\.0\.1 port {port}"):
            async with http.serving(site.checks, "127.0.0.1", port):
                pass


@pytest.fixture
async def door(database: Database) -> AsyncIterator[tuple[Site, Doorway]]:
    site, platform = Site(database), Postable()
    doors = http.platform_endpoints({"silent": site.platform, "telegram": platform})  # type: ignore[dict-item]
    async with http.serving(site.checks, "127.0.0.1", 0, doors) as site.port:
        yield site, platform.endpoints[0]


async def test_a_platform_gets_what_is_posted_to_its_door(door: tuple[Site, Doorway]) -> None:
    site, doorway = door
    chunked = "X-Word: sesame\r\nTransfer-Encoding: chunked\r\n"
    assert (await site.get("/in/telegram", "POST", "x-word: sesame\r\nContent-Length: 5\r\n", b"hello"))[0] == 200
    assert (await site.get("/in/telegram", "POST", chunked, b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"))[0] == 200
    assert doorway.taken == [b"hello", b"hello"]


async def test_who_does_not_know_the_word_is_not_even_read(door: tuple[Site, Doorway]) -> None:
    site, doorway = door
    promised = "X-Word: please\r\nContent-Length: 999999\r\n"
    assert (await site.get("/in/telegram", "POST", promised))[0] == 403
    assert (await site.get("/in/telegram", "GET"))[0] == 405
    assert doorway.taken == []


async def test_a_body_without_end_is_cut_off(door: tuple[Site, Doorway]) -> None:
    site, doorway = door
    # Not a byte more than it takes: what is left unread when the connection ends could reset it.
    chunks = (b"10000\r\n" + b"x" * 0x10000 + b"\r\n") * 16 + b"1\r\nx"
    for headers, body in (("Transfer-Encoding: chunked", chunks), (f"Content-Length: {http.MOST_BODY + 1}", b"")):
        assert (await site.get("/in/telegram", "POST", f"X-Word: sesame\r\n{headers}\r\n", body))[0] == 413
    assert doorway.taken == []


async def test_who_hangs_up_in_the_middle_of_a_body_brought_nothing(
    door: tuple[Site, Doorway], caplog: pytest.LogCaptureFixture
) -> None:
    site, doorway = door
    _, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(b"POST /in/telegram HTTP/1.1\r\nHost: x\r\nX-Word: sesame\r\nContent-Length: 9\r\n\r\nhalf")
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert (await site.get())[0] == 200
    assert doorway.taken == []
    assert caplog.records == []
