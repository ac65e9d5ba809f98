"""HTTP to the Bot API over true sockets: what is certainly unsent, what is in doubt, and nothing goes out twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import ssl
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from telegram import Bot, InputFile
from telegram.error import BadRequest, NetworkError, TelegramError, TimedOut

from bot.adapters.telegram import TelegramAdapter
from bot.adapters.telegram.send.client import Flooded, Wire, certificates, described, never_left
from core.kernel.errors import SendDoubtful
from core.kernel.types import Destination, Part
from tests.emulators.loopback import LoopbackServer, Reply, Request
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import RealClock
from tests.turns import all_begun

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER = 1001
SENT = b'{"ok":true,"result":{"message_id":1,"date":1,"chat":{"id":1001,"type":"private"}}}'
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        yield server


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    wire = Wire(connections=1, read=5.0)
    yield wire
    await wire.shutdown()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    return monkeypatch


@pytest.fixture
def self_signed(tmp_path: Path) -> ssl.SSLContext:
    """A server's side of TLS with a certificate of its own making."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
    pem, private = tmp_path / "certificate.pem", tmp_path / "key.pem"
    pem.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    nothing = serialization.NoEncryption()
    private.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, nothing))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, private)
    return context


def bot_on(wire: Wire, url: str) -> Bot:
    return Bot(TOKEN, base_url=f"{url}/bot", base_file_url=f"{url}/file/bot", request=wire, get_updates_request=wire)


@asynccontextmanager
async def raw_server(serve: Serve, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Serve connections byte by byte; yields host and port."""
    ends: list[asyncio.StreamWriter] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends.append(writer)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await serve(reader, writer)

    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        await all_begun()
        server.close()
        for writer in ends:
            writer.transport.abort()


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next((int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:")), 0)
    return head + await reader.readexactly(length)


def answered(body: bytes = SENT) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body


async def failure(call: Awaitable[object]) -> TelegramError:
    with pytest.raises(TelegramError) as caught:
        await call
    assert TOKEN not in described(caught.value)
    return caught.value


async def test_a_connection_from_the_pool_that_ends_under_a_message_is_in_doubt_and_not_tried_again() -> None:
    requests: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await read_request(reader))
        writer.write(answered())
        requests.append(await read_request(reader))
        writer.transport.abort()

    async with raw_server(serve) as host:
        adapter = TelegramAdapter(TOKEN, f"http://{host}", RealClock())
        to, part = Destination(tenant="1000", chat=str(USER)), Part(payload={"text": "once"})
        await adapter.send(to, part)
        with pytest.raises(SendDoubtful, match=r"ServerDisconnectedError|ClientOSError"):
            await adapter.send(to, part)
        await adapter.close()
    assert len(requests) == 2


async def test_a_connection_that_the_server_closed_while_idle_is_replaced(wire: Wire) -> None:
    closed = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(answered())
        writer.close()
        await writer.wait_closed()
        closed.set()

    async with raw_server(serve) as host:
        bot = bot_on(wire, f"http://{host}")
        await bot.send_message(USER, "one")
        await closed.wait()
        assert (await bot.send_message(USER, "two")).message_id == 1


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_connection_that_the_server_closed_while_the_loop_was_busy_is_replaced(
    wire: Wire, vouched: ssl.SSLContext, scheme: str
) -> None:
    over, closed = threading.Event(), threading.Event()

    def serve(listening: socket.socket) -> None:
        for _ in range(2):
            accepted, _address = listening.accept()
            with vouched.wrap_socket(accepted, server_side=True) if scheme == "https" else accepted as connection:
                connection.recv(1 << 16)
                connection.sendall(answered())
                over.wait(5)
            closed.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = threading.Thread(target=serve, args=(listening,))
        server.start()
        address = f"{scheme}://127.0.0.1:{listening.getsockname()[1]}"
        assert await wire.do_request(address, "POST") == (200, SENT)
        # Nothing is awaited until the server has closed the connection.
        over.set()
        assert closed.wait(5)
        assert await wire.do_request(address, "POST") == (200, SENT)
        server.join()


async def test_connections_are_used_again(wire: Wire) -> None:
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        while True:
            await read_request(reader)
            writer.write(answered())

    async with raw_server(serve) as host:
        bot = bot_on(wire, f"http://{host}")
        for _ in range(5):
            await bot.send_message(USER, "again")
    assert connections == 1


async def test_a_silent_server_is_timed_out_and_leaves_a_doubt(wire: Wire) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        await reader.read()

    async with raw_server(serve) as host:
        error = await failure(wire.post(f"http://{host}/bot{TOKEN}/sendMessage", read_timeout=0.1))
    assert isinstance(error, TimedOut)
    assert not never_left(error)
    assert described(error).startswith("TimedOut from SocketTimeoutError")


async def test_a_server_that_falls_silent_within_its_answer_leaves_a_doubt(wire: Wire) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(answered()[:-5])
        await reader.read()

    async with raw_server(serve) as host:
        error = await failure(wire.post(f"http://{host}/bot{TOKEN}/sendMessage", read_timeout=0.1))
    assert isinstance(error, TimedOut)
    assert not never_left(error)


async def test_a_server_that_takes_nothing_in_is_timed_out_and_leaves_a_doubt(wire: Wire) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async with raw_server(serve) as host:
        bot = bot_on(wire, f"http://{host}")
        sending = bot.send_document(
            USER, bytes(20_000_000), pool_timeout=0.1, connect_timeout=0.1, write_timeout=0.1, read_timeout=0.1
        )
        error = await failure(sending)
    assert isinstance(error, TimedOut)
    assert not never_left(error)


async def test_a_connection_that_breaks_while_a_file_goes_up_leaves_a_doubt(wire: Wire) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(100_000)
        writer.transport.abort()

    async with raw_server(serve) as host:
        error = await failure(bot_on(wire, f"http://{host}").send_document(USER, bytes(20_000_000)))
    assert isinstance(error, NetworkError)
    assert not never_left(error)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Le", answered()[:-9], b"SSH-2.0-nothing\r\n\r\n"])
async def test_a_broken_answer_leaves_a_doubt(answer: bytes, wire: Wire) -> None:
    requests = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal requests
        requests += 1
        await read_request(reader)
        writer.write(answer)
        writer.close()

    async with raw_server(serve) as host:
        error = await failure(wire.post(f"http://{host}/bot{TOKEN}/sendMessage"))
    assert isinstance(error, NetworkError)
    assert not never_left(error)
    assert requests == 1


async def test_who_finds_no_free_connection_in_time_has_sent_nothing(wire: Wire) -> None:
    requests = 0
    begun = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal requests
        requests += 1
        await read_request(reader)
        begun.set()
        await reader.read()

    async with raw_server(serve) as host:
        url = f"http://{host}/bot{TOKEN}/sendMessage"
        first = asyncio.create_task(wire.post(url))
        await begun.wait()
        error = await failure(wire.post(url, pool_timeout=0.05, connect_timeout=0.05))
        first.cancel()
        await asyncio.wait([first])
    assert isinstance(error, TimedOut)
    assert never_left(error)
    assert requests == 1


async def test_a_handshake_that_does_not_end_has_sent_nothing(wire: Wire) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with raw_server(serve) as host:
        error = await failure(wire.post(f"https://{host}/bot{TOKEN}/sendMessage", connect_timeout=0.1))
    assert isinstance(error, TimedOut)
    assert never_left(error)


async def test_a_server_that_does_not_speak_tls_has_been_sent_nothing(wire: Wire) -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await reader.read(5000))
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with raw_server(serve) as host:
        error = await failure(wire.post(f"https://{host}/bot{TOKEN}/sendMessage"))
    assert never_left(error)
    assert TOKEN.encode() not in seen


async def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(
    wire: Wire, self_signed: ssl.SSLContext
) -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await reader.read(5000))

    async with raw_server(serve, self_signed) as host:
        error = await failure(wire.post(f"https://{host}/bot{TOKEN}/sendMessage"))
    assert never_left(error)
    assert "Certificate" in described(error)
    assert seen == b""


@pytest.fixture
def vouched(self_signed: ssl.SSLContext, tmp_path: Path, environment: pytest.MonkeyPatch) -> Iterator[ssl.SSLContext]:
    """The same, by a certificate that the environment says to trust."""
    environment.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    certificates.cache_clear()
    yield self_signed
    certificates.cache_clear()


@pytest.mark.parametrize("proxied", [False, True])
async def test_a_message_goes_out_over_tls_directly_and_through_a_proxy(
    proxied: bool, wire: Wire, vouched: ssl.SSLContext, environment: pytest.MonkeyPatch
) -> None:
    passed_on = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await read_request(reader)
            writer.write(answered())

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        where = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        there, to_there = await asyncio.open_connection("127.0.0.1", int(where.partition(":")[2]))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(pump(reader, to_there), pump(there, writer))

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while block := await reader.read(5000):
            passed_on.extend(block)
            writer.write(block)
        writer.close()

    async with raw_server(serve, vouched) as host, raw_server(relay) as proxy:
        if proxied:
            environment.setenv("HTTPS_PROXY", f"http://{proxy}")
        bot = bot_on(wire, f"https://{host}")
        for _ in range(2):
            assert (await bot.send_message(USER, "hello")).message_id == 1
        await wire.shutdown()
    assert bool(passed_on) is proxied
    assert TOKEN.encode() not in passed_on


async def test_an_address_without_a_server_has_been_sent_nothing(wire: Wire) -> None:
    for url in ("http://no-such-host.invalid", "ftp://127.0.0.1"):
        assert never_left(await failure(wire.post(f"{url}/bot{TOKEN}/sendMessage")))


@pytest.mark.parametrize("retry_after", [7, 0, "soon"])
async def test_too_many_requests_say_how_long_to_wait(
    retry_after: int | str, server: TelegramServer, wire: Wire
) -> None:
    server.fault("sendMessage", kind="429", retry_after=retry_after)
    error = await failure(bot_on(wire, server.url).send_message(USER, "hello"))
    assert isinstance(error, Flooded)
    assert error.seconds == (7 if retry_after == 7 else 1)


async def test_a_redirect_is_not_followed(wire: Wire) -> None:
    class Elsewhere(LoopbackServer):
        requests = 0

        async def respond(self, request: Request) -> Reply:
            self.requests += 1
            return Reply(status=307, headers={"location": f"{self.url}/there"})

    async with Elsewhere() as elsewhere:
        error = await failure(wire.post(f"{elsewhere.url}/bot{TOKEN}/sendMessage"))
    assert "307" in error.message
    assert elsewhere.requests == 1


async def test_a_file_goes_up_in_parts_with_its_name_and_its_caption(wire: Wire) -> None:
    taken: list[Any] = []

    class Taking(TelegramServer):
        async def respond(self, request: Request) -> Reply:
            taken.append((request.headers["content-type"].partition(";")[0], request.body))
            return Reply(chunks=(SENT,))

    async with Taking(token=TOKEN) as server:
        content = InputFile(b"\x00\xff content", filename='Übersicht "neu".pdf')
        await bot_on(wire, server.url).send_document(USER, content, caption="für später & morgen")
    [(kind, body)] = taken
    assert kind == "multipart/form-data"
    assert b"\x00\xff content" in body
    assert "für später & morgen".encode() in body
    assert 'filename="Übersicht'.encode() in body


async def test_what_has_no_file_goes_up_as_one_json_object(wire: Wire) -> None:
    taken: list[Any] = []

    class Taking(TelegramServer):
        async def respond(self, request: Request) -> Reply:
            taken.append((request.headers["content-type"], json.loads(request.body)))
            return Reply(chunks=(SENT,))

    async with Taking(token=TOKEN) as server:
        await bot_on(wire, server.url).send_message(USER, "für später & morgen", disable_notification=True)
    [(kind, body)] = taken
    assert kind == "application/json"
    assert body == {"chat_id": str(USER), "text": "für später & morgen", "disable_notification": "true"}


async def test_a_long_poll_holds_no_message_up(server: TelegramServer) -> None:
    receiving, sending = Wire(connections=1, read=5.0), Wire(connections=1, read=5.0)
    poll = asyncio.create_task(receiving.post(f"{server.url}/bot{TOKEN}/getUpdates?timeout=30", read_timeout=40))
    await server.wait_until(lambda: server.updates.polling)
    begun = time.monotonic()
    await bot_on(sending, server.url).send_message(USER, "at once")
    assert time.monotonic() - begun < 5
    assert not poll.done()
    poll.cancel()
    await asyncio.wait([poll])
    await receiving.shutdown()
    await sending.shutdown()


async def test_a_refusal_keeps_the_words_of_the_bot_api(server: TelegramServer, wire: Wire) -> None:
    error = await failure(bot_on(wire, server.url).send_message(USER, ""))
    assert isinstance(error, BadRequest)
    assert "empty" in error.message.lower()


async def test_a_proxy_that_the_environment_names_is_used_with_its_password(
    wire: Wire, environment: pytest.MonkeyPatch
) -> None:
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with raw_server(serve) as host:
        environment.setenv("HTTPS_PROXY", f"http://me:secret@{host}")
        error = await failure(wire.post(f"https://api.example.org/bot{TOKEN}/sendMessage"))
    [head] = heads
    assert head.startswith(b"CONNECT api.example.org:443 ")
    assert b"Basic bWU6c2VjcmV0" in head
    assert TOKEN.encode() not in head
    assert never_left(error)


async def test_a_server_that_needs_no_proxy_is_asked_directly(
    server: TelegramServer, wire: Wire, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("ALL_PROXY", "http://127.0.0.1:9")
    environment.setenv("NO_PROXY", "127.0.0.1")
    assert (await bot_on(wire, server.url).send_message(USER, "hello")).text == "hello"


@pytest.mark.parametrize("proxy", ["127.0.0.1:9", "http://127.0.0.1:9", "socks5://127.0.0.1:9"])
async def test_a_proxy_is_never_gone_around(
    proxy: str, server: TelegramServer, wire: Wire, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("ALL_PROXY", proxy)
    assert never_left(await failure(bot_on(wire, server.url).send_message(USER, "hello")))
    assert server.sent() == []


async def test_closed_connections_stay_closed(server: TelegramServer, wire: Wire) -> None:
    await wire.shutdown()
    error = await failure(bot_on(wire, server.url).send_message(USER, "hello"))
    assert isinstance(error, NetworkError)
    assert server.calls("sendMessage") == []
