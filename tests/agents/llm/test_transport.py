"""The model's transport against servers over real sockets: what certainly did not leave, what is in doubt."""

from __future__ import annotations

import asyncio
import gzip
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import httpx2
import pytest

from core.agents.llm.openai.check import listed_models
from core.agents.llm.openai.client_factory import Client, Transport
from core.agents.llm.openai.completion import MAX_STREAM, Listener, Streamed
from core.agents.llm.openai.failures import TryAgain
from core.kernel.clock import SystemClock
from core.kernel.errors import AccountRefused
from tests.turns import all_begun

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
Talk = Callable[[bytes, asyncio.StreamWriter], None]

PATH = "/chat/completions"


def soon() -> float:
    return asyncio.get_running_loop().time() + 5


@asynccontextmanager
async def serving(*talks: Talk) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that deals with one request after the other, and its address and what it got."""
    got: list[bytes] = []
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        while first := await reader.readline():
            head = first
            while (line := await reader.readline()).strip():
                head += line
            got.append(first)
            talks[len(got) - 1](head, writer)
            if writer.is_closing():
                return

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", got
        await all_begun()
        for writer in writers:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


def answers(body: bytes = ANSWER) -> Talk:
    return lambda head, writer: writer.write(body)


def cuts(body: bytes = b"") -> Talk:
    def cut(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(body)
        writer.close()

    return cut


def heard_as(streams: bool) -> Streamed | None:
    return Streamed(Listener(None)) if streams else None


def says_nothing(head: bytes, writer: asyncio.StreamWriter) -> None:
    """Let the client wait."""


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(transport=Transport(), timeout=5.0) as ready:
        yield ready


async def test_where_nobody_listens_nothing_has_left(client: httpx2.AsyncClient) -> None:
    async with serving() as (address, _):
        pass
    with pytest.raises(httpx2.ConnectError):
        await client.post(address)


@pytest.mark.parametrize("body", [b"", ANSWER[:-1], b"HTTP/1.1 200 OK\r\nContent-", b"garbage\r\n\r\n"])
async def test_what_breaks_off_after_the_connection_was_there_is_in_doubt(
    client: httpx2.AsyncClient, body: bytes
) -> None:
    async with serving(cuts(body)) as (address, got):
        with pytest.raises((httpx2.RemoteProtocolError, httpx2.ReadError)):
            await client.post(address)
        assert len(got) == 1


@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request"])
async def test_a_body_without_end_is_cut(client: httpx2.AsyncClient, status: str) -> None:
    body = f"HTTP/1.1 {status}\r\nContent-Length: 9999999999\r\n\r\n".encode() + b"x" * (MAX_STREAM + 1)
    async with serving(answers(body)) as (address, _):
        with pytest.raises(httpx2.RemoteProtocolError, match="longer than any answer"):
            await client.post(address)


async def test_silence_is_in_doubt(client: httpx2.AsyncClient) -> None:
    async with serving(says_nothing) as (address, _):
        with pytest.raises(httpx2.ReadTimeout):
            await client.post(address, timeout=0.1)


async def test_a_connection_is_used_again_but_none_that_was_closed_meanwhile(client: httpx2.AsyncClient) -> None:
    async with serving(answers(), cuts(ANSWER), answers()) as (address, got):
        for _ in range(3):
            assert (await client.post(address)).content == b"hi"
            await asyncio.sleep(0.05)
        assert len(got) == 3


async def test_a_connection_that_was_closed_while_the_loop_was_busy_is_not_used_again(
    client: httpx2.AsyncClient,
) -> None:
    over = threading.Event()
    closed = threading.Event()

    def serve(listening: socket.socket) -> None:
        for _ in range(2):
            connection, _address = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(ANSWER)
                over.wait(5)
            closed.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = threading.Thread(target=serve, args=(listening,))
        server.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert (await client.post(address)).content == b"hi"
        # Nothing is awaited until the server has closed the connection.
        over.set()
        assert closed.wait(5)
        assert (await client.post(address)).content == b"hi"
        server.join()


async def test_a_packed_body_is_unpacked_once(client: httpx2.AsyncClient) -> None:
    packed = gzip.compress(b"hello")
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n".encode()
    async with serving(answers(head + packed)) as (address, _):
        assert (await client.post(address)).content == b"hello"


async def test_a_name_and_password_in_the_address_are_sent_as_a_header(client: httpx2.AsyncClient) -> None:
    heads = list[bytes]()

    def answer(head: bytes, writer: asyncio.StreamWriter) -> None:
        heads.append(head)
        writer.write(ANSWER)

    async with serving(answer) as (address, got):
        await client.post(address.replace("//", "//ann:p%40ss@") + "/v1?a=b", headers={"Authorization": "Bearer none"})
        assert got == [b"POST /v1?a=b HTTP/1.1\r\n"]
        assert b"authorization: basic yw5uonbac3m=\r\n" in heads[0].lower()
        assert heads[0].lower().count(b"authorization:") == 1


@pytest.mark.parametrize("streams", [False, True])
async def test_a_server_that_moved_is_asked_where_it_is_now(*, streams: bool) -> None:
    body = b'{"choices": [{"message": {"content": "hi"}}]}'
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    moved = b"HTTP/1.1 307 Moved\r\nLocation: /there\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    async with serving(cuts(moved), cuts(head + body)) as (address, got):
        client = Client(f"{address}/v1", "", SystemClock())
        answer, sent = await client.exchange(PATH, {"model": "bench", "messages": []}, soon(), heard_as(streams))
        await client.close()
        assert got[-1] == b"POST /there HTTP/1.1\r\n"
        assert sent == len(b'{"model":"bench","messages":[]}')
        assert answer.body() == {"choices": [{"message": {"content": "hi"}}]}


@pytest.mark.parametrize("streams", [False, True])
async def test_a_refusal_that_breaks_off_is_asked_again(*, streams: bool) -> None:
    async with serving(cuts(b"HTTP/1.1 500 Oops\r\nContent-Length: 50\r\n\r\nOo")) as (address, _):
        client = Client(f"{address}/v1", "", SystemClock())
        with pytest.raises(TryAgain, match="RemoteProtocolError") as raised:
            await client.exchange(PATH, {"model": "bench", "messages": []}, soon(), heard_as(streams))
        await client.close()
        assert raised.value.taken


async def test_a_proxy_of_the_environment_is_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'{"choices": []}'
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    async with serving(answers(head + body)) as (address, got):
        monkeypatch.setenv("http_proxy", address)
        client = Client("http://model.example/v1", "", SystemClock())
        await client.exchange(PATH, {"model": "bench", "messages": []}, soon(), None)
        await client.close()
        assert got == [b"POST http://model.example/v1/chat/completions HTTP/1.1\r\n"]


@pytest.mark.parametrize("proxy", ["socks9://user:secret@127.0.0.1:9", "http://[user:secret", "socks5://127.0.0.1:9"])
async def test_a_proxy_of_no_use_is_told_without_its_password(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("all_proxy", proxy)
    with pytest.raises(AccountRefused, match="proxy of the environment cannot be used") as refused:
        Client("http://127.0.0.1:1/v1", "", SystemClock())
    assert "secret" not in str(refused.value)
    with pytest.raises(AccountRefused, match="proxy of the environment"):
        await listed_models("http://127.0.0.1:1/v1", None, 1.0)


@pytest.mark.parametrize(
    ("base", "asked"),
    [
        ("/v1", b"/v1/chat/completions"),
        ("/a%2Fb/v1/", b"/a%2Fb/v1/chat/completions"),
        ("/v1?api-version=1", b"/v1/chat/completions?api-version=1"),
        ("", b"/chat/completions"),
    ],
)
async def test_what_the_address_of_a_server_has_is_asked_for_with_the_path(base: str, asked: bytes) -> None:
    async with serving(answers()) as (address, got):
        client = Client(f"{address}{base}", "", SystemClock())
        await client.exchange(PATH, {"model": "model"}, soon(), None)
        assert got == [b"POST " + asked + b" HTTP/1.1\r\n"]
        await client.close()
