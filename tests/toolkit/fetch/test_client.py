"""The guarded client, over real sockets: where it goes, what it says there, and what it takes from there."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import pytest

from core.kernel.types import LaneKey
from core.toolkit.fetch.addresses import own_networks
from core.toolkit.fetch.client import AuthProfile, Fetcher
from core.toolkit.fetch.connecting import GuardedBackend
from core.toolkit.fetch.values import Fetch, Fetched, FetchError, Whose
from tests.toolkit.fetch.servers import OTHER, PUBLIC, Asked, Net, WebServer, certificate, onward, page, web_server
from tests.toolkit.fetch.test_addresses import INSIDE

HERE = "http://example.org/"
NAMES: Mapping[str, Sequence[Sequence[str]]] = {
    "example.org": [[PUBLIC]],
    "other.org": [[OTHER]],
    "inside.org": [["10.0.0.5"]],
    "both.org": [[PUBLIC, "127.0.0.1"]],
    "turning.org": [[PUBLIC], ["127.0.0.1"]],
    "nas.local": [["192.168.1.7"]],
    "none.org": [[]],
}


@pytest.fixture
async def server() -> AsyncIterator[WebServer]:
    async with web_server() as running:
        running.answers["/"] = page(b"hello", Content_Type="text/plain; charset=utf-8")
        yield running


def fetcher(net: Net, *, own: Sequence[str] = (), **profiles: AuthProfile) -> Fetcher:
    """A client that lives in a net of its own."""
    networks = own_networks(own)
    backend = GuardedBackend(networks, resolve=net.resolve, dial=net)
    return Fetcher(guarded=backend, plain=net, own=networks, profiles=profiles)


async def fetched(server: WebServer, url: str = HERE, *, own: Sequence[str] = (), **options: object) -> Fetched:
    """Fetch with a client of its own, and see that nothing but what may be was dialled."""
    net = Net(server, NAMES)
    client = fetcher(net, own=own)
    try:
        return await client.fetch(Fetch(url=url, **options))  # type: ignore[arg-type]
    finally:
        await client.close()
        assert {host for host, _ in net.dialled} <= {PUBLIC, OTHER, *(["192.168.1.7"] if own else [])}


async def code(server: WebServer, url: str = HERE, **options: object) -> str:
    """Return the code of the error that a request comes to."""
    with pytest.raises(FetchError) as failure:
        await fetched(server, url, **options)  # type: ignore[arg-type]
    assert str(failure.value)
    return failure.value.code


async def test_a_page_is_fetched_from_the_address_that_was_checked(server: WebServer) -> None:
    answer = await fetched(server, "http://EXAMPLE.org./?q=ü#part")
    assert (answer.status, answer.body, answer.truncated) == (200, b"hello", False)
    assert (answer.url, answer.media_type) == ("http://example.org/?q=%C3%BC", "text/plain")
    [asked] = server.asked
    assert (asked.method, asked.path, asked.headers["host"]) == ("GET", "/?q=%C3%BC", "example.org")


@pytest.mark.parametrize("address", [one for one in INSIDE if "%" not in one])
async def test_no_address_inside_is_connected_to_however_it_is_reached(server: WebServer, address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    server.answers["/"] = onward(f"http://{host}/")
    for url in (f"http://{host}/", HERE, "http://named.org/"):
        net = Net(server, {**NAMES, "named.org": [[PUBLIC, address]]})
        client = fetcher(net)
        with pytest.raises(FetchError) as failure:
            await client.fetch(Fetch(url=url))
        await client.close()
        assert failure.value.code == "forbidden_address"
        assert all(dialled == PUBLIC for dialled, _ in net.dialled)


async def test_one_address_inside_is_enough_to_refuse_a_name(server: WebServer) -> None:
    assert await code(server, "http://both.org/") == "forbidden_address"
    assert server.connections == 0


async def test_a_name_that_turns_inside_between_two_hops_is_checked_again(server: WebServer) -> None:
    server.answers["/"] = page(b"", status="302 Found", Location="http://turning.org/two", Connection="close")
    assert await code(server, "http://turning.org/") == "forbidden_address"
    assert [asked.path for asked in server.asked] == ["/"]


async def test_this_machine_is_not_reached_by_its_public_address(server: WebServer) -> None:
    net = Net(server, NAMES)
    backend = GuardedBackend(
        own_networks(()), resolve=net.resolve, dial=net, own_machine=lambda one: str(one) == PUBLIC
    )
    client = Fetcher(guarded=backend)
    with pytest.raises(FetchError, match="not on the public net"):
        await client.fetch(Fetch(url=HERE))
    await client.close()
    assert net.dialled == []


@pytest.mark.parametrize("port", [22, 25, 6379, 8080, 11211])
async def test_only_ports_of_web_servers_are_connected_to(server: WebServer, port: int) -> None:
    assert await code(server, f"http://example.org:{port}/") == "forbidden_address"
    assert server.connections == 0


async def test_the_owners_networks_are_reached_on_any_port(server: WebServer) -> None:
    assert await code(server, "http://nas.local:5000/") == "forbidden_address"
    for own in (("nas.local",), ("192.168.1.0/24",)):
        assert (await fetched(server, "http://nas.local:5000/", own=own)).status == 200


async def test_what_has_no_address_is_said_to_be_unknown(server: WebServer) -> None:
    assert await code(server, "http://nowhere.org/") == "unknown_host"
    assert await code(server, "http://none.org/") == "unknown_host"


async def test_redirects_are_followed_five_times(server: WebServer) -> None:
    server.answers |= {f"/{n}": onward(f"/{n + 1}") for n in range(9)}
    server.answers["/5"] = page(b"there")
    assert (await fetched(server, HERE + "0")).body == b"there"
    server.answers["/5"] = onward("/6")
    assert await code(server, HERE + "0") == "too_many_redirects"


@pytest.mark.parametrize("where", ["file:///etc/passwd", "gopher://x/", "http://user@other.org/", "http://2130706433/"])
async def test_a_redirect_to_what_is_no_address_is_a_bad_answer(server: WebServer, where: str) -> None:
    server.answers["/"] = onward(where)
    assert await code(server) == "bad_answer"


async def test_what_the_caller_says_goes_to_no_other_origin(server: WebServer) -> None:
    server.answers["/"] = onward("http://other.org/two")
    server.answers["/two"] = page()
    await fetched(server, headers={"X-Api-Key": "mine", "Accept": "text/html"})
    first, second = server.asked
    assert (first.headers["x-api-key"], first.headers["accept"]) == ("mine", "text/html")
    assert "mine" not in str(second.headers)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Authorization", "Bearer x"), ("cookie", "a=b"), ("Host", "other.org"), ("X-Forwarded-For", "1.1.1.1"),
        ("Transfer-Encoding", "chunked"), ("Content-Length", "5"), ("Accept-Encoding", "br"), ("", "x"),
        ("X-A\r\nCookie", "x"), ("X A", "x"), ("X-A", "x\r\nCookie: y"), ("X-A", "ü"),
    ],
)  # fmt: skip
async def test_headers_that_are_not_the_callers_are_refused(server: WebServer, name: str, value: str) -> None:
    assert await code(server, headers={name: value}) == "bad_request"
    assert server.connections == 0


async def test_no_cookie_is_kept_or_told(server: WebServer) -> None:
    server.answers["/"] = page(Set_Cookie="a=b", X_Frame="1")
    net = Net(server, NAMES)
    client = fetcher(net)
    for _ in range(2):
        assert (await client.fetch(Fetch(url=HERE))).headers.keys() == {"content-length", "x-frame"}
    await client.close()
    assert all("cookie" not in asked.headers for asked in server.asked)
    assert server.connections == 1  # and the connection is used again


async def test_proxies_of_the_environment_are_not_used(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    assert (await fetched(server)).status == 200


async def test_a_body_is_cut_at_its_limit(server: WebServer) -> None:
    server.answers["/"] = page(b"x" * 5000)
    answer = await fetched(server, most=4000)
    assert (answer.body, answer.truncated) == (b"x" * 4000, True)
    assert (await fetched(server, most=5000)).truncated is False


async def test_a_body_without_an_end_is_cut(server: WebServer) -> None:
    async def endless(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x" * 65536)
            await writer.drain()

    server.answers["/"] = endless
    assert len((await fetched(server, most=100_000)).body) == 100_000


@pytest.mark.parametrize("layers", [1, 2])
async def test_what_unpacks_to_a_mountain_is_cut_while_it_is_unpacked(server: WebServer, layers: int) -> None:
    bomb = b"\0" * (64 << 20)
    for _ in range(layers):
        bomb = gzip.compress(bomb)
    server.answers["/"] = page(bomb, Content_Encoding="gzip")
    tracemalloc.start()
    answer = await fetched(server, most=1 << 20)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 << 20
    assert len(answer.body) <= 1 << 20
    assert answer.truncated is (layers == 1)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
async def test_what_is_packed_is_unpacked(server: WebServer, pack: object) -> None:
    packed = pack(b"hello" * 1000)  # type: ignore[operator]
    server.answers["/"] = page(packed, Content_Encoding="gzip" if pack is gzip.compress else "deflate")
    assert (await fetched(server)).body == b"hello" * 1000


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("br", b"x"),
        ("gzip, gzip", b"x"),
        ("gzip", b"no gzip"),
        # What breaks off in the middle is no whole page, though all of it was sent that was promised.
        ("gzip", gzip.compress(bytes(range(256)) * 40)[:200]),
    ],
)
async def test_what_cannot_be_unpacked_is_a_bad_answer(server: WebServer, coding: str, body: bytes) -> None:
    server.answers["/"] = page(body, Content_Encoding=coding)
    assert await code(server) == "bad_answer"


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"])
async def test_what_drips_is_given_up_in_the_time_for_all_of_it(server: WebServer, head: bytes) -> None:
    async def drip(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while not writer.is_closing():
            writer.write(b"x" if head else b"")
            await writer.drain()
            await asyncio.sleep(0.02)

    server.answers["/"] = drip
    assert await code(server, seconds=0.3) == "timeout"


@pytest.mark.parametrize("answer", [b"\0\1\2\3\r\n\r\n", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nA b\r\n\r\n"])
async def test_what_is_no_web_server_is_a_bad_answer(server: WebServer, answer: bytes) -> None:
    server.answers["/"] = answer
    assert await code(server, seconds=2) == "bad_answer"


async def test_a_connection_that_breaks_is_said_to(server: WebServer) -> None:
    async def broken(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        writer.close()

    server.answers["/"] = broken
    assert await code(server) in {"refused", "bad_answer"}


async def test_headers_that_never_end_are_refused(server: WebServer) -> None:
    server.answers["/"] = b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 300_000 + b"\r\n\r\n"
    assert await code(server) == "bad_answer"


async def test_a_status_that_says_no_is_an_answer(server: WebServer) -> None:
    assert (await fetched(server, HERE + "missing")).status == 404


async def test_head_brings_no_body(server: WebServer) -> None:
    server.answers["/"] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\n"
    assert (await fetched(server, method="HEAD")).body == b""


async def test_nothing_is_posted_but_to_what_the_owner_configured(server: WebServer) -> None:
    assert await code(server, method="POST", body=b"x") == "bad_request"
    net = Net(server, NAMES)
    client = fetcher(net)
    answer = await client.fetch(Fetch(url="http://127.0.0.1:8888/", method="POST", body=b"{}", configured=True))
    assert (answer.status, server.asked[0].body) == (200, b"{}")
    await client.close()


async def test_what_the_owner_configured_leads_nowhere_else_inside(server: WebServer) -> None:
    server.answers["/"] = onward("http://inside.org/")
    net = Net(server, NAMES)
    client = fetcher(net)
    with pytest.raises(FetchError, match=r"inside\.org is not on the public net"):
        await client.fetch(Fetch(url="http://127.0.0.1:8888/", configured=True))
    await client.close()


PROFILE = AuthProfile(hosts=frozenset({"example.org", "nas.local"}), header="authorization", value="Bearer canary")


async def test_a_profiles_secret_goes_to_its_hosts_only_and_never_without_encryption(server: WebServer) -> None:
    server.answers["/"] = onward("http://other.org/two")
    net = Net(server, NAMES)
    client = fetcher(net, own=("nas.local",), api=PROFILE)
    await client.fetch(Fetch(url="http://nas.local/", profile="api"))
    assert [asked.headers.get("authorization") for asked in server.asked] == ["Bearer canary", None]
    server.asked.clear()
    await client.fetch(Fetch(url=HERE, profile="api"))
    assert all("authorization" not in asked.headers for asked in server.asked)
    for request in (Fetch(url="http://other.org/", profile="api"), Fetch(url=HERE, profile="none")):
        with pytest.raises(FetchError) as failure:
            await client.fetch(request)
        assert (failure.value.code, "canary" in str(failure.value)) == ("bad_request", False)
    await client.close()
    assert "canary" not in repr(PROFILE)


async def test_a_server_that_says_a_profile_s_secret_again_tells_it_to_nobody(server: WebServer) -> None:
    async def echo(request: Asked, writer: asyncio.StreamWriter) -> None:
        said = request.headers["authorization"]
        writer.write(page(f"you said {said}, {said.split()[1]}".encode(), X_Said=said))
        await writer.drain()

    server.answers["/"] = echo
    client = fetcher(Net(server, NAMES), own=("nas.local",), api=PROFILE)
    answer = await client.fetch(Fetch(url="http://nas.local/", profile="api"))
    await client.close()
    assert answer.body == b"you said [secret], [secret]"
    assert answer.headers["x-said"] == "[secret]"


@pytest.fixture
async def encrypted(tmp_path: Path) -> AsyncIterator[tuple[WebServer, Fetcher]]:
    """A server with a certificate for two of its three names, and a client that trusts it."""
    shown, trusted = certificate(tmp_path, "example.org", "other.org")
    async with web_server(shown) as running:
        net = Net(running, NAMES)
        backend = GuardedBackend(own_networks(()), resolve=net.resolve, dial=net)
        client = Fetcher(guarded=backend, plain=net, profiles={"api": PROFILE}, tls=trusted)
        yield running, client
        await client.close()


async def test_the_certificate_must_be_of_the_name_though_its_address_is_dialled(
    encrypted: tuple[WebServer, Fetcher],
) -> None:
    server, client = encrypted
    server.answers["/"] = page(b"safe")
    assert (await client.fetch(Fetch(url="https://example.org/"))).body == b"safe"
    with pytest.raises(FetchError, match="no certificate that can be trusted"):
        await client.fetch(Fetch(url="https://turning.org/"))


async def test_a_profile_is_not_shown_to_whom_its_host_sends_on(encrypted: tuple[WebServer, Fetcher]) -> None:
    server, client = encrypted
    server.answers |= {"/": onward("https://other.org/two"), "/two": page()}
    await client.fetch(Fetch(url="https://example.org/", profile="api"))
    assert [asked.headers.get("authorization") for asked in server.asked] == ["Bearer canary", None]


async def test_no_redirect_leads_from_encryption_to_none(encrypted: tuple[WebServer, Fetcher]) -> None:
    server, client = encrypted
    server.answers["/"] = onward("http://other.org/")
    with pytest.raises(FetchError, match="without encryption"):
        await client.fetch(Fetch(url="https://example.org/"))


@pytest.mark.parametrize("url", ["http://canary.org/x", "http://inside.org/canary", "http://user:canary@a.org/", HERE])
async def test_no_error_says_a_word_of_a_secret_address(server: WebServer, url: str) -> None:
    server.answers["/"] = onward("http://10.0.0.1/canary")
    request = Fetch(url=url, secret=True)
    client = fetcher(Net(server, NAMES))
    with pytest.raises(FetchError) as failure:
        await client.fetch(request)
    await client.close()
    told = f"{failure.value} {failure.value!r} {failure.value.__cause__} {request!r}"
    assert not any(word in told for word in ("canary", "inside.org", "10.0.0.1", "example.org"))


WHOSE = Whose(lane=LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1), person_id=2)


class Hour:
    """An allowance of two requests."""

    def __init__(self) -> None:
        self.taken, self.bytes = 0, 0

    async def take(self, whose: Whose, *, requests: int = 1) -> None:
        self.taken += requests
        if self.taken > 2:
            raise FetchError("limit", "this hour is used up")

    async def used(self, whose: Whose, size: int) -> None:
        self.bytes += size


async def test_what_somebody_fetches_is_counted(server: WebServer) -> None:
    net, hour = Net(server, NAMES), Hour()
    client = Fetcher(guarded=GuardedBackend(own_networks(()), resolve=net.resolve, dial=net), allowance=hour)
    for _ in range(2):
        await client.fetch(Fetch(url=HERE, whose=WHOSE))
        await client.fetch(Fetch(url=HERE, whose=WHOSE, unasked=True))
    with pytest.raises(FetchError, match="used up"):
        await client.fetch(Fetch(url=HERE, whose=WHOSE))
    await client.fetch(Fetch(url=HERE))
    await client.close()
    assert (hour.bytes, len(server.asked)) == (20, 5)
