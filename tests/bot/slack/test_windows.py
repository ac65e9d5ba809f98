"""The windows of Slack: what they show of a message, and how they say no."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.kernel.types import Inbound
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import USER, SlackHouse


@pytest.fixture
async def house() -> AsyncIterator[SlackHouse]:
    async with SlackServer() as server:
        server.user(USER, name="ada", real_name="Ada L.", tz="Europe/Berlin", locale="en-GB")
        server.user("U1002", name="bob")
        found = SlackHouse(server)
        async with found.receiving():
            yield found


async def test_a_reminder_names_whom_its_message_names(house: SlackHouse) -> None:
    server = house.server
    ts = server.say("the *deploy* is at 5 <@U1002> <@U0GONE> <!here>")
    server.shortcut("remind_message", message=ts)
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    view = server.views()[-1].content
    assert view["submit"]["text"] == "Remind me"
    assert view["blocks"][1]["element"]["initial_value"] == "the *deploy* is at 5 @bob @somebody @here"


async def test_a_reminder_of_a_file_without_words_names_the_file(house: SlackHouse) -> None:
    server = house.server
    ts = server.say("", subtype="file_share", files=[{"id": "F1", "name": "lease.pdf", "mimetype": "application/pdf"}])
    server.shortcut("remind_message", message=ts)
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    assert server.views()[-1].content["blocks"][1]["element"]["initial_value"] == "[lease.pdf]"


async def test_who_has_no_access_reads_names_and_is_told_each_time(house: SlackHouse) -> None:
    server = house.server
    house.intake.told = lambda update: (
        "I'm not set up for you. Ask <@U1002>." if isinstance(update, Inbound) and update.insists else ""
    )
    server.shortcut("new_todo")
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    assert server.views()[-1].content["submit"]["text"] == "Add"
    await server.submit({"text": "buy milk"}).settled()
    assert server.errors() == {"text": "I'm not set up for you. Ask @bob."}
