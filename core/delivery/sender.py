"""Sending: what is committed goes out, one message in flight a chat; doubt follows a written rule (STATES: Outbox)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial

from core.delivery.claims import Claims
from core.delivery.doubts import DOUBT, Doubts
from core.delivery.hooks import Hooks
from core.kernel.errors import SendDoubtful, SendMoved, SendPaced, SendRefused, SendUnsent, StorageError
from core.kernel.ports import Adapter, Clock, Database, Engine, Tx
from core.kernel.types import Destination, Millis, Part, Urgency
from core.store.conversation import chat_migration, outbox
from core.store.conversation.outbox import ONLY_FOR, Post
from core.store.fallback import first_possible
from core.store.people import chats
from core.store.people.chats import ChatState

log = logging.getLogger(__name__)


RETRY_FIRST = 1.0
RETRY_MOST = 60.0
# The keys of edits that answer somebody, who would be left without.
FORBIDDEN = "Forbidden"
# What records how a send ended.
Outcome = Callable[[Tx], None]


class _Spent(Exception):
    """Nobody can know what became of a message, and it is not sent once more."""


class Outbox:
    """The handler of `chat` pokes.

    `rules` names what each platform does in doubt, `mark` the line that a possible repeat carries. `claims` takes a
    chat's next message, `doubts` decides about those that may have arrived.
    """

    def __init__(
        self,
        db: Database,
        engine: Engine,
        clock: Clock,
        adapters: Mapping[str, Adapter],
        *,
        rules: Mapping[str, str],
        mark: str,
        hooks: Hooks,
    ) -> None:
        self._db, self._engine, self._clock, self._adapters = db, engine, clock, adapters
        self._mark, self._hooks = mark, hooks
        self.claims = Claims(db, engine, clock, adapters.keys(), hooks.writes)
        self.doubts = Doubts(db, clock, adapters, rules, hooks.held, self.claims.in_hand)
        self._pumped: set[int] = set()
        self._sending: set[asyncio.Future[None]] = set()

    async def pump(self, chat_id: int) -> None:
        """Send what waits in a chat until nothing is due."""
        self._pumped.add(chat_id)
        try:
            if chat_id not in self.claims.ready:
                await self.claims.claim(chat_id)
            while (post := self.claims.ready.pop(chat_id, None)) is not None:
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
        if self.claims.ready:
            await self._db.write(self.claims.give_back)

    async def _deliver(self, post: Post) -> None:
        """Send a message and record what became of it; the chat's next one is claimed at the same time."""
        try:
            platform_id = await self._send(post)
        except _Spent:
            now = self._clock.now()
            await self._record(post, partial(self.doubts.give_up, doubt=post, now=now), _failed(post, DOUBT, now))
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
        if found is None and self.doubts.is_spent(post):
            raise _Spent
        mark = self._mark if post.repeats and found is None else ""
        return await adapter.send(_destination(post), Part(payload=post.payload), repeated=mark)

    async def _arrived(self, adapter: Adapter, post: Post) -> str | None:
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
                self.claims.claim_next(tx, post.lane.chat_id)

        def post_ended(tx: Tx) -> None:
            tx.lock(("chat", post.lane.chat_id))
            (bare or outcome)(tx)
            self._engine.poke(tx, "chat", post.lane.chat_id)

        try:
            while not await self._stored(post, post_sent, post_ended):
                # The platform has acted: an outcome that is lost would leave the chat silent until the next start.
                await self._clock.sleep(RETRY_FIRST)
        finally:
            self.claims.in_hand.discard(post.outbox_id)

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
            for lane_id in chat_migration.move(
                tx, post.lane.tenant_id, post.chat, error.chat, now, hears=self._hooks.chats
            ):
                self._engine.poke(tx, "lane", lane_id)
            outbox.again(tx, post.outbox_id, not_before=0, error="")

        return move

    def _refused(self, post: Post, reason: str, now: Millis) -> Outcome:
        def refuse(tx: Tx) -> None:
            outbox.fail(tx, post.outbox_id, reason, now)
            # Blocked, or thrown out: nothing will arrive there until the platform says otherwise.
            blocked = reason.startswith(FORBIDDEN)
            if self._hooks.refused(tx, post, blocked):
                outbox.fault_told(tx, post.outbox_id)
            if blocked:
                chats.set_state(tx, post.lane, ChatState.GONE, "")
            elif post.replaces and post.source.run() is not None:
                # The message cannot be changed any more; who pressed its button waits for the answer.
                outbox.anew(tx, post, now)

        return refuse

    def _in_doubt(self, post: Post, *, tells: bool = True) -> Outcome:
        """Bytes may have left: send once more with a mark, or hold, as the platform's rule says."""
        log.warning("send in doubt: outbox %s", post.outbox_id)
        at = self._clock.now() + round(_pause(post) * 1000)
        return partial(self.doubts.decide, doubt=post, not_before=at, tells=tells)


def _failed(post: Post, reason: str, now: Millis) -> Outcome:
    """It was not sent, and nobody hears of it."""

    def fail(tx: Tx) -> None:
        outbox.fail(tx, post.outbox_id, reason, now)
        if reason.startswith(FORBIDDEN):
            chats.set_state(tx, post.lane, ChatState.GONE, "")

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
