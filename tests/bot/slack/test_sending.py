"""Messages reach an emulated Slack, and each way in which one does not is told apart."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.adapters.slack.send.client import Wire, introduced
from bot.adapters.slack.send.sender import LEAVE
from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent
from core.kernel.types import Destination, Part
from tests.fakes import FakeClock
from tests.slacking import ANN, BOB, TEAM, Desk, part_of, worker


@pytest.fixture
async def at() -> AsyncIterator[Desk]:
    async with worker() as opened:
        yield opened


def last(at: Desk, method: str) -> dict[str, Any]:
    params: dict[str, Any] = at.server.calls(method)[-1].params
    return params


async def test_a_message_arrives_with_its_buttons(at: Desk) -> None:
    ts = await at.sender.send(at.to(), part_of("**Hi** there", "Yes", "No"))
    [message] = at.server.shown(at.channel)
    assert (message.ts, message.text, message.labels) == (ts, "Hi there", ["Yes", "No"])


async def test_no_message_unfurls_links_or_names_or_shows_itself_to_the_channel(at: Desk) -> None:
    await at.send("see http://a.bc")
    sent = last(at, "chat.postMessage")
    assert (sent["unfurl_links"], sent["unfurl_media"], sent["link_names"]) == (False, False, False)
    assert sent["parse"] == "none"
    assert "reply_broadcast" not in sent


async def test_a_message_carries_its_key(at: Desk) -> None:
    await at.send("Hi", key="k1")
    assert last(at, "chat.postMessage")["metadata"] == {"event_type": "teller", "event_payload": {"key": "k1"}}


async def test_an_answer_goes_to_its_thread(at: Desk) -> None:
    root = await at.send("Root")
    await at.send("Answer", thread=root, reply_to="1.000002")
    assert at.texts(thread=root) == ["Answer"]


async def test_a_thread_that_is_gone_is_left_out(at: Desk) -> None:
    await at.send("Answer", thread="1790000000.000001")
    assert at.texts(thread="") == ["Answer"]


async def test_a_private_message_arrives(at: Desk) -> None:
    await at.send("Hi Ann", at.dm)
    assert at.texts(at.dm, ANN) == ["Hi Ann"]


async def test_an_edit_takes_the_buttons_away(at: Desk) -> None:
    ts = await at.sender.send(at.to(), part_of("Sure?", "Yes", "No"))
    assert await at.send("Sure? **Yes**", replaces=ts) == ts
    [message] = at.server.shown(at.channel)
    assert (message.text, message.labels) == ("Sure? Yes", [])
    # Left out, those of the message would stay.
    assert "blocks" in last(at, "chat.update")


async def test_an_edit_of_what_is_gone_is_refused(at: Desk) -> None:
    with pytest.raises(SendRefused, match="message_not_found"):
        await at.send("x", replaces="1.000001")


async def test_a_possible_repeat_is_marked_above(at: Desk) -> None:
    await at.send("Hi", repeated="(perhaps sent twice)")
    assert at.texts() == ["(perhaps sent twice)\n\nHi"]


async def test_mentioned_people_are_told(at: Desk) -> None:
    await at.send(f"<@{BOB}>: milk")
    [message] = at.server.shown(at.channel)
    assert message.told == (BOB,)


async def test_blocks_that_slack_refuses_go_as_text(at: Desk) -> None:
    bad = [{"type": "markdown", "text": "a < b"}, {"type": "nonsense"}]
    buttons = part_of("", "Yes", "No").payload["blocks"][-1:]
    await at.sender.send(at.to(), Part(payload={"text": "a", "blocks": [*bad, *buttons]}))
    assert at.texts() == ["a < b\n\n• Yes\n• No"]


async def test_a_part_of_another_platform_is_refused(at: Desk) -> None:
    with pytest.raises(SendRefused, match="put together"):
        await at.sender.send(at.to(), Part(payload={"words": "x"}))


async def test_where_the_bot_is_not_nothing_gets_any_more(at: Desk) -> None:
    at.server.kick_bot(at.channel, ANN)
    with pytest.raises(SendRefused, match=r"^Forbidden: not_in_channel$"):
        await at.send("x")


@pytest.mark.parametrize("code", ["channel_not_found", "is_archived", "not_in_channel"])
async def test_what_is_gone_is_forbidden(at: Desk, code: str) -> None:
    at.server.fault("chat.postMessage", error=code)
    with pytest.raises(SendRefused, match=r"^Forbidden"):
        await at.send("x")


async def test_a_text_too_long_is_refused_but_the_place_is_there(at: Desk) -> None:
    at.server.fault("chat.postMessage", error="msg_too_long")
    with pytest.raises(SendRefused, match=r"^msg_too_long"):
        await at.send("x")


async def test_a_pause_that_slack_asks_for_is_kept(at: Desk) -> None:
    at.server.fault("chat.postMessage", "429", retry_after=7)
    with pytest.raises(SendUnsent) as caught:
        await at.send("x")
    assert caught.value.retry_after == 7.0
    with pytest.raises(SendUnsent) as caught:
        await at.send("x")
    assert caught.value.retry_after == 7.0
    assert len(at.server.calls("chat.postMessage")) == 1
    at.clock.advance(7.0)
    await at.send("x")


async def test_the_pace_keeps_documented_limits(at: Desk) -> None:
    for number in range(3):
        await at.send(str(number))
    with pytest.raises(SendUnsent) as caught:
        await at.send("one too many")
    assert caught.value.retry_after == 1.0


@pytest.mark.parametrize("kind", ["500", "503", "html", "cut", "cut_after", "short_after", "garbage"])
async def test_what_may_have_arrived_is_in_doubt(at: Desk, kind: str) -> None:
    at.server.fault("chat.postMessage", kind)
    with pytest.raises(SendDoubtful):
        await at.send("x")
    # The library must not have repeated it.
    assert len(at.server.calls("chat.postMessage")) == 1


@pytest.mark.parametrize("code", ["internal_error", "fatal_error"])
async def test_slacks_own_trouble_is_in_doubt(at: Desk, code: str) -> None:
    at.server.fault("chat.postMessage", error=code)
    with pytest.raises(SendDoubtful):
        await at.send("x")


async def test_a_server_that_is_not_there_got_nothing() -> None:
    async with worker() as at:
        await at.server.stop()
        fresh = Wire(at.server.api)
        at.workspaces.add(replace(at.workspace, client=fresh.web("xoxb-1")))
        with pytest.raises(SendUnsent):
            await at.send("x")
        await fresh.close()


@pytest.mark.parametrize("code", ["invalid_auth", "token_revoked", "account_inactive", "missing_scope"])
async def test_a_token_in_trouble_lets_messages_wait(at: Desk, code: str, caplog: pytest.LogCaptureFixture) -> None:
    at.server.fault("chat.postMessage", error=code, times=2)
    with caplog.at_level(logging.ERROR):
        for _ in range(2):
            with pytest.raises(SendUnsent) as caught:
                await at.send("x")
            assert caught.value.retry_after >= 60.0
    assert len(caplog.records) == 1
    assert at.server.team.bot_token not in caplog.text


async def test_another_workspace_waits_for_its_installation(at: Desk) -> None:
    with pytest.raises(SendUnsent, match="not connected"):
        await at.sender.send(Destination(tenant="T0002", chat="C1"), part_of("x"))


async def test_equal_channels_of_two_workspaces_are_not_mixed_up(at: Desk) -> None:
    team = at.server.world.team("T0002")
    other = at.server.channel((ANN,), team="T0002")
    at.workspaces.add(await introduced(at.wire.web(team.bot_token), at.clock))
    await at.sender.send(Destination(tenant="T0002", chat=other), part_of("for the others"))
    assert [message.text for message in at.server.shown(other, team="T0002")] == ["for the others"]
    assert at.texts() == []


async def test_after_the_end_nothing_is_sent(at: Desk) -> None:
    await at.wire.close()
    with pytest.raises(SendUnsent, match="closed"):
        await at.send("x")


async def test_the_bot_leaves_a_channel(at: Desk) -> None:
    at.server.team.scopes.add("channels:manage")
    assert await at.sender.send(at.to(), LEAVE) == ""
    assert at.server.team.bot_user not in at.server.team.channels[at.channel].members
    assert await at.sender.send(at.to(), LEAVE) == ""


async def test_leaving_without_the_right_to_is_given_up(at: Desk) -> None:
    with pytest.raises(SendRefused, match="missing_scope"):
        await at.sender.send(at.to(), LEAVE)


async def test_who_the_bot_is_is_asked_once(at: Desk) -> None:
    assert at.workspace.team == TEAM
    assert (at.workspace.bot_user, at.workspace.bot_id) == (at.server.team.bot_user, at.server.team.bot_id)
    assert at.workspace.may("chat:write")
    assert not at.workspace.may("admin")


async def test_no_token_is_shown_by_what_holds_it(at: Desk) -> None:
    assert at.server.team.bot_token not in repr(at.workspace)


async def test_a_base_without_a_slash_is_as_good(at: Desk) -> None:
    wire = Wire(at.server.api.rstrip("/"))
    assert (await introduced(wire.web(at.server.team.bot_token), FakeClock())).team == TEAM
    await wire.close()


@pytest.mark.parametrize("code", ["user_disabled", "user_not_found", "messages_tab_disabled", "cannot_dm_bot"])
async def test_who_cannot_be_reached_is_gone_from_their_own_conversation_alone(at: Desk, code: str) -> None:
    for chat, reason in ((at.dm, f"^Forbidden: {code}$"), (at.channel, f"^{code}$")):
        at.server.fault("chat.postMessage", error=code)
        with pytest.raises(SendRefused, match=reason):
            await at.send("x", chat)


@pytest.mark.parametrize("code", ["restricted_action", "restricted_action_thread_only_channel"])
async def test_a_channel_with_rules_of_its_own_is_not_gone(at: Desk, code: str) -> None:
    at.server.fault("chat.postMessage", error=code)
    with pytest.raises(SendRefused, match=f"^{code}"):
        await at.send("x")
