"""What only one person is to see goes by the hook, or as an ephemeral message, or to their own conversation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent
from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_responding import COMMANDS
from tests.slacking import ANN, BOB, TEAM, Desk, worker

ANNS = f"slack:{TEAM}:{ANN}"


def answering(status: int) -> Callable[[Request], Awaitable[Reply]]:
    async def answer(request: Request) -> Reply:
        return Reply(status=status, headers={"retry-after": "4"})

    return answer


@pytest.fixture
async def at() -> AsyncIterator[Desk]:
    async with worker() as opened:
        yield opened


def response_url(at: Desk) -> str:
    team = at.server.team
    url: str = at.server.responding.address(COMMANDS, team, team.channels[at.channel], ANN)
    return url


async def test_an_answer_by_the_hook_is_for_one_persons_eyes(at: Desk) -> None:
    assert await at.send("secret", response_url=response_url(at)) == "ephemeral"
    assert at.texts(user=ANN) == ["secret"]
    assert at.texts(user=BOB) == []


async def test_a_press_changes_the_message_that_only_one_sees(at: Desk) -> None:
    url = response_url(at)
    await at.send("Sure?", response_url=url)
    assert await at.send("Yes!", response_url=url, replaces="ephemeral") == "ephemeral"
    assert at.texts(user=ANN) == ["Yes!"]


async def test_a_message_that_all_see_is_edited_where_it_is(at: Desk) -> None:
    ts = await at.send("Sure?")
    assert await at.send("Yes!", response_url=response_url(at), replaces=ts, only_for=ANNS) == ts
    assert at.texts() == ["Yes!"]


async def test_a_dead_hook_is_followed_by_an_ephemeral_message(at: Desk) -> None:
    url = response_url(at)
    for number in range(5):
        await at.send(str(number), response_url=url, only_for=ANNS)
        at.clock.advance(1.0)
    assert await at.send("sixth", response_url=url, only_for=ANNS) == "ephemeral"
    assert at.texts(user=ANN)[-1] == "sixth"
    assert len(at.server.calls("chat.postEphemeral")) == 1
    assert at.texts(user=BOB) == []


async def test_who_is_not_in_the_channel_is_told_in_their_own_conversation(at: Desk) -> None:
    at.server.leave(ANN, at.channel)
    assert await at.send("secret", only_for=ANNS) == "ephemeral"
    assert at.texts(at.dm, ANN) == ["secret"]
    assert "secret" not in at.texts(user=BOB)


async def test_without_a_hook_it_is_an_ephemeral_message(at: Desk) -> None:
    await at.send("secret", only_for=ANNS)
    assert at.texts(user=ANN) == ["secret"]
    assert at.texts(user=BOB) == []


async def test_in_a_private_conversation_it_is_a_message_like_any(at: Desk) -> None:
    ts = await at.send("Hi", at.dm, only_for=ANNS, key="k1")
    assert [message.ts for message in at.server.shown(at.dm)] == [ts]


async def test_what_only_one_person_saw_cannot_be_changed_without_its_hook(at: Desk) -> None:
    assert await at.send("x", replaces="ephemeral") == "ephemeral"
    assert at.texts(user=ANN) == []


async def test_nobody_else_sees_it_because_the_person_is_not_known(at: Desk) -> None:
    with pytest.raises(SendRefused, match="nobody"):
        await at.send("secret", response_url="https://hooks.slack.com.evil.example/x")
    assert at.texts() == []


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/commands/T1/2/3",
        "https://hooks.slack.com@evil.example/x",
        "https://hooks.slack.com:444/x",
        "http://hooks.slack.com/x",
        "https://[bad",
        "file:///etc/passwd",
    ],
)
async def test_a_hook_that_is_none_of_slacks_gets_nothing(at: Desk, url: str) -> None:
    await at.send("secret", response_url=url, only_for=ANNS)
    assert [call.method for call in at.server.calls()][-1] == "chat.postEphemeral"


@pytest.mark.parametrize(
    ("status", "error"), [(500, SendDoubtful), (503, SendDoubtful), (429, SendUnsent)], ids=["500", "503", "429"]
)
async def test_the_troubles_of_a_hook_are_told_apart(
    at: Desk, status: int, error: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    url = response_url(at)
    at.server.rooms[COMMANDS] = answering(status)
    with pytest.raises(error) as caught:
        await at.send("x", response_url=url, only_for=ANNS)
    assert url not in f"{caught.value!r}{caplog.text}"


@pytest.mark.parametrize("code", ["user_disabled", "user_not_found", "messages_tab_disabled"])
async def test_that_one_person_cannot_be_told_says_nothing_of_the_channel(at: Desk, code: str) -> None:
    at.server.fault("chat.postEphemeral", error=code)
    with pytest.raises(SendRefused, match=f"^{code}"):
        await at.send("psst", only_for=ANNS)


async def test_nor_does_that_their_own_conversation_takes_nothing(at: Desk) -> None:
    at.server.fault("chat.postEphemeral", error="user_not_in_channel")
    at.server.fault("chat.postMessage", error="channel_not_found")
    with pytest.raises(SendRefused, match=r"^channel_not_found"):
        await at.send("psst", only_for=ANNS)


async def test_what_is_for_nobody_of_slack_is_not_shown_to_all(at: Desk) -> None:
    with pytest.raises(SendRefused):
        await at.send("psst", only_for="tg:1001")
    assert at.texts() == []
