"""Addresses of the web server that are secrets: whose one is, found by its digest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from cachetools import TTLCache

from core.kernel import secret_words
from core.kernel.ports import Tx
from core.toolkit.services import Services

T = TypeVar("T")

# So many wrong addresses from one computer in ten minutes are looked up; after that only those that are known.
MOST_WRONG, WRONG_SECONDS, MOST_PEERS = 30, 600, 10_000
# Seconds after which what is known of all addresses is old.
KNOWN_SECONDS = 10


class SecretAddresses(Generic[T]):
    """Finds what an address is of. Whoever tries many wrong ones costs the database nothing, and keeps nobody out.

    `by_digest` returns what has the address with a digest, None for nothing; `digests` are those of all addresses.
    """

    def __init__(
        self, services: Services, by_digest: Callable[[Tx, str], T | None], digests: Callable[[Tx], frozenset[str]]
    ) -> None:
        self._db, self._by_digest, self._digests, clock = services.db, by_digest, digests, services.clock
        self._wrong = TTLCache[str, int](MOST_PEERS, WRONG_SECONDS, timer=clock.monotonic)
        self._known = TTLCache[str, frozenset[str]](1, KNOWN_SECONDS, timer=clock.monotonic)

    async def find(self, secret: str, peer: str) -> T | None:
        """Return what has a secret address, None where nothing has it; `peer` is the computer that asks."""
        digest = secret_words.digest(secret)
        if self._wrong.get(peer, 0) >= MOST_WRONG:
            if "" not in self._known:
                self._known[""] = await self._db.read(self._digests)
            if digest not in self._known[""]:
                return None
        found = await self._db.read(lambda tx: self._by_digest(tx, digest))
        if found is None:
            self.note_wrong(peer)
        return found

    def look_again(self) -> None:
        """There is a new address."""
        self._known.clear()

    def note_wrong(self, peer: str) -> None:
        """Count a wrong address, or a wrong signature, of a computer."""
        self._wrong[peer] = self._wrong.get(peer, 0) + 1
