"""Slack's apps as they are made today: an agent in its private chat, and an app that may read once a minute."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.playing import AHEAD, played_on_slack
from tests.acceptance.slack_driver import admitted
from tests.acceptance.stories.office import Office

pytestmark = pytest.mark.asyncio(loop_scope="module")

PROMPTED = "assistant.threads.setSuggestedPrompts"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def office(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Office]:
    """One program, for an app that is distributed."""
    settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted(), "SLACK__HISTORY_LIMIT": "minute"}
    async with played_on_slack(Office, tmp_path_factory.mktemp("agent"), AHEAD, **settings) as stage:
        stage.slack.distributed()
        yield stage


async def test_who_opens_the_private_chat_is_offered_prompts_and_a_pressed_one_is_answered(office: Office) -> None:
    ann = office.platform.member()
    home = office.platform.private(ann)
    place = (home.key, "")
    office.slack.open_home(ann.key, tab="messages")
    await office.until(lambda: place in office.slack.team.prompts)
    prompts = [prompt["message"] for prompt in office.slack.team.prompts[place]["prompts"]]
    assert "What time is it?" in prompts
    # A press of a prompt writes it.
    pressed = next(prompt for prompt in prompts if prompt.startswith("Remind me in 1 minute"))
    answer = await office.says(ann, pressed)
    assert "stretch" in answer.text
    assert answer.text.startswith("⏰")
    office.slack.open_home(ann.key, tab="messages")
    await office.talk(ann)
    calls = [call for call in office.slack.calls(PROMPTED) if call.params["channel_id"] == home.key]
    assert len(calls) == 1
    assert "thread_ts" not in calls[0].params


async def test_what_somebody_looks_at_is_acknowledged_and_stands_nowhere(office: Office) -> None:
    ann = office.platform.member()
    seen = "C0SEENELSEWHERE"
    office.slack.look(seen, ann.key)
    office.slack.open_home(ann.key)
    await office.says(ann, "/todo water the fern")
    office.slack.look(f"{seen}2", ann.key)
    told = office.slack.deliveries.of("events_api", "app_context_changed")
    await office.until(lambda: len(told) == 2 and all(one.acked for one in told))
    assert [one.attempts for one in told] == [1, 1]
    # Slack told it with the message, too.
    assert [one for one in office.slack.deliveries.of("events_api") if "app_context" in one.payload["event"]]
    assert not [name for name, content in office.bot.written().items() if seen.encode() in content]


async def test_threads_are_read_once_a_minute_and_only_where_our_own_rows_have_not_all_of_it(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    # What begins with a mention is all in our own rows.
    await office.asked(ann, "hello", room)
    assert office.slack.calls("conversations.replies") == []
    for number in range(2):
        root = office.write(ann, f"Pizza or pasta on day {number}?", room)
        office.write(bob, "Pasta alla Norma it is.", room, root)
        await office.asked(ann, f"what did we decide for day {number}", room, root)
    [call] = office.slack.calls("conversations.replies")
    assert (call.error, str(call.params["limit"])) == ("", "15")
    assert "Pizza or pasta on day 0" in str(office.model.requests[-2].messages)
    assert [one.error for one in office.slack.calls("conversations.history") if one.error] == []
