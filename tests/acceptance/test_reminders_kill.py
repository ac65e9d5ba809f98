"""kill -9 between a trigger and what people see of it: one reminder, or one more that says it may be a repeat."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.harness import MARK
from tests.acceptance.playing import AHEAD, played
from tests.acceptance.stories.days import DAY, MINUTE, Days
from tests.acceptance.stories.platform import Chat, Person, Shown
from tests.acceptance.telegram_driver import admitted
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.asyncio(loop_scope="module")
SETTINGS = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted()}

Points = tuple[str, ...]
# Each is one story of one death or several; how many messages come of it, and how many of them are marked.
FIRING: dict[Points, tuple[int, int]] = {
    ("before:fire_triggers", "after:fire_triggers", "before:claim_post", "after:post_sent"): (1, 0),
    ("after:claim_post", "before:send:stretch"): (1, 1),
    ("after:send:stretch",): (2, 1),
    ("before:post_sent",): (2, 1),
}
FIRING_POSTGRES: dict[Points, tuple[int, int]] = {
    ("before:fire_triggers", "after:fire_triggers", "before:claim_post"): (1, 0),
    ("before:post_sent",): (2, 1),
}
# How often who asked may be told: what comes of a press is sent to two chats, and either may be in doubt.
PRESSING: dict[Points, int] = {
    ("before:accept", "after:accept", "before:claim_lane", "after:claim_lane", "before:finish_run"): 1,
    ("after:finish_run", "before:claim_post", "after:claim_post"): 2,
    ("after:send:stretch\\n✅",): 2,
    ("after:send: ✅",): 2,
    ("before:post_sent", "after:post_sent"): 3,
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def program(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Days]:
    """One program for all."""
    async with played(Days, tmp_path_factory.mktemp("deaths"), AHEAD, **SETTINGS) as stage:
        yield stage


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def distant(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Days]:
    """The same with a Postgres database."""
    url = postgres_server.create()
    settings = {**SETTINGS, "DATABASE__URL": url}
    async with played(Days, tmp_path_factory.mktemp("distant"), AHEAD, **settings) as stage:
        yield stage
    postgres_server.drop(url)


async def die(on: Days, failpoints: Points) -> None:
    """Let one process after the other run into its failpoint, and start one that lives."""
    for failpoint in failpoints:
        await on.dies(failpoint)
    await on.bot.start()


def of(on: Days, chat: Chat, words: str) -> list[str]:
    """The messages of a chat that contain some words."""
    return [text for text in on.texts(chat) if words in text]


async def comes(on: Days, failpoints: Points, count: int, marked: int) -> None:
    """A daily reminder comes so many times for its first day, so many of them marked, and once for the next."""
    ann = on.platform.member()
    home = on.platform.private(ann)
    on.noon()
    await on.says(ann, "/remind me every day at 12:10 to stretch")
    await on.bot.stop()
    on.passes(10 * MINUTE)
    await die(on, failpoints)
    await on.until(lambda: len(of(on, home, "⏰ stretch")) == count)
    tasks = await on.says(ann, "/tasks")
    came = of(on, home, "⏰ stretch")
    assert [text.startswith(MARK) for text in came].count(True) == marked
    assert len(came) == count
    assert f"{on.day(1)} 12:10 ↻: stretch" in tasks.text
    on.passes(DAY)
    await on.until(lambda: len(of(on, home, "⏰ stretch")) == count + 1)
    await on.says(ann, "/cancel stretch")
    assert len(of(on, home, "⏰ stretch")) == count + 1


@pytest.mark.parametrize("failpoints", FIRING, ids=" ".join)
async def test_a_reminder_comes_when_the_process_dies_at(program: Days, failpoints: Points) -> None:
    await comes(program, failpoints, *FIRING[failpoints])


@pytest.mark.parametrize("failpoints", FIRING_POSTGRES, ids=" ".join)
async def test_a_reminder_comes_with_postgres_when_the_process_dies_at(distant: Days, failpoints: Points) -> None:
    await comes(distant, failpoints, *FIRING_POSTGRES[failpoints])


async def reminded(on: Days) -> tuple[Person, Shown, Chat]:
    """Somebody was reminded at the wish of another; returns who, the message, and where it was wished."""
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    await on.talk(bob)
    await on.talk(bob, family)
    await on.says(ann, f"/remind {bob.name} in 10 minutes to stretch", family)
    on.passes(10 * MINUTE)
    return bob, await on.sees(on.platform.private(bob), "stretch"), family


@pytest.mark.parametrize("failpoints", PRESSING, ids=" ".join)
async def test_who_asked_learns_of_it_when_the_process_dies_at(program: Days, failpoints: Points) -> None:
    on = program
    bob, posted, family = await reminded(on)
    await on.recorded(bob, posted.chat)
    await on.bot.stop()
    on.platform.press(bob, posted, "OK")
    await die(on, failpoints)
    assert "✅" in await on.closed(posted)
    await on.until(lambda: bool(of(on, family, f"{bob.name} ✅")))
    await on.talk(bob, family)
    told = of(on, family, f"{bob.name} ✅")
    assert [text.startswith(MARK) for text in told].count(False) <= 1
    assert len(told) <= PRESSING[failpoints], told
    assert len(of(on, posted.chat, "stretch")) == 1
