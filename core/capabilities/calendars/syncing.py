"""Reading calendars again: every quarter of an hour by their addresses, and once a day for the days that come nearer.

What a server does not give is kept as it was; after a day its person hears that it fails, once.
"""

from __future__ import annotations

import asyncio
import logging

from core.capabilities.calendars import caldav
from core.capabilities.calendars import repository as calendars
from core.capabilities.calendars.models import Calendar, Event, Found, LeftOut
from core.delivery.notifier import Notifier
from core.kernel.errors import ConfigError, StorageError
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.types import DAY, Json, Millis
from core.store.people import people
from core.toolkit.confined.child import Refusal
from core.toolkit.confined.parent import run_confined
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.values import Fetch, FetchError, Whose
from core.toolkit.other_chats import belongs
from core.toolkit.services import Services
from core.toolkit.web import WebAddress

log = logging.getLogger(__name__)

EVERY: Millis = 900_000
# What fails is tried again after a half of the time that it has failed for, at most so late: a server may count wrong
# passwords. What was removed can be brought back so long.
MOST_PAUSE, UNDO = DAY // 24, DAY
# Events are known so far ahead, and back; they are found anew before the day is over.
AHEAD, BACK = 400 * DAY, DAY
LOOK_SECONDS, MOST_BYTES, SECONDS, EXPAND_SECONDS = 30.0, 10 << 20, 30.0, 60.0
OK, NOT_MODIFIED = 200, 304
REFUSING = frozenset({401, 403, 404, 410})
_CHILD = "core.capabilities.calendars.expanding"


async def run(services: Services) -> None:
    """Read calendars as they are due, as long as the program runs."""
    while True:
        try:
            while await sync_due(services):
                pass
        except StorageError as error:
            log.error("calendars cannot be read now: %s", error)
        await services.clock.sleep(LOOK_SECONDS)


async def sync_due(services: Services) -> int:
    """Read the calendars that are due; return how many these were."""
    now = services.clock.now()

    def take_due_calendars(tx: Tx) -> list[Calendar]:
        return calendars.take_due(tx, now, now + EVERY, now - UNDO)

    due = await services.db.write(take_due_calendars)
    # One server that drips holds up no others.
    await asyncio.gather(*(sync(services, calendar) for calendar in due))
    return len(due)


async def sync(services: Services, calendar: Calendar) -> None:
    """Read one calendar again, if its days have to be found anew or it may have changed, and its person has access
    and is there."""
    now = services.clock.now()
    secret = bool(calendar.sealed)
    if not await services.db.read(
        lambda tx: calendars.is_live(tx, services.access, calendar.lane, calendar.person_id, secret=secret)
    ):
        return
    if not await _is_there(services, calendar):

        def note_absence(tx: Tx) -> None:
            calendars.absent(tx, calendar, now)

        await services.db.write(note_absence)
        return
    fresh = calendar.expanded_at is not None and now - calendar.expanded_at < DAY
    if not calendar.sealed and fresh:
        return

    def note_unchanged(tx: Tx) -> None:
        calendars.unchanged(tx, calendar)

    try:
        # What is known is asked for only where nothing is to be found anew.
        body, etag, account = calendar.body.encode(), "", None
        if calendar.sealed:
            source, known = _opened(services, calendar), calendar.etag if fresh else ""
            whose = Whose(lane=calendar.lane, person_id=calendar.person_id)
            if account := caldav.account_of(source):
                given = await caldav.read(services, account, now - BACK, now + AHEAD, tag=known, whose=whose)
            else:
                given = await fetched(services, source, etag=known, whose=whose, unasked=True)
            if given is None:
                await services.db.write(note_unchanged)
                return
            body, etag = given
        found = await expanded(body, now, calendar.zone, dav=account is not None)
    except (FetchError, Refusal) as error:
        log.warning("calendar %s cannot be read: %s", calendar.calendar_id, error.code)
        problem = error.code

        def note_failure(tx: Tx) -> None:
            _failed(services, calendar, problem, now, tx)

        await services.db.write(note_failure)
        return

    def put_events(tx: Tx) -> None:
        calendars.replace_events(tx, calendar, found, etag, now)

    await services.db.write(put_events)


async def _is_there(services: Services, calendar: Calendar) -> bool:
    """Return whether somebody whose calendar shows in a group is in that, as far as the platform says so: it may never
    have told that they left. What is their own, or the group's, needs nobody there."""
    seat = await services.db.read(lambda tx: people.participant(tx, calendar.lane, calendar.person_id))
    adapter = services.adapters.get(seat.platform)
    if not (seat.group and calendar.sealed) or adapter is None:
        return True
    return await belongs(adapter, seat.place, seat.person.address)


def _opened(services: Services, calendar: Calendar) -> str:
    """Return the address of a calendar, or its account; raises `FetchError` without the key that opens it."""
    seals = services.get(WebAddress).seals
    if seals is None:
        raise FetchError("no_key", "there is no key that opens its address")
    try:
        return seals.open(calendar.sealed, calendar.sealing_context)
    except ConfigError as error:
        raise FetchError("no_key", "there is no key that opens its address") from error


async def fetched(
    services: Services, address: str, *, whose: Whose, etag: str = "", unasked: bool = False
) -> tuple[bytes, str] | None:
    """Return what stands at the address of a calendar, and what its server calls that; None where it is still what is
    called `etag`. `unasked` as in `Fetch`. Raises `FetchError`, which says nothing of the address."""
    headers = {"if-none-match": etag} if etag else {}
    request = Fetch(
        url=address, headers=headers, most=MOST_BYTES, seconds=SECONDS, secret=True, whose=whose, unasked=unasked
    )
    answer = await services.get(Fetcher).fetch(request)
    if answer.status == NOT_MODIFIED and etag:
        return None
    if answer.status != OK:
        raise FetchError("gone" if answer.status in REFUSING else "down", "the server does not give it")
    if answer.truncated:
        raise FetchError("huge", "it is larger than is read")
    return answer.body, answer.headers.get("etag", "")[:200]


async def expanded(body: bytes, now: Millis, zone: str, *, dav: bool = False) -> Found:
    """Return the events of a calendar, from a day ago on; raises `Refusal`. `dav` as `expand` has it."""
    options: dict[str, Json] = {"start": now - BACK, "end": now + AHEAD, "zone": zone, "dav": dav}
    found = await run_confined(_CHILD, options, body, EXPAND_SECONDS)
    events = [
        Event(
            begins_at=one["at"],
            ends_at=one["until"],
            title=one["title"],
            place=one["place"],
            day=one["day"],
            uid=f"{one['uid']} {one['which']}" if one["uid"] else "",
        )
        for one in found["events"]
    ]
    return Found(name=found["name"], events=events, left_out=LeftOut(**found["left_out"]))


def _failed(services: Services, calendar: Calendar, problem: str, now: Millis, tx: Tx) -> None:
    since = calendar.failing_since
    tell = since is not None and now - since >= DAY and calendar.told_at is None
    again = now + min(max(EVERY, (now - (since or now)) // 2), MOST_PAUSE)
    calendars.failed(tx, calendar, problem, now, again, told=tell)
    if tell:
        key = f"calendar:{calendar.calendar_id}:{since}"
        name = literal(calendar.name) or calendar.ref
        where, person_id = calendar.lane, calendar.person_id
        services.get(Notifier).tell(tx, where, person_id, key, "calendar_down", foreign=True, name=name)
