"""Connections that go where they may: a name is looked up once, all its addresses are checked, and one of these is
connected to. The name stays what the certificate is checked for.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import ip_address

import httpcore

from core.toolkit.fetch.addresses import Address, OwnNetworks, is_public, is_this_machine
from core.toolkit.fetch.values import FetchError

# Looks a name up: all its addresses, as texts.
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
SocketOption = httpcore.SOCKET_OPTION
# Of one address, when there are several: a server that answers at all does so sooner.
CONNECT_SECONDS = 6.0


async def resolve(host: str, port: int) -> Sequence[str]:
    """Ask the system. A name with a dot in it is asked for as it is, not below the domains that the system searches."""
    name = f"{host}." if "." in host and ":" not in host and not host.rpartition(".")[2].isdigit() else host
    found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(where[0]) for *_, where in found))


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections for `httpcore`, to checked addresses only.

    `dial` connects to an address and a port; tests give their own, as they do for `resolve`.
    """

    def __init__(
        self,
        own: OwnNetworks,
        *,
        resolve: Resolve = resolve,
        ports: frozenset[int] = frozenset({80, 443}),
        dial: httpcore.AsyncNetworkBackend | None = None,
        own_machine: Callable[[Address], bool] = is_this_machine,
    ) -> None:
        self._own, self._resolve, self._ports, self._own_machine = own, resolve, ports, own_machine
        self._dial = dial or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = await self._checked(host, port)
        failure: Exception | None = None
        for address in addresses:
            try:
                return await self._dial.connect_tcp(
                    str(address), port, min(timeout or CONNECT_SECONDS, CONNECT_SECONDS), None, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise FetchError("refused", f"{host} takes no connection") from failure

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[SocketOption] | None = None
    ) -> httpcore.AsyncNetworkStream:
        raise FetchError("forbidden_address", "only servers on the net are reached")

    async def sleep(self, seconds: float) -> None:
        await self._dial.sleep(seconds)

    async def _checked(self, host: str, port: int) -> Sequence[Address]:
        """Return the addresses of a host, all of which may be reached; raises `FetchError`."""
        try:
            found = [ip_address(one) for one in await self._resolve(host, port)]
        except (OSError, UnicodeError, ValueError) as error:
            raise FetchError("unknown_host", f"there is no server called {host}") from error
        if not found:
            raise FetchError("unknown_host", f"there is no server called {host}")
        for address in found:
            if self._own.has(host, address):
                continue
            # One that is not public taints the others: who owns the name chooses which of them is taken.
            if not is_public(address) or self._own_machine(address):
                raise FetchError(
                    "forbidden_address",
                    f"{host} is not on the public net; the owner can allow it with web.own_networks",
                )
            if port not in self._ports:
                raise FetchError("forbidden_address", f"port {port} is not one of web servers")
        return found
