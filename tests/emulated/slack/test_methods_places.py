"""Places of the Slack emulator: opening, listing, joining, reading."""

from __future__ import annotations

from slack_sdk.web.async_client import AsyncWebClient

from tests.emulated.slack.conftest import FOREIGN, OLD, ROOM, SECRET
from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import refusal
from tests.emulators.slack_world import Channel, User

METADATA = {"event_type": "teller", "event_payload": {"key": "k1"}}


async def posted(client: AsyncWebClient, count: int, thread: str | None = None) -> list[str]:
    said = [await client.chat_postMessage(channel=ROOM, text=str(n), thread_ts=thread) for n in range(count)]
    return [answer["ts"] for answer in said]


async def test_a_conversation_is_opened_once_for_the_same_people(server: SlackServer, client: AsyncWebClient) -> None:
    first, again = await client.conversations_open(users="U1"), await client.conversations_open(users=["U1"])
    assert (first["channel"]["id"], again["channel"]["id"]) == ("D1", "D1")
    assert (first.get("already_open"), again.get("already_open")) == (None, True)
    assert await refusal(client.conversations_open(users="U404")) == "user_not_found"
    assert await refusal(client.conversations_open(users="U0BOT")) == "cannot_dm_bot"
    assert await refusal(client.conversations_open(users="U1,U2")) == "missing_scope"
    server.team.users["U2"].deleted = True
    assert await refusal(client.conversations_open(users="U2")) == "user_disabled"
    assert await refusal(client.conversations_open(channel=ROOM)) == "method_not_supported_for_channel_type"


async def test_lists_show_what_the_bot_may_see_page_by_page(server: SlackServer, client: AsyncWebClient) -> None:
    first = await client.conversations_list(types="public_channel,private_channel", limit=2)
    cursor = first["response_metadata"]["next_cursor"]
    rest = await client.conversations_list(types="public_channel,private_channel", limit=2, cursor=cursor)
    assert [c["id"] for c in [*first["channels"], *rest["channels"]]] == [ROOM, FOREIGN, OLD]
    assert rest["response_metadata"]["next_cursor"] == ""
    mine = await client.users_conversations(exclude_archived=True)
    assert [c["id"] for c in mine["channels"]] == [ROOM]
    assert await refusal(client.conversations_list(cursor="nonsense")) == "invalid_cursor"
    assert await refusal(client.conversations_list(limit=1000)) == "invalid_limit"
    assert await refusal(client.conversations_list(types="fax")) == "invalid_types"


async def test_a_private_channel_without_the_bot_does_not_exist_for_it(client: AsyncWebClient) -> None:
    assert await refusal(client.conversations_info(channel=SECRET)) == "channel_not_found"
    assert await refusal(client.conversations_join(channel=SECRET)) == "channel_not_found"
    info = await client.conversations_info(channel=FOREIGN, include_num_members=True)
    assert (info["channel"]["is_member"], info["channel"]["num_members"]) == (False, 2)


async def test_the_bot_joins_and_leaves_public_channels(server: SlackServer, client: AsyncWebClient) -> None:
    assert await refusal(client.conversations_history(channel=FOREIGN)) == "not_in_channel"
    await client.conversations_join(channel=FOREIGN)
    assert (await client.conversations_join(channel=FOREIGN))["warning"] == "already_in_channel"
    assert (await client.conversations_members(channel=FOREIGN))["members"] == ["U0BOT", "U1", "U2"]
    assert await refusal(client.conversations_leave(channel=FOREIGN)) == "missing_scope"
    server.team.scopes.add("channels:manage")
    await client.conversations_leave(channel=FOREIGN)
    assert (await client.conversations_leave(channel=FOREIGN))["not_in_channel"] is True
    assert await refusal(client.conversations_join(channel=OLD)) == "is_archived"


async def test_history_is_newest_first_between_two_times(client: AsyncWebClient) -> None:
    times = await posted(client, 4)
    whole = await client.conversations_history(channel=ROOM)
    assert [m["ts"] for m in whole["messages"]] == times[::-1]
    between = await client.conversations_history(channel=ROOM, oldest=times[0], latest=times[3])
    assert [m["ts"] for m in between["messages"]] == [times[2], times[1]]
    ends = await client.conversations_history(channel=ROOM, oldest=times[0], latest=times[3], inclusive=True)
    assert [m["ts"] for m in ends["messages"]] == times[::-1]
    assert await refusal(client.conversations_history(channel=ROOM, oldest="noon")) == "invalid_ts_oldest"


async def test_history_is_read_on_with_a_cursor_in_pages_no_greater_than_allowed(
    server: SlackServer, client: AsyncWebClient
) -> None:
    times = await posted(client, 5)
    server.world.app.history_most = 2
    first = await client.conversations_history(channel=ROOM, limit=50)
    assert ([m["ts"] for m in first["messages"]], first["has_more"]) == (times[:2:-1], True)
    cursor = first["response_metadata"]["next_cursor"]
    second = await client.conversations_history(channel=ROOM, limit=50, cursor=cursor)
    assert [m["ts"] for m in second["messages"]] == [times[2], times[1]]
    assert await refusal(client.conversations_history(channel=ROOM, limit=5000)) == "invalid_limit"


async def test_history_with_nothing_but_an_oldest_goes_forward_from_there(client: AsyncWebClient) -> None:
    times = await posted(client, 5)
    first = await client.conversations_history(channel=ROOM, oldest=times[0], limit=2)
    assert ([m["ts"] for m in first["messages"]], first["has_more"]) == ([times[2], times[1]], True)
    cursor = first["response_metadata"]["next_cursor"]
    rest = await client.conversations_history(channel=ROOM, oldest=times[0], limit=2, cursor=cursor)
    assert ([m["ts"] for m in rest["messages"]], rest["has_more"]) == ([times[4], times[3]], False)
    last = await client.conversations_history(channel=ROOM, oldest=times[0], latest=times[4], limit=2)
    assert [m["ts"] for m in last["messages"]] == [times[3], times[2]]


async def test_metadata_are_shown_only_when_asked_for(client: AsyncWebClient) -> None:
    await client.chat_postMessage(channel=ROOM, text="x", metadata=METADATA)
    plain = await client.conversations_history(channel=ROOM)
    whole = await client.conversations_history(channel=ROOM, include_all_metadata=True)
    assert ["metadata" in answer["messages"][0] for answer in (plain, whole)] == [False, True]
    assert whole["messages"][0]["metadata"] == METADATA


async def test_a_thread_is_read_from_its_root_and_stays_out_of_the_history(client: AsyncWebClient) -> None:
    (root,) = await posted(client, 1)
    answers = await posted(client, 3, root)
    shown = await client.chat_postMessage(channel=ROOM, text="all", thread_ts=root, reply_broadcast=True)
    thread = await client.conversations_replies(channel=ROOM, ts=root)
    assert [m["ts"] for m in thread["messages"]] == [root, *answers, shown["ts"]]
    assert (thread["messages"][0]["reply_count"], thread["messages"][0]["latest_reply"]) == (4, shown["ts"])
    late = await client.conversations_replies(channel=ROOM, ts=root, oldest=answers[1])
    assert [m["ts"] for m in late["messages"]] == [root, answers[2], shown["ts"]]
    history = await client.conversations_history(channel=ROOM)
    assert [(m["ts"], m.get("subtype")) for m in history["messages"]] == [
        (shown["ts"], "thread_broadcast"),
        (root, None),
    ]
    assert await refusal(client.conversations_replies(channel=ROOM, ts="1.000001")) == "thread_not_found"


async def test_a_deleted_root_leaves_a_tombstone_only_above_answers(client: AsyncWebClient) -> None:
    lonely, root = await posted(client, 2)
    (answer,) = await posted(client, 1, root)
    for ts in (lonely, root):
        await client.chat_delete(channel=ROOM, ts=ts)
    history = await client.conversations_history(channel=ROOM)
    assert [(m["ts"], m["subtype"]) for m in history["messages"]] == [(root, "tombstone")]
    thread = await client.conversations_replies(channel=ROOM, ts=root)
    assert [m["ts"] for m in thread["messages"]] == [root, answer]
    assert await refusal(client.conversations_replies(channel=ROOM, ts=lonely)) == "thread_not_found"


async def test_somebody_of_another_workspace_is_known_from_a_shared_channel_only(
    server: SlackServer, client: AsyncWebClient
) -> None:
    other = server.world.team("T0002", installed=False)
    other.users["U7"] = User(id="U7", team_id="T0002", name="outsider")
    assert await refusal(client.users_info(user="U7")) == "user_not_found"
    shared = Channel(id="C7", name="shared", members={"U1", "U7", "U0BOT"}, is_ext_shared=True)
    server.team.channels["C7"] = other.channels["C7"] = shared
    assert (await client.users_info(user="U7"))["user"]["team_id"] == "T0002"
    assert await refusal(client.conversations_open(users="U7")) == "user_not_visible"
    assert (await client.conversations_info(channel="C7"))["channel"]["is_ext_shared"] is True
