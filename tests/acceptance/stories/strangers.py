"""Stories of those who have no access: they get nothing, and cost nothing."""

from __future__ import annotations

from tests.acceptance.stories.stage import Stage

# The oldest go at every hundredth new one.
STRANGERS, KEPT, BEYOND = 1000, 1000, 100
# So many come at once. On Slack what is not taken in within three seconds comes again, and the more wait the more do.
AT_ONCE = 100
# What the rows of so many strangers may take, in bytes; what pages take that split later, and those of the strangers
# of one batch, which stand beside the others until these are trimmed.
MOST_GROWTH, A_FEW_PAGES = 200 * KEPT, 12 * 4096


async def _crowd(on: Stage) -> None:
    """Let a thousand strangers do a thousand different things, and wait until all of it was taken in."""
    for first in range(0, STRANGERS, AT_ONCE):
        for number in range(first, first + AT_ONCE):
            on.platform.noise(on.platform.stranger(), number)
        await on.until(lambda: on.platform.waiting() == 0)


async def a_thousand_strangers_cost_no_answer_and_no_disk(on: Stage) -> None:
    if on.platform.sets_menu:
        # It is noted some time after the start: of a program that is stopped sooner, in its next life.
        await on.bot.stored("SELECT count(*) FROM cursor_position WHERE name = 'commands'")
    await on.quiet()
    rows, size, files = on.rows(), on.size(), on.files()
    await on.bot.start()
    sends, asked = on.platform.sends(), len(on.model.requests)
    await _crowd(on)
    await on.bot.stop()
    assert (on.platform.sends(), len(on.model.requests)) == (sends, asked)
    after = on.rows()
    assert after.pop("stranger") <= KEPT + BEYOND
    assert after == {table: count for table, count in rows.items() if table != "stranger"}
    assert on.size() - size <= MOST_GROWTH
    # As many again take the places of the first ones.
    size = on.size()
    await on.bot.start()
    await _crowd(on)
    await on.bot.stop()
    others = on.rows()
    assert KEPT <= others.pop("stranger") <= KEPT + BEYOND
    assert others == after
    assert on.size() - size <= A_FEW_PAGES
    assert on.files() == files


async def a_stranger_is_not_answered_and_those_with_access_are(on: Stage) -> None:
    ann, eve = on.platform.member(), on.platform.stranger()
    for words in ("Hello?", "/start", "/people", "/privacy", "/stop", "/cancel", "help"):
        on.platform.say(eve, words)
    await on.talk(ann)
    assert on.texts(on.platform.private(eve)) == []


async def a_stranger_who_presses_a_button_is_shown_nothing(on: Stage) -> None:
    ann, eve = on.platform.member(), on.platform.stranger()
    question = await on.tea(ann)
    _, coffee = question.buttons[1]
    press = on.platform.forge(eve, question, coffee)
    await on.talk(on.platform.member())
    assert on.platform.toast(press) is None
    assert on.now(question) == question
