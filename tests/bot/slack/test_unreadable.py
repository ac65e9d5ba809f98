"""What is not as Slack writes it is kept to be looked at, without what is no business of a database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.kernel.types import Inbound
from core.kernel.updates import Unreadable
from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import COMMAND, EVENT, INTERACTIVE
from tests.slack_house import USER, SlackHouse

SECRETS = {"token": "secret-1", "response_url": "https://hooks.slack.com/actions/secret-2", "trigger_id": "1.secret-3"}
HALF = "\ud800"


@pytest.fixture
async def house() -> AsyncIterator[SlackHouse]:
    async with SlackServer() as server:
        found = SlackHouse(server)
        async with found.receiving():
            yield found


async def kept(house: SlackHouse, kind: str, payload: dict[str, Any]) -> Any:
    """Hand something over, and return what was kept of it."""
    envelope = await house.server.deliveries.send(kind, payload).settled()
    assert envelope.acked
    [row] = house.intake.rows.values()
    return row


@pytest.mark.parametrize("fields", [{"action_ts": "soon"}, {"action_ts": 5}])
async def test_a_press_is_kept_without_its_secrets(house: SlackHouse, fields: dict[str, Any]) -> None:
    payload = {
        **SECRETS,
        "type": "block_actions",
        "team": {"id": "T0001"},
        "user": {"id": USER},
        "container": {"message_ts": "1.1", "channel_id": house.server.dm()},
        "actions": [{"action_id": "teller:0", "value": "x", **fields}],
    }
    row = await kept(house, INTERACTIVE, payload)
    assert isinstance(row, Unreadable)
    assert "teller:0" in row.raw
    assert "secret" not in row.raw


async def test_a_command_is_kept_without_its_secrets(house: SlackHouse) -> None:
    form = {"command": "/todo", "text": "milk", "team_id": "T0001", "user_id": USER, "channel_id": house.server.dm()}
    row = await kept(house, COMMAND, {**form, **SECRETS, "trigger_id": ""})
    assert isinstance(row, Unreadable)
    assert "milk" in row.raw
    assert "secret" not in row.raw


async def test_half_a_character_in_the_version_of_a_window_is_no_hindrance(house: SlackHouse) -> None:
    house.server.dm()
    values = {"text": {"text": {"value": "milk"}}}
    view = {"id": "V1", "hash": HALF, "callback_id": "teller_todo", "state": {"values": values}}
    payload = {"type": "view_submission", "team": {"id": "T0001"}, "user": {"id": USER}, "view": view}
    row = await kept(house, INTERACTIVE, payload)
    assert isinstance(row, Inbound)
    assert row.key.encode() == "v:V1:\N{REPLACEMENT CHARACTER}".encode()


async def test_half_a_character_in_the_time_of_an_edit_is_no_hindrance(house: SlackHouse) -> None:
    channel, ts = house.server.dm(), "1700000000.000100"
    new = {"user": USER, "text": "new", "ts": ts, "edited": {"user": USER, "ts": HALF * 1000}}
    old = {"user": USER, "text": "old", "ts": ts}
    event = {"type": "message", "subtype": "message_changed", "channel": channel, "channel_type": "im", "ts": ts}
    payload = {
        "type": "event_callback",
        "team_id": "T0001",
        "event": {**event, "message": new, "previous_message": old, "event_ts": ts},
    }
    row = await kept(house, EVENT, payload)
    assert isinstance(row, Inbound)
    assert row.key.encode()[:30].startswith(f"e:{channel}:".encode())
    assert len(row.key) < 200
