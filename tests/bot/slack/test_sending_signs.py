"""Signs of work: a status in a thread, else a mark; never both, and never an error."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.slacking import ANN, TEAM, Desk, worker


@pytest.fixture
async def at() -> AsyncIterator[Desk]:
    async with worker() as opened:
        yield opened


@pytest.fixture
def root(at: Desk) -> str:
    team = at.server.team
    return at.server.world.post(team, team.channels[at.channel], user=ANN, text="Hi").ts


def reactions(at: Desk, ts: str) -> dict[str, list[str]]:
    return at.server.team.channels[at.channel].messages[ts].reactions


async def test_a_thread_shows_a_status_and_no_mark(at: Desk, root: str) -> None:
    to = at.to(thread=root)
    await at.decoration.mark(to, root, working=True)
    await at.decoration.typing(to)
    assert at.server.status(at.channel, root) == "is thinking…"
    await at.decoration.mark(to, root, working=False)
    assert reactions(at, root) == {}
    assert at.server.calls("reactions.add") == []


async def test_a_status_is_not_shown_again_before_it_is_time(at: Desk, root: str) -> None:
    for _ in range(5):
        await at.decoration.typing(at.to(thread=root))
        at.clock.advance(4.5)
    assert len(at.server.calls("assistant.threads.setStatus")) == 1
    at.clock.advance(90.0)
    await at.decoration.typing(at.to(thread=root))
    assert len(at.server.calls("assistant.threads.setStatus")) == 2


async def test_after_a_message_the_status_is_shown_again(at: Desk, root: str) -> None:
    await at.decoration.typing(at.to(thread=root))
    await at.send("half of it", thread=root)
    await at.decoration.typing(at.to(thread=root))
    assert len(at.server.calls("assistant.threads.setStatus")) == 2


async def test_where_there_can_be_no_status_the_message_gets_a_mark(at: Desk, root: str) -> None:
    at.server.fault("assistant.threads.setStatus", error="missing_scope")
    to = at.to(thread=root)
    await at.decoration.mark(to, root, working=True)
    assert reactions(at, root) == {}
    await at.decoration.typing(to)
    await at.decoration.typing(to)
    assert reactions(at, root) == {"eyes": [at.workspace.bot_user]}
    assert len(at.server.calls("assistant.threads.setStatus")) == 1
    await at.decoration.mark(to, root, working=False)
    assert reactions(at, root) == {}


async def test_a_status_is_tried_again_after_an_hour(at: Desk, root: str) -> None:
    at.server.fault("assistant.threads.setStatus", error="unknown_method")
    await at.decoration.typing(at.to(thread=root))
    at.clock.advance(3601.0)
    await at.decoration.typing(at.to(thread=root))
    assert at.server.status(at.channel, root) == "is thinking…"


async def test_a_passing_trouble_is_no_reason_for_a_mark(at: Desk, root: str) -> None:
    to = at.to(thread=root)
    await at.decoration.mark(to, root, working=True)
    at.server.fault("assistant.threads.setStatus", "500")
    await at.decoration.typing(to)
    at.server.fault("assistant.threads.setStatus", "429", retry_after=20)
    await at.decoration.typing(to)
    await at.decoration.typing(to)
    assert len(at.server.calls("assistant.threads.setStatus")) == 2
    assert reactions(at, root) == {}


async def test_without_a_thread_there_is_nothing_to_show_but_a_mark(at: Desk, root: str) -> None:
    await at.decoration.typing(at.to())
    await at.decoration.mark(at.to(), root, working=True)
    assert reactions(at, root) == {"eyes": [at.workspace.bot_user]}
    assert at.server.calls("assistant.threads.setStatus") == []


async def test_signs_are_lost_without_a_word(at: Desk, root: str) -> None:
    await at.decoration.mark(at.to(), "1790000000.000001", working=True)
    at.workspaces.drop(TEAM)
    await at.decoration.typing(at.to(thread=root))
    await at.decoration.mark(at.to(), root, working=True)
    assert reactions(at, root) == {}


async def test_a_status_is_in_the_language_of_who_asked(at: Desk, root: str) -> None:
    await at.decoration.typing(at.to(thread=root), "zh")
    assert at.server.status(at.channel, root) == "正在思考…"
