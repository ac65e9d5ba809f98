"""What is kept: how long, how it is forgotten on request and by itself, and what becomes of it with its chat."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from core.kernel.ports import Tx
from core.kernel.types import DAY, LaneKey, Millis
from core.store.conversation.chat_migration import Merged
from core.store.people.optouts import LeftAlone
from core.toolkit.portable import Portable
from core.toolkit.tool import ToolContext


@dataclass(frozen=True, kw_only=True)
class Keep:
    """Days that things are kept. Rows of inbox, outbox and files stay as long again after their bodies are gone."""

    inbox: int = 7
    outbox: int = 30
    journal: int = 30
    files: int = 90
    readalong: int = 90
    questions: int = 30
    buttons: int = 30
    undo: int = 30
    todos: int = 400
    strangers: int = 90
    token_use: int = 400
    uninstalled: int = 30
    replaced: int = 14
    hook_calls: int = 30
    fetch_use: int = 40
    without_access: int = 400


@dataclass(frozen=True, kw_only=True)
class Drawer:
    """Where files lie. `unlink` deletes files by their rows' paths; `sweep` deletes those that no row names any more
    and that are old at an instant. Both return how many there were.
    """

    unlink: Callable[[Sequence[str]], Awaitable[int]]
    sweep: Callable[[Millis], Awaitable[int]]


class Phase(IntEnum):
    """When content is erased: what tells whose something is goes after that."""

    SAID = 0  # what was said and answered, and what was shown of it
    PARTS = 1  # what hangs on a thing of the next phase
    THINGS = 2  # what was made: schedules, reminders, to-dos
    PEOPLE = 3  # whom they named
    ACTS = 4  # what was done


# The rows of a scope, and its lanes, in SQL.
OF_SCOPE = "tenant_id = :tenant_id AND scope_id = :scope_id"
LANES = f"(SELECT id FROM lane WHERE {OF_SCOPE})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """What is to be forgotten: the scope of `lane`, or (`person_id`) what this person said there.

    `before` is the newest message that asked for it: what came later is to be answered. `until` is the instant before
    which things are old, where only those are to go.
    """

    lane: LaneKey
    before: int
    person_id: int | None = None
    until: Millis = 0

    def params(self) -> dict[str, Any]:
        """As SQL parameters."""
        return {**self.lane.params(), "before": self.before, "person_id": self.person_id, "until": self.until}


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """One kind of content, erased in its `phase`. `own` says which rows hold one person's words, or what they were
    answered; empty: none of them does.

    Rows have `due` to be erased; `told` says which are worth a word to whoever asks what there is, counted as
    `counted`. In all of them the row's columns stand bare. `within` is where they are: in the scope. `old` says which
    are from before the instant `:until`, of what a chat may want to be kept for fewer days than others keep it. `file`
    is the column with the path of a row's file, which goes, too.
    """

    table: str
    act: str
    phase: Phase
    due: str = ""
    own: str = "person_id = :person_id"
    key: str = "id"
    told: str = ""
    counted: str = ""
    within: str = OF_SCOPE
    old: str = ""
    file: str = ""


@dataclass(frozen=True, kw_only=True)
class Night:
    """A night in which what is old is forgotten: how long things are kept, and by which instant they are old."""

    keep: Keep
    now: Millis

    def ago(self, days: int) -> Millis:
        """Return the instant so many days ago."""
        return self.now - days * DAY


# Deletes up to about `limit` rows that are too old; returns how many.
Expire = Callable[[Tx, Night, int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Departed:
    """Somebody who is not in a group any more, or is back, by the group's scope, since `at`."""

    tenant_id: int
    scope_id: int
    person_id: int
    at: Millis

    def params(self) -> dict[str, int]:
        """Return what names them in a query."""
        return {"tenant_id": self.tenant_id, "scope_id": self.scope_id, "person_id": self.person_id}


# Whom somebody is in a group, in the queries of `departed`.
GONE = "(SELECT id FROM contact WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND person_id = :person_id)"


@dataclass(frozen=True, kw_only=True)
class Keeps:
    """What becomes of the tables of a capability.

    `erasers` forget on request, by name, in the order of their phases and of the list; `expires` forget by themselves,
    by name. `closes` ends what hangs on what is to be forgotten, before it is. `subjects` are the tables
    that an undo may be about, by the kind in its subject. `merged` hands over what a chat has that became one with
    another. `left` ends what somebody has with others, who leaves or is forgotten, as the named tool; `departed` hears
    of somebody who left a group, and returns what others gave them there that is open: who did, and its text;
    `returned` hears that they are back; `shown_to` tells in whose lanes something of somebody was shown until then, and
    since when. `left_alone` erases what is noted in a group about somebody who wants to be left alone there, and
    returns how much that was; `noted_elsewhere` counts what others noted about somebody outside of the lane's scope.
    Both by what it is counted as. `portable` is what can be taken along of them: exported and imported.
    """

    erasers: Mapping[str, Eraser] = field(default_factory=dict)
    expires: Mapping[str, Expire] = field(default_factory=dict)
    closes: Callable[[Tx, ToolContext, Whose], None] | None = None
    subjects: Mapping[str, str] = field(default_factory=dict)
    merged: Callable[[Tx, Merged], None] | None = None
    left: Callable[[Tx, ToolContext, int, str], None] | None = None
    departed: Callable[[Tx, Departed], Sequence[tuple[int, str]]] | None = None
    returned: Callable[[Tx, Departed], None] | None = None
    shown_to: Callable[[Tx, int], Sequence[tuple[LaneKey, Millis]]] | None = None
    left_alone: Callable[[Tx, LaneKey, LeftAlone], Mapping[str, int]] | None = None
    noted_elsewhere: Callable[[Tx, LaneKey, int], Mapping[str, int]] | None = None
    portable: Sequence[Portable] = ()


def leave(tx: Tx, context: ToolContext, person_id: int, tool: str) -> None:
    """End what somebody has with others, who leaves or is forgotten, as the named tool."""
    for keeps in context.services.every(Keeps):
        if keeps.left is not None:
            keeps.left(tx, context, person_id, tool)
