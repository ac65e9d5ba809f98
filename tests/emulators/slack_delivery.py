"""What Slack hands to the bot: envelopes, their redelivery, and the misfortunes on their way.

Events that are not acknowledged come again after ``retry_after``, by default as Slack does it: at once, after a
minute, after five more (Events API, "Retries"), then they are gone. Interactions and commands never come again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.emulators.faults import Fault, FaultScript
from tests.emulators.slack_world import Json

EVENT, INTERACTIVE, COMMAND = "events_api", "interactive", "slash_commands"
KINDS = frozenset({EVENT, INTERACTIVE, COMMAND})
RETRY_AFTER = (0.0, 60.0, 300.0)
ACK_SECONDS = 3.0
# "lost" never reaches the bot and "lost_ack" is not heard of again; "held" waits for what is handed over next, and
# "kept" for `Deliveries.hand_out`.
FAULT_KINDS = frozenset({"lost", "lost_ack", "slow", "double", "held", "kept"})
ANSWERED = frozenset({"view_submission", "block_suggestion"})

Then = Callable[["Envelope"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one attempt: accepted with the *body* of the answer, or the *reason* why not.

    *final* is a refusal that asks for no other attempt.
    """

    accepted: bool = False
    reason: str = ""
    body: Any = None
    final: bool = False


@dataclass(slots=True, kw_only=True, eq=False)
class Envelope:
    """One thing for the bot to know.

    *response* is the body of the acknowledgement; *seconds* is what it took from the last attempt on; *gone* is given
    up; *reasons* are those of the attempts that failed.
    """

    kind: str
    payload: Json
    attempts: int = 0
    acked: bool = False
    gone: bool = False
    response: Any = None
    seconds: float = 0.0
    reasons: list[str] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def answerable(self) -> bool:
        """Whether the acknowledgement may carry a payload."""
        return self.kind == COMMAND or self.payload.get("type") in ANSWERED

    @property
    def open(self) -> bool:
        """Whether it is neither acknowledged nor given up."""
        return not (self.acked or self.gone)

    async def settled(self, timeout: float = 30.0) -> Envelope:
        """Wait until it is acknowledged or given up, and return it; raise ``TimeoutError`` after *timeout* seconds."""
        async with asyncio.timeout(timeout):
            await self.done.wait()
        return self


class Way(Protocol):
    """How an envelope reaches the bot."""

    async def hand_over(self, envelope: Envelope, seconds: float) -> Outcome:
        """Make one attempt; the bot has so many *seconds* to acknowledge."""
        ...


class Deliveries:
    """All envelopes, oldest first, and the tasks that carry them."""

    def __init__(self, way: Way, changed: Callable[[], None]) -> None:
        self.way = way
        self.retry_after: Sequence[float] = RETRY_AFTER
        self.ack_seconds = ACK_SECONDS
        self.all: list[Envelope] = []
        self.faults = FaultScript(FAULT_KINDS)
        self._changed = changed
        self._next, self._handed_out = asyncio.Event(), asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._broken: list[BaseException] = []

    def send(self, kind: str, payload: Json, then: Then | None = None) -> Envelope:
        """Begin to hand *payload* over and return its envelope; *then* is called when it is acknowledged or gone."""
        envelope = Envelope(kind=kind, payload=payload)
        self.all.append(envelope)
        task = asyncio.get_running_loop().create_task(self._carry(envelope, then))
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return envelope

    def pending(self) -> list[Envelope]:
        """Return what is neither acknowledged nor given up."""
        return [envelope for envelope in self.all if envelope.open]

    def hand_out(self) -> None:
        """Let everything go that is kept."""
        kept, self._handed_out = self._handed_out, asyncio.Event()
        kept.set()

    def of(self, kind: str, event_type: str = "") -> list[Envelope]:
        """Return the envelopes of a kind, of events those of one type when it is given."""
        return [e for e in self.all if e.kind == kind and event_type in ("", e.payload.get("event", {}).get("type"))]

    async def stop(self) -> None:
        """Hand nothing over any more; raise what went wrong with an acknowledgement that Slack could not take."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._broken:
            raise self._broken.pop()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        trouble = None if task.cancelled() else task.exception()
        self._broken += [trouble] if trouble else []

    async def _carry(self, envelope: Envelope, then: Then | None) -> None:
        pauses = (0.0, *(self.retry_after if envelope.kind == EVENT else ()))
        for pause in pauses:
            if pause:
                await asyncio.sleep(pause)
            if await self._attempt(envelope):
                break
        envelope.gone = not envelope.acked
        envelope.done.set()
        if then is not None:
            then(envelope)
        self._changed()

    async def _attempt(self, envelope: Envelope) -> bool:
        """Return whether there shall be no other attempt."""
        fault = self.faults.take(envelope.kind, None)
        begun = time.monotonic()
        outcome = await self._handed(envelope, fault)
        envelope.attempts += 1
        envelope.seconds = time.monotonic() - begun
        if outcome.accepted:
            envelope.acked, envelope.response = True, outcome.body
        else:
            envelope.reasons.append(outcome.reason)
        self._changed()
        return outcome.accepted or outcome.final

    async def _handed(self, envelope: Envelope, fault: Fault | None) -> Outcome:
        kind = fault.base if fault else ""
        if kind == "held":
            # The next one is given its head start: it has left before this one is looked at again.
            await self._next.wait()
        if kind == "kept":
            await self._handed_out.wait()
        if fault and kind == "slow":
            await asyncio.sleep(fault.delay)
        if kind == "lost":
            return Outcome(reason="connection_failed")
        if kind != "held":
            self._let_pass()
        outcome = await self.way.hand_over(envelope, self.ack_seconds)
        if kind == "double":
            await self.way.hand_over(envelope, self.ack_seconds)
        return Outcome(reason="http_timeout") if kind == "lost_ack" else outcome

    def _let_pass(self) -> None:
        """Release what is held, after the one that is on its way now."""
        held, self._next = self._next, asyncio.Event()
        asyncio.get_running_loop().call_soon(held.set)


def event_id() -> str:
    """Return an id as events have them."""
    return f"Ev{secrets.token_hex(5).upper()}"
