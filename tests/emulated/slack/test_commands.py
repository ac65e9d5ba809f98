"""Slash commands, shortcuts and response_url of the emulated Slack, with the real Bolt on the other side."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.emulated.slack.bolting import ROOM, USER, Heard, bolt, connected
from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import EVENT
from tests.emulators.slack_pressing import Press
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_world import Json

YES: Json = {"type": "button", "text": {"type": "plain_text", "text": "Yes"}, "action_id": "yes", "value": "1"}


@pytest.fixture
async def app(server: SlackServer) -> AsyncIterator[AsyncApp]:
    made = bolt(server, Heard())
    async with connected(server, made):
        yield made


def replying(app: AsyncApp, *answer: Any) -> list[Json]:
    """Let the app acknowledge the command like this; returns the commands it got."""
    seen: list[Json] = []

    async def listener(ack: Any, command: Json) -> None:
        seen.append(command)
        await ack(*answer)

    app.command("/teller")(listener)
    return seen


def hook(press: Press) -> AsyncWebhookClient:
    return AsyncWebhookClient(press.url, retry_handlers=[])


async def pressed(server: SlackServer, client: AsyncWebClient) -> tuple[Press, str]:
    """Somebody presses a button of a message of the bot; returns the press and the ts of the message."""
    blocks = [{"type": "actions", "elements": [YES]}]
    ts = (await client.chat_postMessage(channel=ROOM, text="Tea?", blocks=blocks))["ts"]
    return server.press(ts, "Yes", USER, ROOM), ts


async def test_a_command_brings_who_where_and_what(server: SlackServer, app: AsyncApp) -> None:
    seen = replying(app)
    press = server.command("/teller remind <@U2> to <b>", USER, ROOM)
    await press.envelope.settled()
    (form,) = seen
    assert (form["command"], form["text"]) == ("/teller", "remind <@U2|u2> to &lt;b&gt;")
    assert (form["user_id"], form["channel_id"], form["channel_name"], form["team_id"]) == (
        USER,
        ROOM,
        "general",
        "T0001",
    )
    assert server.toasts(press) == []


async def test_a_command_that_does_not_escape_names_people_only(server: SlackServer, app: AsyncApp) -> None:
    seen = replying(app)
    server.commands["/teller"] = False
    await server.command("/teller remind <@U2>", USER).envelope.settled()
    assert (seen[0]["text"], seen[0]["channel_name"]) == ("remind @u2", "directmessage")


async def test_the_acknowledgement_may_answer_in_private_or_in_the_channel(server: SlackServer, app: AsyncApp) -> None:
    replying(app, {"text": "for all", "response_type": "in_channel"})
    await server.command("/teller help", USER, ROOM).envelope.settled()
    assert [one.text for one in server.said(ROOM)] == ["for all"]


async def test_a_private_answer_is_seen_by_who_asked(server: SlackServer, app: AsyncApp) -> None:
    replying(app, "for you")
    press = server.command("/teller help", USER, ROOM)
    await press.envelope.settled()
    assert [one.text for one in server.toasts(press)] == ["for you"]
    assert server.toasts(press.ts) == server.toasts(press)
    assert server.said(ROOM) == []


async def test_a_command_that_is_not_acknowledged_fails_visibly(server: SlackServer, app: AsyncApp) -> None:
    server.deliveries.ack_seconds = 0.1
    press = server.command("/teller help", USER, ROOM)
    envelope = await press.envelope.settled()
    assert (envelope.gone, envelope.attempts) == (True, 1)
    assert "did not respond" in server.toasts(press)[0].text
    with pytest.raises(ValueError, match="no command of the app"):
        server.command("/other help", USER, ROOM)


async def test_an_acknowledgement_that_slack_could_not_show_is_the_testers_trouble() -> None:
    server = await SlackServer().start()
    made = bolt(server, Heard())
    replying(made, {"text": "x", "colour": "red"})
    async with connected(server, made):
        assert (await server.command("/teller help").envelope.settled()).acked
    with pytest.raises(ApiError, match="emulator: unknown field"):
        await server.stop()


async def test_a_message_shortcut_brings_the_message(server: SlackServer) -> None:
    ts = server.say("call Oma", "U2", ROOM)
    payload = server.shortcut("remind_message", USER, message=ts, channel=ROOM).envelope.payload
    assert (payload["type"], payload["callback_id"], payload["message_ts"]) == ("message_action", "remind_message", ts)
    assert (payload["message"]["text"], payload["message"]["user"], payload["user"]["id"]) == ("call Oma", "U2", USER)
    assert payload["channel"]["id"] == ROOM


async def test_an_answer_is_private_unless_it_is_for_all(server: SlackServer, client: AsyncWebClient) -> None:
    press, _ = await pressed(server, client)
    assert (await hook(press).send(text="psst")).status_code == 200
    assert [one.text for one in server.toasts(press)] == ["psst"]
    assert [one.labels for one in server.shown(ROOM, "U2")] == [["Yes"]]
    await hook(press).send(text="loud", response_type="in_channel")
    assert server.shown(ROOM, "U2")[-1].text == "loud"


async def test_the_original_may_be_replaced_and_deleted(server: SlackServer, client: AsyncWebClient) -> None:
    press, ts = await pressed(server, client)
    await hook(press).send(text="Tea it is", blocks=[], replace_original=True)
    (shown,) = server.said(ROOM)
    assert (shown.ts, shown.text, shown.buttons, shown.edits) == (ts, "Tea it is", (), 1)
    await hook(press).send(delete_original=True)
    assert server.said(ROOM) == []
    subtypes = [one.payload["event"].get("subtype") for one in server.deliveries.of(EVENT)]
    assert subtypes == [None, "message_changed", "message_deleted"]
    assert (await hook(press).send(text="again", replace_original=True)).status_code == 404


async def test_an_ephemeral_message_is_changed_only_through_its_address(
    server: SlackServer, client: AsyncWebClient
) -> None:
    blocks = [{"type": "actions", "elements": [YES]}]
    ts = (await client.chat_postEphemeral(channel=ROOM, user=USER, text="Tea?", blocks=blocks))["message_ts"]
    press = server.press(ts, "Yes", USER, ROOM)
    await hook(press).send(text="Done", replace_original=True)
    (shown,) = server.shown(ROOM, USER)
    assert (shown.text, shown.ephemeral, shown.edits) == ("Done", True, 1)


async def test_an_address_takes_five_messages(server: SlackServer, client: AsyncWebClient) -> None:
    press, _ = await pressed(server, client)
    codes = [(await hook(press).send(text=str(number))).status_code for number in range(6)]
    assert codes == [200] * 5 + [404]
    assert len(server.toasts(press)) == 5


async def test_an_old_or_unknown_address_takes_nothing(server: SlackServer, client: AsyncWebClient) -> None:
    server.responding.life = 0.0
    press, _ = await pressed(server, client)
    answer = await hook(press).send(text="late")
    assert (answer.status_code, "expired_url" in answer.body) == (404, True)
    unknown = AsyncWebhookClient(f"{server.url}/actions/T0001/1/abc")
    assert (await unknown.send(text="x")).status_code == 404
    assert server.toasts(press) == []


@pytest.mark.parametrize("body", ['{"text": "x", "colour": "red"}', "{}", "{{{", '{"blocks": [{"type": "nope"}]}'])
async def test_an_answer_that_cannot_be_shown_is_refused(
    server: SlackServer, client: AsyncWebClient, body: str
) -> None:
    press, _ = await pressed(server, client)
    headers = {"content-type": "application/json"}
    async with aiohttp.ClientSession() as session, session.post(press.url, data=body, headers=headers) as answer:
        assert answer.status == 400
    assert server.toasts(press) == []
    assert server.calls("response_url")[0].error
