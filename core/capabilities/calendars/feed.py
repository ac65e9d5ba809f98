"""What waits in a chat as a calendar (RFC 5545), read by people's phones at a secret address.

Whoever has the address reads the reminders and to-dos of its chat, as long as its person may.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from cachetools import TTLCache

from core.capabilities.calendars import feed_repository as feeds
from core.capabilities.calendars.models import Feed, Waiting
from core.kernel import secret_words
from core.kernel.access import may
from core.kernel.clean_text import one_line
from core.kernel.ports import Tx
from core.kernel.timing.schedule import load, next_after
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import HOUR, MINUTE, LaneKey, Millis, Standing
from core.language.matching import plain
from core.scheduling import repository as triggers
from core.scheduling.repository import Deliver, TriggerKind
from core.store.people import people
from core.toolkit.secret_addresses import SecretAddresses
from core.toolkit.services import Services
from core.toolkit.web import NOT_FOUND, WebAddress, WebAnswer, WebRequest

PATH, SUFFIX = "/calendar", ".ics"
# What comes again is shown so far ahead.
AHEAD: Millis = 60 * 24 * HOUR
MOST_EVENTS, LONGEST_TITLE = 500, 200
# What is read of one address in a minute; how many addresses are counted at once.
MOST_READS, MOST_COUNTED = 30, 10_000
LENGTH, DAY, MILLI = timedelta(minutes=15), timedelta(days=1), timedelta(milliseconds=1)
EPOCH = date(1970, 1, 1)
OK, NOT_MODIFIED, TOO_MANY = 200, 304, 429
# Its address stands in no page that it is opened from, and nothing takes it for a page.
HEADERS = {
    "Content-Type": "text/calendar; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Feeds(SecretAddresses[Feed]):
    """Finds what an address shows, and counts how often it is read."""

    def __init__(self, services: Services) -> None:
        super().__init__(services, feeds.by_digest, feeds.digests)
        self._reads = TTLCache[tuple[int, int], int](MOST_COUNTED, MINUTE // 1000, timer=services.clock.monotonic)

    def admits(self, feed: Feed, now: Millis) -> bool:
        """Count one more reading; False when there were too many in this minute."""
        key = (feed.feed_id, now // MINUTE)
        self._reads[key] = self._reads.get(key, 0) + 1
        return self._reads[key] <= MOST_READS


async def show(services: Services, request: WebRequest) -> WebAnswer:
    """Answer the calendar at an address; 304 where the reader has it, 404 where there is none, or not any more."""
    secret = request.name.removesuffix(SUFFIX)
    if f"{secret}{SUFFIX}" != request.name or not secret_words.SHAPE.fullmatch(secret):
        return NOT_FOUND
    found = services.get(Feeds)
    feed, now = await found.find(secret, request.peer), services.clock.now()
    if feed is None:
        return NOT_FOUND
    if not found.admits(feed, now):
        return WebAnswer(status=TOO_MANY, told={"error": "too many"}, headers={"Retry-After": str(MINUTE // 1000)})
    name = await services.db.read(lambda tx: _name(services, tx, feed))
    if name is None:
        return NOT_FOUND
    host = urlsplit(services.get(WebAddress).url).hostname or "teller"
    waiting = await services.db.read(lambda tx: gather(tx, feed.lane, now, host))

    def note_feed_read(tx: Tx) -> None:
        feeds.note_read(tx, feed, now)

    if services.db.has_room() and (feed.read_at is None or now - feed.read_at >= HOUR):
        await services.db.write(note_feed_read)
    etag = f'"{hashlib.sha256(repr((name, waiting)).encode()).hexdigest()[:32]}"'
    headers = {**HEADERS, "ETag": etag}
    if etag in request.headers.get("if-none-match", ""):
        return WebAnswer(status=NOT_MODIFIED, headers=headers, content=b"")
    return WebAnswer(status=OK, headers=headers, content=await asyncio.to_thread(render, name, waiting))


def _name(services: Services, tx: Tx, feed: Feed) -> str | None:
    """Return how the calendar of an address is called; None where its person may not read it any more."""
    participant = people.participant(tx, feed.lane, feed.person_id)
    served = services.serves(participant.platform, participant.place.tenant)
    if not served or not may(people.standing_here(services.access, participant), Standing.MEMBER):
        return None
    return one_line(participant.title)[:LONGEST_TITLE] if participant.group else "Teller"


def gather(tx: Tx, lane: LaneKey, now: Millis, host: str) -> Sequence[Waiting]:
    """Return what waits in a lane's scope, the first of it first."""
    todos = feeds.due_todos(tx, lane, MOST_EVENTS)
    noted = {row["trigger_id"] for row in todos}
    due = [
        Waiting(
            uid=f"todo-{row['id']}@{host}",
            text=one_line(plain(row["content"]))[:LONGEST_TITLE],
            at=row["due_at"] or (date.fromisoformat(row["due_on"]) - EPOCH) // MILLI,
            since=row["created_at"],
            day="" if row["due_at"] else row["due_on"],
        )
        for row in todos
    ]
    reminders = [
        _times(one, now + AHEAD, host)
        for one in triggers.of_scope(tx, lane)
        if one.state == TriggerState.ACTIVE
        and one.deliver == Deliver.MESSAGE
        and not one.watches
        and one.trigger_id not in noted
    ]
    merged = heapq.merge(sorted(due, key=_when), *reminders, key=_when)
    return tuple(islice(merged, MOST_EVENTS))


def _when(waiting: Waiting) -> tuple[Millis, str]:
    return waiting.at, waiting.uid


def _times(trigger: Trigger, end: Millis, host: str) -> Iterator[Waiting]:
    """The times of a reminder: its only one, whenever that is, or those before an instant."""
    uid, text = f"reminder-{trigger.trigger_id}", one_line(trigger.text)[:LONGEST_TITLE]
    if trigger.kind == TriggerKind.ONCE:
        yield Waiting(uid=f"{uid}@{host}", text=text, at=trigger.next_at, since=trigger.created_at)
        return
    schedule, at = load(trigger.spec), trigger.next_at
    while at < end:
        yield Waiting(uid=f"{uid}-{at // 1000}@{host}", text=text, at=at, since=trigger.created_at)
        following = next_after(schedule, at)
        if following is None:
            return
        at = following


def render(name: str, waiting: Sequence[Waiting]) -> bytes:
    """Write a calendar, which is the same for the same."""
    ical: Any = import_module("icalendar")  # only when somebody reads one
    calendar = ical.Calendar()
    calendar.add("prodid", "-//Teller//Teller feed//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", timedelta(hours=1), {"VALUE": "DURATION"})
    for one in waiting:
        event = ical.Event()
        event.add("uid", one.uid)
        event.add("dtstamp", datetime.fromtimestamp(one.since / 1000, UTC))
        event.add("summary", one.text)
        start = date.fromisoformat(one.day) if one.day else datetime.fromtimestamp(one.at / 1000, UTC)
        event.add("dtstart", start)
        event.add("dtend", start + (DAY if one.day else LENGTH))
        # Nobody is busy by it.
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    rendered: bytes = calendar.to_ical()
    return rendered
