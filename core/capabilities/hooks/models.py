"""What a hook is, and which states it goes through (docs/states.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.kernel import ids
from core.kernel.types import LaneKey, Millis

# The letters of the ids that people see: of a hook, and of what was posted to one.
PREFIX, CALL_PREFIX = "w", "e"


class HookKind(StrEnum):
    """What becomes of what is posted to a hook."""

    # It is said in the chat.
    MESSAGE = "message"
    # A task works on it.
    TASK = "task"


class HookState(StrEnum):
    """Whether a hook takes anything in."""

    # It does.
    ACTIVE = "active"
    # Whoever posts is told that it is gone, until somebody lets it go on.
    PAUSED = "paused"


class PausedFor(StrEnum):
    """Why a hook is paused."""

    # It is not.
    NOTHING = ""
    # Somebody wished it.
    ASKED = "asked"
    # Who answers for it had no access any more when something was posted.
    ACCESS = "access"
    # Who answers for it has left the group.
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One hook. `person_id` answers for it: what comes of it has their rights. `sealed` is the encrypted key that signs
    what is posted; empty where nothing has to be signed."""

    hook_id: int
    lane: LaneKey
    person_id: int
    kind: HookKind
    name: str
    prompt: str
    sealed: str
    state: HookState
    reason: PausedFor
    calls: int
    called_at: Millis | None
    created_at: Millis

    @property
    def ref(self) -> str:
        """Return the id that people see."""
        return ids.ref(PREFIX, self.hook_id)

    @property
    def sealing_context(self) -> str:
        """Return what its key is encrypted for: in another row it cannot be opened."""
        return f"hook {self.lane.tenant_id} {self.hook_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lately:
    """How much was posted to a hook in the last minute, and when the first of that was."""

    calls: int
    since: Millis
