"""Which addresses may be reached: public ones, and the networks that the owner lists.

The lists are the special-purpose registries of IANA, and what clouds answer their machines on. `ipaddress.is_global` is
not asked: on Python 3.11 it takes several of them for public ones.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import quote, urljoin, urlsplit

import idna

from core.toolkit.fetch.values import FetchError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_SPECIAL_4 = tuple(
    IPv4Network(one)
    for one in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by a provider's customers; Alibaba's metadata
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's metadata
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; Oracle's metadata
        "192.0.2.0/24",
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
# Only this part of IPv6 is given to the public: loopback, mapped and translated IPv4, local and multicast are outside.
_PUBLIC_6 = IPv6Network("2000::/3")
_SPECIAL_6 = tuple(
    IPv6Network(one)
    for one in (
        "2001::/23",  # protocol assignments, such as Teredo
        "2001:db8::/32",
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "3fff::/20",
    )
)
# A label that a resolver may take for a number: 0x7f.1, 2130706433, 0177.
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*", re.IGNORECASE)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\]")
_PORTS = {"http": 80, "https": 443}
LONGEST_URL, LONGEST_NAME = 4000, 253
# What needs no escape in a path and a question (RFC 3986, 3.3 and 3.4), and escapes themselves.
_PLAIN = "!$&'()*+,;=:@/?%[]~-._"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a request goes: the `host` is a name in lower case and ASCII, or an address without brackets; `path` is
    what is asked for there."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """Return what a browser calls its origin."""
        return self.scheme, self.host, self.port

    @property
    def netloc(self) -> str:
        """Return the host, and the port where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """Return the whole address."""
        return f"{self.scheme}://{self.netloc}{self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNetworks:
    """What the owner lists beside the public net: networks, and hosts by name, of which any address will do."""

    networks: Sequence[Network] = ()
    hosts: frozenset[str] = frozenset()

    def has(self, host: str, address: Address) -> bool:
        """Return whether the owner allows an address of a host."""
        return host in self.hosts or any(address in network for network in self.networks)

    def names(self, host: str) -> bool:
        """Return whether a host is listed by its name, or by its address."""
        if host in self.hosts:
            return True
        try:
            return self.has(host, ip_address(host))
        except ValueError:
            return False


def own_networks(listed: Sequence[str]) -> OwnNetworks:
    """Return what a configuration lists, each a network (192.168.1.0/24), an address or a host's name; raises
    `ValueError` for what is none of these."""
    networks: list[Network] = []
    hosts = set()
    for one in listed:
        try:
            networks.append(ip_network(one))
        except ValueError:
            name = one.lower().rstrip(".")
            if "/" in one or _NUMERIC.fullmatch(name.rpartition(".")[2]) or not _is_name(name):
                raise ValueError(
                    f"{one!r} is no network: write one such as 192.168.1.0/24, or a name such as nas.local"
                ) from None
            hosts.add(name)
    return OwnNetworks(networks=networks, hosts=frozenset(hosts))


def is_public(address: Address) -> bool:
    """Return whether an address is one of the public net."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_4)
    return address.scope_id is None and address in _PUBLIC_6 and not any(address in network for network in _SPECIAL_6)


def is_this_machine(address: Address) -> bool:
    """Return whether an address is one of this machine's own. No packet is sent: the system says from which address it
    would speak to it, and that is the same one."""
    family = socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((str(address), 9))
            return bool(asked.getsockname()[0] == str(address))
    except OSError:
        return False  # no way there


def target(url: str, base: Target | None = None) -> Target:
    """Read an address, one of a redirect as seen from `base`; raises `FetchError` for what is no web address.

    What is read here is what is connected to: no other reader sees the text.
    """
    text = url.strip()
    if len(text) > LONGEST_URL:
        raise FetchError("bad_url", f"the address is longer than {LONGEST_URL} characters")
    if _FORBIDDEN.search(text):
        raise FetchError("bad_url", "an address has no spaces, control characters or backslashes")
    if base is not None:
        text = urljoin(base.url, text)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise FetchError("bad_url", "that is no address; write one such as https://example.org/page") from None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not parts.netloc:
        raise FetchError("bad_url", "only addresses that start with https:// or http:// can be read")
    if "@" in parts.netloc:
        raise FetchError("bad_url", "an address with a name or password in it is not used")
    if "[" in parts.netloc and ":" not in (parts.hostname or ""):
        raise FetchError("bad_url", "in brackets stands an IPv6 address")
    if parts.netloc.endswith(":") or port == 0:
        raise FetchError("bad_url", "the address has no port behind its colon")
    path = quote(parts.path or "/", safe=_PLAIN, errors="replace")
    query = "?" + quote(parts.query, safe=_PLAIN, errors="replace") if parts.query else ""
    return Target(scheme=scheme, host=_host(parts.hostname or ""), port=port or _PORTS[scheme], path=path + query)


def _host(name: str) -> str:
    """Return the host as it is asked for; raises `FetchError` for one that could be read in several ways."""
    try:
        if ":" in name and "%" not in name:  # a zone names a network of this machine
            return str(IPv6Address(name))
        name = name.rstrip(".")
        if not name.isascii():
            name = idna.encode(name, uts46=True).decode()
        if _NUMERIC.fullmatch(name.rpartition(".")[2]):
            return str(IPv4Address(name))
    except (ValueError, UnicodeError):
        raise FetchError("bad_url", "the address names no host that can be looked up") from None
    name = name.lower()
    if not _is_name(name):
        raise FetchError("bad_url", "the address names no host that can be looked up")
    return name


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and all(_LABEL.fullmatch(label) for label in name.split("."))
