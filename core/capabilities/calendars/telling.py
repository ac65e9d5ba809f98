"""Telling what begins soon: each event of a calendar once, so many minutes before as its chat wishes.

That an event was told stands in its row, in the transaction that makes the message.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.capabilities.calendars import repository as calendars
from core.capabilities.calendars.models import Calendar, Event
from core.delivery.composer import Composer
from core.kernel.errors import StorageError
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import Millis, Standing
from core.store.people import people
from core.toolkit.services import Services

log = logging.getLogger(__name__)

MINUTE: Millis = 60_000
# How often it is looked at most, and how many minutes before an event somebody is told who has not said how many.
LOOK: Millis = 30_000
USUAL, LONGEST = 15, 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Soon:
    """An event that has not begun, and was not told; `tell_at` is when it is to be."""

    calendar: Calendar
    event_id: int
    event: Event
    tell_at: Millis


async def run(house: Services) -> None:
    """Tell what begins soon, as long as the house lives."""
    while True:
        try:
            wait = await tell_due(house)
        except StorageError as error:
            log.error("what begins soon cannot be told now: %s", error)
            wait = LOOK
        await house.clock.sleep(wait / 1000)


async def tell_due(house: Services) -> Millis:
    """Tell what is to be told by now; return after how long the next one is, half a minute at most."""
    now = house.clock.now()
    coming = [
        Soon(calendar=calendar, event_id=number, event=event, tell_at=event.begins_at - minutes * MINUTE)
        for calendar, number, event in await house.db.read(lambda tx: calendars.beginning(tx, now, LOOK))
        if (minutes := calendar.told_before) is not None
    ]

    for soon in coming:
        if soon.tell_at > now:
            continue

        def tell_event(tx: Tx, soon: Soon = soon) -> None:
            calendar, event = soon.calendar, soon.event
            participant = people.participant(tx, calendar.lane, calendar.person_id)
            told = people.standing_here(house.access, participant) is not Standing.STRANGER
            if not (calendars.mark_told(tx, soon.event_id) and told):
                return
            composer = house.get(Composer)
            texts, zone = composer.language(participant), zone_named(participant.timezone) or house.zone
            text = texts.say(
                "calendar_soon",
                clock=texts.clock(to_local(event.begins_at, zone)),
                length=texts.duration(-(-(event.begins_at - now) // MINUTE) * MINUTE),
                title=", ".join(filter(None, (literal(event.title), literal(event.place)))),
            )
            composer.tell(tx, calendar.lane, f"calendar:{calendar.calendar_id}:event:{soon.event_id}", text)

        await house.db.write(tell_event)
    return min((one.tell_at - now for one in coming if one.tell_at > now), default=LOOK)
