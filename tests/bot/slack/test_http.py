"""HTTP mode: Slack posts to a door of the one web server, and gets its 200 for what is committed alone."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from urllib.parse import urlencode

import pytest

from bot.adapters.slack import SlackAdapter, SlackApp
from bot.adapters.slack.receive.http_endpoint import HttpEndpoint
from bot.runtime import http
from core.kernel.errors import StorageError
from tests.emulators.slack import SlackServer
from tests.emulators.slack_signed import FORM_TYPE
from tests.memory_intake import DEADLINE
from tests.slack_house import SlackHouse


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer(mode="http") as found:
        found.retry_after = (0.0, 0.1, 0.1)
        yield found


@pytest.fixture
async def house(server: SlackServer) -> AsyncIterator[SlackHouse]:
    found = SlackHouse(server, socket=False)
    async with http.serving(found.checks, "127.0.0.1", 0, found.adapter.endpoints) as port:
        server.signed.url = f"http://127.0.0.1:{port}/slack/events"
        async with found.receiving():
            yield found


async def test_the_address_proves_to_be_ours(house: SlackHouse) -> None:
    assert await house.server.signed.verify()


async def test_what_is_posted_is_taken_in(house: SlackHouse) -> None:
    house.server.say("by post")
    await house.intake.wait_messages("by post")
    await house.server.wait_until(lambda: not house.server.pending(), DEADLINE)
    assert house.adapter.health()["ok"]


async def test_what_could_not_be_stored_comes_again(house: SlackHouse) -> None:
    house.intake.failures.append(StorageError("the disk is gone"))
    house.server.say("keep me")
    await house.intake.wait_messages("keep me")
    [envelope] = house.server.deliveries.of("events_api")
    assert envelope.attempts == 2 or not envelope.acked


async def test_a_command_and_a_window_work_by_post(house: SlackHouse) -> None:
    await house.server.command("/teller help").envelope.settled()
    assert house.intake.messages() == ["/help"]
    house.server.shortcut("new_todo")
    await house.server.wait_until(lambda: bool(house.server.views()), DEADLINE)
    await house.server.submit({"text": " "}).settled()
    assert house.server.errors() == {"text": "Please write something."}


async def test_a_forged_signature_is_refused(house: SlackHouse) -> None:
    answer = await house.server.signed.post("{}", secret="another-secret")
    assert answer.status == 401
    assert not house.intake.rows


@pytest.mark.parametrize("shift", [-400, 400])
async def test_a_stale_or_premature_request_is_refused(house: SlackHouse, shift: int) -> None:
    answer = await house.server.signed.post("{}", timestamp=str(int(time.time()) + shift))
    assert answer.status == 403


@pytest.mark.parametrize("timestamp", ["abc", "-1", "1" * 20, "١٢٣"])
async def test_a_time_that_is_none_is_refused(house: SlackHouse, timestamp: str) -> None:
    [endpoint] = house.adapter.endpoints
    assert isinstance(endpoint, HttpEndpoint)
    headers = {"content-type": "application/json", "x-slack-request-timestamp": timestamp, "x-slack-signature": "v0=0"}
    assert not endpoint.admits(headers)


@pytest.mark.parametrize("body", ["{{{", "[1]", '"x"', "payload={{", '{"type": "event_callback", "team": 5}'])
async def test_what_cannot_be_read_is_no_failure_of_ours(house: SlackHouse, body: str) -> None:
    kind = FORM_TYPE if body.startswith("payload") else "application/json"
    answer = await house.server.signed.post(body, content_type=kind)
    assert answer.status < 500
    assert not house.intake.rows


async def test_another_type_of_content_is_refused(house: SlackHouse) -> None:
    assert (await house.server.signed.post("<a/>", content_type="text/xml")).status == 403


async def test_what_is_too_large_is_refused(house: SlackHouse) -> None:
    answer = await house.server.signed.post(json.dumps({"type": "x" * (1 << 20)}))
    assert answer.status == 413


async def test_slack_may_look_at_the_certificate(house: SlackHouse) -> None:
    [endpoint] = house.adapter.endpoints
    assert isinstance(endpoint, HttpEndpoint)
    body = urlencode({"ssl_check": "1", "token": "x"}).encode()
    headers = {"content-type": FORM_TYPE, "content-length": str(len(body))}
    assert endpoint.admits(headers)
    assert (await endpoint.answer(headers, body))[0] == 200
    assert (await endpoint.answer(headers, b"command=/teller"))[0] == 401


async def test_an_unknown_workspace_is_acknowledged_and_left(house: SlackHouse) -> None:
    answer = await house.server.signed.post(json.dumps({"type": "event_callback", "team_id": "T9", "event": {}}))
    assert answer.status == 200
    assert not house.intake.rows


@pytest.mark.parametrize(
    "form",
    [
        {
            "type": "event_callback",
            "event": {"type": "message", "channel": "D1", "user": "U1", "ts": "1.1", "text": "hi"},
        },
        {"type": "app_rate_limited"},
        {"type": "block_actions", "user": {"id": "U1"}},
        {"command": "/teller", "user_id": "U1", "channel_id": "D1", "text": "help"},
    ],
)
async def test_what_is_for_another_app_is_refused(house: SlackHouse, form: dict[str, object]) -> None:
    await house.server.wait_until(house.adapter.caught_up.is_set, DEADLINE)
    looked = len(house.server.calls("users.conversations"))
    answer = await house.server.signed.post(json.dumps({"team_id": "T0001", "api_app_id": "A0OTHER", **form}))
    assert answer.status == 403
    assert not house.intake.rows
    assert len(house.server.calls("users.conversations")) == looked


async def test_before_the_start_nothing_is_acknowledged(server: SlackServer) -> None:
    house = SlackHouse(server, socket=False)
    async with http.serving(house.checks, "127.0.0.1", 0, house.adapter.endpoints) as port:
        server.signed.url = f"http://127.0.0.1:{port}/slack/events"
        answer = await server.signed.post(json.dumps({"type": "event_callback", "team_id": "T0001", "event": {}}))
    assert answer.status == 503


def test_without_a_signing_secret_there_is_no_door(server: SlackServer) -> None:
    house = SlackHouse(server, socket=False)
    with pytest.raises(ValueError, match="signing secret"):
        SlackAdapter(SlackApp(base_url="https://slack.com/api/", signing_secret=" "), house.clock)
