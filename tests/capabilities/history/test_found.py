"""/history finds the turn in which something was said, for whoever may see it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

ASIDE: dict[str, Any] = {**GROUP, "addressed": False}


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A group that is read along."""
    made = await group(database, tmp_path)
    await said(made, "/readalong on", **GROUP)
    return made


async def overhear(home: House, text: str, sender: str = FRIEND, **more: Any) -> None:
    assert not await said(home, text, **{**ASIDE, "sender": sender, **more})


async def test_a_turn_is_found_with_who_said_it_when_and_a_link(home: House) -> None:
    await overhear(home, "Berta brings the plum cake", key="m9")
    home.clock.advance(86_400)
    text = await said(home, "/history cake", **GROUP)
    assert "Name of tg:2, Mon 21 Sep" in text
    assert "Berta brings the plum cake [↗](https://chat.example/-5/m9)" in text


async def test_of_many_a_page_is_shown_and_buttons_turn_it(home: House) -> None:
    for n in range(12):
        await overhear(home, f"cake number {n}")
    first = await said(home, "/history cake", **GROUP)
    assert first.count("cake number") == 5
    assert labels(home, "-5") == ["›"]
    await pressed(home, "›", chat="-5")
    second = home.shown("-5")[-1].text
    assert second.count("cake number") == 5
    assert labels(home, "-5") == ["‹", "›"]
    await pressed(home, "›", chat="-5")
    third = home.shown("-5")[-1].text
    assert labels(home, "-5") == ["‹"]
    assert all(f"cake number {n}" in first + second + third for n in range(12))


async def test_alone_it_shows_the_last_messages_and_explains(home: House) -> None:
    text = await said(home, "/history", **GROUP)
    assert "/history cake" in text
    assert "Name of tg:1: /readalong on" in text


async def test_what_the_bot_said_is_shown_as_people_saw_it(home: House) -> None:
    await said(home, "hello", **GROUP)
    text = r"**Monday** see [the page](https://a.example/x) of Dentist \*now\* with cake"
    await home.db.write(lambda tx: tx.run("UPDATE message SET text = :text WHERE role = 'assistant'", {"text": text}))
    await said(home, "I write **Monday** of another pie", **GROUP)
    shown = r"Monday see the page of Dentist \*now\* with cake"
    assert f": {shown}" in await said(home, "/history 5", **GROUP)
    assert f": {shown}" in await said(home, "/history cake", **GROUP)
    # What people wrote stands as they wrote it.
    assert r"\*\*Monday\*\* of another" in await said(home, "/history 9", **GROUP)


async def test_what_is_not_there_is_said(home: House) -> None:
    assert await said(home, "/history cake", **GROUP) == "I found nothing that was said here about “cake”."
    assert "/history 5" in await said(home, "/history ...", **GROUP)


async def test_what_was_said_beside_the_question_or_to_be_left_alone_is_no_answer(home: House) -> None:
    await overhear(home, "what a fine evening in Tokyo")
    await overhear(home, "the unicorn stands in the shed", sender=GUEST)
    await said(home, "/optout", **{**GROUP, "sender": GUEST})
    nothing = "I found nothing that was said here about “unicorn”."
    for _ in range(2):
        assert await said(home, "/history unicorn", **GROUP) == nothing
    await said(home, "/memory unicorn", **GROUP)
    assert await said(home, "/history unicorn", **GROUP) == nothing
    await said(home, "what time is it in Tokyo?")
    for _ in range(2):
        assert "I found nothing" in await said(home, "who was going to bring the unicorn?")
        assert "I found nothing" in await said(home, "when did we talk about the unicorn?")


async def test_what_others_asked_often_keeps_nobody_from_finding_it(home: House) -> None:
    await overhear(home, "the unicorn stands in the shed, where it has stood since Berta brought it home in May")
    for _ in range(40):
        await said(home, "/history unicorn", **GROUP)
    assert "in the shed" in await said(home, "/history unicorn", **GROUP)


async def test_neither_the_question_nor_what_was_quoted_is_an_answer(home: House) -> None:
    await overhear(home, "plum cake it is")
    first = await said(home, "/history plum cake", **GROUP)
    assert await said(home, "/history plum cake", **GROUP) == first
    assert first.count("cake it is") == 1


async def test_what_was_quoted_where_somebody_alone_sees_it_is_no_answer_there_either(home: House) -> None:
    await overhear(home, "Berta brings the plum cake")
    hook = {**GROUP, "response_url": "https://hooks.example/1"}
    assert "plum" in await said(home, "/history cake", **hook)
    assert "What was said" not in (await said(home, "/history cake", **hook)).partition("\n")[2]
    await said(home, "/optout", **{**GROUP, "sender": FRIEND})
    assert "plum" not in await said(home, "/history cake", **hook)
    # Nor is what was quoted to one person read by others.
    assert "What was said" not in await said(home, "/history 50", **GROUP)


async def test_a_guest_finds_what_was_said_to_the_bot_and_not_what_people_said_to_each_other(home: House) -> None:
    await overhear(home, "the cake is a secret")
    await said(home, "/todo bake the cake", **GROUP)
    text = await said(home, "/history cake", **{**GROUP, "sender": GUEST})
    assert "secret" not in text
    assert "bake the cake" in text


async def test_what_was_whispered_is_found_by_its_person_alone_and_only_where_they_alone_see_it(home: House) -> None:
    hook = {"response_url": "https://hooks.example/1"}
    await said(home, "my cake wish", **{**GROUP, "sender": FRIEND, **hook})
    assert "cake wish" not in await said(home, "/history cake", **GROUP)
    assert "cake wish" not in await said(home, "/history cake", **{**GROUP, "sender": FRIEND})
    assert "cake wish" not in await said(home, "/history cake", **{**GROUP, **hook})
    assert "cake wish" in await said(home, "/history cake", **{**GROUP, "sender": FRIEND, **hook})


async def test_chats_are_apart(home: House) -> None:
    await overhear(home, "group cake")
    await said(home, "private cake")
    await said(home, "other cake", **friend())
    assert "private cake" in await said(home, "/history cake")
    assert "cake" not in (await said(home, "/history cake")).replace("private cake", "").replace("“cake”", "")
    assert "private" not in await said(home, "/history cake", **GROUP)


async def test_whoever_is_quoted_calls_nobody(home: House) -> None:
    await overhear(home, "@anna brings *the* [cake](https://evil.example), mail a@b.example")
    text = await said(home, "/history cake", **GROUP)
    assert "@anna" not in text
    assert "@\u2060anna" in text
    assert r"\*the\*" in text
    assert r"\[cake\](https://evil" in text
    assert "a@b.example" in text


async def test_whatever_signs_the_bot_has_said_they_hold_up_nobody(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await build(await make_database("sqlite"), tmp_path / "house", *["***a " * 780] * 40)
    for n in range(40):
        await said(house, f"say it {n} times")
    begun = time.perf_counter()
    assert (await said(house, "/history 100")).count("…") >= 20
    assert time.perf_counter() - begun < 1.5
