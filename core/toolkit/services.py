"""The objects of which a program has one each, as capabilities get to see them: the ports, and services by class."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar
from zoneinfo import ZoneInfo

from core.kernel.access import Access
from core.kernel.ports import Adapter, Clock, Database, Engine, ReachableModel, Serves, Tx
from core.kernel.types import LaneKey, Millis
from core.store.files import StoredFile

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Services:
    """The ports and the services of the program. `zone` is that of people who have chosen none.

    A service is found by its class, so nobody has to list all of them.
    """

    db: Database
    clock: Clock
    engine: Engine
    adapters: Mapping[str, Adapter]
    model: ReachableModel | None
    access: Access
    zone: ZoneInfo
    serves: Serves
    _made: dict[type, list[object]] = field(default_factory=dict)

    def add(self, *services: object) -> None:
        """Take in services, each under its own class."""
        for service in services:
            self._made.setdefault(type(service), []).append(service)

    def get(self, kind: type[T]) -> T:
        """Return the one service of a class. Raises `LookupError` unless there is exactly one."""
        found = self.every(kind)
        if len(found) != 1:
            name = f"{kind.__module__}.{kind.__qualname__}"
            raise LookupError(
                f"{len(found)} services of {name}: one is made by `Capability.services`, or in bot/app.py"
            )
        return found[0]

    def every(self, kind: type[T]) -> Sequence[T]:
        """Return all services of a class, in the order in which they were added."""
        return [service for service in self._made.get(kind, ()) if isinstance(service, kind)]


@dataclass(frozen=True, kw_only=True)
class TaskQuestion:
    """A question of a task to its person; `language` is a code, `run_id` the task's journal. The rest as in
    `ask_user`."""

    lane: LaneKey
    task_id: int
    run_id: int
    person_id: int
    language: str
    text: str
    options: Sequence[str]
    default: str | None
    timeout_s: int
    tainted: bool = False


@dataclass(frozen=True, kw_only=True)
class PageUpdates:
    """Keeps pages current: `changed` is told whose page (tenant, person) may have to change."""

    changed: Callable[[Tx, int, int], None]


@dataclass(frozen=True, kw_only=True)
class TaskFiles:
    """Files that are sent with the outcome of a task: `of_task` stores those that its runs have written in a lane's
    scope, none with more bytes than are given."""

    of_task: Callable[[LaneKey, Collection[int], int], Awaitable[Sequence[StoredFile]]]


class AnswersQuestion(Protocol):
    """Takes the words of a person as the answer to an open question."""

    def __call__(
        self, tx: Tx, lane: LaneKey, by: int, question_id: int, words: str, /, *, sent_at: Millis, tainted: bool
    ) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class OpenQuestions:
    """What capabilities do about the questions that people have not answered yet.

    `ask` asks what a task wants to know, which is told how that ends, and returns the question's number.
    `withdraw_all` withdraws those of a lane's scope, or of it those to one person, and returns how many there were.
    `answer` takes the words of a person, tainted or not, as the answer to the one of a lane with a number; false when
    that has ended, or was asked only after they were sent.
    `withdraw_one` withdraws the one with a number that was put to a person in a lane, and returns whether there
    was such a one.
    """

    ask: Callable[[Tx, TaskQuestion], int]
    withdraw_all: Callable[[Tx, LaneKey, int | None], int]
    withdraw_one: Callable[[Tx, LaneKey, int, int], bool]
    answer: AnswersQuestion


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What may be waited for. `checked` returns the condition that was given, for a lane's scope, as a line of
    core.kernel.conditions; whether that is an owner's private chat decides which files it may name. It raises
    `BadCondition`, whose text says what to change.
    """

    checked: Callable[[Tx, LaneKey, Any, bool], str]
