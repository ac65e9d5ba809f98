"""A web server that answers byte by byte as a test says, and a net in which it has public addresses."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpcore
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.turns import all_begun

PUBLIC, OTHER = "93.184.216.34", "151.101.1.69"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


Writes = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True)
class WebServer:
    """Answers by path; `asked` is what it was asked, `connections` how many were opened and `gone` how many clients
    went away."""

    answers: dict[str, bytes | Writes] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    gone: int = 0
    serving: set[Any] = field(default_factory=set)
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer what comes on a connection, until it is closed."""
        self.connections += 1
        one = asyncio.current_task()
        self.serving.add(one)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().split("\r\n")
                method, path, _ = first.split(" ")
                pairs = (line.partition(": ") for line in lines if line)
                headers = {name.lower(): value for name, _, value in pairs}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                request = Asked(method=method, path=path, headers=headers, body=body)
                self.asked.append(request)
                answer = self.answers.get(urlsplit(path).path, NOT_FOUND)
                if isinstance(answer, bytes):
                    writer.write(answer)
                    await writer.drain()
                else:
                    await answer(request, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            # The client has gone, or the test is over.
            self.gone += 1
        finally:
            self.serving.discard(one)
            writer.close()


@asynccontextmanager
async def web_server(tls: ssl.SSLContext | None = None) -> AsyncIterator[WebServer]:
    """Run a server on a free port of this machine."""
    server = WebServer()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        await all_begun()
        listening.close()
        for one in tuple(server.serving):
            one.cancel()
        await asyncio.gather(*server.serving, return_exceptions=True)


def certificate(folder: Path, *names: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return what a server of these names shows, and what a client trusts that trusts it alone."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a test")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(one) for one in names]), critical=False)
    pem = made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
    file = folder / "certificate.pem"
    file.write_bytes(pem + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    return server, ssl.create_default_context(cadata=pem.decode())


def page(body: bytes = b"hello", *, status: str = "200 OK", **headers: str) -> bytes:
    """Write an answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def onward(where: str, status: str = "302 Found") -> bytes:
    """Write an answer that sends on."""
    return page(b"", status=status, Location=where)


NOT_FOUND = page(b"no", status="404 Not Found")


class Net(httpcore.AsyncNetworkBackend):
    """What `GuardedBackend` looks up and dials in a test: names have the addresses of `names` (one that is called comes
    to know the next list each time), and every address leads to `server`. `dialled` are those that were."""

    def __init__(self, server: WebServer, names: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._server, self._names = server, {name: list(lists) for name, lists in names.items()}
        self._real = httpcore.AnyIOBackend()
        self.dialled: list[tuple[str, int]] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Look a name up; an address is itself."""
        lists = self._names.get(host)
        if lists is None:
            if host.replace(".", "").isdigit() or ":" in host:
                return [host]
            raise OSError("no such name")
        return lists.pop(0) if len(lists) > 1 else lists[0]

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.dialled.append((host, port))
        return await self._real.connect_tcp("127.0.0.1", self._server.port, timeout)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None
    ) -> httpcore.AsyncNetworkStream:
        raise AssertionError("no socket of this machine is a web server")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
