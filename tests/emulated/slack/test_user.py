"""What people do in the emulated Slack, what the bot is told of it, and what they see."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import EVENT
from tests.emulators.slack_world import Json

ROOM, FOREIGN, SECRET, OLD = "C1", "C2", "C3", "C4"


def told(server: SlackServer) -> list[Json]:
    """The events that the bot was told, oldest first."""
    return [envelope.payload["event"] for envelope in server.deliveries.of(EVENT)]


def kinds(server: SlackServer) -> list[str]:
    return [one.get("subtype") or one["type"] for one in told(server)]


def button(label: str, **fields: Any) -> Json:
    return {"type": "button", "text": {"type": "plain_text", "text": label}, **fields}


def actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


async def test_a_channel_without_the_bot_is_not_heard_but_for_a_mention_in_public(server: SlackServer) -> None:
    server.say("psst", "U1", FOREIGN)
    server.mention("psst", "U1", SECRET)
    assert told(server) == []
    server.mention("Hello", "U1", FOREIGN)
    assert kinds(server) == ["app_mention"]


async def test_what_is_typed_is_escaped_and_links_are_marked(server: SlackServer) -> None:
    server.say("a < b && <@U2> see https://example.org/x?a=1&b=2 <!here>", "U1", ROOM)
    (event,) = told(server)
    link = "<https://example.org/x?a=1&amp;b=2>"
    assert event["text"] == f"a &lt; b &amp;&amp; <@U2> see {link} <!here>"
    elements = event["blocks"][0]["elements"][0]["elements"]
    assert [one["type"] for one in elements] == ["text", "user", "text", "link", "text", "broadcast"]
    (shown,) = server.shown(ROOM)
    assert shown.text == "a < b && @u2 see https://example.org/x?a=1&b=2 @here"
    assert shown.told == ("U2",)


async def test_people_cannot_write_where_they_are_not(server: SlackServer) -> None:
    with pytest.raises(ValueError, match="is not in"):
        server.say("Hello", "U3", ROOM)
    with pytest.raises(ValueError, match="archived"):
        server.say("Hello", "U1", OLD)
    server.world.app.messages_tab = False
    with pytest.raises(ValueError, match="messages tab"):
        server.say("Hello", "U1")
    assert told(server) == []


async def test_a_change_and_a_deletion_are_told_with_what_was_before(server: SlackServer) -> None:
    ts = server.say("one", "U1", ROOM)
    server.edit(ts, "two", "U1", ROOM)
    server.delete(ts, "U1", ROOM)
    _, changed, deleted = told(server)
    assert (changed["subtype"], changed["message"]["text"]) == ("message_changed", "two")
    assert (changed["previous_message"]["text"], changed["message"]["ts"]) == ("one", ts)
    assert changed["message"]["edited"]["user"] == "U1"
    assert (deleted["subtype"], deleted["deleted_ts"], deleted["previous_message"]["text"]) == (
        "message_deleted",
        ts,
        "two",
    )
    assert server.shown(ROOM) == []
    with pytest.raises(ValueError, match="no message"):
        server.edit(ts, "three", "U1", ROOM)


async def test_only_who_wrote_it_may_change_it(server: SlackServer) -> None:
    ts = server.say("one", "U1", ROOM)
    with pytest.raises(ValueError, match="not a message of"):
        server.edit(ts, "two", "U2", ROOM)
    with pytest.raises(ValueError, match="not a message of"):
        server.delete(ts, "U2", ROOM)
    server.delete(ts, "U2", ROOM, admin=True)
    assert kinds(server)[-1] == "message_deleted"


async def test_answers_are_in_a_thread_whose_root_leaves_a_stone(server: SlackServer) -> None:
    root = server.say("root", "U1", ROOM)
    answer = server.say("answer", "U2", ROOM, thread=root)
    server.say("loud", "U2", ROOM, thread=root, broadcast=True)
    with pytest.raises(ValueError, match="an answer itself"):
        server.say("wrong", "U1", ROOM, thread=answer)
    server.delete(root, "U1", ROOM)
    _, second, third, stone = told(server)
    assert (second["thread_ts"], second["parent_user_id"]) == (root, "U1")
    assert (third["subtype"], third["root"]["ts"]) == ("thread_broadcast", root)
    assert (stone["subtype"], stone["message"]["subtype"]) == ("message_changed", "tombstone")
    assert [one.text for one in server.shown(ROOM, thread=root)] == ["answer", "loud"]


async def test_a_file_brings_its_address(server: SlackServer) -> None:
    server.upload(b"data", "U1", name="notes.txt", text="look")
    (event,) = told(server)
    assert (event["subtype"], event["text"], event["files"][0]["name"]) == ("file_share", "look", "notes.txt")
    assert event["files"][0]["url_private"].startswith(server.url)


async def test_other_bots_and_the_bot_itself_are_heard_as_bots(server: SlackServer, client: AsyncWebClient) -> None:
    server.other_bot("beep", ROOM)
    await client.chat_postMessage(channel=ROOM, text=f"I am <@{server.team.bot_user}>")
    other, own = told(server)
    assert (other["subtype"], other["bot_id"], "user" in other) == ("bot_message", "B0OTHER", False)
    assert (own["bot_id"], own["user"], own["app_id"]) == (server.team.bot_id, server.team.bot_user, "A0TELLER")


async def test_coming_and_going_is_told(server: SlackServer) -> None:
    server.invite_bot(FOREIGN, by="U1")
    server.join("U3", FOREIGN, by="U2")
    server.leave("U3", FOREIGN)
    server.kick_bot(FOREIGN, by="U1")
    server.join("U3", FOREIGN)
    bot = server.team.bot_user
    events = told(server)
    assert [(one.get("subtype") or one["type"], one.get("user")) for one in events] == [
        ("member_joined_channel", bot),
        ("channel_join", bot),
        ("member_joined_channel", "U3"),
        ("channel_join", "U3"),
        ("member_left_channel", "U3"),
        ("channel_leave", "U3"),
        ("channel_left", None),
    ]
    assert (events[0]["inviter"], events[1]["inviter"], events[1]["text"]) == (
        "U1",
        "U1",
        f"<@{bot}> has joined the channel",
    )
    assert server.said(FOREIGN) == []
    with pytest.raises(ValueError, match="must be invited"):
        server.join("U3", SECRET)


async def test_changes_of_people_and_channels_are_told(server: SlackServer) -> None:
    server.user("U1", tz="America/New_York", tz_offset=-18000)
    server.user("U9", name="nina", joins=True)
    server.archive(ROOM, by="U1")
    change, joined, archived = told(server)
    assert (change["type"], change["user"]["tz"]) == ("user_change", "America/New_York")
    assert (joined["type"], joined["user"]["name"]) == ("team_join", "nina")
    assert (archived["type"], archived["channel"]) == ("channel_archive", ROOM)


async def test_reactions_are_told_and_taken_back(server: SlackServer) -> None:
    ts = server.say("one", "U1", ROOM)
    server.react(ts, "eyes", "U2", ROOM)
    server.react(ts, "eyes", "U2", ROOM)
    _, added, removed = told(server)
    assert (added["type"], added["item"]["ts"], added["item_user"]) == ("reaction_added", ts, "U1")
    assert removed["type"] == "reaction_removed"


async def test_an_uninstalled_app_is_told_and_then_nothing_more(server: SlackServer, client: AsyncWebClient) -> None:
    server.uninstall()
    server.say("Hello?", "U1", ROOM)
    assert sorted(kinds(server)) == ["app_uninstalled", "tokens_revoked"]


async def test_what_is_not_subscribed_to_is_not_sent(server: SlackServer) -> None:
    server.telling.subscribed = frozenset({"app_mention"})
    server.mention("Hello", "U1", ROOM)
    server.user("U1", tz="Asia/Kolkata")
    assert kinds(server) == ["app_mention"]


async def test_a_raw_event_is_handed_over_as_it_is(server: SlackServer) -> None:
    envelope = server.push({"type": "message", "text": None}, team_id="T9")
    assert (envelope.payload["event"], envelope.payload["team_id"]) == ({"type": "message", "text": None}, "T9")


async def test_a_shared_channel_brings_people_of_another_workspace(server: SlackServer) -> None:
    other = server.world.team("T0002", installed=False)
    server.user("U77", name="eve", team=other.id)
    shared = server.channel(["U1", "U77"], name="both", shared_with=other.id)
    server.say("Hello", "U77", shared, team=other.id)
    (envelope,) = server.deliveries.of(EVENT)
    event = envelope.payload["event"]
    told = [envelope.payload[name] for name in ("team_id", "context_team_id", "is_ext_shared_channel")]
    assert told == ["T0002", "T0001", True]
    assert envelope.payload["authorizations"][0]["team_id"] == "T0001"
    assert (event["user_team"], event["team"], event["user_profile"]["name"]) == ("T0002", "T0002", "eve")


async def test_equal_ids_in_two_workspaces_do_not_meet(server: SlackServer) -> None:
    server.world.team("T0002")
    for team in ("T0001", "T0002"):
        server.user("U5", team=team)
        server.say(f"from {team}", "U5", team=team)
    assert [one.payload["team_id"] for one in server.deliveries.of(EVENT)] == ["T0001", "T0002"]
    assert [one.text for one in server.shown("D5", team="T0002")] == ["from T0002"]


async def test_the_clock_may_run_ahead(server: SlackServer) -> None:
    now = float(server.say("now", "U1"))
    server.ahead = 3600.0
    assert float(server.say("later", "U1")) >= now + 3600


async def test_a_press_brings_the_message_and_what_the_button_carries(
    server: SlackServer, client: AsyncWebClient
) -> None:
    posted = await client.chat_postMessage(
        channel=ROOM, text="Tea?", blocks=[actions(button("Yes", action_id="a", value="1"), button("No"))]
    )
    press = server.press(posted["ts"], "Yes", "U2", ROOM)
    payload = press.envelope.payload
    assert (payload["type"], payload["user"]["id"], payload["team"]["id"]) == ("block_actions", "U2", "T0001")
    (entry,) = payload["actions"]
    assert (entry["action_id"], entry["value"], entry["text"]["text"]) == ("a", "1", "Yes")
    assert entry["block_id"] == payload["message"]["blocks"][0]["block_id"]
    assert payload["container"]["message_ts"] == payload["message"]["ts"] == posted["ts"]
    assert payload["channel"] == {"id": ROOM, "name": "general"}
    with pytest.raises(ValueError, match="nothing is called"):
        server.press(posted["ts"], "Maybe", "U2", ROOM)


async def test_only_what_is_seen_can_be_pressed(server: SlackServer, client: AsyncWebClient) -> None:
    blocks = [actions(button("Yes", value="1"))]
    alone = await client.chat_postEphemeral(channel=ROOM, user="U1", text="Tea?", blocks=blocks)
    with pytest.raises(ValueError, match="sees no message"):
        server.press(alone["message_ts"], "Yes", "U2", ROOM)
    payload = server.press(alone["message_ts"], "Yes", "U1", ROOM).envelope.payload
    assert payload["container"]["is_ephemeral"] is True
    assert "message" not in payload


async def test_what_is_chosen_is_in_the_action_and_in_the_state(server: SlackServer, client: AsyncWebClient) -> None:
    options = [{"text": {"type": "plain_text", "text": name}, "value": name.lower()} for name in ("Tea", "Coffee")]
    menu = {"type": "static_select", "action_id": "drink", "options": options}
    moment = {"type": "datetimepicker", "action_id": "when", "initial_date_time": 1700000000}
    posted = await client.chat_postMessage(channel=ROOM, text="Tea?", blocks=[actions(menu, moment)])
    payload = server.select(posted["ts"], "drink", "Coffee", "U1", ROOM).envelope.payload
    (entry,) = payload["actions"]
    assert entry["selected_option"]["value"] == "coffee"
    state = payload["state"]["values"][entry["block_id"]]["drink"]
    assert (state["type"], state["selected_option"]["value"]) == ("static_select", "coffee")
    chosen = server.select(posted["ts"], "when", 1700000300, "U1", ROOM).envelope.payload["actions"][0]
    assert chosen["selected_date_time"] == 1700000300
    with pytest.raises(ValueError, match="no option"):
        server.select(posted["ts"], "drink", "Milk", "U1", ROOM)


async def test_a_hostile_client_presses_what_is_not_there(server: SlackServer, client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel=ROOM, text="Tea?", blocks=[actions(button("Yes", value="1"))])
    await client.chat_delete(channel=ROOM, ts=posted["ts"])
    press = server.forge(posted["ts"], {"action_id": "a", "value": "2"}, "U2", ROOM)
    assert press.envelope.payload["actions"][0]["value"] == "2"


async def test_blocks_are_read_as_people_see_them(server: SlackServer, client: AsyncWebClient) -> None:
    blocks: list[Json] = [
        {"type": "header", "text": {"type": "plain_text", "text": "List"}},
        {
            "type": "markdown",
            "text": "# Now\n**bold** and *soft*, `a*b*` [link](https://e.org) 2\\*3 snake_case_x &amp;",
        },
        {"type": "section", "text": {"type": "mrkdwn", "text": "<@U2> &lt;3 <https://e.org|there>"}},
        actions(button("Done", value="1"), button("Later", value="2")),
    ]
    await client.chat_postMessage(channel=ROOM, text="fallback", blocks=blocks)
    (shown,) = server.said(ROOM)
    assert shown.text == "List\n\nNow\nbold and soft, a*b* link 2*3 snake_case_x &\n\n@u2 <3 there"
    assert shown.labels == ["Done", "Later"]
    assert shown.told == ("U2",)


async def test_an_ephemeral_message_is_seen_by_one(server: SlackServer, client: AsyncWebClient) -> None:
    await client.chat_postEphemeral(channel=ROOM, user="U1", text="only you")
    assert [one.text for one in server.shown(ROOM, "U1")] == ["only you"]
    assert server.shown(ROOM, "U2") == server.shown(ROOM) == []
    assert told(server) == []


async def test_who_installs_the_app_comes_back_with_their_cookie_and_a_code(server: SlackServer) -> None:
    back: list[tuple[str, dict[str, str]]] = []

    async def begin(request: web.Request) -> web.Response:
        query = {"client_id": server.world.app.client_id, "scope": "chat:write", "state": "s"}
        query["redirect_uri"] = str(request.url.with_path("/back"))
        answer = web.Response(status=302, headers={"location": f"{server.authorize_url}?{urlencode(query)}"})
        answer.set_cookie("state", "s", secure=True)
        return answer

    async def end(request: web.Request) -> web.Response:
        back.append((request.cookies.get("state", ""), dict(request.query)))
        return web.Response(text="Thank you")

    app = web.Application()
    app.router.add_get("/install", begin)
    app.router.add_get("/back", end)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/install"
    agreed, refused = await server.install(url, "U1"), await server.install(url, "U1", deny=True)
    await runner.cleanup()
    assert agreed.body == refused.body == "Thank you"
    assert [cookie for cookie, _ in back] == ["s", "s"]
    assert [sorted(query) for _, query in back] == [["code", "state"], ["error", "state"]]
