"""Stories of groups: who brings the bot in, whom it hears, and how it answers there."""

from __future__ import annotations

import json

from tests.acceptance.stories.stage import Stage


async def brought_in_by_somebody_with_access_it_introduces_itself_once(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    (introduction,) = on.texts(family)
    assert on.platform.command("privacy") in introduction
    assert on.platform.command("optout") in introduction
    await on.talk(bob, family)
    assert len(on.texts(family)) == 2


async def brought_in_by_a_stranger_it_leaves_and_the_owner_is_told_once(on: Stage) -> None:
    eve, owner = on.platform.stranger(), on.platform.private(on.platform.owner)
    club = on.platform.group(eve)
    for _ in range(2):
        on.platform.add_bot(club, eve)
        await on.until(lambda: not on.platform.has_bot(club))
    await on.talk(on.platform.owner)
    assert [eve.name in text for text in on.texts(owner)].count(True) == 1
    assert on.texts(club) == []


async def it_answers_only_when_it_is_addressed(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    introduction = on.platform.shown(family)[0]
    on.platform.say(ann, "Dinner at eight?", family)
    await on.talk(ann, family, words="A mention")
    on.platform.say(bob, "Fine with me.", family)
    on.platform.say(ann, f"{on.platform.bot_name}, a name", family)
    on.platform.say(bob, "A reply", family, reply_to=introduction.key)
    others = ["You said: a name", "You said: A reply"] if on.platform.names_address else []
    await on.told(family, *others)
    on.platform.say(ann, "/time", family)
    assert len(await on.count(family, 3 + len(others))) == 3 + len(others)
    await on.talk(bob, family)
    assert len(on.texts(family)) == 4 + len(others)
    heard = json.dumps([one.messages for one in on.model.requests])
    assert ("A reply" in heard, "a name" in heard) == (on.platform.names_address,) * 2
    assert "Dinner" not in heard
    assert "Fine with" not in heard


async def two_people_get_two_answers_each_to_their_message(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    async with on.down():
        first = on.platform.say(ann, "From Ann", family, mention=True)
        second = on.platform.say(bob, "From Bob", family, mention=True)
    await on.told(family, "You said: From Ann", "You said: From Bob")
    answers = {one.text: one.reply_to for one in on.platform.shown(family)[1:]}
    assert answers == {"You said: From Ann": first, "You said: From Bob": second}


async def guests_of_a_group_may_talk_there_and_nowhere_else(on: Stage) -> None:
    ann, guest = on.platform.member(), on.platform.stranger()
    family = await on.family(ann, guest)
    on.platform.say(guest, "Hello from a guest")
    await on.talk(guest, family)
    assert on.texts(on.platform.private(guest)) == []


async def threads_are_talks_of_their_own(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob, threads=True)
    trips, food = on.platform.thread(family, ann), on.platform.thread(family, bob)
    await on.talk(ann, trips, words="About Rome")
    await on.talk(bob, food, words="About bread")
    assert on.texts(trips) == ["You said: About Rome"]
    assert "About Rome" not in json.dumps(on.model.requests[-1].messages)
    (question,) = await on.ask(ann, {"question": "Where to?"}, chat=trips)
    # In a thread the person who was asked need not address the bot.
    on.platform.say(bob, "Athens", trips)
    on.platform.say(ann, "Riga", trips)
    await on.told(trips, "Noted: Riga (user).")
    assert question.chat == trips
    assert len(on.texts(family)) == 1


async def a_group_with_a_new_id_keeps_its_history_and_its_questions(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    await on.talk(ann, family, words="We meet on Friday")
    await on.tea(ann, family)
    before = family
    family = on.platform.upgrade(family, ann)
    on.platform.say(ann, "Coffee", family, mention=True)
    await on.told(family, "Noted: Coffee (user).")
    assert "We meet on Friday" in json.dumps(on.model.requests[-1].messages)
    await on.talk(bob, family)
    # Nothing is new to it there.
    introductions = [text for text in on.texts(family) if on.platform.command("privacy") in text]
    assert len(introductions) == (family == before)


async def thrown_out_and_brought_back_it_goes_on(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    question = await on.tea(ann, family)
    on.platform.remove_bot(family, bob)
    await on.talk(bob)
    on.platform.add_bot(family, bob)
    await on.count(family, 3)
    assert await on.pressed(ann, question, "Tea") == "Tea"
    await on.told(family, "Noted: Tea (user).")
    await on.talk(bob, family)


async def what_somebody_missed_is_told_to_them_alone(on: Stage) -> None:
    ann, bob, eve = on.platform.owner, on.platform.member(), on.platform.member()
    family, others = await on.family(ann, bob), await on.family(ann, eve)
    for chat, line in ((family, "Berta brings the plum cake"), (others, "Carl brings the lemon pie")):
        before = len(on.texts(chat))
        on.platform.openly(ann, "/readalong on", chat)
        await on.count(chat, before + 1)
        on.platform.say(ann, line, chat)
    said = len(on.texts(family))
    private = on.platform.private(bob)
    await on.talk(bob)
    on.platform.say(bob, "what did I miss?")
    await on.until(lambda: any("plum cake" in text for text in on.texts(private)))
    assert not any("lemon pie" in text for text in on.texts(private))
    assert len(on.texts(family)) == said
    # The model was shown the lines as data, and offered nothing to do with them.
    asked = [one for one in on.model.requests if "plum cake" in json.dumps(one.messages)]
    assert [one.tool_names for one in asked] == [[]]
    assert "lemon pie" not in json.dumps(asked[0].messages)
    on.platform.leave(family, bob)
    on.platform.say(ann, "Dora brings the cherry tart", family)
    await on.talk(ann, family)
    on.platform.say(bob, "what did I miss?")
    await on.talk(bob)
    assert not any("cherry tart" in text for text in on.texts(private))
