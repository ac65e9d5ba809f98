"""The Slack emulator's Web API, called by the real AsyncWebClient over real sockets."""

from __future__ import annotations

import httpx
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulated.slack.conftest import FOREIGN, OLD, ROOM, SECRET
from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import client_for, refusal
from tests.emulators.slack_world import User

LONG = "x" * 40_001
METADATA = {"event_type": "teller", "event_payload": {"key": "k1"}}


async def test_the_bot_knows_itself_and_its_scopes(server: SlackServer, client: AsyncWebClient) -> None:
    me = await client.auth_test()
    assert (me["user_id"], me["bot_id"], me["team_id"]) == ("U0BOT", "B0BOT", "T0001")
    assert set(me.headers["x-oauth-scopes"].split(",")) == server.team.scopes


async def test_tokens_are_refused_for_what_is_wrong_with_them(server: SlackServer) -> None:
    async def error(token: str) -> str:
        return await refusal(client_for(server, token).auth_test())

    server.world.team("T0002")
    gone, revoked = server.world.teams["T0002"].bot_token, server.team.bot_token
    server.world.revoke(server.world.teams["T0002"], "account_inactive")
    server.world.revoke(server.team)
    codes = [await error(token) for token in ("xoxb-wrong", gone, revoked, server.world.app.app_token)]
    assert codes == ["invalid_auth", "account_inactive", "token_revoked", "not_allowed_token_type"]
    async with httpx.AsyncClient() as plain:
        assert (await plain.post(f"{server.api}auth.test")).json() == {"ok": False, "error": "not_authed"}


async def test_a_token_in_a_json_body_is_not_looked_for(server: SlackServer) -> None:
    token = {"token": server.team.bot_token}
    async with httpx.AsyncClient(base_url=server.api) as plain:
        answers = [await plain.post("auth.test", json=token), await plain.post("auth.test", data=token)]
    assert [answer.json()["ok"] for answer in answers] == [False, True]


async def test_unknown_methods_and_arguments_are_refused(client: AsyncWebClient) -> None:
    assert await refusal(client.api_call("chat.shout", json={"channel": ROOM})) == "unknown_method"
    assert await refusal(client.chat_postMessage(channel=ROOM, text="x", colour="red")) == "invalid_arguments"
    assert await refusal(client.api_call("chat.postMessage", json={"text": "x"})) == "invalid_arguments"
    assert await refusal(client.api_call("users.info", json={"user": "U1"})) == "invalid_arguments"


@pytest.mark.parametrize(
    ("body", "kind", "error"),
    [
        (b"{", "application/json", "invalid_json"),
        (b"[]", "application/json", "json_not_object"),
        (b"x", "text/plain", "invalid_post_type"),
        (b"x", "", "missing_post_type"),
    ],
)
async def test_bodies_of_the_wrong_form_are_refused(server: SlackServer, body: bytes, kind: str, error: str) -> None:
    headers = {"authorization": f"Bearer {server.team.bot_token}"} | ({"content-type": kind} if kind else {})
    async with httpx.AsyncClient(base_url=server.api, headers=headers) as plain:
        assert (await plain.post("chat.postMessage", content=body)).json()["error"] == error
    assert server.calls("chat.postMessage")[0].error == error


async def test_a_missing_scope_is_named(server: SlackServer, client: AsyncWebClient) -> None:
    server.team.scopes = {"users:read"}
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=ROOM, text="x")
    answer = caught.value.response
    assert (answer["error"], answer["needed"], answer["provided"]) == ("missing_scope", "chat:write", "users:read")
    assert await refusal(client.conversations_history(channel=ROOM)) == "missing_scope"


async def test_a_message_is_posted_into_channels_and_to_people(server: SlackServer, client: AsyncWebClient) -> None:
    said = await client.chat_postMessage(channel=ROOM, text="Hello", metadata=METADATA)
    written = await client.chat_postMessage(channel="U1", text="Psst")
    named = await client.chat_postMessage(channel="#general", text="All")
    assert (said["channel"], written["channel"], named["channel"]) == (ROOM, "D1", ROOM)
    assert said["message"]["bot_id"] == "B0BOT"
    assert server.team.channels[ROOM].messages[said["ts"]].metadata == METADATA
    assert [call.status for call in server.calls("chat.postMessage")] == [200] * 3


async def test_times_are_unique_and_follow_the_platforms_clock(server: SlackServer, client: AsyncWebClient) -> None:
    before = [(await client.chat_postMessage(channel=ROOM, text="x"))["ts"] for _ in range(3)]
    server.ahead = 3600
    after = (await client.chat_postMessage(channel=ROOM, text="x"))["ts"]
    assert sorted({*before, after}) == [*before, after]
    assert float(after) - float(before[-1]) > 3599


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"channel": "C404", "text": "x"}, "channel_not_found"),
        ({"channel": SECRET, "text": "x"}, "channel_not_found"),
        ({"channel": "U404", "text": "x"}, "channel_not_found"),
        ({"channel": FOREIGN, "text": "x"}, "not_in_channel"),
        ({"channel": OLD, "text": "x"}, "is_archived"),
        ({"channel": "U0BOT", "text": "x"}, "cannot_dm_bot"),
        ({"channel": ROOM, "text": ""}, "no_text"),
        ({"channel": ROOM, "text": LONG}, "msg_too_long"),
        ({"channel": ROOM, "markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"channel": ROOM, "markdown_text": "x", "text": "x"}, "markdown_text_conflict"),
        ({"channel": ROOM, "text": "x", "thread_ts": "1.000001"}, "invalid_thread_ts"),
        ({"channel": ROOM, "text": "x", "thread_ts": "1700000000.000001"}, "thread_not_found"),
        ({"channel": ROOM, "text": "x", "username": "Boss"}, "missing_scope"),
        ({"channel": ROOM, "text": "x", "as_user": True}, "as_user_not_supported"),
        ({"channel": ROOM, "text": "x", "metadata": {"event_type": "x"}}, "invalid_metadata_schema"),
        ({"channel": ROOM, "text": "x", "metadata": {"key": "x"}}, "invalid_metadata_format"),
        ({"channel": ROOM, "text": "x", "unfurl_links": "maybe"}, "invalid_arguments"),
    ],
)
async def test_a_post_that_slack_refuses_is_refused(
    client: AsyncWebClient, arguments: dict[str, object], error: str
) -> None:
    assert await refusal(client.api_call("chat.postMessage", json=arguments)) == error


async def test_nobody_is_written_to_while_the_messages_tab_is_off(server: SlackServer, client: AsyncWebClient) -> None:
    server.world.app.messages_tab = False
    assert await refusal(client.chat_postMessage(channel="U1", text="x")) == "messages_tab_disabled"


async def test_an_answer_goes_to_the_root_and_never_to_an_answer(client: AsyncWebClient) -> None:
    root = (await client.chat_postMessage(channel=ROOM, text="root"))["ts"]
    answer = (await client.chat_postMessage(channel=ROOM, text="answer", thread_ts=root))["ts"]
    assert await refusal(client.chat_postMessage(channel=ROOM, text="x", thread_ts=answer)) == "thread_not_found"
    lonely = (await client.chat_postMessage(channel=ROOM, text="gone"))["ts"]
    await client.chat_delete(channel=ROOM, ts=lonely)
    assert await refusal(client.chat_postMessage(channel=ROOM, text="x", thread_ts=lonely)) == "thread_not_found"
    link = await client.chat_getPermalink(channel=ROOM, message_ts=answer)
    end = f"/archives/{ROOM}/p{answer.replace('.', '')}?thread_ts={root}&cid={ROOM}"
    assert link["permalink"] == f"https://acme.slack.com{end}"


async def test_an_update_without_blocks_takes_the_old_ones_away(server: SlackServer, client: AsyncWebClient) -> None:
    block = {"type": "section", "text": {"type": "mrkdwn", "text": "old"}}
    ts = (await client.chat_postMessage(channel=ROOM, text="old", blocks=[block]))["ts"]
    message = server.team.channels[ROOM].messages[ts]
    await client.api_call("chat.update", json={"channel": ROOM, "ts": ts, "metadata": METADATA})
    assert [block["type"] for block in message.blocks] == ["section"]
    await client.chat_update(channel=ROOM, ts=ts, text="new", blocks=[block])
    assert message.edited is None
    await client.chat_update(channel=ROOM, ts=ts, text="newer")
    assert (message.text, message.blocks, message.metadata) == ("newer", [], METADATA)
    assert message.edited is not None
    assert [form["text"] for form in message.edits] == ["old", "old", "new"]


async def test_only_what_is_ones_own_is_changed_or_deleted(server: SlackServer, client: AsyncWebClient) -> None:
    theirs = server.world.post(server.team, server.team.channels[ROOM], user="U1", text="mine").ts
    own = (await client.chat_postMessage(channel=ROOM, text="x"))["ts"]
    assert await refusal(client.chat_update(channel=ROOM, ts=theirs, text="x")) == "cant_update_message"
    assert await refusal(client.chat_delete(channel=ROOM, ts=theirs)) == "cant_delete_message"
    assert await refusal(client.chat_update(channel=ROOM, ts=own, text="x" * 4001)) == "msg_too_long"
    await client.chat_delete(channel=ROOM, ts=own)
    assert await refusal(client.chat_update(channel=ROOM, ts=own, text="x")) == "message_not_found"
    assert await refusal(client.chat_delete(channel=ROOM, ts=own)) == "message_not_found"


async def test_an_ephemeral_message_is_for_one_who_is_there(server: SlackServer, client: AsyncWebClient) -> None:
    room = server.team.channels[ROOM]
    ts = (await client.chat_postEphemeral(channel=ROOM, user="U1", text="only you"))["message_ts"]
    assert [(m.ts, m.ephemeral_for) for m in room.ephemeral] == [(ts, "U1")]
    assert await refusal(client.chat_update(channel=ROOM, ts=ts, text="x")) == "message_not_found"
    room.members.discard("U2")
    assert await refusal(client.chat_postEphemeral(channel=ROOM, user="U2", text="x")) == "user_not_in_channel"


async def test_reactions_are_put_once_and_taken_away_once(client: AsyncWebClient) -> None:
    ts = (await client.chat_postMessage(channel=ROOM, text="x"))["ts"]
    await client.reactions_add(channel=ROOM, name="eyes", timestamp=ts)
    assert await refusal(client.reactions_add(channel=ROOM, name="eyes", timestamp=ts)) == "already_reacted"
    assert await refusal(client.reactions_add(channel=ROOM, name=":eyes:", timestamp=ts)) == "invalid_name"
    shown = await client.reactions_get(channel=ROOM, timestamp=ts)
    assert shown["message"]["reactions"] == [{"name": "eyes", "users": ["U0BOT"], "count": 1}]
    await client.reactions_remove(channel=ROOM, name="eyes", timestamp=ts)
    assert await refusal(client.reactions_remove(channel=ROOM, name="eyes", timestamp=ts)) == "no_reaction"


async def test_a_person_has_a_zone_and_a_bot_may_have_none(server: SlackServer, client: AsyncWebClient) -> None:
    server.team.users["U9"] = User(id="U9", team_id="T0001", name="robot", is_bot=True, tz="")
    person = (await client.users_info(user="U1", include_locale=True))["user"]
    assert (person["tz"], person["locale"]) == ("Europe/Berlin", "en-US")
    assert "tz" not in (await client.users_info(user="U9"))["user"]
    assert await refusal(client.users_info(user="U404")) == "user_not_found"


async def test_a_status_is_gone_after_the_answer(server: SlackServer, client: AsyncWebClient) -> None:
    root = (await client.chat_postMessage(channel=ROOM, text="x"))["ts"]
    await client.assistant_threads_setStatus(channel_id=ROOM, thread_ts=root, status="is thinking…")
    assert server.team.statuses[ROOM, root]["status"] == "is thinking…"
    await client.chat_postMessage(channel=ROOM, text="done", thread_ts=root)
    assert server.team.statuses == {}
    await client.assistant_threads_setStatus(channel_id=ROOM, thread_ts=root, status="")
    many = ["…"] * 11
    refused = client.assistant_threads_setStatus(channel_id=ROOM, thread_ts=root, status="x", loading_messages=many)
    assert await refusal(refused) == "invalid_arguments"
    prompts = [{"title": "Hi", "message": "Hello"}]
    refused = client.assistant_threads_setSuggestedPrompts(channel_id=ROOM, thread_ts=root, prompts=prompts)
    assert await refusal(refused) == "missing_scope"


async def test_a_file_is_given_to_the_token_and_a_page_to_everybody_else(
    server: SlackServer, client: AsyncWebClient
) -> None:
    form = server.files.store(server.world, server.team, user="U1", name="a.txt", data=b"abc", mimetype="text/plain")
    url = (await client.files_info(file=form["id"]))["file"]["url_private"]
    async with httpx.AsyncClient(follow_redirects=True) as plain:
        good = await plain.get(url, headers={"authorization": f"Bearer {server.team.bot_token}"})
        bad = await plain.get(url, headers={"authorization": "Bearer xoxb-wrong"})
    assert (good.content, good.headers["content-type"]) == (b"abc", "text/plain")
    assert (bad.status_code, bad.headers["content-type"]) == (200, "text/html")
    assert await refusal(client.files_info(file="F404")) == "file_not_found"


async def test_workspaces_do_not_meet(server: SlackServer, client: AsyncWebClient) -> None:
    other = server.world.team("T0002", domain="globex")
    other.users["U1"] = User(id="U1", team_id="T0002", name="namesake")
    stranger = client_for(server, other.bot_token)
    assert (await stranger.users_info(user="U1"))["user"]["name"] == "namesake"
    assert (await client.users_info(user="U1"))["user"]["name"] == "u1"
    assert await refusal(stranger.chat_postMessage(channel=ROOM, text="x")) == "channel_not_found"
    assert {call.team for call in server.calls("users.info")} == {"T0001", "T0002"}
