"""Telling what begins soon: each event of a calendar once, so many minutes before as its chat wishes; what is to be
told at once is one message.

That an event was told stands in its row, in the transaction that makes the message.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.calendars import repository as calendars
from core.capabilities.calendars.models import Calendar, Event
from core.delivery.composer import Composer
from core.kernel.errors import StorageAway, StorageError
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import MINUTE, Millis
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.services import Services

log = logging.getLogger(__name__)

# How often it is looked at most, and how many minutes before an event somebody is told who has not said how many.
LOOK: Millis = 30_000
USUAL, LONGEST = 15, 24 * 60
# What begins at once is one message of so many lines.
MOST_LINES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Soon:
    """An event that has not begun, and was not told; `tell_at` is when it is to be."""

    calendar: Calendar
    event_id: int
    event: Event
    tell_at: Millis


async def run(services: Services) -> None:
    """Tell what begins soon, as long as the program runs."""
    while True:
        try:
            wait = await tell_due(services)
        except StorageError as error:
            log.error("what begins soon cannot be told now: %s", error)
            wait = LOOK
        await services.clock.sleep(wait / 1000)


async def tell_due(services: Services) -> Millis:
    """Tell what is to be told by now; return after how long the next one is, half a minute at most."""
    now = services.clock.now()
    coming = [
        Soon(calendar=calendar, event_id=number, event=event, tell_at=event.begins_at - minutes * MINUTE)
        for calendar, number, event in await services.db.read(
            lambda tx: calendars.beginning(tx, services.access, now, LOOK)
        )
        if (minutes := calendar.told_before) is not None
    ]

    for lane_id in dict.fromkeys(one.calendar.lane.lane_id for one in coming):
        due = [one for one in coming if one.tell_at <= now and one.calendar.lane.lane_id == lane_id]

        def tell_events(tx: Tx, due: Sequence[Soon] = due) -> None:
            own = {one.calendar.calendar_id: one.calendar for one in due}
            live = {
                number
                for number, one in own.items()
                if calendars.is_live(tx, services.access, one.lane, one.person_id, secret=bool(one.sealed))
            }
            told = [one for one in due if one.calendar.calendar_id in live and calendars.mark_told(tx, one.event_id)]
            if text := _text(services, tx, told, now):
                first = told[0]
                # As a notice: no model sees what others wrote as something that the bot has said.
                key = f"calendar:{first.calendar.calendar_id}:event:{first.event_id}"
                services.get(Composer).tell(tx, first.calendar.lane, key, text)

        if not due:
            continue
        try:
            await services.db.write(tell_events)
        except StorageAway:
            raise
        except Exception:
            # It is tried again until it has begun, and others are told in time.
            log.exception("what begins soon in lane %s cannot be told", lane_id)
    return min((one.tell_at - now for one in coming if one.tell_at > now), default=LOOK)


def _text(services: Services, tx: Tx, told: Sequence[Soon], now: Millis) -> str:
    """Return a line for each event of a lane, of many for the first ones."""
    lines, texts, seats = dict[tuple[Millis, str, str], str](), None, dict[int, Participant]()
    for soon in told:
        event, calendar = soon.event, soon.calendar
        if calendar.calendar_id not in seats:
            seats[calendar.calendar_id] = people.participant(tx, calendar.lane, calendar.person_id)
        participant = seats[calendar.calendar_id]
        texts, zone = services.get(Composer).language(participant), zone_named(participant.timezone) or services.zone
        line = texts.say(
            "calendar_soon",
            clock=texts.clock(to_local(event.begins_at, zone)),
            length=texts.duration(-(-(event.begins_at - now) // MINUTE) * MINUTE),
            title=texts.joined((literal(event.title), literal(event.place)), "list_also"),
        )
        # What stands in two calendars is one event, whatever languages their people speak.
        lines.setdefault((event.begins_at, event.title, event.place), line)
    shown, more = list(lines.values())[:MOST_LINES], len(lines) - MOST_LINES
    return "\n".join([*shown, texts.say("calendar_soon_more", n=more)] if texts and more > 0 else shown)
