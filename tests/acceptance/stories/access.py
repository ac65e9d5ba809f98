"""Stories of the door: invitations; where strangers may knock, codes and the owner's buttons; and being removed."""

from __future__ import annotations

from tests.acceptance.stories.platform import Person, Shown
from tests.acceptance.stories.stage import Stage


async def _owner(on: Stage) -> Person:
    """An owner of this story alone, who has talked to the bot."""
    owner = on.platform.another_owner()
    await on.talk(owner)
    return owner


async def _asked_in(on: Stage, owner: Person, eve: Person) -> Shown:
    """Somebody knocks; returns the message in which the owner is asked."""
    on.platform.say(eve, "May I come in?")
    (told,) = await on.count(on.platform.private(eve), 1)
    code = told.partition("Your code is ")[2][:8]
    return await _told(on, owner, f"Code: {code}")


async def _let_in(on: Stage, owner: Person) -> Person:
    """Somebody who was a stranger and was let in."""
    eve = on.platform.stranger()
    await on.pressed(owner, await _asked_in(on, owner, eve), "Allow")
    await on.count(on.platform.private(eve), 2)
    return eve


async def _told(on: Stage, owner: Person, words: str) -> Shown:
    """The message to the owner that contains these words; waits for it."""

    def found() -> list[Shown]:
        return [one for one in on.platform.shown(on.platform.private(owner)) if words in one.text]

    await on.until(lambda: bool(found()))
    return found()[0]


async def _removed(on: Stage, owner: Person, ann: Person) -> Shown:
    """Let the owner remove somebody with a button of the list; returns what the owner is told."""
    on.platform.say(owner, "/people")
    people = await _told(on, owner, "Who may talk to me")
    label = f"Remove {ann.name}"
    assert await on.pressed(owner, people, label) == label
    return await _told(on, owner, "has no access any more")


async def an_invitation_lets_in_who_opens_it_first(on: Stage) -> None:
    owner, ann, eve = await _owner(on), on.platform.stranger(), on.platform.stranger()
    on.platform.say(owner, "/invite")
    invitation = (await _told(on, owner, "24 hours")).text
    on.platform.follow(ann, invitation)
    await on.count(on.platform.private(ann), 1)
    await _told(on, owner, f"{ann.name} opened your invitation")
    on.platform.follow(eve, invitation)
    (told,) = await on.count(on.platform.private(eve), 1)
    assert told.startswith("I don't know you yet.")
    await on.talk(ann)


async def a_stranger_knocks_once_and_the_owner_lets_them_in(on: Stage) -> None:
    owner, eve = await _owner(on), on.platform.stranger()
    home = on.platform.private(eve)
    question = await _asked_in(on, owner, eve)
    assert question.labels == ["Allow", "Deny"]
    assert eve.name in question.text
    on.platform.say(eve, "Hello?")
    await on.talk(owner)
    assert len(on.texts(home)) == 1
    assert await on.pressed(owner, question, "Allow") == "Allow"
    assert (await on.closed(question)).startswith("✅ Allow")
    await on.count(home, 2)
    await on.talk(eve)


async def who_is_denied_hears_nothing_more(on: Stage) -> None:
    owner, eve = await _owner(on), on.platform.stranger()
    question = await _asked_in(on, owner, eve)
    await on.pressed(owner, question, "Deny")
    assert (await on.closed(question)).startswith("✅ Deny")
    on.platform.say(eve, "And now?")
    await on.talk(owner)
    assert len(on.texts(on.platform.private(eve))) == 1
    assert await on.pressed(owner, question, "Allow") == "Already done."


async def only_an_owner_can_let_somebody_in(on: Stage) -> None:
    owner, eve = await _owner(on), on.platform.stranger()
    ann = await _let_in(on, owner)
    question = await _asked_in(on, owner, eve)
    code = question.text.rpartition("Code: ")[2][:8]
    for person in (ann, eve):
        on.platform.say(person, f"/pair {code}")
    await on.toast(on.platform.press(ann, question, "Allow", gone=True))
    await on.talk(ann)
    assert len(on.texts(on.platform.private(eve))) == 1
    on.platform.say(eve, "And now?")
    await on.talk(owner)
    assert len(on.texts(on.platform.private(eve))) == 1


async def who_is_removed_is_not_heard_from_the_next_message_on(on: Stage) -> None:
    owner = await _owner(on)
    ann = await _let_in(on, owner)
    family = await on.family(owner, ann)
    await on.talk(ann, family)
    assert ann.name in (await _removed(on, owner, ann)).text
    before = on.texts(family), on.texts(on.platform.private(ann))
    on.platform.say(ann, "Am I still here?")
    on.platform.say(ann, "And here?", family, mention=True)
    await on.talk(owner, family)
    assert (on.texts(family)[:-1], on.texts(on.platform.private(ann))) == before


async def a_removal_can_be_taken_back(on: Stage) -> None:
    owner = await _owner(on)
    ann = await _let_in(on, owner)
    told = await _removed(on, owner, ann)
    assert told.labels == ["Undo"]
    await on.pressed(owner, told, "Undo")
    await _told(on, owner, "Taken back: the removal")
    await on.talk(ann)
