"""A calendar of somebody, and one time of an event in it."""

from __future__ import annotations

from dataclasses import dataclass

from core.kernel import ids
from core.kernel.types import LaneKey, Millis

PREFIX = "l"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """A calendar of a chat. `sealed` is its secret address, encrypted, of which `digest` says only whether two are the
    same; both are empty for one that came as a file. `problem` is
    why it could not be read last, as a code, and `failing_since` since when. Its events are told `told_before` minutes
    before they begin; None: they are not."""

    calendar_id: int
    lane: LaneKey
    person_id: int
    name: str
    sealed: str
    digest: str
    body: str
    zone: str
    etag: str
    problem: str
    expanded_at: Millis | None
    failing_since: Millis | None
    told_at: Millis | None
    told_before: int | None

    @property
    def ref(self) -> str:
        """The id as people write it."""
        return ids.ref(PREFIX, self.calendar_id)

    @property
    def sealing_context(self) -> str:
        """For what its address is sealed."""
        return f"calendar:{self.lane.tenant_id}:{self.calendar_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One time of an event. Its title and place are what others wrote. Of a whole day, `day` says which (ISO)."""

    begins_at: Millis
    ends_at: Millis
    title: str
    place: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """An address at which somebody's phone reads what waits in a chat; `read_at` is when it did last, to the hour."""

    feed_id: int
    lane: LaneKey
    person_id: int
    read_at: Millis | None
    created_at: Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One time of something that waits, as a feed shows it: a reminder, or a to-do of an instant, `at` that, or of a
    `day` (ISO), `at` the beginning of it. `uid` stays the same, and so does `since`, when it was made."""

    uid: str
    text: str
    at: Millis
    since: Millis
    day: str = ""
