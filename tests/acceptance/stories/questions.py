"""Stories of questions: asked with buttons, answered by a press or a text, once, also over a restart."""

from __future__ import annotations

from tests.acceptance.stories.stage import HOUR, Stage

ALREADY, ELSE, UNKNOWN = "Already answered.", "This question is for somebody else.", "This button no longer works."
COFFEE, TEA = "Noted: Coffee (user).", "Noted: Tea (user)."


async def options_become_buttons_with_a_way_out(on: Stage) -> None:
    question = await on.tea(on.platform.member(), default="Tea")
    assert question.text == "Tea or coffee?\n\n⏱ In 1 h: Tea"
    assert question.labels == ["Tea", "Coffee", "Skip"]


async def a_press_answers_and_the_buttons_give_way_to_the_choice(on: Stage) -> None:
    ann = on.platform.member()
    question = await on.tea(ann)
    assert await on.pressed(ann, question, "Coffee") == "Coffee"
    await on.told(question.chat, COFFEE)
    assert await on.closed(question) == f"✅ Coffee — {ann.name}"
    assert on.now(question).edits == 1


async def of_two_presses_at_once_the_first_one_counts(on: Stage) -> None:
    ann = on.platform.member()
    question = await on.tea(ann)
    first, second = (on.platform.press(ann, question, label) for label in ("Coffee", "Tea"))
    both = [await on.toast(first), await on.toast(second)]
    # The first one to be accepted: a platform that hands over both at once promises no order.
    assert both in (["Coffee", ALREADY], [ALREADY, "Tea"]), both
    counted, other = (COFFEE, TEA) if both[1] == ALREADY else (TEA, COFFEE)
    await on.told(question.chat, counted)
    assert other not in on.texts(question.chat)


async def a_press_on_buttons_that_are_gone_changes_nothing(on: Stage) -> None:
    ann = on.platform.member()
    question = await on.tea(ann)
    await on.pressed(ann, question, "Coffee")
    await on.told(question.chat, COFFEE)
    closed = await on.closed(question)
    assert await on.pressed(ann, question, "Tea") == ALREADY
    await on.talk(ann)
    assert await on.closed(question) == closed
    assert len(on.texts(question.chat)) == 3


async def a_press_by_somebody_else_changes_nothing(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    question = await on.tea(ann, family)
    assert await on.pressed(bob, question, "Tea") == ELSE
    assert on.now(question) == question
    assert await on.pressed(ann, question, "Coffee") == "Coffee"
    await on.told(family, COFFEE)


async def the_owner_may_answer_for_somebody(on: Stage) -> None:
    ann = on.platform.member()
    family = await on.family(ann, on.platform.owner)
    question = await on.tea(ann, family)
    assert await on.pressed(on.platform.owner, question, "Tea") == "Tea"
    await on.told(family, TEA)
    assert await on.closed(question) == f"✅ Tea — {on.platform.owner.name}"


async def a_text_that_means_an_option_answers(on: Stage) -> None:
    for text in ("coffee", "2", "cof"):
        ann = on.platform.member()
        question = await on.tea(ann)
        on.platform.say(ann, text)
        await on.told(question.chat, COFFEE)
        assert await on.closed(question) == f"✅ Coffee — {ann.name}"


async def another_text_is_answered_as_such_and_the_options_are_shown_once_more(on: Stage) -> None:
    ann = on.platform.member()
    question = await on.tea(ann)
    await on.talk(ann, words="What do you recommend?")
    await on.count(question.chat, 3)
    await on.talk(ann, words="Really?")
    again = on.platform.shown(question.chat)[2]
    assert (again.text, again.labels) == ("Tea or coffee?", ["Tea", "Coffee", "Skip"])
    assert len(on.platform.shown(question.chat)) == 4
    assert await on.pressed(ann, again, "Tea") == "Tea"
    await on.told(question.chat, TEA)
    for shown in (question, again):
        assert await on.closed(shown) == f"✅ Tea — {ann.name}"


async def without_options_the_next_text_is_the_answer_but_no_command_is(on: Stage) -> None:
    ann = on.platform.member()
    (question,) = await on.ask(ann, {"question": "What is your name?"})
    assert question.labels == ["Skip"]
    on.platform.say(ann, "/time")
    await on.count(question.chat, 2)
    on.platform.say(ann, "Ann the First")
    await on.told(question.chat, "Noted: Ann the First (user).")


async def in_a_group_a_free_answer_is_a_reply_or_names_the_bot(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    (question,) = await on.ask(ann, {"question": "What is your name?"}, chat=family)
    await on.recorded(ann, family)
    on.platform.say(ann, "I talk to Bob", family)
    on.platform.say(bob, "Bob", family, reply_to=question.key)
    on.platform.say(ann, "Ann", family, reply_to=question.key)
    await on.told(family, "Noted: Ann (user).")
    (question,) = await on.ask(ann, {"question": "And your town?"}, chat=family)
    on.platform.say(ann, "Riga", family, mention=True)
    await on.told(family, "Noted: Riga (user).")
    assert not [text for text in on.texts(family) if "talk to Bob" in text]


async def of_several_questions_a_reply_decides_else_the_newest_is_meant(on: Stage) -> None:
    ann = on.platform.member()
    first, second = await on.ask(ann, {"question": "First name?"}, {"question": "Family name?"})
    await on.recorded(ann, first.chat)
    on.platform.say(ann, "Ann", reply_to=first.key)
    await on.told(first.chat, "Noted: Ann (user).")
    on.platform.say(ann, "Smith")
    await on.told(first.chat, "Noted: Smith (user).")
    # What was typed stands in the chat already.
    assert [await on.closed(first), await on.closed(second)] == ["✅", "✅"]


async def a_question_can_be_skipped_by_a_button_or_a_command(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    question = await on.tea(ann)
    assert await on.pressed(ann, question, "Skip") == "Skip"
    assert await on.closed(question) == "⏭ Skipped."
    question = await on.tea(bob)
    on.platform.say(bob, "/cancel")
    assert await on.closed(question) == "⏭ Skipped."
    for person in (ann, bob):
        await on.talk(person)
        assert not [text for text in on.texts(on.platform.private(person)) if text.startswith("Noted")]


async def buttons_work_after_a_crash(on: Stage) -> None:
    ann = on.platform.member()
    question = await on.tea(ann)
    await on.restart()
    assert await on.pressed(ann, question, "Coffee") == "Coffee"
    await on.told(question.chat, COFFEE)
    await on.restart()
    assert await on.pressed(ann, question, "Tea") == ALREADY


async def a_press_made_in_time_wins_over_the_default_and_the_rest_expires_at_the_start(on: Stage) -> None:
    ann, bob, eve = (on.platform.member() for _ in range(3))
    pressed = await on.tea(ann, default="Tea")
    missed = await on.tea(bob, default="Tea")
    (free,) = await on.ask(eve, {"question": "Who are you?"})
    async with on.down(2 * HOUR):
        press = on.platform.press(ann, pressed, "Coffee")
        on.platform.dawdle(0.7)
    await on.told(pressed.chat, COFFEE if on.platform.presses_wait else "Noted: Tea (default).")
    await on.told(missed.chat, "Noted: Tea (default).")
    await on.told(free.chat, "Noted: nothing (timeout).")
    if on.platform.presses_wait:
        assert await on.toast(press) == "Coffee"
        assert await on.closed(pressed) == f"✅ Coffee — {ann.name}"
    else:
        assert "⚠️" in await on.toast(press)
        assert await on.closed(pressed) == "⏱ No answer in time: Tea"
    assert await on.closed(missed) == "⏱ No answer in time: Tea"
    assert await on.closed(free) == "⏱ No answer in time."
    assert await on.pressed(bob, missed, "Coffee") == "That question has run out."


async def when_time_is_up_the_default_is_taken_at_once(on: Stage) -> None:
    ann = on.platform.member()
    question = await on.tea(ann, default="Tea")
    async with on.down(HOUR - 2):
        assert question.labels[0] == "Tea"
    await on.told(question.chat, "Noted: Tea (default).")
    assert await on.closed(question) == "⏱ No answer in time: Tea"


async def a_deleted_question_can_still_be_answered(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    question = await on.tea(ann)
    on.platform.delete(question)
    on.platform.say(ann, "Coffee")
    await on.told(question.chat, COFFEE)
    question = await on.tea(bob)
    on.platform.delete(question)
    # Somebody's client still shows the message.
    assert await on.toast(on.platform.press(bob, question, "Tea", gone=True)) == "Tea"
    await on.told(question.chat, TEA)
    await on.talk(bob)


async def a_forged_button_does_nothing(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    question, other = await on.tea(ann), await on.tea(bob)
    (_, tea), (_, coffee), _ = question.buttons
    theirs = dict(other.buttons)["Tea"]
    token = tea.partition(":")[0]
    for data in (token, f"{token}:", f"{token}:9", f"{token}:-1", tea.swapcase(), f"{coffee} ", "x" * 64, "0", theirs):
        assert await on.toast(on.platform.forge(ann, question, data)) == UNKNOWN
    assert on.now(question) == question
    assert on.now(other) == other
    assert await on.pressed(ann, question, "Tea") == "Tea"
