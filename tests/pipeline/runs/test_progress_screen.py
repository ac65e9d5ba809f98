"""What is shown while somebody works: typing, drafts, marks. On an event loop that jumps ahead instead of waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.pipeline.runs.progress import QUICK, REFUSALS, Listen, ProgressDisplay
from core.pipeline.runs.run_context import RunContext
from tests.conftest import DatabaseMaker
from tests.screens import Screen, case_of, moved, now, run, silent


@pytest.fixture
async def private(make_database: DatabaseMaker, tmp_path: Path) -> RunContext:
    """A message in a private chat."""
    return await case_of(make_database, tmp_path / "private", "a long story, please")


@pytest.fixture
async def group(make_database: DatabaseMaker, tmp_path: Path) -> RunContext:
    """A message in a group."""
    return await case_of(make_database, tmp_path / "group", "Teller, a story", chat="-5", chat_kind="group", key="77")


@pytest.fixture
async def command(make_database: DatabaseMaker, tmp_path: Path) -> RunContext:
    """A command in a private chat."""
    return await case_of(make_database, tmp_path / "command", "/status")


Work = Callable[[Listen], Awaitable[None]]


async def show(screen: Screen, case: RunContext, work: Work, progress: ProgressDisplay | None = None) -> None:
    """Show some work, and look a minute longer whether something else comes."""
    async with (progress or ProgressDisplay({"telegram": screen}))(case) as listen:
        assert listen is not None
        await work(listen)
    screen.seen.append((now(), "end"))
    await asyncio.sleep(60)


def test_a_quick_answer_shows_nothing(private: RunContext, group: RunContext) -> None:
    screen = Screen()

    async def story() -> None:
        await silent(screen, private, 0.4)
        await silent(screen, group, 0.4)

    run(story())
    assert [what for _, what in screen.seen] == ["end", "end"]


def test_after_a_second_a_private_chat_sees_the_answer_grow(private: RunContext) -> None:
    screen = Screen()

    async def work(listen: Listen) -> None:
        await asyncio.sleep(0.05)
        for n in range(1, 25):
            listen(f"word {n}")
            await asyncio.sleep(0.1)

    run(show(screen, private, work))
    assert screen.seen == [
        (0.5, "typing"),
        (1.0, "draft: word 10"),
        (1.7, "draft: word 17"),
        (2.4, "draft: word 24"),
        (2.45, "end"),
    ]
    assert {(to, draft_id) for to, draft_id, _ in screen.drafts} == {(private.participant.place, private.run_id)}
    assert private.run_id != 0


def test_before_the_first_word_the_draft_is_empty_and_the_first_word_is_shown_at_once(private: RunContext) -> None:
    screen = Screen()

    async def work(listen: Listen) -> None:
        await asyncio.sleep(3.5)
        listen("at last")
        await asyncio.sleep(0.1)

    run(show(screen, private, work))
    assert screen.seen == [(0.5, "typing"), (1.0, "draft: "), (3.5, "draft: at last"), (3.6, "end")]


def test_the_same_text_is_shown_again_only_before_it_would_vanish(private: RunContext) -> None:
    screen = Screen()

    async def work(listen: Listen) -> None:
        listen("half of it")
        for _ in range(30):
            await asyncio.sleep(1)
            listen("half of it")

    run(show(screen, private, work))
    assert screen.seen == [
        (0.5, "typing"),
        (1.0, "draft: half of it"),
        (25.0, "draft: half of it"),
        (30.0, "end"),
    ]


def test_a_text_that_starts_over_is_shown_as_it_is(private: RunContext) -> None:
    screen = Screen()

    async def work(listen: Listen) -> None:
        listen("a first try")
        await asyncio.sleep(1.1)
        listen("again")
        await asyncio.sleep(1)

    run(show(screen, private, work))
    assert [what for _, what in screen.seen] == ["typing", "draft: a first try", "draft: again", "end"]


def test_slow_requests_are_made_one_after_the_other(private: RunContext) -> None:
    screen = Screen(takes=2.0)

    async def work(listen: Listen) -> None:
        for n in range(100):
            listen(f"{n / 10}")
            await asyncio.sleep(0.1)

    run(show(screen, private, work))
    assert screen.seen == [
        (0.5, "typing"),
        (2.5, "draft: 2.5"),
        (5.2, "draft: 5.2"),
        (7.9, "draft: 7.9"),
        (10.0, "end"),
    ]


def test_a_draft_on_its_way_is_broken_off_and_does_not_keep_the_answer_waiting(private: RunContext) -> None:
    screen = Screen(takes=100.0)
    run(silent(screen, private, 3))
    assert screen.seen == [(0.5, "typing"), (3.0, "end")]
    assert screen.drafts == []


def test_a_chat_that_cannot_show_drafts_goes_on_typing_and_is_not_listened_to_again(private: RunContext) -> None:
    screen = Screen()
    screen.drafting = False
    progress = ProgressDisplay({"telegram": screen})
    listened = []

    async def story() -> None:
        listened.append(await silent(screen, private, 6.5, progress))
        listened.append(await silent(screen, private, 0.9, progress))

    run(story())
    assert listened == [True, False]
    assert screen.seen == [
        (0.5, "typing"),
        (1.0, "draft: "),
        (5.5, "typing"),
        (6.5, "end"),
        (67.0, "typing"),
        (67.4, "end"),
    ]


def test_one_chat_that_refuses_does_not_speak_for_the_others(private: RunContext) -> None:
    screen = Screen()
    progress = ProgressDisplay({"telegram": screen})
    listened = []

    async def story() -> None:
        await silent(screen, private, 2, progress)
        screen.drafting = False
        for n in range(REFUSALS + 1):
            await silent(screen, moved(private, f"refuses {n}"), 2, progress)
        listened.append(await silent(screen, moved(private, "refuses 1"), 0, progress))
        listened.append(await silent(screen, moved(private, "another"), 0, progress))

    run(story())
    assert listened == [False, True]


def test_a_platform_whose_chats_all_refuse_is_not_listened_to_any_more(private: RunContext) -> None:
    screen = Screen()
    screen.drafting = False
    progress = ProgressDisplay({"telegram": screen})
    listened = []

    async def story() -> None:
        for n in range(REFUSALS + 2):
            listened.append(await silent(screen, moved(private, str(n)), 2, progress))

    run(story())
    assert listened == [True] * REFUSALS + [False] * 2


def test_models_that_answer_quickly_are_not_asked_to_stream_until_one_is_slow_again(private: RunContext) -> None:
    screen = Screen()
    progress = ProgressDisplay({"telegram": screen})
    listened: list[bool] = []

    async def answer(seconds: float, words: str) -> None:
        async with progress(private) as listen:
            listened.append(listen is not None)
            if listen is not None and words:
                listen(words)
            await asyncio.sleep(seconds)

    async def story() -> None:
        for _ in range(QUICK + 3):
            await answer(0.4, "")
        for _ in range(QUICK + 1):
            await answer(0.4, "quick")
        await answer(1.5, "slow")
        await answer(1.5, "slow")

    run(story())
    assert listened == [True] * (2 * QUICK + 3) + [False, False, True]
    assert [text for _, _, text in screen.drafts] == ["", "slow"]


def test_a_group_sees_typing_and_a_mark_on_the_message_and_no_draft(group: RunContext) -> None:
    screen = Screen()
    listened = []

    async def story() -> None:
        listened.append(await silent(screen, group, 6))

    run(story())
    assert listened == [False]
    assert screen.drafts == []
    assert sorted(screen.seen, key=lambda one: one[0]) == [
        (0.5, "👀"),
        (0.5, "typing"),
        (5.0, "typing"),
        (6.0, "end"),
        (6.0, "no 👀"),
    ]
    assert {(to, message) for to, message, _ in screen.marks} == {(group.participant.place, "77")}


def test_a_mark_is_taken_off_after_it_was_put_on_however_long_that_takes(group: RunContext) -> None:
    screen = Screen(takes=3.0)
    run(silent(screen, group, 1))
    assert [one for one in screen.seen if one[1] != "typing"] == [(0.5, "👀"), (1.0, "end"), (3.5, "no 👀")]


def test_a_run_that_fails_takes_its_mark_off_too(group: RunContext) -> None:
    screen = Screen()

    async def story() -> None:
        async with ProgressDisplay({"telegram": screen})(group):
            await asyncio.sleep(1)
            raise LookupError

    async def failing() -> None:
        with pytest.raises(LookupError):
            await story()
        await asyncio.sleep(1)

    run(failing())
    assert [working for _, _, working in screen.marks] == [True, False]


def test_a_run_that_was_taken_over_takes_off_the_mark_its_former_process_left(group: RunContext) -> None:
    screen = Screen()
    run(silent(screen, replace(group, attempts=2), 0.1))
    assert screen.marks == [(group.participant.place, "77", False)]


def test_stopping_waits_for_marks_to_be_taken_off_but_not_for_ever(group: RunContext) -> None:
    quick, slow = Screen(takes=0.3), Screen(takes=50.0)
    waited = []

    async def story() -> None:
        for screen in (quick, slow):
            progress = ProgressDisplay({"telegram": screen})
            async with progress(group):
                await asyncio.sleep(1)
            before = now()
            await progress.finish(1.0)
            waited.append(round(now() - before, 3))
            await progress.finish(1.0)

    run(story())
    assert waited == [0.3, 1.0]
    assert [working for _, _, working in quick.marks] == [True, False]
    assert slow.marks == []


def test_a_command_shows_typing_only(command: RunContext) -> None:
    screen = Screen()
    listened = []

    async def story() -> None:
        listened.append(await silent(screen, command, 3))

    run(story())
    assert listened == [False]
    assert screen.seen == [(0.5, "typing"), (3.0, "end")]
