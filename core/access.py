"""Who may talk to the bot. Fails closed: whoever is not admitted is a stranger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.types import Inbound


@dataclass(frozen=True, kw_only=True)
class Access:
    """`mode` is owner, allowlist, pairing or open; `owners` and `allowed` are addresses such as `tg:1001`."""

    mode: str = "owner"
    owners: frozenset[str] = frozenset()
    allowed: frozenset[str] = field(default_factory=frozenset)

    def admits(self, message: Inbound) -> bool:
        """Whether this message is taken. Only private chats are, until groups are known."""
        if message.chat_kind != "private":
            return False
        address = message.sender.address
        return address in self.owners or (self.mode != "owner" and self._listed(address))

    def _listed(self, address: str) -> bool:
        return self.mode == "open" or address in self.allowed


def access(mode: str, owners: Iterable[str], allowed: Iterable[str] = ()) -> Access:
    """The rule of access; the console's person is always an owner of the console."""
    return Access(mode=mode, owners=frozenset(owners) | {"console:local"}, allowed=frozenset(allowed))
