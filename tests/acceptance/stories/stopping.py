"""Stories of /stop: it passes everything, says what had happened, and holds."""

from __future__ import annotations

from tests.acceptance.stories.platform import Chat, Person
from tests.acceptance.stories.stage import Stage

DONE, NOTHING, IDLE = (
    "⏹ Stopped. By then I had noted a decision.",
    "⏹ Stopped. Nothing had been done yet.",
    "There is nothing to stop.",
)


async def _silent_after(on: Stage, person: Person, chat: Chat, *told: str) -> None:
    """What was told stays all that is told: the next thing said is the answer to the next message."""
    await on.talk(person, chat)
    assert on.texts(chat)[-len(told) - 1 :] == [*told, "You said: Still here?"]


async def a_stop_during_a_long_answer_is_done_at_once(on: Stage) -> None:
    ann = on.platform.member()
    await on.at_work(ann, "Think for ever.")
    on.platform.say(ann, "/stop")
    await on.told(on.platform.private(ann), NOTHING)
    await _silent_after(on, ann, on.platform.private(ann), NOTHING)


async def a_stop_says_what_had_already_happened(on: Stage) -> None:
    ann = on.platform.member()
    await on.at_work(ann, "decide, then think for ever", answers=1)
    on.platform.say(ann, "/stop")
    await on.told(on.platform.private(ann), DONE)
    await _silent_after(on, ann, on.platform.private(ann), DONE)


async def what_waits_behind_is_dropped_too(on: Stage) -> None:
    ann = on.platform.member()
    await on.at_work(ann, "Think for ever.")
    on.platform.say(ann, "And then this.")
    on.platform.say(ann, "/stop")
    await on.told(on.platform.private(ann), NOTHING)
    await _silent_after(on, ann, on.platform.private(ann), NOTHING)


async def other_chats_go_on_meanwhile(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    await on.at_work(ann, "Think for ever.")
    await on.talk(bob)
    on.platform.say(bob, "/stop")
    await on.told(on.platform.private(bob), IDLE)
    await on.at_work(bob, "Think for ever, too.")
    on.platform.say(ann, "/stop")
    await on.told(on.platform.private(ann), NOTHING)
    assert NOTHING not in on.texts(on.platform.private(bob))
    on.platform.say(bob, "/stop")
    await on.told(on.platform.private(bob), NOTHING)


async def in_a_group_only_who_asked_or_the_owner_stops(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob, on.platform.owner)
    await on.at_work(ann, "Think for ever.", family)
    on.platform.say(bob, "/stop", family)
    await on.told(family, IDLE)
    on.platform.say(on.platform.owner, "/stop", family)
    await on.told(family, NOTHING)


async def a_stop_over_a_crash_holds(on: Stage) -> None:
    ann = on.platform.member()
    await on.at_work(ann, "decide, then think for ever", answers=1)
    await on.bot.kill()
    # The next process takes it in and dies before it does anything about it.
    asked = len(on.model.requests)
    on.model.fault("hang", times=2)
    on.platform.say(ann, "/stop")
    await on.dies("after:accept")
    await on.bot.start()
    await on.told(on.platform.private(ann), DONE)
    on.model.faults.clear()
    await _silent_after(on, ann, on.platform.private(ann), DONE)
    assert len(on.model.requests) <= asked + 2


async def what_is_written_after_a_stop_is_answered_though_all_comes_at_once(on: Stage) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    await on.at_work(ann, "decide, then think for ever", answers=1)
    await on.bot.kill()
    asked = len(on.model.requests)
    on.model.fault("hang", times=2)
    for n in range(24):
        on.platform.say(ann, f"Before {n}.")
    on.platform.say(ann, "/stop")
    for n in range(24):
        on.platform.say(ann, f"After {n}.")
    # The next process has taken in the stop when it dies, and maybe nothing of what stands behind it.
    await on.dies("after:accept")
    on.model.faults.clear()
    await on.bot.start()
    await _answered(on, ann, "After 0.", "After 23.")
    assert DONE in on.texts(chat)
    assert not [request for request in on.model.requests[asked + 2 :] if "Before" in request.last_user_text]


async def _answered(on: Stage, person: Person, *words: str) -> None:
    """Wait until the model has heard each of these, together with others or alone, and said so."""
    chat = on.platform.private(person)
    await on.until(lambda: all(any(one in text for text in on.texts(chat)) for one in words))
