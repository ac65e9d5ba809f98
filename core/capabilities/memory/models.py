"""What a memory is, and which states it goes through (docs/states.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.kernel import ids
from core.kernel.types import LaneKey, Millis

# The kind of memories in the text index.
MEMORY = "memory"
# What a caller tags so may be told to others by itself (TOOLS: contacts_candidate_rank).
SHARE = "share"
# The letter of the ids that people and models see.
PREFIX = "m"
LONG_TERM_PATH = "memory.md"


class MemoryState(StrEnum):
    """Whether a memory counts."""

    # It is found, and told to a model.
    ACTIVE = "active"
    # Something newer says otherwise; it is shown by /memory why.
    SUPERSEDED = "superseded"
    # There are too many; it is exported, and not found.
    ARCHIVED = "archived"
    # Somebody took it away; it can be taken back until it is deleted.
    REMOVED = "removed"


class Source(StrEnum):
    """Who noted a memory."""

    # A person, by a command or a sentence.
    PERSON = "person"
    # The model that talks with people.
    ASSISTANT = "assistant"
    # The model that plans.
    PLANNER = "planner"
    # It was read from a file.
    IMPORT = "import"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """What is to be remembered, verbatim. `person_id` said it, None where nobody knows; `message_id` is the line of the
    transcript where they did. `asked` when the person's own words wanted it noted. `said_at` is when it was said."""

    content: str
    tags: tuple[str, ...] = ()
    long_term: bool = False
    source: Source = Source.PERSON
    person_id: int | None = None
    run_id: int | None = None
    message_id: int | None = None
    asked: bool = True
    tainted: bool = False
    path: str = LONG_TERM_PATH
    said_at: Millis = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(NewMemory):
    """A memory of a scope. `lane_id` is where it was said, None where nobody knows; `speaker` the name of who said it.
    `superseded_by` is the number of what says otherwise now. `created_at` is when it was noted."""

    memory_id: int
    tenant_id: int
    scope_id: int
    lane_id: int | None = None
    speaker: str = ""
    state: MemoryState = MemoryState.ACTIVE
    superseded_by: int | None = None
    created_at: Millis = 0
    ended_at: Millis | None = None

    @property
    def ref(self) -> str:
        """Return the id that people and models see."""
        return ids.ref(PREFIX, self.memory_id)

    @property
    def text(self) -> str:
        """Return what people call it by."""
        return self.content

    def at_home(self, lane: LaneKey) -> bool:
        """Return whether it is of the lane's scope."""
        return (self.tenant_id, self.scope_id) == (lane.tenant_id, lane.scope_id)
