"""Calendars of people that show in a group: as long as they are there, and want it."""

from __future__ import annotations

from typing import Any

import pytest

from core.capabilities.calendars import syncing
from core.delivery.composer import Composer
from core.kernel.types import Attachment
from core.toolkit.other_chats import MOST_GROUPS
from tests.capabilities.calendars.served import ADDRESS, BODY, told_by
from tests.capabilities.reminders.test_leaving import leave
from tests.commanding import FRIEND, GROUP, friend, pressed, said
from tests.fakes import House
from tests.toolkit.fetch.servers import WebServer, page

pytestmark = pytest.mark.databases("sqlite")

CALENDARS, EVENTS = "SELECT count(*) FROM calendar", "SELECT count(*) FROM calendar_event"
THEIRS = f"id = (SELECT person_id FROM address WHERE external_id = '{FRIEND}')"
IN_GROUP: dict[str, Any] = {**GROUP, "sender": FRIEND}


async def share(home: House) -> None:
    """A friend's calendar shows in a group, whose events are told; its file is there, too."""
    await said(home, "hello", **friend())
    await said(home, "/help", **GROUP)
    await said(home, "/help", **IN_GROUP)
    await said(home, f"/calendar add {ADDRESS}", **friend())
    await said(home, "/calendar add", **IN_GROUP)
    await pressed(home, "Work", **friend())
    await syncing.sync_due(home.app.container)
    await said(home, "/calendar before 15", **GROUP)


async def file(home: House) -> None:
    """The friend posts a calendar in the group as a file."""
    home.adapter.files = {"f": BODY.replace(b"Dentist", b"Stand-up")}
    posted = Attachment(kind="document", file="f", name="team.ics", size=len(BODY))
    await said(home, "/calendar add Team", attachments=(posted,), **IN_GROUP)


@pytest.mark.databases("sqlite", "postgres")
async def test_what_somebody_shows_in_a_group_goes_with_them_and_their_file_stays(
    home: House, server: WebServer
) -> None:
    await share(home)
    await file(home)
    assert "Dentist" in await said(home, "/today", **GROUP)
    await leave(home, FRIEND)
    assert await home.column("SELECT name FROM calendar ORDER BY id") == ["Work", "Team"]
    shown = await said(home, "/today", **GROUP)
    assert "Dentist" not in shown
    assert "Stand-up" in shown
    assert [text for text in await told_by(home, -600) if "Dentist" in text] == []
    # What is theirs in private is as it was.
    assert "Dentist" in await said(home, "what's on Friday?", **friend())


async def test_what_two_people_of_two_languages_show_in_a_group_is_told_once(home: House, server: WebServer) -> None:
    server.answers["/other.ics"] = page(BODY)
    await share(home)
    await said(home, "/calendar add http://example.org/other.ics")
    await said(home, "/calendar add", **GROUP)
    await pressed(home, "Work")
    await syncing.sync_due(home.app.container)
    home.app.container.get(Composer).configured = ""
    await home.db.write(lambda tx: tx.run(f"UPDATE person SET language = 'de' WHERE {THEIRS}"))
    [told] = await told_by(home, -600)
    assert told.count("Dentist") == 1
    assert (await said(home, "/today", **GROUP)).count("Dentist") == 1


async def test_who_is_forgotten_takes_what_they_show_in_groups_along(home: House, server: WebServer) -> None:
    await share(home)
    await file(home)
    assert "Forgotten" in await said(home, "/forget yes", **friend())
    assert await home.column("SELECT name FROM calendar") == ["Team"]
    server.asked.clear()
    home.clock.advance(3600)
    await syncing.sync_due(home.app.container)
    assert server.asked == []


async def test_who_wants_to_be_left_alone_in_a_group_shows_nothing_there(home: House, server: WebServer) -> None:
    await share(home)
    assert "1 calendar" in await said(home, "/optout", **IN_GROUP)
    assert "Dentist" not in await said(home, "/today", **GROUP)
    assert await home.column(CALENDARS) == [1]
    assert "Dentist" in await said(home, "/today", **friend())


async def test_who_wants_to_be_left_alone_is_not_shown_by_an_older_question(home: House, server: WebServer) -> None:
    await said(home, "hello", **friend())
    await said(home, "/help", **GROUP)
    await said(home, f"/calendar add {ADDRESS}", **friend())
    await said(home, "/calendar add", **IN_GROUP)
    await said(home, "/optout", **IN_GROUP)
    assert "left alone" in await pressed(home, "Work", **friend())
    assert await home.column(CALENDARS) == [1]


async def test_a_calendar_for_a_group_that_is_not_known_any_more_is_shown_nowhere(
    home: House, server: WebServer
) -> None:
    await said(home, "hello", **friend())
    await said(home, "/help", **GROUP)
    await said(home, f"/calendar add {ADDRESS}", **friend())
    await said(home, "/calendar add", **IN_GROUP)
    await home.db.write(
        lambda tx: tx.run("UPDATE keyboard SET buttons = replace(buttons, '\"lane\":', '\"lane\":999')")
    )
    assert "no such calendar" in await pressed(home, "Work", **friend())
    assert await home.column(CALENDARS) == [1]


async def test_what_an_owner_removes_somebody_with_is_gone_from_the_group(home: House, server: WebServer) -> None:
    await share(home)
    await said(home, "/people")
    assert "no access any more" in await pressed(home, "Remove Name of tg:2")
    assert await home.column(CALENDARS) == [1]
    assert "Dentist" not in await said(home, "/today", **GROUP)


async def test_of_who_has_no_access_any_more_nothing_is_read_shown_or_told(home: House, server: WebServer) -> None:
    await share(home)
    await file(home)
    await home.db.write(lambda tx: tx.run(f"UPDATE person SET standing = 'removed' WHERE {THEIRS}"))
    server.asked.clear()
    home.clock.advance(3600)
    await syncing.sync_due(home.app.container)
    assert server.asked == []
    shown = await said(home, "/today", **GROUP)
    assert "Dentist" not in shown
    assert "Stand-up" in shown
    assert "Dentist" not in await said(home, "remind me tomorrow at 8 to call Oma", addressed=True, **GROUP)
    [told] = await told_by(home, -600)
    assert "Stand-up" in told
    assert "Dentist" not in told
    # With their access it is there again.
    await home.db.write(lambda tx: tx.run(f"UPDATE person SET standing = '' WHERE {THEIRS}"))
    assert "Dentist" in await said(home, "/today", **GROUP)


async def test_a_group_sees_whose_calendar_it_shows(home: House, server: WebServer) -> None:
    await share(home)
    assert "as long as Name of tg:2 is here" in await said(home, "/calendar", **GROUP)
    assert "as long as" not in await said(home, "/calendar", **friend())


async def test_what_a_group_shows_is_in_the_day_of_who_is_there_once(home: House, server: WebServer) -> None:
    await share(home)
    # Both have noted nothing in the group; one of them has the calendar in private, too.
    shown = await said(home, "/today")
    assert shown.count("Dentist") == 1
    assert "Family" in shown
    own = await said(home, "/today", **friend())
    assert own.count("Dentist") == 1
    assert "Family" not in own
    # Who is not there sees nothing of it.
    home.adapter.absent.add(("-5", "tg:1"))
    assert "Dentist" not in await said(home, "/today")
    await said(home, "/calendar remove Work", **GROUP)
    home.adapter.absent.clear()
    assert "Dentist" not in await said(home, "/today")


@pytest.mark.databases("sqlite", "postgres")
async def test_who_left_unheard_shows_nothing_in_a_group_until_they_are_back(home: House, server: WebServer) -> None:
    await share(home)
    home.adapter.absent.add(("-5", FRIEND))

    async def quarter() -> str:
        home.clock.advance(901)
        await syncing.sync_due(home.app.container)
        return await said(home, "what's on Tuesday?", **GROUP)

    # A platform that does not answer says no as well, so one no hides nothing.
    assert "Dentist" in await quarter()
    assert "Dentist" not in await quarter()
    assert [text for text in await told_by(home, -600) if "Dentist" in text] == []
    assert "Dentist" in await said(home, "/today", **friend())
    home.adapter.absent.clear()
    await quarter()
    assert "Dentist" in await said(home, "what's on 29 September?", **GROUP)


@pytest.mark.databases("sqlite", "postgres")
async def test_groups_with_a_calendar_take_the_place_of_none_where_something_is_ones_own(home: House) -> None:
    await said(home, "hello")
    await said(home, "/help", **GROUP)
    await said(home, "remind me tonight at 20:00 to pay the band", addressed=True, **GROUP)
    home.adapter.files = {"f": BODY}
    for n in range(MOST_GROUPS):
        posted = Attachment(kind="document", file="f", name="team.ics", size=len(BODY))
        group: dict[str, Any] = {"chat": f"-1{n}", "chat_kind": "group", "title": f"Group {n}"}
        await said(home, "/help", **group)
        await said(home, "/calendar add Team", attachments=(posted,), **group)
    today = await said(home, "/today")
    assert "Dentist" in today
    assert "pay the band" in today
