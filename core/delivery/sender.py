"""Sending: what is committed goes out, one message in flight a chat; doubt follows a written rule (STATES: Outbox)."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from core.kernel.errors import SendDoubtful, SendMoved, SendPaced, SendRefused, SendUnsent, StorageError
from core.kernel.ports import Clock, Database, Engine, SendingAdapter, Serves, Tx
from core.kernel.types import Destination, Millis, Part, Urgency
from core.store.conversation import chat_migration, outbox
from core.store.conversation.deferred import FADED
from core.store.conversation.outbox import AT_ONCE, ONLY_FOR, Doubt, Post
from core.store.fallback import first_possible
from core.store.people import chats

log = logging.getLogger(__name__)

# Later than any instant.
EVER: Millis = 1 << 62

RETRY_FIRST = 1.0
RETRY_MOST = 60.0
RESEND, HOLD = "resend", "hold"
MOST_REPEATS = 3
# The keys of edits that answer somebody, who would be left without.
ANSWER = re.compile(r"run:\d+:\d+")
FORBIDDEN = "Forbidden"
DOUBT = "in doubt: the connection broke while sending"
UNWRITABLE = "it cannot be written; see the log"
Outcome = Callable[[Tx], None]
# What an unwritten message says, as an adapter rendered it, stored with all that belongs to it; None for nothing.
Write = Callable[[Tx, Post], Mapping[str, Any] | None]


class _Spent(Exception):
    """Nobody can know what became of a message, and it is not sent once more."""


class Outbox:
    """The handler of `chat` pokes.

    `doubt` names each platform's rule, `mark` the line a possible repeat carries; `held` tells that a message in doubt
    is not sent again, `refused` hears of what the platform refused for good, and whether nothing gets there any more,
    and says whether who waited for it was told: then it is no fault. `back` hears that a chat is there again. The first
    of `writes` writes what is unwritten until it is sent; when it cannot, the others do what they can about that.
    """

    def __init__(
        self,
        db: Database,
        engine: Engine,
        clock: Clock,
        adapters: Mapping[str, SendingAdapter],
        *,
        doubt: Mapping[str, str],
        mark: str,
        held: Callable[[Tx, Doubt | Post], None],
        refused: Callable[[Tx, Post, bool], bool],
        back: chat_migration.Back,
        serves: Serves,
        writes: Sequence[Write],
    ) -> None:
        self._db, self._engine, self._clock, self._adapters = db, engine, clock, adapters
        self._doubt, self._mark, self._held, self._told_no, self._serves = doubt, mark, held, refused, serves
        self._back, self._writes = back, writes
        self._in_hand: set[int] = set()
        self._ready: dict[int, Post] = {}
        self._pumped: set[int] = set()
        self._sending: set[asyncio.Future[None]] = set()

    async def pump(self, chat_id: int) -> None:
        """Send what waits in a chat until nothing is due."""
        self._pumped.add(chat_id)
        try:
            if chat_id not in self._ready:
                await self._claim(chat_id)
            while (post := self._ready.pop(chat_id, None)) is not None:
                # A send in flight is finished even when the process is told to stop.
                sending = asyncio.ensure_future(self._deliver(post))
                self._sending.add(sending)
                sending.add_done_callback(self._sending.discard)
                await asyncio.shield(sending)
        finally:
            self._pumped.discard(chat_id)

    async def finish(self, seconds: float) -> None:
        """Wait for the sends in flight, so that none is cut off in doubt, and give back what was claimed but not sent.

        Called last when stopping.
        """
        if self._sending:
            await asyncio.wait(self._sending, timeout=seconds)
        if self._ready:
            await self._db.write(self._give_back)

    def _give_back(self, tx: Tx) -> None:
        for post in self._ready.values():
            outbox.again(tx, post.outbox_id, not_before=0, error="")

    async def _claim(self, chat_id: int) -> None:
        """Claim the chat's next message; one that cannot be written keeps back nothing."""
        ways = [self._claiming(chat_id, write) for write in self._writes]
        await first_possible(self._db, f"next message of chat {chat_id}", *ways)

    def _claiming(self, chat_id: int, write: Write) -> Callable[[Tx], None]:
        def claim_post(tx: Tx) -> None:
            self._found(tx, chat_id, self._next(tx, chat_id, write))

        return claim_post

    def _next(self, tx: Tx, chat_id: int, write: Write) -> Post | Millis | None:
        """Claim a chat's next message, written; what there is nothing to say of ends, and the next one may go."""
        found = outbox.claim(tx, chat_id, self._clock.now())
        if not isinstance(found, Post) or not found.open or found.platform not in self._adapters:
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
        self._in_hand.add(post.outbox_id)
        self._ready[post.lane.chat_id] = post

    async def _deliver(self, post: Post) -> None:
        """Send a message and record what became of it; the chat's next one is claimed at the same time."""
        try:
            platform_id = await self._send(post)
        except _Spent:
            now = self._clock.now()
            await self._record(post, partial(self._give_up, doubt=post, now=now), _failed(post, DOUBT, now))
        except SendMoved as error:
            await self._record_moved(post, error)
        except SendUnsent as error:
            await self._record(post, self._later(post, error))
        except SendRefused as error:
            await self._record_refused(post, str(error))
        except Exception as error:
            if not isinstance(error, SendDoubtful):
                log.exception("send failed unexpectedly: outbox %s", post.outbox_id)
            await self._record(post, self._in_doubt(post), self._in_doubt(post, tells=False))
        else:
            now = self._clock.now()
            await self._record(post, lambda tx: outbox.sent(tx, post.outbox_id, platform_id, now))

    async def _send(self, post: Post) -> str:
        """Send a message, if need be, and return its id; raises `_Spent` for one in doubt that is not sent again."""
        adapter = self._adapters.get(post.platform)
        if adapter is None:
            raise SendUnsent(f"no {post.platform} adapter is running", retry_after=RETRY_MOST)
        found = await self._arrived(adapter, post)
        if found:
            return found
        if found is None and self._is_spent(post):
            raise _Spent
        mark = self._mark if post.repeats and found is None else ""
        return await adapter.send(_destination(post), Part(payload=post.payload), repeated=mark)

    async def _arrived(self, adapter: SendingAdapter, post: Post) -> str | None:
        """What the platform knows of a message in doubt: its id, or (empty) that it has not arrived; None if nothing.

        An edit may be made twice: there is nothing to look for. What only one person sees is kept nowhere.
        """
        if not post.repeats or post.replaces or ONLY_FOR in post.payload or not adapter.finds:
            return None
        return await adapter.find(_destination(post))

    async def _record_moved(self, post: Post, error: SendMoved) -> None:
        if error.chat == post.chat:
            await self._record_refused(post, str(error))
        else:
            await self._record(post, self._moved(post, error), self._later(post, SendUnsent(str(error))))

    async def _record_refused(self, post: Post, reason: str) -> None:
        log.warning("message given up: outbox %s (%s)", post.outbox_id, reason)
        now = self._clock.now()
        await self._record(post, self._refused(post, reason, now), _failed(post, reason, now))

    async def _record(self, post: Post, outcome: Outcome, bare: Outcome | None = None) -> None:
        """Store the outcome of a send; the `bare` one, when what else belongs to it cannot be done.

        Whatever comes of it, the row is not in hand any more: it would keep its chat shut.
        """

        def post_sent(tx: Tx) -> None:
            tx.lock(("chat", post.lane.chat_id))
            outcome(tx)
            # Nobody goes on with a chat whose pump was stopped.
            if post.lane.chat_id in self._pumped:
                self.claim_next(tx, post.lane.chat_id)

        def post_ended(tx: Tx) -> None:
            tx.lock(("chat", post.lane.chat_id))
            (bare or outcome)(tx)
            self._engine.poke(tx, "chat", post.lane.chat_id)

        try:
            while not await self._stored(post, post_sent, post_ended):
                # The platform has acted: an outcome that is lost would leave the chat silent until the next start.
                await self._clock.sleep(RETRY_FIRST)
        finally:
            self._in_hand.discard(post.outbox_id)

    async def _stored(self, post: Post, *attempts: Outcome) -> bool:
        """Whether no further try can help."""
        try:
            # Before what people say to it is taken in: that may be about this message.
            order = (post.lane.tenant_id, post.chat)
            await first_possible(self._db, f"outcome of outbox {post.outbox_id}", *attempts, order=order)
        except StorageError:
            log.exception("outcome of a send not stored yet: outbox %s", post.outbox_id)
            return False
        return True

    def _later(self, post: Post, error: SendUnsent) -> Outcome:
        pause = error.retry_after or _pause(post)
        at = self._clock.now() + round(pause * 1000)
        level = logging.DEBUG if isinstance(error, SendPaced) else logging.INFO
        log.log(level, "sent later: outbox %s in %.1f s (%s)", post.outbox_id, pause, error)
        return lambda tx: outbox.again(tx, post.outbox_id, not_before=at, error=str(error), begun=post.begun)

    def _moved(self, post: Post, error: SendMoved) -> Outcome:
        log.info("sent to a new id: outbox %s (%s)", post.outbox_id, error)

        def move(tx: Tx) -> None:
            now = self._clock.now()
            for lane_id in chat_migration.move(tx, post.lane.tenant_id, post.chat, error.chat, now, back=self._back):
                self._engine.poke(tx, "lane", lane_id)
            outbox.again(tx, post.outbox_id, not_before=0, error="")

        return move

    def _refused(self, post: Post, reason: str, now: Millis) -> Outcome:
        def refuse(tx: Tx) -> None:
            outbox.fail(tx, post.outbox_id, reason, now)
            # Blocked, or thrown out: nothing will arrive there until the platform says otherwise.
            blocked = reason.startswith(FORBIDDEN)
            if self._told_no(tx, post, blocked):
                outbox.fault_told(tx, post.outbox_id)
            if blocked:
                chats.set_state(tx, post.lane, chats.GONE, "")
            elif post.replaces and ANSWER.fullmatch(post.key):
                # The message cannot be changed any more; who pressed its button waits for the answer.
                outbox.anew(tx, post, now)

        return refuse

    def _in_doubt(self, post: Post, *, tells: bool = True) -> Outcome:
        """Bytes may have left: send once more with a mark, or hold, as the platform's rule says."""
        log.warning("send in doubt: outbox %s (%s)", post.outbox_id, self._doubt.get(post.platform, RESEND))
        at = self._clock.now() + round(_pause(post) * 1000)
        return partial(self._decide, doubt=post, not_before=at, tells=tells)

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
                self._decide(tx, doubt, self._clock.now())
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
            self._decide(tx, doubt, now)

        def settle_untold(tx: Tx) -> None:
            self._decide(tx, doubt, now, tells=False)

        await first_possible(self._db, f"outbox {doubt.outbox_id} in doubt", settle_doubt, settle_untold)

    def _lost(self, tx: Tx, before: Millis) -> list[Doubt]:
        return [
            doubt
            for doubt in outbox.in_doubt(tx)
            if doubt.outbox_id not in self._in_hand
            and doubt.sending_at <= before
            and self._serves(doubt.platform, doubt.tenant)
        ]

    def _decide(self, tx: Tx, doubt: Doubt | Post, not_before: Millis, *, tells: bool = True) -> None:
        """Send again with a mark, as often as makes sense; else hold, and (`tells`) tell the owners.

        Where the platform can be asked what became of it, that is done first, when its turn comes.
        """
        adapter = self._adapters.get(doubt.platform)
        if (adapter is None or not adapter.finds) and self._is_spent(doubt, ahead=1):
            self._give_up(tx, doubt, not_before, tells=tells)
        else:
            outbox.again(tx, doubt.outbox_id, not_before=not_before, error=DOUBT, repeated=True)

    def _is_spent(self, doubt: Doubt | Post, ahead: int = 0) -> bool:
        """Whether a message in doubt is not sent once more: its platform's rule is to hold, or it was repeated enough.

        `ahead` are the doubts that are not counted in the row yet.
        """
        repeats = doubt.repeats + ahead
        return repeats > 0 and (self._doubt.get(doubt.platform, RESEND) == HOLD or repeats > MOST_REPEATS)

    def _give_up(self, tx: Tx, doubt: Doubt | Post, now: Millis, *, tells: bool = True) -> None:
        outbox.fail(tx, doubt.outbox_id, DOUBT, now)
        if tells:
            self._held(tx, doubt)


def _failed(post: Post, reason: str, now: Millis) -> Outcome:
    """It was not sent, and nobody hears of it."""

    def fail(tx: Tx) -> None:
        outbox.fail(tx, post.outbox_id, reason, now)
        if reason.startswith(FORBIDDEN):
            chats.set_state(tx, post.lane, chats.GONE, "")

    return fail


def _pause(post: Post) -> float:
    """Seconds before the next attempt; they double, so a server in trouble gets few possible repeats."""
    pause: float = min(RETRY_MOST, RETRY_FIRST * 2 ** min(post.attempt - 1, 10))
    return pause


def _destination(post: Post) -> Destination:
    return Destination(
        tenant=post.tenant,
        chat=post.chat,
        thread=post.thread,
        reply_to=post.reply_to,
        replaces=post.replaces,
        bulk=post.urgency is not Urgency.INTERACTIVE,
        key=post.lasting,
        since=post.created_at,
        begun=post.begun or 0,
        response_url=post.response_url,
    )
