"""What others do about a message that is on its way: they write it when its turn comes, and hear what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.kernel.ports import Tx
from core.store.conversation.chat_migration import Chats
from core.store.conversation.outbox import Doubt, Post

# What an unwritten message says, as an adapter rendered it, stored with all that belongs to it; None for nothing.
Write = Callable[[Tx, Post], Mapping[str, Any] | None]


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """Each is called in the transaction that records what happened.

    The first of `writes` writes what is unwritten until it is sent; when it cannot, the others do what they can about
    that. `held` tells that a message in doubt is not sent again. `refused` hears of what the platform refused for good,
    and whether nothing gets there any more, and says whether who waited for it was told: then it is no fault. `chats`
    hears what becomes of chats.
    """

    writes: Sequence[Write]
    held: Callable[[Tx, Doubt | Post], None]
    refused: Callable[[Tx, Post, bool], bool]
    chats: Chats
