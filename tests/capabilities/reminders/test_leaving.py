"""Who leaves a group: what was theirs alone there ends, what the group has goes on (TOOLS: Schedule)."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval
from core.kernel.updates import Left, Returned
from core.store.people import people
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, pressed, said
from tests.fakes import OWNER, House
from tests.triggering import passes, person_of, state, trigger

pytestmark = pytest.mark.databases("sqlite")

FAMILY = "-5"


async def leave(house: House, address: str, chat: str = FAMILY) -> None:
    """The platform tells that somebody is not in a group any more."""
    left = Left(key=f"left{next(house.keys)}", chat=chat, address=address)
    await house.app.inbox.accept(house.tenant_id, [left])
    await house.work()


async def family(db: Database, folder: Path) -> House:
    """A group in which a friend and a guest have spoken to the bot."""
    house = await group(db, folder)
    for sender in (FRIEND, GUEST):
        await said(house, "/help", sender=sender, **GROUP)
    return house


async def contact(house: House, address: str) -> int:
    """The contact that somebody is in the group."""
    (found,) = await house.column(
        "SELECT k.id FROM contact k JOIN chat c ON c.scope_id = k.scope_id JOIN address a ON a.person_id = k.person_id"
        " WHERE c.external_id = :chat AND a.external_id = :address",
        chat=FAMILY,
        address=address,
    )
    return int(found)


async def test_who_has_left_is_not_reminded_there_any_more(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    every_hour = Interval(seconds=3600, start=house.clock.now())
    made = [
        await trigger(house, "cake", chat=FAMILY, by=GUEST),
        await trigger(house, "stretch", every_hour, chat=FAMILY, by=GUEST),
        await trigger(house, "look", chat=FAMILY, by=GUEST, deliver="task"),
    ]
    before = len(house.shown(FAMILY))
    await leave(house, GUEST)
    await passes(house, 2 * 3600)
    # Work was the group's, too.
    [told] = house.shown(FAMILY)[before:]
    assert told.text.endswith("so I no longer do it: look")
    assert [(await state(house, one))[:2] for one in made] == [("cancelled", "left")] * 3


async def test_who_comes_back_is_not_marked_any_more_before_they_say_anything(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    await leave(house, GUEST)
    marked = "SELECT count(*) FROM contact WHERE left_at IS NOT NULL"
    assert await house.column(marked) == [1]
    back = Returned(key="back", chat=FAMILY, addresses=("tg:12345", GUEST))
    await house.app.inbox.accept(house.tenant_id, [back])
    assert await house.column(marked) == [0]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_return_that_comes_late_or_once_more_brings_nobody_back_who_has_left_since(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    marked = "SELECT count(*) FROM contact WHERE left_at IS NOT NULL"
    start = house.clock.now()

    async def tells(update: Left | Returned) -> list[int]:
        await house.app.inbox.accept(house.tenant_id, [update])
        return await house.column(marked)

    back = Returned(key="back", chat=FAMILY, addresses=(GUEST,), at=start + 2_000)
    assert await tells(Left(key="left1", chat=FAMILY, address=GUEST, at=start + 1_000)) == [1]
    assert await tells(back) == [0]
    assert await tells(Left(key="left2", chat=FAMILY, address=GUEST, at=start + 3_000)) == [1]
    # The platform had no answer, and says it again.
    assert await tells(back) == [1]
    assert await tells(Returned(key="again", chat=FAMILY, addresses=(GUEST,), at=start + 4_000)) == [0]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("told", [True, False])
async def test_a_leaving_that_comes_late_or_once_more_ends_nothing_of_who_is_back(
    database: Database, tmp_path: Path, *, told: bool
) -> None:
    house = await family(database, tmp_path)
    start = house.clock.now()
    left = Left(key="left", chat=FAMILY, address=GUEST, at=start + 1_000)
    await house.app.inbox.accept(house.tenant_id, [left])
    house.clock.advance(2)
    if told:
        back = Returned(key="back", chat=FAMILY, addresses=(GUEST,), at=start + 2_000)
        await house.app.inbox.accept(house.tenant_id, [back])
    await said(house, "/help", sender=GUEST, **GROUP)
    made = await trigger(house, "cake", chat=FAMILY, by=GUEST)
    await house.app.inbox.accept(house.tenant_id, [left])
    assert await house.column("SELECT count(*) FROM contact WHERE left_at IS NOT NULL") == [0]
    assert (await state(house, made))[0] == "active"
    # What they wrote before they left, and is found late, brings nobody back; what they write then does.
    await house.app.inbox.accept(house.tenant_id, [Left(key="l2", chat=FAMILY, address=GUEST, at=start + 3_000)])
    assert (await state(house, made))[:2] == ("cancelled", "left")
    await said(house, "/help", sender=GUEST, sent_at=start + 2_500, **GROUP)
    assert await house.column("SELECT count(*) FROM contact WHERE left_at IS NOT NULL") == [1]
    await said(house, "/help", sender=GUEST, sent_at=start + 3_500, **GROUP)
    assert await house.column("SELECT count(*) FROM contact WHERE left_at IS NOT NULL") == [0]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_leaving_that_the_return_overtook_is_none(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    made = await trigger(house, "cake", chat=FAMILY, by=GUEST)
    at = house.clock.now()
    back = Returned(key="back", chat=FAMILY, addresses=(GUEST,), at=at + 2_000)
    await house.app.inbox.accept(house.tenant_id, [back])
    await house.app.inbox.accept(house.tenant_id, [Left(key="left", chat=FAMILY, address=GUEST, at=at + 1_000)])
    assert (await state(house, made))[0] == "active"


async def test_what_others_are_to_hear_and_what_is_elsewhere_goes_on(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    await said(house, "hello", **friend())
    made = [
        await trigger(house, "stand-up", chat=FAMILY, by=FRIEND, everybody=True),
        await trigger(house, "eat", chat=FAMILY, by=FRIEND, contacts=(await contact(house, GUEST),)),
        await trigger(house, "mine", chat=FAMILY),
        await trigger(house, "in private", chat="2", by=FRIEND),
    ]
    await leave(house, FRIEND)
    await leave(house, FRIEND, "2")
    await leave(house, "tg:12345")
    await passes(house, 60)
    assert [(await state(house, one))[0] for one in made] == ["done"] * 4
    assert house.shown("2")[-1].text == "⏰ in private"


async def test_who_has_left_is_not_reminded_in_private_either_of_what_the_group_wants_of_them(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    await said(house, "hello", **friend())
    every_hour = Interval(seconds=3600, start=house.clock.now())
    them = (await contact(house, FRIEND),)
    made = await trigger(house, "check the merger", every_hour, chat=FAMILY, contacts=them)
    await passes(house, 3600)
    assert "check the merger" in house.shown("2")[-1].text
    before = len(house.shown("2"))
    await leave(house, FRIEND)
    await passes(house, 2 * 3600)
    assert len(house.shown("2")) == before
    assert (await state(house, made))[:2] == ("paused", "left")
    assert "It rests now" in house.shown(FAMILY)[-1].text


@pytest.mark.databases("sqlite", "postgres")
async def test_who_reminds_somebody_who_has_left_already_is_told_that_it_did_not_reach_them(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    them = (await contact(house, FRIEND),)
    await trigger(house, "set before", 120, chat=FAMILY, contacts=them)
    house.clock.advance(10)
    await leave(house, FRIEND)
    house.clock.advance(10)
    await trigger(house, "set since", 120, chat=FAMILY, contacts=them)
    before = len(house.shown(FAMILY))
    await passes(house, 200)
    [told] = house.shown(FAMILY)[before:]
    assert "set since" in told.text
    assert "they have left the group" in told.text


async def test_of_who_had_left_before_it_is_said_once_while_it_comes_again_for_others(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    both = (await contact(house, FRIEND), await contact(house, GUEST))
    await leave(house, FRIEND)
    house.clock.advance(10)
    daily = Interval(seconds=86_400, start=house.clock.now())
    await trigger(house, "water the plants", daily, chat=FAMILY, contacts=both)
    before = len(house.shown(FAMILY))
    for _ in range(3):
        await passes(house, 86_400)
    said_there = [one.text for one in house.shown(FAMILY)[before:]]
    assert len([text for text in said_there if text.startswith("⏰")]) == 3
    assert len([text for text in said_there if "they have left the group" in text]) == 1


async def test_who_leaves_is_told_in_private_which_reminders_of_theirs_ended(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    await said(house, "hello", **friend())
    await trigger(house, "see the doctor", chat=FAMILY, by=FRIEND)
    await trigger(house, "cake", chat=FAMILY, by=OWNER)
    before = len(house.shown("2"))
    await leave(house, FRIEND)
    await leave(house, FRIEND)
    [told] = house.shown("2")[before:]
    assert told.text.startswith("👋 You are not in Family any more")
    assert told.text.endswith(":\n- see the doctor")


@pytest.mark.databases("sqlite", "postgres")
async def test_who_leaves_is_told_the_words_of_what_is_repeated_only_where_they_asked_for_it(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    await said(house, "hello", **friend())
    await trigger(house, "take the pill", chat=FAMILY, by=FRIEND, until_done=True)
    await trigger(house, "a secret", chat=FAMILY, by=GUEST, contacts=(await contact(house, FRIEND),))
    await passes(house, 60)
    await said(house, "in 20 minutes", reply_to=_message(house, "a secret"), **{**friend(), **GROUP})
    before = len(house.shown("2"))
    await leave(house, FRIEND)
    [told] = house.shown("2")[before:]
    assert told.text.endswith(":\n- take the pill\n- a reminder that was to come again")


@pytest.mark.databases("sqlite", "postgres")
async def test_who_leaves_and_has_no_access_is_not_told_to_set_anything_in_private(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    await said(house, "hello", **friend())
    await trigger(house, "see the doctor", chat=FAMILY, by=FRIEND)
    await database.write(lambda tx: tx.run("UPDATE person SET standing = 'removed' WHERE name = 'Name of tg:2'"))
    before = len(house.shown("2"))
    await leave(house, FRIEND)
    assert len(house.shown("2")) == before
    assert await _open(house) == 0


async def test_what_was_put_off_or_is_repeated_for_who_has_left_ends(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    await trigger(house, "cake", chat=FAMILY, by=GUEST)
    await trigger(house, "pill", chat=FAMILY, by=GUEST, until_done=True)
    await passes(house, 60)
    await said(house, "in 20 minutes", reply_to=_message(house, "cake"), sender=GUEST, **GROUP)
    assert await _open(house) == 2
    await leave(house, GUEST)
    assert await _open(house) == 0


async def test_what_is_repeated_for_those_who_stay_goes_on(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    both = (await contact(house, OWNER), await contact(house, GUEST))
    await trigger(house, "eat", chat=FAMILY, by=GUEST, contacts=both, until_done=True)
    await trigger(house, "dance", chat=FAMILY, by=GUEST, everybody=True)
    await passes(house, 60)
    await pressed(house, "+1 h", sender=GUEST, chat=FAMILY, chat_kind="group")
    before = await _open(house)
    assert before == 2
    await leave(house, GUEST)
    assert await _open(house) == before


def _message(house: House, word: str) -> str:
    return next(sent.platform_id for sent in house.shown(FAMILY) if word in sent.text)


async def _open(house: House) -> int:
    (found,) = await house.column("SELECT count(*) FROM trigger WHERE ended_at IS NULL")
    return int(found)


async def test_everybody_is_mentioned_and_counted(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    await trigger(house, "dinner", chat=FAMILY, everybody=True)
    await passes(house, 60)
    names = ", ".join(f"[Name of {one}]({one})" for one in (OWNER, FRIEND, GUEST))
    assert house.shown(FAMILY)[-1].text == f"⏰ {names}: dinner\n👥 for 3 people"


async def test_everybody_is_who_is_there_and_wants_to_be_known(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    await said(house, "/help", sender="tg:77", **GROUP)
    await leave(house, GUEST)
    await said(house, "/optout", sender="tg:77", **GROUP)
    await trigger(house, "dinner", chat=FAMILY, everybody=True)
    await passes(house, 60)
    assert house.shown(FAMILY)[-1].text.endswith("for 2 people")
    assert GUEST not in house.shown(FAMILY)[-1].text
    await said(house, "/help", sender=GUEST, **GROUP)
    await trigger(house, "lunch", chat=FAMILY, everybody=True)
    await passes(house, 60)
    assert house.shown(FAMILY)[-1].text.endswith(": lunch\n👥 for 3 people")


async def test_a_crowd_is_mentioned_in_several_messages(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    for n in range(22):
        await said(house, "/help", sender=f"tg:{500 + n}", **GROUP)
    await trigger(house, "dinner", chat=FAMILY, everybody=True)
    before = len(house.shown(FAMILY))
    await passes(house, 60)
    first, last = [sent.text for sent in house.shown(FAMILY)[before:]]
    assert (first.count("(tg:"), last.count("(tg:")) == (5, 20)
    assert last.endswith("for 25 people")


async def test_who_gave_something_to_somebody_who_leaves_is_told_once(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    guest = await contact(house, GUEST)
    every_hour = Interval(seconds=3600, start=house.clock.now())
    made = await trigger(
        house, "water the plants", every_hour, chat=FAMILY, contacts=(guest, await contact(house, FRIEND))
    )
    await said(house, "/todo buy bread", **GROUP)
    await said(house, f"/todo assign buy bread {GUEST}", **GROUP)
    await leave(house, GUEST)
    await leave(house, GUEST)
    told = [sent.text for chat in ("1", FAMILY) for sent in house.shown(chat) if "has left" in sent.text]
    assert len(told) == 1
    assert "- water the plants" in told[0]
    assert "buy bread" in told[0]
    await passes(house, 2 * 3600)
    assert (await state(house, made))[0] == "active"
    assert house.shown(FAMILY)[-1].text.startswith(f"⏰ [Name of {FRIEND}]({FRIEND}) (from")


@pytest.mark.databases("sqlite", "postgres")
async def test_a_brief_of_a_group_goes_on_without_its_maker_and_a_summary_ends_and_both_is_said(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    theirs = {**GROUP, "sender": FRIEND}
    await said(house, "/readalong on", **theirs)
    await said(house, "/brief 15:00", **theirs)
    await said(house, "/summary every day at 15:00", **theirs)
    bob = await person_of(house, FRIEND)
    await house.db.write(lambda tx: people.set_standing(tx, house.tenant_id, bob, "removed"))
    await said(house, "/todo today: call Oma", **GROUP)
    before = len(house.shown(FAMILY))
    await passes(house, 3600)
    told = "\n".join(sent.text for sent in house.shown(FAMILY)[before:])
    assert "It goes on until somebody stops it: the daily brief" in told
    assert "so I no longer do it: a summary of what was said" in told
    assert "call Oma" in told
    assert await house.column("SELECT text FROM trigger WHERE ended_at IS NULL") == ["brief"]
