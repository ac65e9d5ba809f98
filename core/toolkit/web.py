"""What strangers post to the bot's web server, or ask it for, as a capability gets it (`connects`, `pages`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from core.kernel.types import Json


class BodyTooLarge(Exception):
    """Somebody posts more than is read."""


class WebRequest(Protocol):
    """Something that was posted, or is asked for. Nothing that it says can be believed."""

    @property
    def name(self) -> str:
        """Return what stands behind the capability's path; empty for nothing."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Its headers, which are found whatever the case of their names."""

    @property
    def peer(self) -> str:
        """Return the address of the connection, whatever a proxy says of who is behind it."""

    async def body(self, most: int) -> bytes:
        """Return what was posted; raise `BodyTooLarge` for more than `most` bytes, of which the rest is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswer:
    """The HTTP status, what is `told` as JSON, and more headers; of a page its `content`, whose type is a header."""

    status: int
    told: Mapping[str, Json] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = field(default=None, repr=False)


# As a path is answered that there is not.
NOT_FOUND = WebAnswer(status=404)


class Seals(Protocol):
    """Encrypts what must not be read by whoever reads the database (core/store/people/encryption.py)."""

    def seal(self, text: str, context: str) -> str:
        """Return `text` so that it can be opened for the same context only."""

    def open(self, sealed: str, context: str) -> str:
        """Return what was sealed; raise `ConfigError` where it cannot be opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAddress:
    """How the bot's web server is reached from outside: `url` without a slash at its end, empty where it is not.

    `seals` is None without a key to encrypt with."""

    url: str = ""
    seals: Seals | None = None
