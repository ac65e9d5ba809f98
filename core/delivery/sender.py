"""Sending: messages that are committed are claimed and sent, one at a time in each chat.

Of a message in doubt nobody knows whether it arrived. It is sent again with a mark, or held, as the rule of its
platform says (STATES: Outbox).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from core.kernel.background import cancel
from core.kernel.errors import SendDoubtful, SendMoved, SendPaced, SendRefused, SendUnsent, StorageError
from core.kernel.ports import Adapter, Clock, Database, Engine, Tx
from core.kernel.types import Destination, Millis, Part, Urgency
from core.store.conversation import attachments, chat_migration, outbox
from core.store.conversation.chat_migration import Chats
from core.store.conversation.outbox import FADED, LOOK_AGAIN, ONLY_FOR, DeadFor, Doubt, Post
from core.store.files import Files, StoredFile
from core.store.giving_up import TRIES, try_or_give_up
from core.store.people import chats
from core.store.people.chats import ChatState

log = logging.getLogger(__name__)

RETRY_FIRST = 1.0
RETRY_MOST = 60.0
# So long after the last try a repeat of what may have arrived waits for the platform to be heard; then that is asked.
LONGEST_SILENCE: Millis = 600_000
FORBIDDEN = "Forbidden"
UNWRITABLE = "it cannot be written; see the log"
# Later than any instant.
EVER: Millis = 1 << 62
RESEND, HOLD = "resend", "hold"
DOUBT = "in doubt: the connection broke while sending"
# What records how a send ended.
Recording = Callable[[Tx], None]
# Writes an unwritten message: stores what belongs to it, and returns the payload as an adapter rendered it; None where
# there is nothing to say any more.
Write = Callable[[Tx, Post], Mapping[str, Any] | None]


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """Functions by which others take part in sending. Each is called in the transaction that records what happened.

    The first of `writes` writes an unwritten message. When it fails, the next one is tried in its place, which only
    says so. `held` tells people that a message in doubt is not sent again. `refused` is told of a message that the
    platform refused for good, and whether nothing gets to its chat any more; it returns whether whoever waited for it
    was told: then it is no fault. `chats` is told what becomes of chats. `files` is where documents lie.
    """

    writes: Sequence[Write]
    held: Callable[[Tx, Doubt | Post], None]
    refused: Callable[[Tx, Post, bool], bool]
    chats: Chats
    files: Files


class _Spent(Exception):
    """A message in doubt is not sent once more."""


class Claims:
    """Claims messages for sending, of `platforms` that are served here.

    `ready` has the messages that are claimed and not being sent yet, by chat; `in_hand` the ids of all claimed ones
    whose outcome is not recorded yet.
    """

    def __init__(
        self, db: Database, engine: Engine, clock: Clock, platforms: Collection[str], writes: Sequence[Write]
    ) -> None:
        self._db, self._engine, self._clock = db, engine, clock
        self._platforms, self._writes = platforms, writes
        self.in_hand: set[int] = set()
        self.ready: dict[int, Post] = {}

    async def claim(self, chat_id: int) -> None:
        """Claim a chat's next message, and write it if it is unwritten; one that cannot be written holds up no
        other."""
        ways: list[Callable[[Tx], None]] = []
        # Between two attempts another message may have become the next one: only one that failed before is ended.
        tried: set[int] = set()
        for write in self._writes:

            def claim_post(tx: Tx, write: Write = write) -> None:
                found = outbox.claim(tx, chat_id, self._clock.now())
                if isinstance(found, Post) and found.to_be_written and found.platform in self._platforms:
                    way = write if found.outbox_id in tried else self._writes[0]
                    tried.add(found.outbox_id)
                    payload = way(tx, found)
                    if payload is not None:
                        found = replace(found, payload=payload)
                    else:
                        # There is nothing to say any more: it ends, and the next one may go.
                        superseded = way is self._writes[0]
                        why = FADED if superseded else UNWRITABLE
                        dead_for = DeadFor.SUPERSEDED if superseded else DeadFor.UNWRITABLE
                        outbox.fail(tx, found.outbox_id, why, self._clock.now(), dead_for=dead_for)
                        found = LOOK_AGAIN
                self._found(tx, chat_id, found)

            ways.append(claim_post)
        await try_or_give_up(self._db, f"next message of chat {chat_id}", *ways)

    def claim_next(self, tx: Tx, chat_id: int) -> bool:
        """Claim the chat's next message, so that it is ready; if it may not go yet, be woken at its time.

        Whoever queues a message may do this in the same transaction, which saves one before it is sent. A message that
        is still unwritten is left to a transaction of its own, on which nothing else depends. Return whether a message
        will be ready. Then the caller pokes the chat: the message may be another one than it queued, whose own poke
        came between the claim and its callback.
        """
        found = outbox.claim(tx, chat_id, self._clock.now(), unwritten=False)
        self._found(tx, chat_id, found)
        return isinstance(found, Post)

    def _found(self, tx: Tx, chat_id: int, found: Post | Millis | None) -> None:
        if isinstance(found, Post):
            tx.after_commit(partial(self.in_hand.add, found.outbox_id))
            tx.after_commit(partial(self.ready.update, {chat_id: found}))
        elif found == LOOK_AGAIN:
            self._engine.poke(tx, "chat", chat_id, bulk=True)
        elif found is not None:
            tx.after_commit(partial(self._engine.wake, found))

    def give_back(self, tx: Tx) -> None:
        """Give back what was claimed and not sent."""
        for post in self.ready.values():
            outbox.again(tx, post.outbox_id, not_before=0, error="")


class Doubts:
    """Decides about messages in doubt by each platform's rule; `held` tells people that one is not sent again.

    Messages whose ids are `in_hand` are being sent by this process now: there is no doubt about them yet.
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

    async def settle(self, before: Millis = EVER) -> int:
        """Decide about the sends that began before `before` and that nobody here has in hand; return how many there
        were.

        At a start these are the sends whose process died in them; any `before` is right then, since the clock may have
        been set back. Later there is one only if the connection to the database broke in a commit that happened all the
        same.
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
            lost, now = await self._db.read(lambda tx: self._lost(tx, before)), self._clock.now()
            for doubt in lost:
                await self._settle_one(doubt, now)
            return len(lost)

    async def _settle_one(self, doubt: Doubt | Post, now: Millis) -> None:
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
            self.give_up(tx, doubt, self._clock.now(), tells=tells)
        else:
            outbox.again(tx, doubt.outbox_id, not_before=not_before, error=DOUBT, repeated=True)

    def is_spent(self, doubt: Doubt | Post, ahead: int = 0) -> bool:
        """Return whether a message in doubt is not sent once more: its platform's rule is to hold it, or it was
        repeated often enough.

        An edit that is made twice doubles nothing, so no rule holds it. `ahead` counts doubts that the row does not
        have yet.
        """
        repeats = doubt.repeats + ahead
        holds = self._rules.get(doubt.platform, RESEND) == HOLD and not doubt.replaces
        return repeats > 0 and (holds or repeats >= TRIES)

    def give_up(self, tx: Tx, doubt: Doubt | Post, now: Millis, *, tells: bool = True) -> None:
        """Send it no more, and (`tells`) tell the owners."""
        outbox.fail(tx, doubt.outbox_id, DOUBT, now, dead_for=DeadFor.DOUBT)
        if tells:
            self._held(tx, doubt)


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
        # When a platform last took a message, or answered when it was asked, and who is asking it now; by tenant.
        self._answered: dict[int, Millis] = {}
        self._asking: dict[int, asyncio.Task[None]] = {}

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
        await cancel(list(self._asking.values()))
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
            if error.chat == post.chat:
                await self._record_refused(post, str(error))
            else:
                await self._record(post, self._moved(post, error), self._later(post, SendUnsent(str(error))))
        except SendUnsent as error:
            await self._record(post, self._later(post, error))
        except SendRefused as error:
            await self._record_refused(post, str(error))
        except Exception as error:
            if not isinstance(error, SendDoubtful):
                log.exception("send failed unexpectedly: outbox %s", post.outbox_id)
            await self._record(post, self._in_doubt(post), self._in_doubt(post, tells=False))
        else:
            now = self._answered[post.lane.tenant_id] = self._clock.now()
            keeps = self._adapters[post.platform].documents_stay
            await self._record(post, lambda tx: outbox.sent(tx, post.outbox_id, platform_id, now, keeps_file=keeps))

    async def _send(self, post: Post) -> str:
        """Send a message, if need be, and return its id; raises `_Spent` for one in doubt that is not sent again."""
        adapter = self._adapters.get(post.platform)
        if adapter is None:
            raise SendUnsent(f"no {post.platform} adapter is running", retry_after=RETRY_MOST)
        destination = Destination(
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
        mark = ""
        if post.repeats:
            # What the platform knows of a message in doubt: its id, or (empty) that it has not arrived.
            looks_up = _may_look_up(post, adapter)
            found = await adapter.find(destination) if looks_up else None
            if found:
                return found
            if found is None:
                # Where nothing can be looked up that was decided before; what is here is wanted by the operator.
                if adapter.finds and self.doubts.is_spent(post):
                    raise _Spent
                # In an outage all repeats would be spent in vain, and the message given up: one is for when the
                # platform answers again.
                answers = adapter.hears(post.tenant) or self._answered.get(post.lane.tenant_id, 0) > destination.begun
                if not (looks_up or answers):
                    if self._clock.now() - destination.begun >= LONGEST_SILENCE:
                        self._ask(adapter, post)
                    raise SendUnsent("the platform does not answer")
                mark = "" if post.replaces else self._mark
        part = Part(payload=post.payload)
        if (stored := post.document) is not None:
            part = await self._with_file(part, stored)
        return await adapter.send(destination, part, repeated=mark)

    def _ask(self, adapter: Adapter, post: Post) -> None:
        """Begin to ask whether the platform answers, for the next try.

        The message does not wait in hand for that: if the process ended meanwhile, it would be in doubt once more.
        """
        tenant_id = post.lane.tenant_id

        async def ask() -> None:
            if await adapter.answers(post.tenant):
                self._answered[tenant_id] = self._clock.now()

        if tenant_id not in self._asking:
            self._asking[tenant_id] = asyncio.create_task(ask())
            self._asking[tenant_id].add_done_callback(lambda _: self._asking.pop(tenant_id))

    async def _with_file(self, part: Part, stored: StoredFile) -> Part:
        """Return a part with its file; raises `SendRefused` where that is gone, since it will not come back."""
        try:
            document = await asyncio.to_thread(self._hooks.files.document, stored)
        except OSError as error:
            raise SendRefused(f"its file cannot be read ({type(error).__name__})") from error
        return replace(part, document=document)

    async def _record_refused(self, post: Post, reason: str) -> None:
        log.warning("message given up: outbox %s (%s)", post.outbox_id, reason)
        now = self._clock.now()

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

        await self._record(post, refuse, _failed(post, reason, now))

    async def _record(self, post: Post, outcome: Recording, bare: Recording | None = None) -> None:
        """Store the outcome of a send; or the `bare` one, when something that belongs to the outcome fails.

        In any case the row is not in hand any more: that would keep its chat shut.
        """

        def unlink() -> None:
            self._hooks.files.unlink([post.file])

        def post_sent(tx: Tx) -> None:
            tx.lock(("chat", post.lane.chat_id))
            outcome(tx)
            if post.file and attachments.unknown(tx, [post.file]):
                # It was sent, or forgotten while it was on its way. What this misses goes after a day.
                tx.after_commit(unlink)
            # A claim for a chat whose pump was stopped would wait for nobody.
            if post.lane.chat_id in self._pumped:
                self.claims.claim_next(tx, post.lane.chat_id)

        def post_ended(tx: Tx) -> None:
            tx.lock(("chat", post.lane.chat_id))
            (bare or outcome)(tx)
            self._engine.poke(tx, "chat", post.lane.chat_id)

        what = f"outcome of outbox {post.outbox_id}"
        # Before what people say to it is taken in: that may be about this message.
        order = (post.lane.tenant_id, post.chat)
        try:
            while True:
                try:
                    await try_or_give_up(self._db, what, post_sent, post_ended, order=order)
                    return
                except StorageError:
                    log.exception("outcome of a send not stored yet: outbox %s", post.outbox_id)
                # The platform has acted: an outcome that is lost would leave the chat silent until the next start.
                await self._clock.sleep(RETRY_FIRST)
        finally:
            self.claims.in_hand.discard(post.outbox_id)

    def _later(self, post: Post, error: SendUnsent) -> Recording:
        pause = error.retry_after or _pause(post)
        at = self._clock.now() + round(pause * 1000)
        level = logging.DEBUG if isinstance(error, SendPaced) else logging.INFO
        log.log(level, "sent later: outbox %s in %.1f s (%s)", post.outbox_id, pause, error)
        return lambda tx: outbox.again(tx, post.outbox_id, not_before=at, error=str(error), begun=post.begun)

    def _moved(self, post: Post, error: SendMoved) -> Recording:
        log.info("sent to a new id: outbox %s (%s)", post.outbox_id, error)

        def move(tx: Tx) -> None:
            now = self._clock.now()
            for lane_id in chat_migration.move(
                tx, post.lane.tenant_id, post.chat, error.chat, now, hears=self._hooks.chats
            ):
                self._engine.poke(tx, "lane", lane_id)
            outbox.again(tx, post.outbox_id, not_before=0, error="")

        return move

    def _in_doubt(self, post: Post, *, tells: bool = True) -> Recording:
        """Bytes may have left: send once more with a mark, or hold, as the platform's rule says."""
        if tells:
            log.warning("send in doubt: outbox %s", post.outbox_id)
        # Where nothing can be looked up, the second repeat is the last one: it comes when more than a moment's trouble
        # is over.
        pause = RETRY_MOST if post.repeats and not _may_look_up(post, self._adapters[post.platform]) else _pause(post)
        at = self._clock.now() + round(pause * 1000)
        return partial(self.doubts.decide, doubt=post, not_before=at, tells=tells)


def _failed(post: Post, reason: str, now: Millis) -> Recording:
    """Return what records that a message was not sent, and tells nobody."""

    def fail(tx: Tx) -> None:
        outbox.fail(tx, post.outbox_id, reason, now)
        if reason.startswith(FORBIDDEN):
            chats.set_state(tx, post.lane, ChatState.GONE, "")

    return fail


def _may_look_up(post: Post, adapter: Adapter) -> bool:
    """Return whether a message in doubt can be looked for on its platform.

    An edit may be made twice: there is nothing to look for, or to mark. What only one person sees is kept nowhere, and
    a document has no place for a key.
    """
    return adapter.finds and not (post.replaces or post.document) and ONLY_FOR not in post.payload


def _pause(post: Post) -> float:
    """Seconds before the next attempt; they double, so a server in trouble gets few possible repeats."""
    pause: float = min(RETRY_MOST, RETRY_FIRST * 2 ** min(post.attempt - 1, 10))
    return pause
