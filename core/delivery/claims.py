"""Claims: the next message of a chat is taken to be sent, and written first if it is unwritten."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from core.delivery.hooks import Write
from core.kernel.ports import Clock, Database, Engine, Tx
from core.kernel.types import Millis
from core.store.conversation import outbox
from core.store.conversation.deferred import FADED
from core.store.conversation.outbox import AT_ONCE, Post
from core.store.fallback import first_possible

UNWRITABLE = "it cannot be written; see the log"


class Claims:
    """Claims messages: `ready` are those claimed but not sent, by chat; `in_hand` the ids of all that are not recorded.

    `platforms` are those that are served here.
    """

    def __init__(
        self, db: Database, engine: Engine, clock: Clock, platforms: Collection[str], writes: Sequence[Write]
    ) -> None:
        self._db, self._engine, self._clock = db, engine, clock
        self._platforms, self._writes = platforms, writes
        self.in_hand: set[int] = set()
        self.ready: dict[int, Post] = {}

    async def claim(self, chat_id: int) -> None:
        """Claim a chat's next message; one that cannot be written keeps back nothing."""
        ways = [self._claiming(chat_id, write) for write in self._writes]
        await first_possible(self._db, f"next message of chat {chat_id}", *ways)

    def _claiming(self, chat_id: int, write: Write) -> Callable[[Tx], None]:
        def claim_post(tx: Tx) -> None:
            self._found(tx, chat_id, self._next(tx, chat_id, write))

        return claim_post

    def _next(self, tx: Tx, chat_id: int, write: Write) -> Post | Millis | None:
        """Claim a chat's next message, written; what there is nothing to say of ends, and the next one may go."""
        found = outbox.claim(tx, chat_id, self._clock.now())
        if not isinstance(found, Post) or not found.open or found.platform not in self._platforms:
            return found
        payload = write(tx, found)
        if payload is not None:
            return replace(found, payload=payload)
        outbox.fail(tx, found.outbox_id, FADED if write is self._writes[0] else UNWRITABLE, self._clock.now())
        return AT_ONCE

    def claim_next(self, tx: Tx, chat_id: int) -> None:
        """Claim the chat's next message, which is ready then; when it may not go yet, be woken at its time.

        Whoever queues a message may do this in the same transaction: one transaction less before it is sent. What has
        still to be written gets one of its own, which nothing else depends on.
        """
        self._found(tx, chat_id, outbox.claim(tx, chat_id, self._clock.now(), opened=False))

    def _found(self, tx: Tx, chat_id: int, found: Post | Millis | None) -> None:
        if isinstance(found, Post):
            post = found
            tx.after_commit(lambda: self._take(post))
        elif found == AT_ONCE:
            self._engine.poke(tx, "chat", chat_id, bulk=True)
        elif found is not None:
            at = found
            tx.after_commit(lambda: self._engine.wake(at))

    def _take(self, post: Post) -> None:
        self.in_hand.add(post.outbox_id)
        self.ready[post.lane.chat_id] = post

    def give_back(self, tx: Tx) -> None:
        """Give back what was claimed and not sent."""
        for post in self.ready.values():
            outbox.again(tx, post.outbox_id, not_before=0, error="")
