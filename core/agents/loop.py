"""The one loop of all roles: ask the model, commit its answer, perform its calls, until nothing is left to call.

First the journal, then the deed. Whoever takes over a run replays its steps and asks or calls only beyond the last one.

A run is closed, which means one more answer, without tools, after

- `ROUNDS` answers with calls,
- more than `CALLS_A_RUN` calls: the first beyond is refused, those after it are dropped as if never asked for,
- the same call, by name and arguments, `SAME_CALL` times. Its results don't matter: some always differ.

What changes something is done once in an answer: the same call again gets the result of the first, takes a number but
no step, and shows nothing.

An answer whose calls all showed the person what came of them ends the run: nothing is left to be said.

A run in the background may be `Told` something while it goes on, and goes on once more when it had answered before.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.agents.fitting import fitted
from core.agents.roles import RoleSpec
from core.agents.transcript import Brief, ChatMessage, answered, dump, load, opening, told
from core.kernel.errors import LeaseLost, ModelUnreachable, StorageError
from core.kernel.ports import LLM, Database, Tx
from core.kernel.replies import Outcome, Reply, Step, unpacked
from core.kernel.types import (
    Answer,
    Excerpt,
    LaneKey,
    ModelRequest,
    Received,
    Role,
    Standing,
    ToolCall,
    ToolResult,
    Usage,
)
from core.store.conversation import runs as journal
from core.toolkit.executor import CALLS_A_RUN
from core.toolkit.results import is_tainted
from core.toolkit.tool import Effect, Registry, ToolContext

log = logging.getLogger(__name__)

# The tool whose result offers others from then on.
FIND = "find_tools"
READS_A_RUN = 3
SAME_CALL = 3
ROUNDS = 12


Count = Callable[[Tx, LaneKey, int, Usage], None]


class Performs(Protocol):
    """Performs the calls of a model (core.toolkit.executor)."""

    async def call(self, context: ToolContext, n: int, call: ToolCall, made: int = 0) -> ToolResult:
        """Perform a call as step `n` of the run, which has made `made` calls before it; never raises for its sake."""


class Told(Protocol):
    """What a run in the background is told while it goes on."""

    async def before(self, n: int, *, again: bool) -> Sequence[ChatMessage]:
        """Return what the run is told before step `n`, an answer; the same after a crash. With `again` it had given
        its last answer, and goes on only if there is something."""

    def committed(self, tx: Tx, answer: Answer) -> None:
        """Note what an answer is about to do, in the transaction that commits it."""


@dataclass(kw_only=True)
class _Progress:
    """The run so far: the conversation with the model, the next step's number, and what was said."""

    context: ToolContext
    messages: list[ChatMessage]
    heard: tuple[str, ...]
    forwarded: tuple[str, ...]
    past: int = 0
    attached: tuple[Received, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    event: str = ""
    explained: bool = False
    probed: bool = False
    said: Collection[int] = ()
    listen: Callable[[str], None] | None = None
    asked: bool = False
    delegated: bool = False
    # Whether the last answer's calls all showed the person what came of them; and whether `reply` was called.
    shown: bool = False
    # Whether what the next step is told before it is there already.
    resumed: bool = False
    spoke: bool = False
    found: set[str] = field(default_factory=set)
    told: Told | None = None
    n: int = 0
    rounds: int = 0
    calls: int = 0
    replies: list[Reply] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    total: Usage = Usage()
    closing: bool = False


class Loop:
    """Runs a role. `count` records what a model call took, in the transaction that commits its answer."""

    def __init__(self, executor: Performs, registry: Registry, db: Database, count: Count) -> None:
        self._executor, self._registry, self._db, self._count = executor, registry, db, count

    async def run(
        self, spec: RoleSpec, context: ToolContext, model: LLM, brief: Brief, told: Told | None = None
    ) -> Outcome:
        """Run until the model has no more calls. Raises `ModelError`; the journal keeps what was done."""
        waiting = journal.Unjournalled()
        context = replace(context, unjournalled=waiting)
        heard = tuple(message.text for message in brief.messages if message.text)
        messages, past = opening(spec, context, brief)
        progress = _Progress(
            context=context,
            messages=messages,
            past=past,
            heard=heard,
            forwarded=tuple(message.text for message in brief.messages if message.forwarded),
            attached=tuple(one for message in brief.messages for one in message.attachments and message.brings),
            excerpts=tuple(one for look in brief.looks.values() for one in look.excerpts),
            event=brief.event,
            explained=brief.explained,
            probed=brief.probed,
            said=brief.said,
            listen=brief.listen,
            told=told,
        )
        try:
            outcome = await self._work(spec, progress, model)
        except BaseException as failure:
            if isinstance(failure, ModelUnreachable):
                failure.before = progress.total
            try:
                # What was looked at is in the journal, also of a run that is broken off.
                await asyncio.shield(self._db.write(context.begin))
            except (LeaseLost, StorageError) as error:
                log.warning("what was read is not in the journal: run %s: %s", context.run_id, error)
            raise
        # What is said of others' words may be theirs.
        tainted = progress.context.tainted
        replies = [replace(reply, foreign=reply.foreign or tainted) for reply in outcome.replies]
        return replace(outcome, replies=replies, journal=waiting.commit)

    async def _work(self, spec: RoleSpec, progress: _Progress, model: LLM) -> Outcome:
        """Ask the model and perform its calls, until it has no more."""
        context, told = progress.context, progress.told
        while True:
            progress.n += 1
            n, step = progress.n, None
            if told is not None and not progress.resumed:
                progress.messages += await told.before(n, again=False)
            progress.resumed = False
            if stored := context.steps.get(n):
                answer = load(stored.content)
            else:
                answer = await self._ask(spec, progress, model)
                step = Step(n=n, kind="answer", state="done", call_id="", tool="", content=dump(answer))
            progress.total += answer.usage
            if (not answer.calls or progress.closing) and step is None and await self._goes_on(progress, answer):
                continue
            if not answer.calls or progress.closing:
                # The last answer speaks only for a run that said nothing by itself; without words it stays silent.
                replies = progress.replies
                if not progress.spoke and answer.text.strip():
                    last = Reply(n=n, text=answer.text, choices=answer.choices, offers=answer.offers)
                    replies = [*replies, last]
                return Outcome(
                    replies=replies,
                    last=step,
                    usage=answer.usage,
                    total=progress.total,
                    limited=progress.closing,
                    delegated=progress.delegated,
                )
            if step is not None:
                await self._commit(progress, step, answer)
            before = len(progress.replies)
            await self._perform(progress, answer)
            if progress.shown and answer.text.strip():
                # What stands beside the calls goes out before what they show.
                progress.replies.insert(before, Reply(n=n, text=answer.text))
            if progress.asked or progress.shown:
                return Outcome(replies=progress.replies, total=progress.total, asked=progress.asked)

    async def _ask(self, spec: RoleSpec, progress: _Progress, model: LLM) -> Answer:
        """Ask within the role's idle time; the deadline is the loop's clock. A call that fails is counted too."""
        context = progress.context
        lost: list[Usage] = []
        messages = progress.messages
        tools = () if progress.closing else self._registry.to_llm_tools(spec.role, progress.found, spec.most_tools)
        if spec.most_tokens:
            messages = fitted(messages, progress.past, tools, spec.most_tokens)
        request = ModelRequest(
            messages=tuple(messages),
            tools=tools,
            most_tokens=spec.most_answer or None,
            role=spec.role,
            cache_key=f"teller-{context.lane.tenant_id}-{context.lane.lane_id}",
            heard=progress.heard,
            forwarded=progress.forwarded,
            attached=progress.attached,
            excerpts=progress.excerpts,
            event=progress.event,
            explained=progress.explained,
            probed=progress.probed,
            listen=progress.listen,
            # Whose share of the day's tokens the call takes: an owner has the whole.
            person_id=None if context.standing is Standing.OWNER else context.principal.person_id,
            lane=context.lane,
            language=context.language,
            spelling=context.texts.spelling,
            deadline=asyncio.get_running_loop().time() + spec.idle_seconds,
            lost=lost.append,
        )
        try:
            async with asyncio.timeout(spec.idle_seconds):
                return await model.complete(request)
        except TimeoutError as error:
            raise ModelUnreachable(f"no answer within {spec.idle_seconds:.0f} s", taken=True) from error
        finally:
            if lost:
                await self._lose(context, lost)

    async def _lose(self, context: ToolContext, lost: Sequence[Usage]) -> None:
        """Count what a call took that brought no answer: else a stop would be a way round the budget.

        No lease is asked for: the tokens are gone, whoever has the lane now.
        """

        def count_lost(tx: Tx) -> None:
            for usage in lost:
                self._count(tx, context.lane, context.principal.person_id, usage)

        try:
            await asyncio.shield(self._db.write(count_lost))
        except StorageError:
            log.exception("what a broken-off model call took could not be counted: run %s", context.run_id)

    async def _goes_on(self, progress: _Progress, answer: Answer) -> bool:
        """Whether a run that had given its last answer before was told more since; its limits begin anew then."""
        more = [] if progress.told is None else await progress.told.before(progress.n + 1, again=True)
        if more:
            # What has no words at all is no message: providers refuse such.
            said = [answered(replace(answer, calls=()))] if answer.text or answer.items else []
            progress.messages += [*said, *more]
            progress.rounds = progress.calls = 0
            progress.seen.clear()
            progress.closing, progress.resumed = False, True
        return bool(more)

    async def _commit(self, progress: _Progress, step: Step, answer: Answer) -> None:
        """Commit an answer before anything acts on it."""
        context = progress.context

        def commit_answer(tx: Tx) -> None:
            context.begin(tx)
            journal.write(tx, context.lane, context.run_id, step, context.clock.now())
            self._count(tx, context.lane, context.principal.person_id, answer.usage)
            if progress.told is not None:
                progress.told.committed(tx, answer)

        await self._db.write(commit_answer)

    async def _perform(self, progress: _Progress, answer: Answer) -> None:
        """Perform an answer's calls: reads that stand together in parallel, the others in the order given."""
        calls = answer.calls[: CALLS_A_RUN + 1 - progress.calls]
        shown = 0
        changed: dict[str, ToolResult] = {}
        progress.messages.append(answered(replace(answer, calls=calls)))
        for group in self._groups(calls):
            numbered = list(enumerate(group, progress.n + 1))
            progress.n += len(group)
            before = changed.get(_alike(group[0]))
            if before is not None:
                results = [before]
            else:
                results = await asyncio.gather(
                    *(
                        self._executor.call(progress.context, n, call, made=progress.calls + place)
                        for place, (n, call) in enumerate(numbered)
                    )
                )
            progress.calls += len(group)
            for (n, call), result in zip(numbered, results, strict=True):
                progress.messages.append(told(call, result))
                progress.seen[_alike(call)] += 1
                if self._effect(call) in {Effect.WRITE, Effect.ASKED}:
                    changed[_alike(call)] = result
                if call.name == "reply" and result.success and progress.context.role is Role.TELLER:
                    progress.replies.append(Reply(n=n, text=str(call.arguments["text"])))
                    # Who was told since that there will be an answer gets one.
                    progress.spoke = progress.spoke or n not in progress.said
                facts = result.result if isinstance(result.result, dict) else {}
                if result.said is not None:
                    if before is None:
                        progress.replies.append(unpacked(n, result.said))
                    # Nobody looks on while it works in the background.
                    shown += "shown" in facts and progress.told is None
                if is_tainted(result.result):
                    # What others wrote was read: from now on this run obeys nobody by itself.
                    progress.context = replace(progress.context, tainted=True)
                if call.name == FIND and result.success:
                    progress.found.update(one["name"] for one in result.result["tools"])
                progress.delegated = progress.delegated or (call.name == "delegate" and result.success)
                progress.asked = progress.asked or (call.name == "ask_user" and result.success)
        progress.shown = shown == len(calls)
        progress.rounds += 1
        circling = max(progress.seen.values(), default=0) >= SAME_CALL
        progress.closing = circling or progress.calls > CALLS_A_RUN or progress.rounds >= ROUNDS

    def _groups(self, calls: Sequence[ToolCall]) -> list[list[ToolCall]]:
        groups: list[list[ToolCall]] = []
        for call in calls:
            last = groups[-1] if groups else []
            reads = {self._effect(one) for one in (*last, call)} == {Effect.READ}
            if last and len(last) < READS_A_RUN and reads:
                last.append(call)
            else:
                groups.append([call])
        return groups

    def _effect(self, call: ToolCall) -> Effect | None:
        tool = self._registry.get(call.name)
        return None if tool is None else tool.effect


def _alike(call: ToolCall) -> str:
    """Return what calls have in common that ask for the same."""
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True, default=str)} {call.problem}"
