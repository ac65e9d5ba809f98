"""Stories of work in the background: what is seen of it, and that it is stopped and steered."""

from __future__ import annotations

import re

from tests.acceptance.stories.days import Days
from tests.acceptance.stories.platform import Chat, Shown

ON_IT = "I am on it."


async def _seen(on: Days, chat: Chat, words: str) -> Shown:
    """Wait until the message that shows a task says some words; there is no other one."""

    def found() -> list[Shown]:
        return [one for one in on.platform.shown(chat) if re.match("(⏳|❓|✅|⚠️|⏹) ", one.text)]

    await on.until(lambda: any(words in one.text for one in found()))
    (only,) = found()
    return only


async def ten_workers_are_one_message_that_goes_on_after_a_crash(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    asked = len(on.model.requests)
    on.model.fault("hang", after=4, times=3)
    await on.says(ann, "delegate ten workers")
    await on.model.wait_requests(asked + 7)
    on.passes(6)
    first = await _seen(on, chat, "step 1 of 11")
    assert first.labels == ["Stop"]
    await on.recorded(ann, chat)
    await on.bot.kill()
    await on.bot.start()
    last = await _seen(on, chat, "done")
    assert (last.key, last.labels) == (first.key, [])
    await on.sees(chat, "It came to this: 10 parts are done")
    assert "by worker" not in "".join(on.texts(chat))


async def what_is_done_at_once_leaves_no_message(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    await on.says(ann, "delegate something short")
    await on.sees(chat, "It came to this: done: something short")
    on.passes(30)
    await on.talk(ann)
    assert on.texts(chat) == [ON_IT, "It came to this: done: something short", "You said: Still here?"]


async def its_button_stops_it_and_its_message_says_what_had_happened(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    asked = len(on.model.requests)
    on.model.fault("hang", after=3)
    await on.says(ann, "delegate decide first")
    await on.model.wait_requests(asked + 4)
    on.passes(6)
    shown = await _seen(on, chat, "step 1")
    on.platform.press(ann, shown, "Stop")
    on.passes(4)
    stopped = await _seen(on, chat, "stopped")
    assert "By then I had noted a decision." in stopped.text
    assert stopped.labels == []
    on.platform.press(ann, shown, "Stop")
    await on.talk(ann)
    assert on.texts(chat)[-2:] == [stopped.text, "You said: Still here?"]


async def a_reply_to_it_steers_it(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    asked = len(on.model.requests)
    on.model.fault("hang", after=2)
    await on.says(ann, "delegate read the manuals")
    await on.model.wait_requests(asked + 3)
    on.passes(6)
    shown = await _seen(on, chat, "working")
    await on.bot.recorded(shown.key)
    on.platform.say(ann, "only the German one", reply_to=shown.key)
    on.passes(10)
    await _seen(on, chat, "↪ only the German one")
    # No model was asked about that, and nothing else was said.
    assert len(on.model.requests) == asked + 3
    assert len(on.texts(chat)) == 2
    await on.restart()
    await on.sees(chat, "It came to this: done: only the German one")


async def a_group_sees_how_far_it_is_and_nothing_of_what_it_is_about(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    asked = len(on.model.requests)
    on.model.fault("hang", after=3)
    await on.says(ann, "delegate decide about the secret", family)
    await on.model.wait_requests(asked + 4)
    on.passes(6)
    shown = await _seen(on, family, "step 1")
    assert re.fullmatch(r"⏳ step 1 · \d+ s", shown.text)
    on.platform.press(bob, shown, "Stop")
    await on.sees(family, "Only whoever made it")
    on.platform.press(ann, shown, "Stop")
    on.passes(7)
    assert "secret" not in (await _seen(on, family, "stopped")).text


async def a_planner_asks_back_and_is_answered_after_a_restart(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    await on.says(ann, "delegate choose the tea")
    question = await on.sees(chat, "Which tea?")
    assert question.labels == ["Green", "Black", "Skip"]
    await on.recorded(ann, chat)
    await on.restart()
    on.platform.press(ann, question, "Green")
    await on.sees(chat, "It came to this: done: Green")
    assert await on.closed(question) == f"✅ Green — {ann.name}"


async def a_reply_to_the_message_of_a_task_that_asks_is_its_answer(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    asked = len(on.model.requests)
    on.model.fault("hang", after=2)
    await on.says(ann, "delegate choose the tea")
    await on.model.wait_requests(asked + 3)
    on.passes(6)
    shown = await _seen(on, chat, "working")
    await on.recorded(ann, chat)
    await on.restart()
    question = await on.sees(chat, "Which tea?")
    on.platform.say(ann, "Green", reply_to=shown.key)
    await on.sees(chat, "It came to this: done: Green")
    assert await on.closed(question) == f"✅ Green — {ann.name}"


async def what_a_planner_asks_gets_its_default_in_time(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    await on.says(ann, "delegate choose the tea")
    await on.sees(chat, "Which tea?")
    on.passes(3601)
    # A question expires while its platform is heard, and a long poll of before the jump says nothing of that.
    await on.talk(on.platform.member())
    await on.sees(chat, "It came to this: done: Black")


async def an_outcome_comes_to_the_thread_where_it_was_asked_for(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    thread = await on.family(ann, bob, threads=True)
    await on.says(ann, "delegate read the manual", thread)
    await on.sees(thread, "It came to this: done: read the manual")


async def stop_ends_what_is_under_way_in_the_background(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    asked = len(on.model.requests)
    on.model.fault("hang", after=3)
    await on.says(ann, "delegate decide what to read")
    await on.model.wait_requests(asked + 4)
    await on.says(ann, "/stop")
    await on.sees(chat, "Stopped. By then I had noted a decision.")
    await on.talk(ann)
    assert "It came to this" not in "".join(on.texts(chat))
