"""The one loop of all roles: ask the model, commit its answer, perform its calls, until nothing is left to call.

An answer is journalled before its calls are performed. Whoever takes over a run replays its steps, and asks or calls
only beyond the last one.

A run is closed, which means that it gets one more answer, without tools, after

- `ROUNDS` answers with calls,
- more than `CALLS_A_RUN` calls: the first beyond is refused, those after it are dropped as if never asked for,
- the same call, by name and arguments, `SAME_CALL` times. Its results don't matter: some always differ.

A call that changes something is performed once in an answer: the same call again gets the result of the first, takes a
number but no step, and shows nothing.

An answer ends the run when each of its calls showed the person what came of it: nothing is left to be said.

An answer without words and calls ends a run that showed nothing only at the second time: the model is asked once more
for its words, and how it says that it means to be silent. What the run has changed by then is not done again, since
that answer has no tools.

A run in the background has `StepHooks`: it may be told something while it goes on, and then goes on once more although
it had answered.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.agents.fitting import ask_with_less, fitted
from core.agents.roles import RoleSpec
from core.agents.transcript import Brief, ChatMessage, answer_message, dump, load, opening_messages, result_message
from core.kernel.clean_text import is_blank
from core.kernel.errors import LeaseLost, ModelUnreachable, RequestTooLong, StorageError
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
# What a model is told whose answer has no words, and by which words it means to say nothing.
NO_WORDS = (
    "Your answer has no words, so nobody hears of it. Answer now in words, and do nothing twice. If nothing is asked of"
    " you, answer with a full stop alone."
)
MEANS_SILENCE = frozenset({".", "。", "…"})


Count = Callable[[Tx, LaneKey, int, Usage], None]


class Performs(Protocol):
    """Performs the calls of a model (core.toolkit.executor)."""

    async def call(self, context: ToolContext, n: int, call: ToolCall, made: int = 0) -> ToolResult:
        """Perform a call as step `n` of the run, which has made `made` calls before it; never raises for its sake."""


class StepHooks(Protocol):
    """Accompanies a run in the background, step by step."""

    async def before(self, n: int, *, again: bool) -> Sequence[ChatMessage]:
        """Return what the run is told before the model is asked for step `n`; it is the same after a crash. With
        `again` the run had given its last answer, and goes on only if there is something."""

    def committed(self, tx: Tx, answer: Answer) -> None:
        """Note what an answer is about to do, in the transaction that commits it."""


@dataclass(kw_only=True)
class _Progress:
    """The run so far.

    `messages` are the conversation with the model, the first `past` of which are older than the run. `n` is the number
    of the last step. `times_called` counts equal calls. `found_tools` are the names that the model has looked up.
    `replied` when the person was told something by the tool `reply`, `asked` when a question waits for an answer,
    `all_shown` when each call of the last answer showed the person what came of it, `told_already` when what the next
    step is told is among the messages already. `changed` when a call may have changed something, `reminded` when the
    model was asked for words that its answer lacked. `closing` when only one more answer may follow, `limited` when
    that is for too many rounds or calls. The rest is as in `Brief` and `ModelRequest`.
    """

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
    all_shown: bool = False
    told_already: bool = False
    replied: bool = False
    found_tools: set[str] = field(default_factory=set)
    hooks: StepHooks | None = None
    n: int = 0
    rounds: int = 0
    calls: int = 0
    replies: list[Reply] = field(default_factory=list)
    times_called: Counter[str] = field(default_factory=Counter)
    total: Usage = Usage()
    changed: bool = False
    reminded: bool = False
    closing: bool = False
    limited: bool = False


class Loop:
    """Runs a role. `count` records what a model call took, in the transaction that commits its answer."""

    def __init__(self, executor: Performs, registry: Registry, db: Database, count: Count) -> None:
        self._executor, self._registry, self._db, self._count = executor, registry, db, count

    async def run(
        self, spec: RoleSpec, context: ToolContext, model: LLM, brief: Brief, hooks: StepHooks | None = None
    ) -> Outcome:
        """Run until the model has no more calls. Raises `ModelError`; the journal keeps what was done."""
        waiting = journal.Unjournalled()
        context = replace(context, unjournalled=waiting)
        heard = tuple(message.text for message in brief.messages if message.text)
        messages, past = opening_messages(spec, context, brief)
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
            hooks=hooks,
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
        context, hooks, said = progress.context, progress.hooks, set(progress.said)
        while True:
            progress.n += 1
            n, step, meant = progress.n, None, False
            if hooks is not None and not progress.told_already:
                progress.messages += await hooks.before(n, again=False)
            progress.told_already = False
            if stored := context.steps.get(n):
                answer = load(stored.content)
            else:
                answer = await self._ask(spec, progress, model)
                silent = answer.text.strip() in MEANS_SILENCE and spec.role is not Role.PERSON
                # What answers without a model always means what it says.
                meant = silent or spec.role is Role.PERSON
                if silent or answer.unsaid or is_blank(answer.text):
                    # What people are told depends on what was done; and our words are no outcome of a task. A text of
                    # which nothing can be seen is none.
                    answer = replace(answer, text="")
                step = Step(n=n, kind="answer", state="done", call_id="", tool="", content=dump(answer))
            progress.total += answer.usage
            ends, spoken = not answer.calls or progress.closing, bool(answer.text.strip())
            if ends and (step is None or not spoken) and await self._goes_on(progress, answer, step, meant=meant):
                continue
            if ends:
                # The last answer speaks only for a run that said nothing by itself.
                replies = progress.replies
                if not progress.replied and spoken:
                    last = Reply(n=n, text=answer.text, choices=answer.choices, offers=answer.offers)
                    replies = [*replies, last]
                return Outcome(
                    replies=replies,
                    last=step,
                    usage=answer.usage,
                    total=progress.total,
                    limited=progress.limited,
                    wordless=(progress.reminded or answer.unsaid) and not (meant or {one.n for one in replies} - said),
                )
            if step is not None:
                await self._commit(progress, step, answer)
            before = len(progress.replies)
            await self._perform(progress, answer)
            if progress.all_shown and spoken:
                # What stands beside the calls goes out before what they show.
                progress.replies.insert(before, Reply(n=n, text=answer.text))
            if progress.asked or progress.all_shown:
                return Outcome(replies=progress.replies, total=progress.total, asked=progress.asked)

    async def _ask(self, spec: RoleSpec, progress: _Progress, model: LLM) -> Answer:
        """Ask within the role's idle time; the deadline is the loop's clock. A call that fails is counted too."""
        context = progress.context
        lost: list[Usage] = []
        messages = progress.messages
        tools = (
            () if progress.closing else self._registry.to_llm_tools(spec.role, progress.found_tools, spec.most_tools)
        )
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
                try:
                    return await model.complete(request)
                except RequestTooLong as error:
                    return await ask_with_less(model, request, progress.messages, progress.past, error)
        except TimeoutError as error:
            raise ModelUnreachable(f"no answer within {spec.idle_seconds:.0f} s", taken=True) from error
        finally:
            if lost:
                await self._lose(context, lost)

    async def _lose(self, context: ToolContext, lost: Sequence[Usage]) -> None:
        """Count the tokens of calls that brought no answer: else a stop would be a way round the budget.

        No lease is checked: the tokens are gone, whoever holds the lane now.
        """

        def count_lost(tx: Tx) -> None:
            for usage in lost:
                self._count(tx, context.lane, context.principal.person_id, usage)

        try:
            await asyncio.shield(self._db.write(count_lost))
        except StorageError:
            log.exception("what a broken-off model call took could not be counted: run %s", context.run_id)

    async def _goes_on(self, progress: _Progress, answer: Answer, step: Step | None, *, meant: bool) -> bool:
        """Return whether a run goes on that has given its last answer, the `step` if that is not committed yet.

        It does where it was told more meanwhile; its limits begin anew then. It does, too, where the answer has no
        words, that is not `meant`, and there is nothing else by which anybody hears of the run.
        """
        hooks, more = progress.hooks, list[ChatMessage]()
        if hooks is not None and step is None:
            more += await hooks.before(progress.n + 1, again=True)
        if more:
            # Providers refuse a message without any words.
            said = [answer_message(replace(answer, calls=()))] if answer.text or answer.items else []
            progress.messages += [*said, *more]
            progress.rounds = progress.calls = 0
            progress.times_called.clear()
            progress.closing = progress.limited = progress.reminded = progress.changed = False
            progress.told_already = True
            return True
        # Whoever has heard something before the run waited for the model waits for its answer since.
        heard = {reply.n for reply in progress.replies} - set(progress.said)
        heard_of = answer.text.strip() or heard or (hooks is not None and progress.changed)
        if heard_of or answer.unsaid or meant or progress.closing or progress.reminded:
            return False
        if step is not None:
            await self._commit(progress, step, answer)
        progress.messages += [answer_message(answer), {"role": "system", "content": NO_WORDS}]
        progress.reminded, progress.closing = True, progress.changed
        return True

    async def _commit(self, progress: _Progress, step: Step, answer: Answer) -> None:
        """Commit an answer before anything acts on it."""
        context = progress.context

        def commit_answer(tx: Tx) -> None:
            context.begin(tx)
            journal.write(tx, context.lane, context.run_id, step, context.clock.now())
            self._count(tx, context.lane, context.principal.person_id, answer.usage)
            if progress.hooks is not None:
                progress.hooks.committed(tx, answer)

        await self._db.write(commit_answer)

    async def _perform(self, progress: _Progress, answer: Answer) -> None:
        """Perform an answer's calls: reads that stand together in parallel, the others in the order given."""
        calls = answer.calls[: CALLS_A_RUN + 1 - progress.calls]
        shown = 0
        changed: dict[str, ToolResult] = {}
        progress.messages.append(answer_message(replace(answer, calls=calls)))
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
                progress.messages.append(result_message(call, result))
                progress.times_called[_alike(call)] += 1
                effect = self._effect(call)
                if effect in {Effect.WRITE, Effect.ASKED}:
                    changed[_alike(call)] = result
                # What reaches the world may have happened although it failed.
                happened = effect is Effect.OUTWARD or (result.success and effect in {Effect.WRITE, Effect.ASKED})
                progress.changed = progress.changed or happened
                if call.name == "reply" and result.success and progress.context.role is Role.TELLER:
                    progress.replies.append(Reply(n=n, text=str(call.arguments["text"])))
                    # Whoever was promised an answer meanwhile gets one.
                    progress.replied = progress.replied or n not in progress.said
                facts = result.result if isinstance(result.result, dict) else {}
                if result.said is not None:
                    if before is None:
                        progress.replies.append(unpacked(n, result.said))
                    # Nobody looks on while it works in the background.
                    shown += "shown" in facts and progress.hooks is None
                if is_tainted(result.result):
                    # What others wrote was read: from now on this run obeys nobody by itself.
                    progress.context = replace(progress.context, tainted=True)
                if call.name == FIND and result.success:
                    progress.found_tools.update(one["name"] for one in result.result["tools"])
                progress.asked = progress.asked or (call.name == "ask_user" and result.success)
        progress.all_shown = shown == len(calls)
        progress.rounds += 1
        circling = max(progress.times_called.values(), default=0) >= SAME_CALL
        progress.closing = progress.limited = circling or progress.calls > CALLS_A_RUN or progress.rounds >= ROUNDS

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
    """Return a key that is the same for calls that ask for the same."""
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True, default=str)} {call.problem}"
