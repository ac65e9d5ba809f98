"""What is scheduled as it is taken along: as JSON, and as a calendar."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date, datetime
from typing import Annotated, get_args

from pydantic import Field, field_validator

from core.capabilities.schedules import calendar
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.timing.schedule import (
    Interval,
    Once,
    Rule,
    RuleUnit,
    Schedule,
    Watch,
    check_cron,
    dump,
    load,
    next_after,
)
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import zone_named
from core.kernel.types import MINUTE
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.scheduling.repository import Deliver
from core.scheduling.service import MOST_OPEN, kind
from core.toolkit.portable import (
    LAST,
    Entry,
    Exporting,
    Files,
    Importing,
    Instant,
    Portable,
    Short,
    Showing,
    Words,
    beside,
)

CONTACT, SCHEDULE = "contact", "schedule"
# A summary is of what one group says, and an import goes to a private chat.
TAKEN = (Deliver.MESSAGE, Deliver.TASK, Deliver.BRIEF, Deliver.ITEM)
# Where something that is reminded of was said; of another kind of trigger a link is the key of its message.
WEB = ("https://", "http://")
SHORTEST_SECONDS = 60
# A hundred years: what is due again later than that is due in no year that can be told.
LONGEST_SECONDS = 100 * 366 * 86_400
_NUMBERS = frozenset({"at", "seconds", "start", "every"})
_CLOCKS = re.compile(r"((?:[01]\d|2[0-3]):[0-5]\d(?:,(?!\Z)|\Z))*")
_COUNTRY = re.compile(r"([A-Z]{2})?")


class ScheduleEntry(Entry):
    """Something that is due once or again and again. `to` are numbers of contacts, `spec` when it is due. What is
    `tainted` has words of others."""

    number: int
    deliver: Annotated[str, Field(pattern=f"^({'|'.join(TAKEN)})$")]
    spec: Annotated[dict[str, str | int], Field(max_length=10)]
    text: Words
    link: Short = ""
    follows: bool = False
    late: Annotated[str, Field(pattern=r"^(run|skip|\d{1,9})$")] = "run"
    everybody: bool = False
    until_done: bool = False
    on: Short | None = None
    to: Annotated[list[int], Field(max_length=50)] = Field(default_factory=list)
    made_by: Annotated[str, Field(pattern="^[a-z]{1,20}$")] = "person"
    state: Annotated[str, Field(pattern="^(active|paused)$")] = "active"
    reason: Short = ""
    tainted: bool = False
    next_at: Instant
    created_at: Instant

    @field_validator("spec")
    @classmethod
    def _a_schedule(cls, value: dict[str, str | int]) -> dict[str, str | int]:
        checked(load(json.dumps(value)))
        return value

    @property
    def schedule(self) -> Schedule:
        """Return when it is due."""
        return load(json.dumps(self.spec))


def checked(schedule: Schedule) -> None:
    """Raise ValueError for a schedule that no grammar of ours gives."""
    if isinstance(schedule, Watch):
        raise ValueError("a condition is not taken along")
    for name, value in asdict(schedule).items():
        # A rule ends with a day, an interval at an instant.
        number = name in _NUMBERS or (name == "until" and isinstance(schedule, Interval))
        right = 0 <= value <= LAST if isinstance(value, int) else not number
        if not right or isinstance(value, str) == number:
            raise ValueError(f"no {name}")
    if isinstance(schedule, Interval) and not SHORTEST_SECONDS <= schedule.seconds <= LONGEST_SECONDS:
        raise ValueError("too often, or never")
    if isinstance(schedule, Once) and schedule.wall:
        datetime.fromisoformat(schedule.wall)
    if isinstance(schedule, Rule):
        check_cron(schedule.cron)
        if zone_named(schedule.zone) is None or schedule.unit not in get_args(RuleUnit) or not schedule.every:
            raise ValueError("no rule")
        if schedule.anchor or schedule.every > 1:
            date.fromisoformat(schedule.anchor)
        if schedule.until and date.fromisoformat(schedule.until).isoformat() != schedule.until:
            raise ValueError("no last day")
        if not (_CLOCKS.fullmatch(schedule.times) and _COUNTRY.fullmatch(schedule.without)):
            raise ValueError("no clocks, or no country")


def read(tx: Tx, exporting: Exporting) -> Sequence[ScheduleEntry]:
    """Return what is active or paused in a scope, as it was made, but for what only brings a reminder again, what
    waits for files and tasks, which are not there elsewhere, and what is not taken along."""
    of_scope = triggers.of_scope(tx, exporting.lane)
    there = (one for one in of_scope if not one.watches and one.deliver in TAKEN)
    found = sorted(there, key=lambda one: (one.created_at, one.trigger_id))
    contacts = triggers.contacts_of(tx, [one.trigger_id for one in found])
    return [
        ScheduleEntry(
            number=exporting.numbers.of(SCHEDULE, one.trigger_id),
            deliver=one.deliver,
            spec=json.loads(one.spec),
            text=one.text,
            link=one.link,
            follows=one.follows,
            late=one.late,
            everybody=one.everybody,
            until_done=one.until_done,
            on=one.todo_list,
            to=[
                number
                for contact_id in contacts.get(one.trigger_id, ())
                if (number := exporting.numbers.known(CONTACT, contact_id)) is not None
            ],
            made_by=one.made_by,
            state=one.state,
            reason=one.reason,
            tainted=one.tainted,
            next_at=one.next_at,
            created_at=one.created_at,
        )
        for one in found
        if one.reminder_id is None
    ]


def _same(entry: ScheduleEntry | Trigger) -> tuple[str, str, int]:
    """Return what it is known by again, also when it was given another time meanwhile."""
    return entry.deliver, entry.text, entry.created_at // MINUTE


def put(tx: Tx, importing: Importing, entries: Sequence[ScheduleEntry]) -> int:
    """Store what is not there and will still come.

    Of a file that is not known to be the person's own, nothing reminds anybody else, and what would wake a model rests
    until somebody has looked at it. Who has a daily brief keeps that one.
    """
    lane, new = importing.lane, 0
    before = triggers.of_scope(tx, lane)
    has_brief = any(one.deliver == Deliver.BRIEF for one in before)
    there = [(_same(one), one.trigger_id) for one in before]
    room = MOST_OPEN - max(triggers.open_of(tx, lane, importing.person_id))
    for entry, found in beside(entries, there, _same):
        if found is not None:
            importing.rows[SCHEDULE, entry.number] = found
            continue
        trigger = _trigger(importing, entry)
        brief = entry.deliver == Deliver.BRIEF
        if trigger is None or (entry.to and not importing.trusted) or (brief and has_brief):
            continue
        has_brief = has_brief or brief
        if new >= room:
            raise Refused("import_full_schedules")
        contacts = [row for number in entry.to if (row := importing.row(CONTACT, number)) is not None]
        trigger_id = triggers.insert(tx, trigger, entry.created_at, contacts)
        rests = entry.deliver == Deliver.TASK and not importing.trusted
        if entry.state == TriggerState.PAUSED or rests:
            # For a reason of ours it would go on by itself.
            pausing.pause_even_done(tx, trigger_id, entry.reason if importing.trusted else "", None)
        else:
            importing.wake(trigger.next_at)
        importing.rows[SCHEDULE, entry.number] = trigger_id
        new += 1
    return new


def _trigger(importing: Importing, entry: ScheduleEntry) -> Trigger | None:
    """Return what is to be stored; None for what never comes any more."""
    next_at = entry.next_at if entry.next_at > importing.now else next_after(entry.schedule, importing.now)
    if next_at is None:
        return None
    trigger = Trigger(
        lane=importing.lane,
        person_id=importing.person_id,
        deliver=entry.deliver,
        kind=kind(entry.schedule),
        spec=dump(entry.schedule),
        text=entry.text,
        next_at=next_at,
        link=entry.link if entry.deliver == Deliver.MESSAGE and entry.link.startswith(WEB) else "",
        late=entry.late,
        depth=1,
        follows=entry.follows,
        until_done=entry.until_done,
        todo_list=entry.on if entry.deliver == Deliver.ITEM else None,
        tainted=entry.tainted or not importing.trusted,
    )
    return replace(trigger, made_by=entry.made_by) if importing.trusted else trigger


def files(entries: Sequence[ScheduleEntry], showing: Showing) -> Files:
    """Return a calendar of what reminds of something."""
    shown = [one for one in entries if one.deliver in {Deliver.MESSAGE, Deliver.ITEM} and one.state == "active"]
    return {"reminders.ics": calendar.render([(one.number, one.text, one.schedule, one.next_at) for one in shown])}


PORTABLE = Portable(name="schedules", entry=ScheduleEntry, read=read, put=put, rank=2, files=files)
