"""Modals and the Home tab of the emulated Slack, with the real Bolt on the other side."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulated.slack.bolting import USER, Heard, bolt, connected
from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import refusal
from tests.emulators.slack_delivery import EVENT, INTERACTIVE
from tests.emulators.slack_world import Json


def words(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def modal(title: str = "Remind", **fields: Any) -> Json:
    name = {"type": "plain_text_input", "action_id": "what"}
    day = {"type": "datepicker", "action_id": "day", "initial_date": "2026-11-27"}
    blocks: list[Json] = [
        {"type": "input", "block_id": "b1", "label": words("What"), "element": name},
        {"type": "input", "block_id": "b2", "label": words("Day"), "element": day, "optional": True},
    ]
    plain = {"type": "modal", "callback_id": "remind", "title": words(title), "submit": words("Send"), "blocks": blocks}
    return {**plain, **fields}


@pytest.fixture
def app(server: SlackServer) -> AsyncApp:
    return bolt(server, Heard())


@pytest.fixture
async def joined(server: SlackServer, app: AsyncApp) -> AsyncIterator[AsyncApp]:
    async with connected(server, app):
        yield app


def opens(app: AsyncApp, view: Json) -> None:
    """Let the app answer the shortcut "new" with a modal."""

    async def listener(ack: Any, body: Json, client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=view)

    app.shortcut("new")(listener)


def answers(app: AsyncApp, *answer: Any, **fields: Any) -> list[Json]:
    """Let the app answer what is sent like this; returns the views that were sent."""
    seen: list[Json] = []

    async def listener(ack: Any, view: Json) -> None:
        seen.append(view)
        await ack(*answer, **fields)

    app.view("remind")(listener)
    return seen


async def opened(server: SlackServer) -> str:
    server.shortcut("new", USER)
    await server.wait_until(lambda: bool(server.views(USER)))
    return server.views(USER)[-1].id


async def test_a_shortcut_opens_a_modal_that_is_filled_in_and_sent(server: SlackServer, joined: AsyncApp) -> None:
    opens(joined, modal(private_metadata="note"))
    seen = answers(joined)
    await opened(server)
    await server.submit({"What": "call Oma"}, USER).settled()
    assert server.views(USER) == []
    (view,) = seen
    assert view["state"]["values"] == {
        "b1": {"what": {"type": "plain_text_input", "value": "call Oma"}},
        "b2": {"day": {"type": "datepicker", "selected_date": "2026-11-27"}},
    }
    assert (view["callback_id"], view["private_metadata"]) == ("remind", "note")


async def test_what_must_be_filled_in_must_be(server: SlackServer, joined: AsyncApp) -> None:
    opens(joined, modal())
    await opened(server)
    with pytest.raises(ValueError, match="must be filled in"):
        server.submit({}, USER)
    with pytest.raises(ValueError, match="no input"):
        server.submit({"What": "x", "Whither": "y"}, USER)


async def test_errors_are_shown_and_the_modal_stays(server: SlackServer, joined: AsyncApp) -> None:
    opens(joined, modal())
    answers(joined, response_action="errors", errors={"b1": "too short"})
    number = await opened(server)
    await server.submit({"What": "x"}, USER).settled()
    assert server.errors(USER) == {"b1": "too short"}
    assert [view.id for view in server.views(USER)] == [number]


async def test_a_modal_gives_way_to_another_form_of_it(server: SlackServer, joined: AsyncApp) -> None:
    opens(joined, modal())
    answers(joined, response_action="update", view=modal("Done"))
    number = await opened(server)
    await server.submit({"What": "x"}, USER).settled()
    (view,) = server.views(USER)
    assert (view.id, view.content["title"]["text"]) == (number, "Done")


@pytest.mark.parametrize(("act", "left"), [("push", 2), ("clear", 0)])
async def test_a_stack_grows_and_is_cleared(server: SlackServer, joined: AsyncApp, act: str, left: int) -> None:
    opens(joined, modal())
    answers(joined, {"response_action": act, **({"view": modal("More")} if act == "push" else {})})
    await opened(server)
    await server.submit({"What": "x"}, USER).settled()
    assert len(server.views(USER)) == left


async def test_without_an_answer_the_modal_stays_and_says_so(server: SlackServer, joined: AsyncApp) -> None:
    opens(joined, modal())
    server.deliveries.ack_seconds = 0.2
    await opened(server)
    envelope = await server.submit({"What": "x"}, USER).settled()
    assert (envelope.gone, envelope.attempts) == (True, 1)
    assert "" in server.errors(USER)


async def test_closing_is_told_only_when_it_was_asked_for(server: SlackServer, joined: AsyncApp) -> None:
    opens(joined, modal(notify_on_close=True))
    number = await opened(server)
    server.close(USER)
    payload = server.deliveries.of(INTERACTIVE)[-1].payload
    assert (payload["type"], payload["view"]["id"], payload["is_cleared"]) == ("view_closed", number, False)
    with pytest.raises(ValueError, match="has no modal"):
        server.close(USER)


async def test_a_trigger_is_good_once_and_for_a_while(server: SlackServer, client: AsyncWebClient) -> None:
    trigger = server.shortcut("new", USER).trigger
    assert await refusal(client.views_open(trigger_id=trigger, view=modal())) == ""
    assert await refusal(client.views_open(trigger_id=trigger, view=modal())) == "exchanged_trigger_id"
    late = server.shortcut("new", USER).trigger
    server.world.triggers[late].until = 0
    assert await refusal(client.views_open(trigger_id=late, view=modal())) == "expired_trigger_id"


async def test_the_home_tab_is_opened_filled_and_pressed(server: SlackServer, client: AsyncWebClient) -> None:
    server.open_home(USER)
    (envelope,) = server.deliveries.of(EVENT)
    event = envelope.payload["event"]
    assert (event["type"], event["tab"], event["user"], "view" in event) == ("app_home_opened", "home", USER, False)
    done = {"type": "button", "text": words("Done"), "action_id": "done", "value": "7"}
    heading: Json = {"type": "header", "text": words("To-dos")}
    home = {"type": "home", "blocks": [heading, {"type": "actions", "elements": [done]}]}
    view = (await client.views_publish(user_id=USER, view=home))["view"]
    assert server.home_text(USER) == "To-dos"
    payload = server.press(view["id"], "Done", USER).envelope.payload
    assert payload["container"] == {"type": "view", "view_id": view["id"]}
    assert (payload["actions"][0]["value"], payload["view"]["hash"]) == ("7", view["hash"])
    assert "response_url" not in payload
    server.open_home(USER)
    assert server.deliveries.of(EVENT)[-1].payload["event"]["view"]["id"] == view["id"]


async def test_options_are_suggested_while_somebody_types(server: SlackServer, joined: AsyncApp) -> None:
    menu = {"type": "external_select", "action_id": "who", "placeholder": words("Who?")}

    async def options(ack: Any, payload: Json) -> None:
        await ack(options=[{"text": words(payload["value"].title()), "value": "1"}])

    joined.options("who")(options)
    client: AsyncWebClient = joined.client
    blocks = [{"type": "actions", "elements": [menu]}]
    posted = await client.chat_postMessage(channel=USER, text="Who?", blocks=blocks)
    envelope = await server.suggest(posted["ts"], "Who?", "ann", USER).settled()
    assert envelope.response["options"][0]["text"]["text"] == "Ann"
