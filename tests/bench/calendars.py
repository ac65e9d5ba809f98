"""A calendar of 10,000 events: what stands in it on a day, and how long it takes to expand it apart from the bot."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from zoneinfo import ZoneInfo

from core.capabilities.calendars import repository as calendars
from core.capabilities.calendars.models import Event, Found
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis
from core.toolkit.confined.parent import run_confined
from tests.databases import Place, build
from tests.fakes import START, house

EVENTS, LOOKS, AIM = 10_000, 200, 50.0
HOUR: Millis = 3_600_000


async def measure() -> str:
    """Return the median of some looks at a day, and the time of one expansion."""
    lines = "".join(
        f"BEGIN:VEVENT\r\nUID:{n}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Berlin:2026{1 + n % 12:02}"
        f"{1 + n % 28:02}T{n % 24:02}0000\r\nDURATION:PT1H\r\nSUMMARY:Event {n}\r\nEND:VEVENT\r\n"
        for n in range(EVENTS)
    )
    body = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n{lines}END:VCALENDAR\r\n".encode()
    began = time.perf_counter()
    options = {"start": START, "end": START + 400 * 24 * HOUR, "zone": "Europe/Berlin"}
    found = await run_confined("core.capabilities.calendars.expanding", options, body, 60)
    expanded = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        db = build(Place(name="sqlite", where=str(Path(folder) / "teller.db")))
        await db.open()
        try:
            home = await house(db, Path(folder) / "house")
            await home.hear("hello")
            [row] = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
            lane = LaneKey(**{name: row[name] for name in ("tenant_id", "scope_id", "chat_id", "lane_id")})
            events = [
                Event(begins_at=START + n * HOUR, ends_at=START + (n + 1) * HOUR, title="x") for n in range(EVENTS)
            ]

            def fill(tx: Tx) -> None:
                number = calendars.insert(tx, lane, 1, name="c", digest="", zone="UTC", now=START)
                calendar = calendars.find(tx, lane, number)
                assert calendar is not None
                calendars.replace_events(tx, calendar, Found(name="c", events=events), "", START)

            await db.write(fill)
            times = []
            for n in range(LOOKS):
                start = START + n * 24 * HOUR
                began = time.perf_counter()
                await db.read(
                    lambda tx, start=start: calendars.between(  # type: ignore[misc]
                        tx,
                        home.app.container.access,
                        lane.tenant_id,
                        lane.scope_id,
                        start,
                        start + 24 * HOUR,
                        zone=ZoneInfo("UTC"),
                    )
                )
                times.append((time.perf_counter() - began) * 1000)
        finally:
            await db.close()
    return (
        f"calendars: a day of {EVENTS} events p50 {sorted(times)[LOOKS // 2]:.2f} ms (aim {AIM:.0f});"
        f" expanding them apart, whenever they changed: {expanded:.1f} s, {len(found['events'])} of them to come"
    )
