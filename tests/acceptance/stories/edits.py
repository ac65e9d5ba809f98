"""Stories of messages that people change: one answer, and a record that is right."""

from __future__ import annotations

import json

from tests.acceptance.stories.stage import Stage


async def an_edit_before_the_answer_replaces_the_message(on: Stage) -> None:
    ann = on.platform.member()
    async with on.down():
        message = on.platform.say(ann, "What is the best pizza in Rome?")
        on.platform.edit(ann, message, "What is the best pizza in Riga, please?")
    await on.told(on.platform.private(ann), "You said: What is the best pizza in Riga, please?")
    await on.talk(ann)
    assert len(on.texts(on.platform.private(ann))) == 2


async def an_edit_while_somebody_else_is_answered_replaces_it_too(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    # It is one conversation, in which they wait for each other.
    await on.talk(bob, family)
    await on.at_work(bob, "Think for ever.", family)
    message = on.platform.say(ann, "I like tea", family, mention=True)
    on.platform.edit(ann, message, "I like coffee", family, mention=True)
    await on.talk(ann)
    on.platform.say(bob, "/stop", family)
    await on.told(family, "You said: I like coffee")
    assert "You said: I like tea" not in on.texts(family)


async def an_edit_after_the_answer_corrects_the_record_without_a_second_answer(on: Stage) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    message = on.platform.say(ann, "My cat is called Tom.")
    await on.told(chat, "You said: My cat is called Tom.")
    on.platform.edit(ann, message, "My cat is called Minka.")
    await on.talk(ann, words="What is my cat called?")
    assert len(on.texts(chat)) == 2
    heard = [one["content"] for one in on.model.requests[-1].messages if one["role"] == "user"]
    assert "Minka" in json.dumps(heard)
    assert "Tom" not in json.dumps(heard)


async def an_edit_of_what_answered_a_question_answers_nothing_again(on: Stage) -> None:
    ann = on.platform.member()
    question = await on.tea(ann)
    message = on.platform.say(ann, "Coffee")
    await on.told(question.chat, "Noted: Coffee (user).")
    on.platform.edit(ann, message, "Tea")
    await on.talk(ann)
    assert await on.closed(question) == f"✅ Coffee — {ann.name}"
    assert len(on.texts(question.chat)) == 3
