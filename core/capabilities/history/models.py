"""What of a group's talk is summed up."""

from __future__ import annotations

from dataclasses import dataclass

from core.capabilities.todos.repository import Todo
from core.kernel.types import Destination, LaneKey, Millis
from core.store.conversation.history import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group that is read along, in which the bot works; `title` is its own."""

    lane: LaneKey
    title: str
    place: Destination


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """From when on something is summed up: an instant, and where it is that of a message, what came in behind that."""

    at: Millis
    inbox_id: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A question of the bot that was answered by a button: who chose what, with a link to it where there is one."""

    question: str
    answer: str
    name: str
    at: Millis
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What was said in a group after `since`: the newest `lines`, oldest first, of `count` in all. Of these `answered`
    are questions that somebody replied to, by their ids. With what became of its list, and what was decided."""

    group: Group
    since: Millis
    lines: tuple[Line, ...] = ()
    count: int = 0
    answered: frozenset[int] = frozenset()
    decisions: tuple[Decision, ...] = ()
    noted: tuple[Todo, ...] = ()
    done: tuple[Todo, ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether there is nothing to tell."""
        return not (self.lines or self.decisions or self.noted or self.done)
