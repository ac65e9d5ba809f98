"""What a tool is: a handler with typed parameters, roles, an effect and a time limit (TOOLS: Machinery, seed 004).

The registry is where tools are kept.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from core.kernel.access import Access
from core.kernel.command_style import SLASHES, Spelling
from core.kernel.errors import ConfigError, Refused, ToolError
from core.kernel.events import EventBus, ToolCallCompleted, ToolCallFailed
from core.kernel.intent import Intent
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Database, Tx
from core.kernel.replies import Reply, Step
from core.kernel.types import Json, LaneKey, Lease, Message, Person, Role, Standing
from core.language import Language, pick
from core.store.conversation import lanes, runs
from core.store.conversation.runs import Unjournalled
from core.store.people.people import Participant
from core.toolkit import intents
from core.toolkit.params import Params, schema
from core.toolkit.services import Services

TIMEOUT = 30.0


class Effect(StrEnum):
    """When a call's effect commits (TOOLS: Conventions).

    `read` changes nothing; `write` changes our database, in one transaction with its step and ledger row; `outward`
    reaches the world and leaves a `started` row before and an outcome after. `asked` is what the person could ask for
    themselves: it is carried out as their own intents are, and they are shown the same answer.
    """

    READ = "read"
    WRITE = "write"
    OUTWARD = "outward"
    ASKED = "asked"


class Offered(StrEnum):
    """Whether an assistant's model is offered a tool (TOOLS: What a model is offered): `never`, for those that only the
    permission matrix names; `always`; always with `room`, which a small model has not; or once it was `found` by its
    words."""

    NEVER = "never"
    ALWAYS = "always"
    ROOM = "room"
    FOUND = "found"


class StateProvider(Protocol):
    """Something `query_state` can tell about, for the scope of the caller only."""

    name: str
    roles: frozenset[Role]

    def read(self, tx: Tx, lane: LaneKey) -> Json:
        """Return the state as JSON."""

    def read_for(self, tx: Tx, context: ToolContext) -> Json:
        """Return the state as a run gets to see it: the whole of it, unless a provider says otherwise."""
        return self.read(tx, context.lane)


@dataclass(frozen=True)
class States:
    """What `query_state` can tell about, by name."""

    providers: Mapping[str, StateProvider]


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """Who calls a tool or a command, for whom, and what its handler may use.

    - `principal` is the person for whom it works, `standing` what they are here, and `participant` says where that is.
    - `asker` is set when somebody works in the name of a person they are linked with, or in a group of theirs from
      another chat: the lane and the id of whoever really asks.
    - `inside` are the scopes of groups of which the platform has just confirmed that the principal is in them.
    - `zone` is the time zone of the principal, or of the group; `home` that of people who have chosen none.
    - `said` is the first message of the run. `heard` are the principal's own words in the run: nothing forwarded or
      quoted.
    - `steps` were committed by earlier claims of the run, by number. `unjournalled` collects what is journalled with
      the next act of the run.
    - `depth` counts the triggers that led to this run.
    - `undoing` when the call takes an earlier one back. `tainted` when the run has read others' words. `shows` when
      what is done is shown to the person as it is.
    - `spelling` is how commands are written on the platform.
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
    heard: tuple[str, ...] = ()
    tainted: bool = False
    shows: bool = False
    unjournalled: Unjournalled | None = None

    @property
    def texts(self) -> Language:
        """Return the texts of the run's language, with commands as they are written here."""
        place = self.participant.place
        return pick(self.language).spelled(self.spelling.here(place.thread, place.tenant))

    @property
    def owner_in_private(self) -> bool:
        """Return whether an owner asks in their private chat."""
        return self.standing is Standing.OWNER and not self.participant.group

    @property
    def lane(self) -> LaneKey:
        """Return the lane the run works in."""
        return self.lease.lane

    def is_tainted(self, tx: Tx) -> bool:
        """Return whether the model of the run has others' words before it: it has read them, or, where it talks with
        people, the past that it sees has them."""
        past = self.role is Role.TELLER and runs.past_has_others(tx, self.lane, self.principal.person_id)
        return self.tainted or past

    def begin(self, tx: Tx) -> None:
        """Begin an act of the run: raise `LeaseLost` where it is no longer ours, and journal what waits for an act."""
        lanes.fence(tx, self.lease)
        if self.unjournalled is not None:
            self.unjournalled.commit(tx)


@dataclass(frozen=True, kw_only=True)
class Asks:
    """What a model asks for in the person's place: `intents` as theirs are, carried out together. The model alone
    `reads` the answers, or they are shown. A `reply` is shown behind them: what it asks is not done yet."""

    intents: Sequence[Intent] = ()
    reply: Reply | None = None
    reads: bool = False


@dataclass(frozen=True, kw_only=True)
class Beside:
    """What a call returns to the model, and a `reply` that the person is shown beside it. The run ends with it only
    where the `result` says what they are `shown`."""

    result: Mapping[str, Json]
    reply: Reply


def after_others(texts: Language, done: str, label: str, undo_id: str) -> Reply:
    """Return what the person is shown of a call by a run that has read others' words: what was `done`, and a button
    that takes it back, as `label` names it. A model that obeys those words may leave it out of what it says."""
    said = texts.say("done_after_others", done=done, undo=literal(label))
    return Reply(n=0, text=said, offers=((texts["undo"], intents.undo(undo_id)),))


Reader = Callable[[Any, ToolContext], Awaitable[Json]]
Writer = Callable[[Any, ToolContext, Tx], Json | Beside]
# What a call changes, once it is in its transaction.
Change = Callable[[Tx], Json | Beside]
Preparer = Callable[[Any, ToolContext], Awaitable[Change]]
Asker = Callable[[Any, ToolContext], Awaitable[Asks]]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool. `read` and `outward` handlers are coroutines of (params, context), and so are `asked` ones, which return
    `Asks`; `write` ones are plain functions of (params, context, tx), and may return `Beside`, or coroutines that give
    such a function of the transaction alone. `timeout` is in seconds; `idempotent` reads are retried on transient
    errors. `offered` says when an assistant's model sees it; one that the permission `matrix` does not name is for such
    a model alone. `shown` are the parameters that a role is offered, where those are fewer."""

    name: str
    description: str
    category: str
    parameters: type[Params]
    handler: Reader | Writer | Preparer | Asker
    roles: frozenset[Role]
    effect: Effect
    timeout: float
    idempotent: bool
    offered: Offered = Offered.NEVER
    matrix: bool = True
    shown: Mapping[Role, type[Params]] = field(default_factory=dict)

    @cached_property
    def llm_schema(self) -> Mapping[str, Any]:
        """Return the tool as Chat Completions wants it."""
        return self._as_function(self.parameters)

    @cached_property
    def shown_schemas(self) -> Mapping[Role, Mapping[str, Any]]:
        """Return the tool as Chat Completions wants it, for roles that are shown other parameters."""
        return {role: self._as_function(kind) for role, kind in self.shown.items()}

    def _as_function(self, kind: type[Params]) -> Mapping[str, Any]:
        function = {"name": self.name, "description": self.description, "parameters": schema(kind)}
        return {"type": "function", "function": function}


def tool(
    *roles: Role,
    effect: Effect = Effect.READ,
    category: str = "",
    timeout: float = TIMEOUT,
    idempotent: bool = False,
    offered: Offered = Offered.NEVER,
    matrix: bool = True,
    shown: Mapping[Role, type[Params]] | None = None,
) -> Callable[[Reader | Writer | Preparer | Asker], Tool]:
    """Make a function a tool: its name, docstring and first parameter's class say the rest.

    The category is the capability's name unless given; `shown` as in `Tool`.
    """

    def decorate(handler: Reader | Writer | Preparer | Asker) -> Tool:
        signature = inspect.signature(handler, eval_str=True)
        # A capability's folder, else the module's own name.
        parts = handler.__module__.split(".")
        room = parts[2] if parts[:2] == ["core", "capabilities"] else parts[-1]
        return Tool(
            name=handler.__name__,
            description=inspect.getdoc(handler) or "",
            category=category or room,
            parameters=next(iter(signature.parameters.values())).annotation,
            handler=handler,
            roles=frozenset(roles),
            effect=effect,
            timeout=timeout,
            idempotent=idempotent,
            offered=offered,
            matrix=matrix,
            shown=shown or {},
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


@dataclass(slots=True)
class CallStats:
    """Calls of one tool since the start; the average duration is in milliseconds."""

    count: int = 0
    failures: int = 0
    total_ms: int = 0

    @property
    def average_ms(self) -> float:
        """Mean duration of a call in milliseconds."""
        return self.total_ms / self.count if self.count else 0.0


# What was a tool in former versions and changed something, by its name, and of which category it was: runs that such a
# version began have it as a step.
FORMER: Mapping[str, str] = {
    **dict.fromkeys(("change_reminder", "finish_reminder", "place_reminder", "put_off_reminder"), "schedule"),
    **dict.fromkeys(("pause_schedule", "resume_schedule", "revive_schedule", "skip_next", "set_brief"), "schedule"),
    **dict.fromkeys(("choose_language", "choose_quiet", "choose_timezone", "mute_person", "unmute_person"), "settings"),
    **dict.fromkeys(("todo_change", "todo_change_many"), "todo"),
}


class Registry:
    """Tools by name, and how their calls went. `disabled` names are hidden from models; a call says so.

    The Teller of an `assistant` is offered the few tools that are made for models, and may call those of the permission
    matrix, too; else each role is offered what the matrix names."""

    def __init__(self, bus: EventBus, disabled: Iterable[str] = (), *, assistant: bool = False) -> None:
        self.assistant = assistant
        self._tools: dict[str, Tool] = {}
        self._stats: dict[str, CallStats] = {}
        self.disabled = frozenset(disabled)
        bus.subscribe(ToolCallCompleted, self._note)
        bus.subscribe(ToolCallFailed, self._note)

    def register(self, tool: Tool) -> None:
        """Add a tool, unless it is for an assistant and this is none; a name that is taken is an error."""
        if not (tool.matrix or self.assistant):
            return
        if tool.name in self._tools:
            raise ConfigError(f"two tools are called {tool.name!r}; rename one")
        self._tools[tool.name] = tool

    def get(self, name: str) -> Tool | None:
        """Return the tool called `name`, or None."""
        return self._tools.get(name)

    def changes(self, name: str) -> bool:
        """Return whether the tool called `name` does more than look."""
        tool = self._tools.get(name)
        return tool is not None and tool.effect is not Effect.READ

    def deed(self, name: str) -> Sequence[str]:
        """Return the texts that may say what the tool called `name` does, the best first; none for one that only looks.
        What is no tool may be an action."""
        tool = self._tools.get(name)
        if tool is None:
            return (f"did_{name}", f"did_in_{FORMER[name]}") if name in FORMER else (f"did_{name}",)
        return (f"did_{name}", f"did_in_{tool.category}") if self.changes(name) else ()

    def list(self) -> Sequence[Tool]:
        """Return all tools, by name."""
        return [self._tools[name] for name in sorted(self._tools)]

    def list_by_category(self, category: str) -> Sequence[Tool]:
        """Return the tools of a category, by name."""
        return [tool for tool in self.list() if tool.category == category]

    def to_llm_tools(self, role: Role, found: Collection[str] = (), most: int = 0) -> tuple[Mapping[str, Any], ...]:
        """Return the tools a role is offered, by name, as Chat Completions wants them; an assistant's also those it has
        `found`, as far as `most` together allow it (0: all)."""
        offered = [tool for tool in self.list() if role in tool.roles and tool.name not in self.disabled]
        if self.assistant and role is Role.TELLER:
            unasked = {Offered.ALWAYS} if most else {Offered.ALWAYS, Offered.ROOM}
            offered = [
                tool
                for tool in offered
                if tool.offered in unasked or (tool.offered is Offered.FOUND and tool.name in found)
            ]
        if most and len(offered) > most:
            always = [tool.name for tool in offered if tool.offered is Offered.ALWAYS]
            names = [*always, *(tool.name for tool in offered if tool.name not in always)][:most]
            offered = [tool for tool in offered if tool.name in names]
        return tuple(tool.shown_schemas.get(role, tool.llm_schema) for tool in offered)

    def get_stats(self) -> Mapping[str, Any]:
        """`total`, `by_category` and per tool `{count, failures, average_ms}` since the start."""
        calls = {
            name: {"count": stats.count, "failures": stats.failures, "average_ms": stats.average_ms}
            for name, stats in sorted(self._stats.items())
        }
        by_category = Counter(tool.category for tool in self._tools.values())
        return {"total": len(self._tools), "by_category": dict(by_category), "call_stats": calls}

    def _note(self, event: ToolCallCompleted | ToolCallFailed) -> None:
        if event.tool_name not in self._tools:
            return
        stats = self._stats.setdefault(event.tool_name, CallStats())
        stats.count += 1
        stats.failures += isinstance(event, ToolCallFailed)
        stats.total_ms += event.duration_ms
