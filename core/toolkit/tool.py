"""What a tool is: a handler with typed parameters, roles, an effect and a time limit (TOOLS: Machinery, seed 004)."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from core.kernel.access import Access
from core.kernel.command_style import SLASHES, Spelling
from core.kernel.errors import Refused, ToolError
from core.kernel.ports import Clock, Database, Tx
from core.kernel.replies import Step
from core.kernel.types import Json, LaneKey, Lease, Message, Person, Role, Standing
from core.language import Language, pick
from core.store.people.people import Participant
from core.toolkit.params import Params, schema
from core.toolkit.services import Services

TIMEOUT = 30.0


class Effect(StrEnum):
    """When a call's effect commits (TOOLS: Conventions).

    `read` changes nothing; `write` changes our database, in one transaction with its step and ledger row; `outward`
    reaches the world and leaves a `started` row before and an outcome after.
    """

    READ = "read"
    WRITE = "write"
    OUTWARD = "outward"


class StateProvider(Protocol):
    """Something `query_state` can tell about, for the scope of the caller only."""

    name: str
    roles: frozenset[Role]

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """The state as JSON."""


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """Who calls, for whom, and what a handler may use.

    `steps` are the steps committed by earlier claims of this run, by number; `zone` is the time zone of the principal,
    or of the group. `standing` is what the principal is here; `participant` says where that is. `services` are those
    of the house; `undoing` when the call takes an earlier one back. `said` is the message that the run works on first.
    `depth` counts the triggers that led to this run, one by one. `home` is the zone of whoever has chosen none. `asker`
    is who works here as somebody they are linked with, or in a group of theirs from elsewhere: their own lane and
    number. `spelling` is how commands
    are written on the platform. `inside` are the scopes of groups of which the platform has just said that the
    principal is in them.
    """

    lease: Lease
    run_id: int
    trace_id: str
    principal: Person
    role: Role
    standing: Standing
    participant: Participant
    language: str
    zone: ZoneInfo
    clock: Clock
    db: Database
    services: Services
    states: Mapping[str, StateProvider] = field(default_factory=dict)
    steps: Mapping[int, Step] = field(default_factory=dict)
    access: Access = field(default_factory=Access)
    undoing: bool = False
    said: Message | None = None
    depth: int = 0
    home: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    asker: tuple[LaneKey, int] | None = None
    spelling: Spelling = SLASHES
    inside: frozenset[int] = frozenset()

    @property
    def texts(self) -> Language:
        """The texts of the run's language, with commands as they are written here."""
        place = self.participant.place
        return pick(self.language).spelled(self.spelling.here(place.thread, place.tenant))

    @property
    def lane(self) -> LaneKey:
        """The lane the run works in."""
        return self.lease.lane


Reader = Callable[[Any, ToolContext], Awaitable[Json]]
Writer = Callable[[Any, ToolContext, Tx], Json]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool. `read` and `outward` handlers are coroutines of (params, context); `write` ones are plain functions of
    (params, context, tx). `timeout` is in seconds; `idempotent` reads are retried on transient errors."""

    name: str
    description: str
    category: str
    parameters: type[Params]
    handler: Reader | Writer
    roles: frozenset[Role]
    effect: Effect
    timeout: float
    idempotent: bool

    @cached_property
    def llm_schema(self) -> Mapping[str, Any]:
        """The tool as Chat Completions wants it."""
        function = {"name": self.name, "description": self.description, "parameters": schema(self.parameters)}
        return {"type": "function", "function": function}


def tool(
    *roles: Role,
    effect: Effect = Effect.READ,
    category: str = "",
    timeout: float = TIMEOUT,
    idempotent: bool = False,
) -> Callable[[Reader | Writer], Tool]:
    """Make a function a tool: its name, docstring and first parameter's class say the rest.

    The category is the capability's name unless given.
    """

    def decorate(handler: Reader | Writer) -> Tool:
        signature = inspect.signature(handler, eval_str=True)
        return Tool(
            name=handler.__name__,
            description=inspect.getdoc(handler) or "",
            category=category or _room(handler.__module__),
            parameters=next(iter(signature.parameters.values())).annotation,
            handler=handler,
            roles=frozenset(roles),
            effect=effect,
            timeout=timeout,
            idempotent=idempotent,
        )

    return decorate


@contextmanager
def told_to_model(
    tool_name: str, texts: Mapping[str, str], kinds: Mapping[str, type[ToolError]] | None = None
) -> Iterator[None]:
    """Tell a model what to change where something is refused: the text of the refusal's code, filled in.

    `kinds` are the errors of codes that are more than a `ToolError`.
    """
    try:
        yield
    except Refused as refusal:
        kind = (kinds or {}).get(refusal.code, ToolError)
        raise kind(tool_name, texts[refusal.code].format(**refusal.values)) from refusal


def _room(module: str) -> str:
    """Return the capability that a module belongs to, else the module's own name."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["core", "capabilities"] else parts[-1]
