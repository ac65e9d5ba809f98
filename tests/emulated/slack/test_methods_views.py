"""Modals and the Home tab of the Slack emulator, as the Web API opens and changes them."""

from __future__ import annotations

from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import client_for, refusal

Json = dict[str, Any]


def modal(title: str = "New", **fields: Any) -> Json:
    return {"type": "modal", "title": {"type": "plain_text", "text": title}, "blocks": [], **fields}


HOME: Json = {"type": "home", "blocks": [{"type": "divider"}]}


def trigger(server: SlackServer, seconds: float = 60.0) -> str:
    return server.world.trigger(server.team, "U1", seconds).id


async def test_a_trigger_opens_one_modal_and_only_in_time(server: SlackServer, client: AsyncWebClient) -> None:
    good, late = trigger(server), trigger(server, 0)
    view = (await client.views_open(trigger_id=good, view=modal()))["view"]
    assert (view["root_view_id"], view["state"]) == (view["id"], {"values": {}})
    assert [shown.id for shown in server.team.modals["U1"]] == [view["id"]]
    assert await refusal(client.views_open(trigger_id=good, view=modal())) == "exchanged_trigger_id"
    assert await refusal(client.views_open(trigger_id=late, view=modal())) == "expired_trigger_id"
    assert await refusal(client.views_open(trigger_id="1.2.abc", view=modal())) == "invalid_trigger_id"


async def test_a_trigger_of_another_workspace_opens_nothing(server: SlackServer) -> None:
    other = client_for(server, server.world.team("T0002").bot_token)
    assert await refusal(other.views_open(trigger_id=trigger(server), view=modal())) == "invalid_trigger_id"


async def test_a_refused_view_leaves_the_trigger_good(server: SlackServer, client: AsyncWebClient) -> None:
    good = trigger(server)
    assert await refusal(client.views_open(trigger_id=good, view=modal("x" * 25))) == "invalid_arguments"
    assert await refusal(client.views_open(trigger_id=good, view=HOME)) == "invalid_arguments"
    assert await refusal(client.views_open(trigger_id=good, view=modal())) == ""


async def test_three_modals_are_the_most_in_a_stack(server: SlackServer, client: AsyncWebClient) -> None:
    assert await refusal(client.views_push(trigger_id=trigger(server), view=modal())) == "not_found"
    first = (await client.views_open(trigger_id=trigger(server), view=modal()))["view"]
    second = (await client.views_push(trigger_id=trigger(server), view=modal()))["view"]
    assert (second["root_view_id"], second["previous_view_id"]) == (first["id"], first["id"])
    await client.views_push(trigger_id=trigger(server), view=modal())
    assert await refusal(client.views_push(trigger_id=trigger(server), view=modal())) == "push_limit_reached"


async def test_an_update_needs_a_view_and_its_newest_hash(server: SlackServer, client: AsyncWebClient) -> None:
    old = (await client.views_open(trigger_id=trigger(server), view=modal(external_id="e1")))["view"]
    new = (await client.views_update(view_id=old["id"], hash=old["hash"], view=modal("Newer")))["view"]
    assert new["title"]["text"] == "Newer"
    assert await refusal(client.views_update(view_id=old["id"], hash=old["hash"], view=modal())) == "hash_conflict"
    assert await refusal(client.views_update(view_id="V404", view=modal())) == "not_found"
    assert await refusal(client.views_update(external_id="e1", view=modal())) == "not_found"


async def test_an_external_id_is_used_once(server: SlackServer, client: AsyncWebClient) -> None:
    await client.views_open(trigger_id=trigger(server), view=modal(external_id="e1"))
    again = client.views_push(trigger_id=trigger(server), view=modal(external_id="e1"))
    assert await refusal(again) == "duplicate_external_id"
    assert await refusal(client.views_update(external_id="e1", view=modal(external_id="e1"))) == ""


async def test_the_home_tab_is_published_for_one_person(server: SlackServer, client: AsyncWebClient) -> None:
    first = (await client.views_publish(user_id="U1", view=HOME))["view"]
    second = (await client.views_publish(user_id="U1", view=HOME, hash=first["hash"]))["view"]
    assert (first["id"], "U2" in server.team.homes) == (second["id"], False)
    assert await refusal(client.views_publish(user_id="U1", view=HOME, hash=first["hash"])) == "hash_conflict"
    assert await refusal(client.views_publish(user_id="U404", view=HOME)) == "user_not_found"
    assert await refusal(client.views_publish(user_id="U1", view=modal())) == "invalid_arguments"
    server.world.app.home_tab = False
    assert await refusal(client.views_publish(user_id="U1", view=HOME)) == "not_enabled"
