"""What waits in a chat, read by a phone at a secret address: only as long as its person may, and kept nowhere."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import httpx
import icalendar
import pytest

from bot.config.sections import AccessSection, HttpSection
from bot.runtime import http
from core.capabilities.calendars.feed import MOST_EVENTS, MOST_READS
from core.kernel import secret_words
from core.kernel.ports import Database
from core.kernel.updates import Left
from core.store.people import tenants
from core.toolkit.secret_addresses import MOST_WRONG
from tests.commanding import FRIEND, GROUP, labels, pressed, said
from tests.fakes import FakeAdapter, House, house

URL = "https://bot.example.org"
PAGE = HttpSection(port=8080, public_url=f"{URL}/")
DM = {"chat": "2", "sender": FRIEND}
IN_GROUP = {**GROUP, "sender": FRIEND}
Read = Callable[..., Awaitable[httpx.Response]]


async def home(database: Database, folder: Path, **options: Any) -> House:
    """A house that phones can reach, without a model."""
    access = AccessSection(mode="allowlist", allow=(FRIEND,))
    given: dict[str, Any] = {"adapter": FakeAdapter(), "access": access, "http": PAGE, **options}
    return await house(database, folder / "house", model=False, **given)


@asynccontextmanager
async def served(made: House) -> AsyncIterator[Read]:
    """Serve the pages of a house on a port of this machine, and read them as a phone does."""
    app = made.app
    checks = http.Checks(app.db, {}, made.clock)
    async with (
        http.serving(checks, "127.0.0.1", 0, http.capability_endpoints(app.capabilities, app.container)) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client,
    ):

        async def read(path: str, method: str = "GET", headers: Mapping[str, str] | None = None) -> httpx.Response:
            return await client.request(method, path, headers=headers)

        yield read


def path_in(text: str) -> str:
    """The path of the address that a text shows."""
    found = re.search(rf"{re.escape(URL)}(/calendar/{secret_words.SHAPE.pattern}\.ics)", text)
    assert found is not None, text
    return found[1]


def events(answer: httpx.Response) -> list[tuple[str, date | datetime]]:
    """Titles and beginnings of what was read."""
    assert answer.status_code == 200, answer.text
    calendar = icalendar.Calendar.from_ical(answer.content)
    return [(str(one["SUMMARY"]), one.decoded("DTSTART")) for one in calendar.walk("VEVENT")]


async def test_a_phone_reads_reminders_and_to_dos_of_its_person(database: Database, tmp_path: Path) -> None:
    made = await home(database, tmp_path)
    await said(made, "remind me on Friday at 9 to pay, sign; and breathe")
    await said(made, "/every day at 7 water the plants")
    await said(made, "/todo taxes by 2026-09-30")
    await said(made, "/todo call Ann tomorrow at 15:00")
    await said(made, "/todo something, some day")
    await said(made, "remind me tomorrow at 8 of a secret", **DM)
    path = path_in(await said(made, "/calendar feed"))
    async with served(made) as read:
        answer = await read(path)
        found = [(title, f"{start:%m-%d}" if type(start) is date else f"{start:%m-%d %H:%M}") for title, start in
                 events(answer)]  # fmt: skip
        assert ("pay, sign; and breathe", "09-25 09:00") in found
        assert ("taxes", "09-30") in found
        assert [one for one in found if "Ann" in one[0]] == [("call Ann", "09-22 15:00")]
        watered = [start for title, start in found if title == "water the plants"]
        assert (len(watered), watered[:2]) == (60, ["09-22 07:00", "09-23 07:00"])
        assert "secret" not in answer.text
        assert "some day" not in answer.text
        assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        assert set(answer.headers) == {
            *("content-type", "cache-control", "referrer-policy", "x-content-type-options", "etag", "date"),
            "content-length",
        }
        # What is the same is not sent again, and has the same ids after a change of something else.
        same = await read(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (same.status_code, same.content) == (304, b"")
        head = await read(path, "HEAD")
        assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", answer.headers["etag"])
        await said(made, "remind me on Thursday at 9 to sing")
        later = await read(path, headers={"If-None-Match": answer.headers["etag"]})
        uids = [{str(one["UID"]) for one in icalendar.Calendar.from_ical(one.content).walk("VEVENT")}
                for one in (answer, later)]  # fmt: skip
        assert (uids[0] - uids[1], len(uids[1] - uids[0])) == (set(), 1)
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert (await read(path, method)).status_code == 405


@pytest.mark.databases("sqlite")
async def test_the_address_is_shown_once_and_kept_nowhere(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="core")
    caplog.set_level("DEBUG", logger="bot")
    made = await home(database, tmp_path)
    shown = await said(made, "/calendar feed")
    secret = secret_words.SHAPE.findall(shown)[0]
    async with served(made) as read:
        assert (await read(path_in(shown))).status_code == 200
        assert (await read(path_in(shown)[:-4])).status_code == 404
    await said(made, "what was that?", quoted=shown, reply_to="1")
    assert "/calendar/" not in await said(made, "/calendar feed")
    await said(made, "/export")
    (document,) = [sent.document for sent in made.adapter.sent if sent.document is not None]
    with zipfile.ZipFile(io.BytesIO(document.content)) as packed:
        assert not [name for name in packed.namelist() if secret.encode() in packed.read(name)]
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
    for table in await made.column(tables):
        assert secret not in str([dict(row) for row in await made.rows(f"SELECT * FROM {table}")]), table
    assert secret not in caplog.text
    assert f"/calendar/{secret_words.HIDDEN}.ics" in str(await made.column("SELECT text FROM message"))


@pytest.mark.databases("sqlite")
async def test_it_is_replaced_and_ended_by_buttons(database: Database, tmp_path: Path) -> None:
    made = await home(database, tmp_path)
    first = path_in(await said(made, "/calendar feed"))
    assert "not read yet" in await said(made, "/calendar feed")
    assert labels(made) == ["🔁 New address", "🗑 End it"]
    second = path_in(await pressed(made, "🔁 New address"))
    async with served(made) as read:
        assert [(await read(path)).status_code for path in (first, second)] == [404, 200]
        assert "read last about" in await said(made, "/calendar feed")
        assert "leads nowhere now" in await pressed(made, "🗑 End it")
        assert (await read(second)).status_code == 404
    assert "no such address" in await said(made, "/calendar feed off")
    assert "secret address" in await said(made, "/calendar feed dance")


@pytest.mark.databases("sqlite", "postgres")
async def test_in_a_group_it_is_a_members_shown_in_private_and_gone_when_they_leave(
    database: Database, tmp_path: Path
) -> None:
    made = await home(database, tmp_path)
    await said(made, "/help", **GROUP)
    assert "write to me in private first" in await said(made, "/calendar feed", **IN_GROUP)
    assert "my owner" in await said(made, "/calendar feed", **GROUP, sender="tg:7")
    await said(made, "remind me tomorrow at 8 of my own", **DM)
    assert "in your private chat" in await said(made, "/calendar feed", **IN_GROUP)
    path = path_in(made.adapter.texts("2")[-1])
    await said(made, "remind everybody tomorrow at 9 to sweep", **IN_GROUP)
    async with served(made) as read:
        answer = await read(path)
        assert [title for title, _ in events(answer)] == ["sweep"]
        assert "X-WR-CALNAME:Family" in answer.text
        await made.app.inbox.accept(made.tenant_id, [Left(key="l1", chat="-5", address=FRIEND)])
        assert (await read(path)).status_code == 404


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("how", ["chat", "tenant", "access", "forget"])
async def test_who_may_not_read_any_more_finds_nothing(database: Database, tmp_path: Path, how: str) -> None:
    made = await home(database, tmp_path)
    path = path_in(await said(made, "/calendar feed", **DM))
    async with served(made) as read:
        assert (await read(path)).status_code == 200
    if how == "chat":
        await database.write(lambda tx: tx.run("UPDATE chat SET state = 'gone' WHERE external_id = '2'"))
    elif how == "tenant":
        await database.write(lambda tx: tenants.end(tx, made.tenant_id, made.clock.now()))
    elif how == "forget":
        await said(made, "/forget", **DM)
        await pressed(made, made.shown("2")[-1].keyboard.buttons[0].label, **DM)  # type: ignore[union-attr]
        assert await made.column("SELECT id FROM calendar_feed") == []
    else:
        made = await home(database, tmp_path, access=AccessSection(mode="allowlist"))
    async with served(made) as read:
        assert (await read(path)).status_code == 404


@pytest.mark.databases("sqlite")
async def test_reading_writes_once_an_hour_and_is_limited(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await home(database, tmp_path)
    path = path_in(await said(made, "/calendar feed"))
    writes: list[str] = []
    write = made.db.write

    async def counted(fn: Any, **options: Any) -> Any:
        writes.append(fn.__name__)
        return await write(fn, **options)

    monkeypatch.setattr(made.db, "write", counted)
    async with served(made) as read:
        for _ in range(MOST_READS):
            assert (await read(path)).status_code == 200
        full = await read(path)
        assert (full.status_code, full.headers["retry-after"]) == (429, "60")
        assert writes.count("note_feed_read") == 1
        made.clock.advance(3601)
        assert (await read(path)).status_code == 200
        assert writes.count("note_feed_read") == 2
        # Who guesses keeps nobody out, and finds exactly what there is on no path.
        nowhere = await read("/nowhere")
        for _ in range(MOST_WRONG + 5):
            guessed = await read(f"/calendar/{secret_words.made(secret_words.FEED)}.ics")
            assert (guessed.status_code, guessed.text) == (404, nowhere.text)
        assert (await read(path)).status_code == 200


@pytest.mark.databases("sqlite")
async def test_five_hundred_events_are_most_and_the_next_ones(database: Database, tmp_path: Path) -> None:
    made = await home(database, tmp_path)
    await said(made, "/every 1h stretch")
    await said(made, "remind me tomorrow at 9:30 to pay")
    path = path_in(await said(made, "/calendar feed"))
    async with served(made) as read:
        found = events(await read(path))
    assert len(found) == MOST_EVENTS
    assert "pay" in {title for title, _ in found}


@pytest.mark.databases("sqlite")
async def test_without_a_public_address_that_is_said(database: Database, tmp_path: Path) -> None:
    made = await home(database, tmp_path, http=HttpSection(public_url=URL))
    assert "http.public_url" in (await said(made, "/calendar feed")).replace("\\", "")
    assert await made.column("SELECT id FROM calendar_feed") == []
