"""A calendar of somebody, and one time of an event in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum
from zoneinfo import ZoneInfo

from core.kernel import ids
from core.kernel.timing.zones import to_instant
from core.kernel.types import DAY, LaneKey, Millis

PREFIX = "l"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Counts what a calendar has and does not show: events that are not understood, that come too often or take too
    long to work out, and times for which there is no room."""

    unclear: int = 0
    busy: int = 0
    crowded: int = 0


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
    left_out: LeftOut

    @property
    def ref(self) -> str:
        """Return the id as people write it."""
        return ids.ref(PREFIX, self.calendar_id)

    @property
    def sealing_context(self) -> str:
        """For what its address is sealed."""
        return f"calendar:{self.lane.tenant_id}:{self.calendar_id}"


class Told(IntEnum):
    """Says whether a time of an event was told before it began."""

    NOT_YET = 0
    """It is told, where that is wished."""
    TOLD = 1
    """It was told."""
    AWAY = 2
    """It was told, and its calendar has its event no more: it shows nowhere, and is not told again if it is back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One time of an event. Its title and place are what others wrote. Of whole days, `day` is the first one (ISO);
    its instants are those of the zone in which it was read. By its `uid` its calendar knows it, whatever it is called:
    the event's, and which of its times; empty where its calendar gives none. Two calendars may give one event two."""

    begins_at: Millis
    ends_at: Millis
    title: str
    place: str = ""
    day: str = ""
    uid: str = field(default="", compare=False)

    def seen_in(self, zone: ZoneInfo) -> Event:
        """Return the event as it is in a zone: whole days are the same days everywhere, and begin at their midnight."""
        if not self.day:
            return self
        first = datetime.fromisoformat(self.day)
        # A day on which clocks are changed is an hour longer or shorter.
        days = timedelta(days=max(1, round((self.ends_at - self.begins_at) / DAY)))
        return replace(self, begins_at=to_instant(first, zone), ends_at=to_instant(first + days, zone))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Holds what was found in a calendar: how it calls itself, its events, and what is not among these."""

    name: str
    events: Sequence[Event]
    left_out: LeftOut = LeftOut()


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
