"""Doubts: nobody knows whether a message arrived. It is sent again with a mark, or held, as a written rule says."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping

from core.kernel.errors import StorageError
from core.kernel.ports import Adapter, Clock, Database, Tx
from core.kernel.types import Millis
from core.store.conversation import outbox
from core.store.conversation.outbox import DeadFor, Doubt, Post
from core.store.giving_up import TRIES, try_or_give_up

log = logging.getLogger(__name__)

# Later than any instant.
EVER: Millis = 1 << 62

RESEND, HOLD = "resend", "hold"
DOUBT = "in doubt: the connection broke while sending"


class Doubts:
    """Decides about messages in doubt by each platform's rule; `held` tells that one is not sent again.

    What is `in_hand` (ids) is being sent here at this moment: there is no doubt about it yet.
    """

    def __init__(
        self,
        db: Database,
        clock: Clock,
        adapters: Mapping[str, Adapter],
        rules: Mapping[str, str],
        held: Callable[[Tx, Doubt | Post], None],
        in_hand: Collection[int],
    ) -> None:
        self._db, self._clock, self._adapters = db, clock, adapters
        self._rules, self._held, self._in_hand = rules, held, in_hand

    async def settle_all(self) -> int:
        """Decide about every send that its process did not live to see the end of, at a start; return how many.

        When it began says nothing here: the clock may have been set back since.
        """
        return await self.settle(EVER)

    async def settle(self, before: Millis) -> int:
        """Decide about the sends begun before `before` that nobody here has in hand; returns how many.

        While running there is one only if the connection to the database broke in a commit that happened all the same.
        """

        def settle_doubt(tx: Tx) -> int:
            lost = self._lost(tx, before)
            for doubt in lost:
                self.decide(tx, doubt, self._clock.now())
            return len(lost)

        if not await self._db.read(lambda tx: self._lost(tx, before)):
            return 0
        try:
            return await self._db.write(settle_doubt)
        except StorageError:
            raise
        except Exception:
            log.exception("sends in doubt cannot be decided together; one by one")
            return await self._settle_alone(before)

    async def _settle_alone(self, before: Millis) -> int:
        lost, now = await self._db.read(lambda tx: self._lost(tx, before)), self._clock.now()
        for doubt in lost:
            await self._settle_one(doubt, now)
        return len(lost)

    async def _settle_one(self, doubt: Doubt, now: Millis) -> None:
        def settle_doubt(tx: Tx) -> None:
            self.decide(tx, doubt, now)

        def settle_untold(tx: Tx) -> None:
            self.decide(tx, doubt, now, tells=False)

        await try_or_give_up(self._db, f"outbox {doubt.outbox_id} in doubt", settle_doubt, settle_untold)

    def _lost(self, tx: Tx, before: Millis) -> list[Doubt]:
        return [
            doubt
            for doubt in outbox.in_doubt(tx)
            if doubt.outbox_id not in self._in_hand
            and doubt.sending_at <= before
            and (adapter := self._adapters.get(doubt.platform)) is not None
            and adapter.serves(doubt.tenant)
        ]

    def decide(self, tx: Tx, doubt: Doubt | Post, not_before: Millis, *, tells: bool = True) -> None:
        """Send again with a mark, as often as makes sense; else hold, and (`tells`) tell the owners.

        Where the platform can be asked what became of it, that is done first, when its turn comes.
        """
        adapter = self._adapters.get(doubt.platform)
        if (adapter is None or not adapter.finds) and self.is_spent(doubt, ahead=1):
            self.give_up(tx, doubt, not_before, tells=tells)
        else:
            outbox.again(tx, doubt.outbox_id, not_before=not_before, error=DOUBT, repeated=True)

    def is_spent(self, doubt: Doubt | Post, ahead: int = 0) -> bool:
        """Whether a message in doubt is not sent once more: its platform's rule is to hold, or it was repeated enough.

        `ahead` are the doubts that are not counted in the row yet.
        """
        repeats = doubt.repeats + ahead
        return repeats > 0 and (self._rules.get(doubt.platform, RESEND) == HOLD or repeats >= TRIES)

    def give_up(self, tx: Tx, doubt: Doubt | Post, now: Millis, *, tells: bool = True) -> None:
        """Send it no more, and (`tells`) tell the owners."""
        outbox.fail(tx, doubt.outbox_id, DOUBT, now, dead_for=DeadFor.DOUBT)
        if tells:
            self._held(tx, doubt)
