"""The only door to a tool: resolve → permit → validate → limit → perform → journal and ledger (TOOLS: Machinery).

It never raises for a tool's sake: every failure is a result that tells the model what to change. Only `LeaseLost` and
`StorageError` pass through, since then the run itself is over.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from core.kernel.access import family_needs, may
from core.kernel.errors import (
    LeaseLost,
    RateLimitError,
    Refused,
    StorageError,
    ToolDisabledError,
    ToolError,
    ToolNotFoundError,
    ToolPermissionError,
    ToolTimeoutError,
    ToolValidationError,
)
from core.kernel.events import EventBus, ToolCallCompleted, ToolCallFailed, ToolCallRequested
from core.kernel.ids import ref
from core.kernel.intent import Intent
from core.kernel.ports import Clock, Database, Tx
from core.kernel.replies import Outcome, Reply, Step, packed
from core.kernel.types import ENCODER, Json, LaneKey, Millis, Role, Standing, ToolCall, ToolResult
from core.store.conversation import lanes, undo
from core.store.conversation import runs as journal
from core.store.conversation.runs import StepState
from core.store.people import people
from core.toolkit.action import worded
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.params import Params, read
from core.toolkit.results import fitting
from core.toolkit.tool import Asks, Beside, Effect, Registry, Tool, ToolContext, after_others

log = logging.getLogger(__name__)

TRIES = 3
# What was looked at in less time is looked at again after a crash: its step waits for the next act of its run.
QUICK: Millis = 50
READS_AT_ONCE = 24
CALLS_A_RUN = 50
# So long what somebody may do is not looked up anew.
FRESH: Millis = 1_000


@dataclass(frozen=True, kw_only=True)
class _Call:
    """A call on its way through the door."""

    context: ToolContext
    n: int
    call: ToolCall
    started_at: Millis
    made: int


# Carries out an intent as its person would.
Commands = Callable[[ToolContext, Intent], Awaitable[Outcome]]


class Executor:
    """Performs tool calls for whoever may make them; what a model asks for in the person's place by `commands`."""

    def __init__(
        self,
        registry: Registry,
        db: Database,
        ledger: Ledger,
        clock: Clock,
        bus: EventBus,
        *,
        commands: Commands | None = None,
    ) -> None:
        self._registry, self._db, self._ledger, self._clock, self._bus = registry, db, ledger, clock, bus
        self._commands = commands
        self._reads = asyncio.Semaphore(READS_AT_ONCE)
        # Who was looked at last, where and when, and what they may do there.
        self._looked: tuple[tuple[LaneKey, int] | None, Millis, Standing] = (None, 0, Standing.STRANGER)

    async def call(self, context: ToolContext, n: int, call: ToolCall, made: int = 0) -> ToolResult:
        """Perform `call` as step `n` of the run, which has made `made` calls before it, with the rights that its person
        has now, or had within the last second.

        A step that is journalled already gives its stored result.
        """
        stored = context.steps.get(n)
        if stored is not None and stored.state != StepState.STARTED:
            # It was done by an earlier claim: the result is that of its step.
            content = json.loads(stored.content)
            started_at, completed_at = content.pop("at")
            return ToolResult(tool_name=stored.tool, started_at=started_at, completed_at=completed_at, **content)
        way = _Call(context=context, n=n, call=call, started_at=self._clock.now(), made=made)
        if stored is not None:
            # What was started and left no outcome before a crash is `unknown` from now on; it is not repeated.
            result = self._result(way, error=UNKNOWN, code="unknown")
            await self._db.write(lambda tx: self._record(tx, way, result, concluded="unknown"))
            self._tell(context.run_id, result)
            return result
        self._bus.publish(ToolCallRequested(run_id=context.run_id, tool_name=call.name, params=call.arguments))
        whom = (context.lane, context.principal.person_id)
        known, looked_at, standing = self._looked
        if known != whom or not 0 <= way.started_at - looked_at < FRESH:
            participant = await self._db.read(lambda tx: people.participant(tx, *whom))
            standing = people.standing_here(context.access, participant)
            self._looked = whom, way.started_at, standing
        way = replace(way, context=replace(context, standing=standing))
        try:
            tool = self._resolve(way)
            params = read(tool.name, tool.parameters, call.arguments)
            match tool.effect:
                case Effect.WRITE:
                    result = await self._write(way, tool, params)
                case Effect.ASKED:
                    result = await self._ask(way, tool, params)
                case _:
                    result = await self._perform(way, tool, params)
        except ToolError as error:
            result = self._failure(way, error)
            await self._journal(way, result)
        self._tell(context.run_id, result)
        return result

    def _resolve(self, way: _Call) -> Tool:
        name, role = way.call.name, way.context.role
        tool = self._registry.get(name)
        if tool is None:
            raise ToolNotFoundError(name)
        if name in self._registry.disabled:
            raise ToolDisabledError(name)
        if role not in tool.roles:
            raise ToolPermissionError(name, f"a {role.value} may not use {name}")
        if not may(way.context.standing, family_needs(tool.category)):
            raise ToolPermissionError(name, f"a {way.context.standing.value} may not use {name}")
        if way.call.problem:
            raise ToolValidationError(name, way.call.problem)
        if way.made >= CALLS_A_RUN:
            raise RateLimitError(name, f"at most {CALLS_A_RUN} calls a run; answer with what you have")
        return tool

    async def _write(self, way: _Call, tool: Tool, params: Params) -> ToolResult:
        """Effect, step and ledger row in one transaction: all of it stays, or nothing. What has to wait is done before
        it, and is nothing by itself. What is done after the run has read others' words, and can be taken back, the
        person is shown, with Undo."""
        handler: Any = tool.handler
        context = way.context
        change: Callable[[Tx], Json | Beside] = partial(handler, params, context)

        def write(tx: Tx) -> ToolResult:
            context.begin(tx)
            # A Worker changes files: these tools show what was not its own, and what it writes is sent.
            watched = context.tainted and context.role is not Role.WORKER
            mine = partial(undo.newest, tx, context.lane, context.principal.person_id, self._clock.now(), others=False)
            before, value = mine() if watched else None, change(tx)
            if isinstance(value, Beside):
                result = replace(self._result(way, value=value.result), said=packed(value.reply))
            else:
                result = self._result(way, value=value)
                after = mine() if watched else None
                if after is not None and (before is None or after["id"] != before["id"]):
                    done = context.texts.first(*self._registry.deed(tool.name))
                    shown = after_others(context.texts, done, after["label"], ref("u", after["id"]))
                    result = replace(result, said=packed(shown))
            self._write_step(tx, way, result)
            return result

        try:
            if inspect.iscoroutinefunction(handler):
                async with asyncio.timeout(tool.timeout):
                    change = await handler(params, way.context)
            return await self._db.write(write)
        except TimeoutError as error:
            raise ToolTimeoutError(tool.name, tool.timeout) from error
        except (ToolError, LeaseLost, StorageError):
            raise
        except Exception as error:
            raise _unexpected(tool, error) from error

    async def _ask(self, way: _Call, tool: Tool, params: Params) -> ToolResult:
        """Carry out what the person could ask for themselves, and journal it with what they are shown, in one
        transaction. If the answer only says why not, or asks back, nothing is done and the model gets it."""
        context = replace(way.context, shows=True, steps={})
        try:
            async with asyncio.timeout(tool.timeout):
                handler: Any = tool.handler
                asks: Asks = await handler(params, context)
                if self._commands is None and asks.intents:
                    raise ToolError(tool.name, "nobody carries that out here")
                outcomes = [await self._commands(context, intent) for intent in asks.intents] if self._commands else []

            def write(tx: Tx) -> ToolResult:
                way.context.begin(tx)
                done = [outcome if outcome.deed is None else outcome.deed.carry_out(tx) for outcome in outcomes]
                replies = [reply for outcome in done for reply in outcome.replies]
                told = _joined(tool.name, replies if asks.reply is None else [*replies, asks.reply])
                tainted = {"tainted": True} if told.foreign else {}
                acted = any(outcome.deed is not None and outcome.deed.acted for outcome in outcomes)
                if asks.reads:
                    result = self._result(way, value={"text": told.kept or told.text, **tainted})
                elif told.own and not (told.offers or acted):
                    raise ToolError(tool.name, told.text)
                else:
                    told = replace(told, own=False)
                    result = replace(
                        self._result(way, value={"shown": told.kept or told.text, **tainted}), said=packed(told)
                    )
                self._write_step(tx, way, result)
                return result

            return await self._db.write(write)
        except TimeoutError as error:
            raise ToolTimeoutError(tool.name, tool.timeout) from error
        except Refused as refusal:
            raise ToolError(tool.name, worded(way.context.texts, refusal)) from refusal
        except (ToolError, LeaseLost, StorageError):
            raise
        except Exception as error:
            raise _unexpected(tool, error) from error

    async def _perform(self, way: _Call, tool: Tool, params: Params) -> ToolResult:
        """Perform a call that only reads, or that reaches the world: the latter is noted before, with its result
        after."""
        outward = tool.effect is Effect.OUTWARD
        if outward:
            await self._db.write(lambda tx: self._plan(tx, way))
        try:
            async with asyncio.timeout(tool.timeout), self._reads:
                result = self._result(way, value=await self._tries(tool, params, way.context))
        except TimeoutError:
            result = self._failure(way, ToolTimeoutError(tool.name, tool.timeout))
        except ToolError as error:
            result = self._failure(way, error)
        except (LeaseLost, StorageError):
            raise
        except Exception as error:
            result = self._failure(way, _unexpected(tool, error))
        if outward:
            await self._db.write(lambda tx: self._record(tx, way, result, concluded="done"))
        else:
            await self._journal(way, result)
        return result

    async def _journal(self, way: _Call, result: ToolResult) -> None:
        """Commit the step of what changed nothing: with the next act of its run, unless it took long."""
        waiting = way.context.unjournalled
        if waiting is not None and result.duration_ms < QUICK:
            waiting.add(partial(self._write_step, way=way, result=result))
        else:
            await self._db.write(lambda tx: self._record(tx, way, result))

    async def _tries(self, tool: Tool, params: Params, context: ToolContext) -> Json:
        """Idempotent reads are tried three times on transient errors, within one time limit."""
        handler: Any = tool.handler
        tries = TRIES if tool.idempotent and tool.effect is Effect.READ else 1
        for attempt in range(1, tries + 1):
            try:
                return await handler(params, context)
            except OSError as error:
                if attempt == tries:
                    raise
                log.info("tool tried again: %s (%s)", tool.name, type(error).__name__)
                await self._clock.sleep(0.1 * attempt)
        return None

    def _plan(self, tx: Tx, way: _Call) -> None:
        way.context.begin(tx)
        step = Step(n=way.n, kind="call", state="started", call_id=way.call.id, tool=way.call.name, content="")
        journal.write(tx, way.context.lane, way.context.run_id, step, way.started_at)
        self._ledger.append(tx, self._entry(way, None, phase="planned"))

    def _record(self, tx: Tx, way: _Call, result: ToolResult, *, concluded: str = "") -> None:
        """Commit a result of a lease that holds: `_write_step`."""
        lanes.fence(tx, way.context.lease)
        self._write_step(tx, way, result, concluded=concluded)

    def _write_step(self, tx: Tx, way: _Call, result: ToolResult, *, concluded: str = "") -> None:
        """Write a result with its ledger row: as a step of its own, or as outcome (`concluded`) of a started one."""
        stored = {
            "success": result.success,
            "error": result.error,
            "code": result.code,
            "at": [result.started_at, result.completed_at],
            **({} if result.said is None else {"said": result.said}),
        }
        # The result is JSON already, and may be long.
        content = f'{{"result": {result.encoded}, {ENCODER.encode(stored)[1:]}'
        context, call = way.context, way.call
        if concluded:
            journal.conclude(
                tx, context.lane, context.run_id, way.n, state=concluded, content=content, now=result.completed_at
            )
        else:
            step = Step(n=way.n, kind="call", state="done", call_id=call.id, tool=call.name, content=content)
            journal.write(tx, context.lane, context.run_id, step, result.completed_at)
        self._ledger.append(tx, self._entry(way, result))

    def _entry(self, way: _Call, result: ToolResult | None, phase: str = "outcome") -> Record:
        context = way.context
        return Record(
            lane=context.lane,
            run_id=context.run_id,
            trace_id=context.trace_id,
            person_id=context.principal.person_id,
            role=context.role.value,
            # A name that is no tool's may be anybody's words.
            tool=way.call.name if self._registry.get(way.call.name) is not None else NO_TOOL,
            phase=phase,
            at=way.started_at,
            arguments=way.call.arguments,
            result=None if result is None else result.shown_json(),
            success=result is None or result.success,
            error="" if result is None else result.code,
            duration_ms=0 if result is None else result.duration_ms,
        )

    def _result(self, way: _Call, *, value: Json = None, error: str = "", code: str = "") -> ToolResult:
        fitted, encoded = fitting(value)
        return ToolResult(
            tool_name=way.call.name,
            success=not error,
            result=fitted,
            encoded=encoded,
            error=error,
            code=code,
            started_at=way.started_at,
            completed_at=self._clock.now(),
        )

    def _failure(self, way: _Call, error: ToolError) -> ToolResult:
        return self._result(way, error=str(error), code=error.code)

    def _tell(self, run_id: int, result: ToolResult) -> None:
        name, length = result.tool_name, result.duration_ms
        if result.success:
            event: object = ToolCallCompleted(run_id=run_id, tool_name=name, result=result.result, duration_ms=length)
        else:
            event = ToolCallFailed(run_id=run_id, tool_name=name, error=result.error, duration_ms=length)
        self._bus.publish(event)


def _unexpected(tool: Tool, error: Exception) -> ToolError:
    """Return the error for a bug of a tool: the details are for the log, never for the model or a chat."""
    log.error("tool failed: %s", tool.name, exc_info=error)
    return ToolError(tool.name, f"{tool.name} failed unexpectedly ({type(error).__name__}); try something else")


def _joined(tool_name: str, replies: Sequence[Reply]) -> Reply:
    """Several answers as one. What asks back is for the model, as what only says why not is: both are the person's
    `own`."""
    asked = [replace(one, text=one.question.text, own=True) if one.question is not None else one for one in replies]
    said = [one for one in asked if one.text]
    if not said:
        raise ToolError(tool_name, "nothing came of it")
    kept = "\n".join(one.kept or one.text for one in said) if any(one.kept for one in said) else ""
    return replace(
        said[-1],
        text="\n".join(one.text for one in said),
        kept=kept,
        offers=tuple(offer for one in said for offer in one.offers),
        question=None,
        own=all(one.own for one in said),
        aloud=any(one.aloud for one in said),
        once=all(one.once for one in said),
        foreign=any(one.foreign for one in said),
    )


NO_TOOL = "unknown"
UNKNOWN = (
    "the connection to the process was lost while this ran; it may or may not have happened. "
    "Tell the person; do not repeat it by yourself"
)
