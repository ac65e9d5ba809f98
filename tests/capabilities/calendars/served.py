"""A calendar on a server of the tests, and what is told of its events."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import SecretStr

from core.capabilities.calendars import telling
from tests.capabilities.calendars.test_expanding import calendar
from tests.fakes import House

ADDRESS = "http://example.org/private-canary/basic.ics"
# The house lives on Monday, the 21st of September 2026; its owner is in UTC.
BODY = calendar(
    "DTSTART:20260921T130000Z\nDTEND:20260921T140000Z\nLOCATION:Main Street 1",
    "DTSTART;VALUE=DATE:20260925",
    "DTSTART:20260922T080000Z\nRRULE:FREQ=WEEKLY",
    head="X-WR-CALNAME:Work\n",
).replace(b"SUMMARY:it", b"SUMMARY:Dentist *now*")
KEY = SecretStr("k" * 40)
# It is Monday, 14:13; the dentist is at 8:00 on Tuesdays.
TUESDAY = int(datetime(2026, 9, 22, 8, tzinfo=UTC).timestamp() * 1000)


async def told_by(home: House, seconds: float) -> list[str]:
    """What is told of events from now to so many seconds after the first one begins."""
    before = len(home.adapter.texts())
    home.clock.advance((TUESDAY - home.clock.now()) / 1000 + seconds)
    await telling.tell_due(home.app.container)
    await home.work()
    return [text for text in home.adapter.texts()[before:] if text.startswith("🗓")]
