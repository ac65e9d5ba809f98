"""What people do by a command: a typed function of a transaction, carried out in the one that ends its run.

Its effect, its ledger row and the answer commit together. So there is no step to keep: after a crash nothing of it
happened, and it is done again. `Refused` undoes it all; what is said then is worded in one place (`worded`).
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
from core.kernel.ports import Tx
from core.kernel.replies import Step
from core.kernel.types import Json
from core.language import Language
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.params import read
from core.toolkit.registry import Registry
from core.toolkit.tool import Effect, ToolContext

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Action(Generic[P, R]):
    """Something a person may do: `perform` of (transaction, who does it, what), which gives a frozen dataclass.

    `name` stands in the ledger and in what undoes it; `family` says who may do it at all (core.kernel.access).
    """

    name: str
    family: str
    perform: Callable[Concatenate[Tx, ToolContext, P], R]

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
    family: str,
) -> Callable[[Callable[Concatenate[Tx, ToolContext, P], R]], Action[P, R]]:
    """Make a function an action of a family; its name is that of the function, and stays it: rows name it."""
    return lambda perform: Action(perform.__name__, family, perform)


def worded(language: Language, refusal: Refused) -> str:
    """Say in a language why something was not done."""
    keys = (f"failed_{refusal.code}", refusal.code)
    return language.say(next((key for key in keys if language.first(key)), "failed"), **refusal.values)


class Actions:
    """Carries out actions, each with its row in the ledger. `undoes` take back what people did, by their names; what
    it does not name is a tool of `registry`."""

    def __init__(self, ledger: Ledger, registry: Registry, undoes: Iterable[Action[..., Any]]) -> None:
        self._ledger, self._registry = ledger, registry
        self._undoes = {each.name: each for each in undoes}

    def perform(self, tx: Tx, context: ToolContext, act: Action[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do something in the transaction, and write it into the ledger; raise `Refused` if it may not be done."""
        _check(context, act.family)
        result = act.perform(tx, context, *args, **kwargs)
        self.record(tx, context, act.name, act.arguments(*args, **kwargs), _json(result))
        return result

    def take_back(self, tx: Tx, context: ToolContext, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what undoes something, by the name and with the arguments that were noted (core.toolkit.undoable)."""
        undo = self._undoes.get(name)
        if undo is not None:
            return _json(self.perform(tx, context, undo, **arguments))
        tool = self._registry.get(name)
        if tool is None or tool.effect is not Effect.WRITE:
            raise Refused("undo_outdated")
        _check(context, tool.category)
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
    """Acts as the person of a run: `attempt` is what was tried last, by its name and arguments. `inside` as in
    `ToolContext`."""

    def __init__(self, actions: Actions, context: ToolContext) -> None:
        self._actions, self._context = actions, context
        self.inside: frozenset[int] = frozenset()
        self.attempt: tuple[str, Mapping[str, Any]] | None = None
        self._replayed: set[int] = set()

    def act(self, tx: Tx, action: Action[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do something as the person, in the transaction that ends the run; raise `Refused` if it may not be done.

        What a former version did as a step, before it was killed, is not done again: it gives the result that it had.
        """
        self.attempt = (action.name, action.arguments(*args, **kwargs))
        failed = None
        while step := self.replayed(action.name):
            content: dict[str, Any] = json.loads(step.content)
            # What was looked for in vain was tried elsewhere, and what failed may have been tried once more.
            if not content["success"]:
                failed = step
            elif content["result"].get("status") != "unknown":
                return action.stored(step)
        if failed is not None:
            return action.stored(failed)
        return self._actions.perform(tx, replace(self._context, inside=self.inside), action, *args, **kwargs)

    def take_back(self, tx: Tx, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what undoes something, by the name and with the arguments that were noted; return its result as JSON."""
        self.attempt = (name, arguments)
        while step := self.replayed(name):
            content: dict[str, Any] = json.loads(step.content)
            if not content["success"]:
                raise Refused(content["code"])
            found: dict[str, Any] = content["result"]
            # What was looked for in vain was tried elsewhere.
            if found.get("status") != "unknown":
                return found
        context = replace(self._context, undoing=True, inside=self.inside)
        return self._actions.take_back(tx, context, name, arguments)

    def replayed(self, name: str) -> Step | None:
        """Return the next step of a tool that a former version committed in this run, before it was killed."""
        for n, step in sorted(self._context.steps.items()):
            if step.tool == name and step.state == "done" and n not in self._replayed:
                self._replayed.add(n)
                return step
        return None

    def begin(self) -> None:
        """Forget what a transaction did that was not committed: it is tried again."""
        self.attempt, self._replayed = None, set()

    def record_refusal(self, tx: Tx, code: str) -> None:
        """Write what was tried last and not done into the ledger."""
        if self.attempt is not None:
            name, arguments = self.attempt
            self._actions.record(tx, self._context, name, arguments, error=code)


def _check(context: ToolContext, family: str) -> None:
    if not may(context.standing, family_needs(family)):
        raise Refused("not_permitted")


def _json(result: Any) -> dict[str, Any]:
    return asdict(result)
