"""What people do by a command: a typed function of a transaction, carried out in the one that ends its run.

Its effect, its ledger row and the answer commit together. So there is no step to keep: after a crash nothing of it
happened, and it is done again. `Refused` undoes it all; what is said then is worded in one place (`worded`).
How its effect is taken back is noted in the same transaction (`note_undo`); taking back is not taken back again, so two
`/undo` undo two things.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_type_hints

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from core.kernel.access import family_needs, may
from core.kernel.errors import Refused
from core.kernel.ids import ref
from core.kernel.ports import Tx
from core.kernel.replies import Step
from core.kernel.types import Json, Role
from core.language import Language
from core.store.conversation import lanes, undo
from core.store.conversation import runs as journal
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.params import read
from core.toolkit.tool import Effect, Registry, ToolContext

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Action(Generic[P, R]):
    """Something a person may do: `perform` of (transaction, who does it, what), which gives a frozen dataclass.

    `name` stands in the ledger and in what undoes it; `family` says who may do it at all (core.kernel.access).
    `concerns_all` says of a result whether it changed the group, or something for everybody in it: then all see it.
    """

    name: str
    family: str
    perform: Callable[Concatenate[Tx, ToolContext, P], R]
    concerns_all: Callable[[Any], bool] = lambda _: False

    def __call__(self, tx: Tx, context: ToolContext, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do it, as part of something else that has the ledger's row."""
        return self.perform(tx, context, *args, **kwargs)

    def arguments(self, *args: P.args, **kwargs: P.kwargs) -> Mapping[str, Any]:
        """Return the arguments by their names, as the ledger has them."""
        _, _, *names = inspect.signature(self.perform).parameters
        given: Mapping[str, Any] = to_jsonable_python({**dict(zip(names, args, strict=False)), **kwargs})
        return given

    def stored(self, step: Step) -> R:
        """Return the result of a step that a former version left, when this was a tool. Raises `Refused` if it was."""
        content = json.loads(step.content)
        if not content["success"]:
            raise Refused(content["code"])
        kind: R = _result_type(self.perform).validate_python(content["result"])
        return kind


@functools.cache
def _result_type(perform: Callable[..., Any]) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(perform)["return"])


def action(
    family: str, *, concerns_all: Callable[[Any], bool] = lambda _: False
) -> Callable[[Callable[Concatenate[Tx, ToolContext, P], R]], Action[P, R]]:
    """Make a function an action of a family (`Action`); its name is that of the function, and stays: rows name it."""
    return lambda perform: Action(perform.__name__, family, perform, concerns_all)


def worded(language: Language, refusal: Refused) -> str:
    """Say in a language why something was not done."""
    keys = (f"failed_{refusal.code}", refusal.code)
    try:
        return language.say(next((key for key in keys if language.first(key)), "failed"), **refusal.values)
    except KeyError:  # a former version left the code alone
        return language["failed"]


class Actions:
    """Carries out actions, each with its row in the ledger. `undoes` take back what people did, by their names; what
    it does not name is a tool of `registry`."""

    def __init__(self, ledger: Ledger, registry: Registry, undoes: Iterable[Action[..., Any]]) -> None:
        self._ledger, self._registry = ledger, registry
        self.undoes = {each.name: each for each in undoes}

    def perform(self, tx: Tx, context: ToolContext, act: Action[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do something in the transaction, and write it into the ledger; raise `Refused` if it may not be done."""
        permit(context, act.family)
        result = act.perform(tx, context, *args, **kwargs)
        self.record(tx, context, act.name, act.arguments(*args, **kwargs), _json(result))
        return result

    def take_back(self, tx: Tx, context: ToolContext, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what undoes something by a tool, with the arguments that were noted (`note_undo`)."""
        tool = self._registry.get(name)
        if tool is None or tool.effect is not Effect.WRITE:
            raise Refused("undo_outdated")
        permit(context, tool.category)
        handler: Callable[..., Json] = tool.handler
        result: Mapping[str, Any] = handler(read(name, tool.parameters, arguments), context, tx)
        self.record(tx, context, name, arguments, result)
        return result

    def record(
        self,
        tx: Tx,
        context: ToolContext,
        name: str,
        arguments: Mapping[str, Any],
        result: Json = None,
        error: str = "",
    ) -> None:
        """Write a row of the ledger: who did what, and what came of it; `error` is the code of a refusal."""
        self._ledger.append(
            tx,
            Record(
                lane=context.lane,
                run_id=context.run_id,
                trace_id=context.trace_id,
                person_id=context.principal.person_id,
                role=context.role.value,
                tool=name,
                at=context.clock.now(),
                arguments=arguments,
                result=result,
                success=not error,
                error=error,
            ),
        )


class Actor:
    """Acts as the person of a run: `attempt` is what was tried last, by its name and arguments; `last_step` is the
    number of the last one in the journal of the run. `inside` as in `ToolContext`. `concerned_all` when something that
    was done concerns everybody in the group, `foreign` when it is of what has others' words: what is said of it has
    them, too."""

    def __init__(self, actions: Actions, context: ToolContext) -> None:
        self._actions, self._context = actions, context
        self.inside: frozenset[int] = frozenset()
        self.attempt: tuple[str, Mapping[str, Any]] | None = None
        self.concerned_all, self.foreign, self.last_step = False, False, max(context.steps, default=0)
        self._replayed: set[int] = set()

    def act(self, tx: Tx, action: Action[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do something as the person, in the transaction that ends the run; raise `Refused` if it may not be done.

        What a former version did as a step, before it was killed, is not done again: it gives the result that it had.
        """
        return self._result(tx, replace(self._context, inside=self.inside), action, *args, **kwargs)

    def _result(self, tx: Tx, context: ToolContext, action: Action[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        self.attempt = (action.name, action.arguments(*args, **kwargs))
        former = None
        while step := self.replayed(action.name):
            content: dict[str, Any] = json.loads(step.content)
            # What was looked for in vain was tried elsewhere, and what failed may have been tried once more.
            if not content["success"]:
                former = step
            elif content["result"].get("status") != "unknown":
                former = step
                break
        done = self._actions.perform(tx, context, action, *args, **kwargs) if former is None else action.stored(former)
        self.concerned_all = self.concerned_all or action.concerns_all(done)
        # To a model that has read others' words a result brings none: each item that it notes then would bind it anew.
        if getattr(done, "tainted", False) and not self._context.is_tainted(tx):
            self.foreign = True
        return done

    async def commit(self, action: Action[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do something as the person in a transaction of its own, before the one that ends the run, as its next step.

        After a crash it may be done again, since what was read before it is read anew; so it must be such that this
        changes nothing.
        """
        if not self._context.shows:
            self.last_step += 1
        n = self.last_step

        def commit_action(tx: Tx) -> R:
            lanes.fence(tx, self._context.lease)
            result = self._actions.perform(tx, self._context, action, *args, **kwargs)
            if self._context.shows:
                return result  # the step is that of the call
            now = self._context.clock.now()
            content = {"success": True, "result": _json(result), "error": "", "code": "", "at": [now, now]}
            step = Step(
                n=n,
                kind=journal.StepKind.CALL,
                state=journal.StepState.DONE,
                call_id=f"command_{n}",
                tool=action.name,
                content=json.dumps(content, ensure_ascii=False),
            )
            journal.write(tx, self._context.lane, self._context.run_id, step, now)
            return result

        return await self._context.db.write(commit_action)

    def take_back(self, tx: Tx, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what undoes something, by the name and with the arguments that were noted; return its result as JSON."""
        context = replace(self._context, undoing=True, inside=self.inside)
        undo = self._actions.undoes.get(name)
        if undo is not None:
            return _json(self._result(tx, context, undo, **arguments))
        self.attempt = (name, arguments)
        while step := self.replayed(name):
            content: dict[str, Any] = json.loads(step.content)
            if not content["success"]:
                raise Refused(content["code"])
            found: dict[str, Any] = content["result"]
            # What was looked for in vain was tried elsewhere.
            if found.get("status") != "unknown":
                return found
        return self._actions.take_back(tx, context, name, arguments)

    def replayed(self, name: str) -> Step | None:
        """Return the next step of a tool or an action that was committed in this run, before it was killed."""
        for n, step in sorted(self._context.steps.items()):
            if step.tool == name and step.state == "done" and n not in self._replayed:
                self._replayed.add(n)
                return step
        return None

    def replays(self, name: str) -> bool:
        """Return whether there is such a step."""
        steps = self._context.steps.items()
        return any(step.tool == name and step.state == "done" and n not in self._replayed for n, step in steps)

    def begin(self) -> None:
        """Forget what a transaction did that was not committed: it is tried again."""
        self.attempt, self.concerned_all, self.foreign, self._replayed = None, False, False, set()

    def record_refusal(self, tx: Tx, code: str) -> None:
        """Write what was tried last and not done into the ledger."""
        if self.attempt is not None:
            name, arguments = self.attempt
            self._actions.record(tx, self._context, name, arguments, error=code)


def permit(context: ToolContext, family: str) -> None:
    """Raise `Refused` unless the person may do what is of a family here, or see it."""
    if not may(context.standing, family_needs(family)):
        raise Refused("not_permitted")


def _json(result: Any) -> dict[str, Any]:
    return asdict(result)


def note_undo(
    tx: Tx,
    context: ToolContext,
    label: str,
    tool: str,
    *,
    about: str = "",
    here: bool = False,
    shared: bool = False,
    **arguments: Any,
) -> dict[str, str]:
    """Note that calling `tool` undoes what `label` names. Goes into the result: a person gets a button for it, a model
    no such key.

    `about` is what was changed, of the tenant: once that is changed again, this is not taken back any more. `here` when
    it is taken back in this lane only, `shared` when by others of the group, too, who may call `tool`.
    """
    if context.undoing:
        return {}
    lane, person_id = context.asker or (context.lane, context.principal.person_id)
    now = context.clock.now()
    found = undo.insert(tx, lane, person_id, label, tool, arguments, subject=about, here=here, shared=shared, now=now)
    return {"undo": ref("u", found)} if context.role is Role.PERSON or context.shows else {}
