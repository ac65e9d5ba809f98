"""Whose a memory is that two people of a group have, and which one "forget that …" means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.memory.models import PREFIX
from core.kernel import ids
from core.kernel.ports import Database
from core.kernel.types import Sender
from core.kernel.updates import Profile
from tests.capabilities.memory.test_model_notes import remember
from tests.commanding import labels, pressed, said
from tests.fakes import FRIEND, OWNER, House, house, inbound

pytestmark = pytest.mark.databases("sqlite")

GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "addressed": True}


async def states(home: House) -> list[tuple[str, str]]:
    rows = await home.rows("SELECT content, state FROM memory ORDER BY id")
    return [(row["content"], row["state"]) for row in rows]


async def refs(home: House) -> list[str]:
    return [ids.ref(PREFIX, number) for number in await home.column("SELECT id FROM memory ORDER BY id")]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("text", ["I am allergic to nuts", "mein Spind ist 214", "我对花生过敏"])
async def test_what_two_people_of_a_group_say_of_themselves_is_two_memories(
    database: Database, tmp_path: Path, text: str
) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/allow", **GROUP)
    await said(home, f"/remember {text}", **GROUP)
    theirs = {**GROUP, "sender": FRIEND}
    assert "Noted" in await said(home, f"/remember {text}", **theirs)
    assert "already" in await said(home, f"/remember {text}", **theirs)
    assert len(await states(home)) == 2
    # A former version had one key for all who say the same.
    await home.db.write(lambda tx: tx.run("UPDATE memory SET content_key = 'x' WHERE id = 2"))
    assert "Forgotten" in await said(home, f"/memory delete {(await refs(home))[1]}", **theirs)
    await said(home, "/undo", **theirs)
    assert await states(home) == [(text, "active"), (text, "active")]
    await said(home, "/forget me", **GROUP)
    assert text in await said(home, "/memory", **theirs)


@pytest.mark.parametrize(
    "text",
    [
        "the gate code is 99",
        "our gate code is 99",
        "the US office is at 99",
        "unser Code ist 99",
        "我们的门禁密码是 99",
    ],
)
async def test_what_two_people_say_of_the_group_is_one_memory(database: Database, tmp_path: Path, text: str) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/allow", **GROUP)
    await said(home, f"/remember {text}", **GROUP)
    assert "already" in await said(home, f"/remember {text}", sender=FRIEND, **GROUP)
    assert "Forgotten" in await said(home, f"/memory delete {text}", sender=FRIEND, **GROUP)


async def test_forget_asks_where_one_memory_says_yes_and_another_no(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    for text in ("I am allergic to nuts", "I'm not allergic to nuts anymore"):
        await said(home, f"/remember {text}")
    for text in ("/memory delete nuts", "forget about nuts"):
        assert "Which one" in await said(home, text)
    assert [state for _, state in await states(home)] == ["active", "active"]


async def test_forget_my_deletes_in_a_group_nothing_that_others_said(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/allow", **GROUP)
    await said(home, "remember that my locker is 214", **GROUP)
    for text in ("forget my locker", "forget that my locker is 214"):
        assert "Which one" in await said(home, text, sender=FRIEND, **GROUP)
    await said(home, "remember that my bike is red", sender=FRIEND, **GROUP)
    assert "Forgotten" in await said(home, "forget my bike", sender=FRIEND, **GROUP)
    assert await states(home) == [("my locker is 214", "active"), ("my bike is red", "removed")]


@pytest.mark.databases("sqlite", "postgres")
async def test_what_somebody_said_is_shown_by_their_undo_whoever_else_forgot_what_it_holds(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    theirs = {**GROUP, "sender": FRIEND}
    await said(home, "/allow", **GROUP)
    await said(home, "/remember the garage code is 4711", **GROUP)
    await said(home, "/remember the alarm code is 9922", **theirs)
    for who in (GROUP, theirs):
        await said(home, "so the garage code is 4711 and the alarm code is 9922, what do you think?", **who)
    garage, alarm = await refs(home)
    await said(home, f"/memory delete {alarm}", **theirs)
    hidden = "SELECT person_id FROM message WHERE text LIKE 'so the%' AND forgotten_with > 0 ORDER BY id"
    assert await home.column(hidden) == [2]
    await said(home, f"/memory delete {garage}", **GROUP)
    assert await home.column(hidden) == [1, 2]
    assert "Taken back" in await said(home, "/undo", **GROUP)
    assert await home.column(hidden) == [2]
    assert "Taken back" in await said(home, "/undo", **theirs)
    assert await home.column(hidden) == []


@pytest.mark.parametrize("first", ["I am allergic to nuts and fish", "I am allergic to fish"])
async def test_a_model_notes_for_the_second_person_what_it_has_noted_for_the_first(
    database: Database, tmp_path: Path, first: str
) -> None:
    home = await house(database, tmp_path)
    theirs = {**GROUP, "sender": FRIEND}
    await said(home, "/allow", **GROUP)
    await said(home, f"/remember {first}", **GROUP)
    assert home.model is not None
    for answer in ("Noted", "already"):
        home.model.add(remember("I'm allergic to fish"))
        assert answer in await said(home, "could you please remember I'm allergic to fish?", **theirs)
    assert await states(home) == [(first, "active"), ("I'm allergic to fish", "active")]


@pytest.mark.parametrize("by_model", [True, False])
async def test_what_somebody_says_of_themself_is_corrected_by_nobody_else(
    database: Database, tmp_path: Path, by_model: bool
) -> None:
    home = await house(database, tmp_path)
    await said(home, "/allow", **GROUP)
    await said(home, "/remember my locker is 214", **GROUP)
    await said(home, "/remember the gate code is 99", **GROUP)
    locker, gate = await refs(home)
    assert home.model is not None
    for older, text in ((locker, "my locker is 300"), (gate, "the gate code is 98")):
        home.model.add(remember(text, supersedes=older))
        wish = f"could you remember: {text}?" if by_model else f"/memory edit {older} {text}"
        assert "Noted" in await said(home, wish, sender=FRIEND, **GROUP)
    assert await states(home) == [
        ("my locker is 214", "active"),
        ("the gate code is 99", "superseded"),
        ("my locker is 300", "active"),
        ("the gate code is 98", "active"),
    ]


async def test_buttons_of_what_two_people_say_alike_say_whose_it_is(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/allow", **GROUP)
    for who in (FRIEND, OWNER):
        await said(home, "/remember my locker is 214", sender=who, **GROUP)
    mine, theirs = "Name of tg:2: my locker is 214", "Name of tg:1: my locker is 214"
    assert "Which one" in await said(home, "forget my locker", sender=FRIEND, **GROUP)
    assert labels(home, "-5") == [mine, theirs]
    await said(home, "/memory", sender=FRIEND, **GROUP)
    assert sorted(labels(home, "-5")) == [theirs, mine]
    await said(home, "forget my locker", sender=FRIEND, **GROUP)
    assert "Forgotten" in await pressed(home, mine, chat="-5", sender=FRIEND)
    assert await home.column("SELECT person_id FROM memory WHERE state = 'active'") == [1]
    await said(home, "/memory", sender=FRIEND, **GROUP)
    assert labels(home, "-5") == ["my locker is 214"]


async def test_a_name_stands_on_a_button_as_it_is_written(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/allow", **GROUP)
    for who in (FRIEND, OWNER):
        await said(home, "/remember my locker is 214", sender=who, **GROUP)
    renamed = Sender(address=FRIEND, name="a_b", language="en")
    await home.app.inbox.accept(home.tenant_id, [Profile(key="p", sender=renamed)])
    await said(home, "/memory", **GROUP)
    assert "a_b: my locker is 214" in labels(home, "-5")


@pytest.mark.databases("sqlite", "postgres")
async def test_whose_name_was_not_known_is_found_by_it(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/allow", **GROUP)
    nameless = Sender(address=FRIEND, name="", language="en", unknown="ratelimited")
    message = inbound("/remember the attic is cold", key="n", **{**GROUP, "sender": FRIEND})
    await home.app.inbox.accept(home.tenant_id, [replace(message, sender=nameless)])
    await home.work()
    assert "attic" not in await said(home, "/memory Zora", **GROUP)
    named = Sender(address=FRIEND, name="Zora", language="en")
    await home.app.inbox.accept(home.tenant_id, [Profile(key="p", sender=named)])
    assert "attic" in await said(home, "/memory Zora", **GROUP)


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("way", ["profile", "book"])
async def test_who_has_another_name_is_found_by_it(database: Database, tmp_path: Path, way: str) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/allow", **GROUP)
    await said(home, "/remember the attic is cold", **{**GROUP, "sender": FRIEND})
    await said(home, "/remember the cellar is damp", **GROUP)
    assert "attic" in await said(home, f"/memory Name of {FRIEND}", **GROUP)
    assert "attic" not in await said(home, "/memory Zora", **GROUP)
    if way == "book":
        await said(home, f"/contacts rename Name of {FRIEND} Zora", **GROUP)
    else:
        renamed = Sender(address=FRIEND, name="Zora", language="en")
        await home.app.inbox.accept(home.tenant_id, [Profile(key="p", sender=renamed)])
    await said(home, "/remember Zora likes tea", **GROUP)
    found = await said(home, "/memory Zora", **GROUP)
    assert "tea" in found
    assert found.index("attic") < (found.find("cellar") if "cellar" in found else len(found))
    assert "attic" in await said(home, "/memory attic", **GROUP)
    await said(home, "/memory delete attic", **GROUP)
    assert "attic" not in await said(home, "/memory Zora", **GROUP)


@pytest.mark.parametrize(
    ("mine", "ours"),
    [
        ("what do you know about me?", "what do you know about us?"),
        ("was weißt du über mich?", "was weißt du über uns?"),
        ("你知道我的什么", "你知道我们的什么"),
    ],
)
async def test_about_us_is_what_all_of_a_group_said_and_about_me_what_i_did(
    database: Database, tmp_path: Path, mine: str, ours: str
) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/allow", **GROUP)
    await said(home, "/remember the car is in garage 7", **GROUP)
    theirs = {**GROUP, "sender": FRIEND}
    assert "garage 7" in await said(home, ours, **theirs)
    assert "garage 7" not in await said(home, mine, **theirs)
    assert "garage 7" in await said(home, mine, **GROUP)
