"""Who changes, replaces or deletes a memory by an old button or id that was corrected since."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.memory.models import PREFIX
from core.kernel import ids
from core.kernel.ports import Database
from tests.commanding import pressed, said
from tests.fakes import House, house

pytestmark = pytest.mark.databases("sqlite")

GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "addressed": True}


async def states(home: House) -> list[tuple[str, str]]:
    rows = await home.rows("SELECT content, state FROM memory ORDER BY id")
    return [(row["content"], row["state"]) for row in rows]


async def refs(home: House) -> list[str]:
    return [ids.ref(PREFIX, number) for number in await home.column("SELECT id FROM memory ORDER BY id")]


@pytest.mark.parametrize("way", ["page", "asked before", "command", "bare command"])
async def test_who_changes_what_was_corrected_since_changes_what_holds_now(
    database: Database, tmp_path: Path, way: str
) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "remember that my locker is 214")
    await said(home, "/memory")
    await pressed(home, "my locker is 214")
    change = home.button("Change")
    (ref,) = re.findall(r"`(m\w+)`", home.shown()[-1].text)
    if way == "asked before":
        await pressed(home, "Change")
        await said(home, f"/memory edit {ref} my locker is 215")
        question = "my locker is 214"
    else:
        await said(home, f"/memory edit {ref} my locker is 215")
        question = "my locker is 215"
    if way == "page":
        assert question in await pressed(home, "Change", data=change)
    elif way == "bare command":
        assert question in await said(home, f"/memory edit {ref}")
    text = "my locker is 216"
    answer = await said(home, f"/memory edit {ref} {text}" if way == "command" else text)
    assert "instead of: my locker is 215" in answer
    assert await states(home) == [
        ("my locker is 214", "superseded"),
        ("my locker is 215", "superseded"),
        ("my locker is 216", "active"),
    ]


async def test_an_old_page_opens_what_holds_now_and_nothing_of_what_was_deleted(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "remember that my locker is 214")
    await said(home, "/memory")
    old = home.button("my locker is 214")
    await said(home, "/remember my room is 10")
    (ref,) = re.findall(r"`(m\w+)`", await said(home, "/memory why locker"))
    await said(home, f"/memory edit {ref} my locker is 215")
    page = next(sent.platform_id for sent in home.shown() if "What I remember" in sent.text)
    await home.press("my locker is 214", data=old)
    await home.work()
    (shown,) = [sent.text for sent in home.shown() if sent.platform_id == page]
    assert "my locker is 215" in shown
    await said(home, "forget that my locker is 215")
    assert "no such memory" in await said(home, f"/memory edit {ref} my locker is 216")
    assert [state for _, state in await states(home)] == ["superseded", "active", "removed"]


async def test_who_deletes_what_was_corrected_since_is_told_what_stays(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "remember that my locker is 214")
    await said(home, "/memory")
    await pressed(home, "my locker is 214")
    delete = home.button("Delete")
    await said(home, f"/memory edit {(await refs(home))[0]} my locker is 215")
    answer = await pressed(home, "Delete", data=delete)
    assert "Forgotten: “my locker is 214”" in answer
    assert "that stays: “my locker is 215”" in answer
    assert "stays" not in await said(home, "forget that my locker is 215")


async def test_replace_is_of_what_holds_now(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "remember that I live in Potsdam")
    (ref,) = re.findall(r"`(m\w+)`", await said(home, "/memory why Potsdam"))
    await said(home, "remember that I live in Dresden")
    replace = home.button("Replace")
    await said(home, f"/memory edit {ref} I live in Leipzig")
    answer = await pressed(home, "Replace", data=replace)
    assert "counts: I live in Dresden\ninstead of: I live in Leipzig (" in answer
    assert [text for text, state in await states(home) if state == "active"] == ["I live in Dresden"]


@pytest.mark.parametrize("order", list(permutations("on!")))
@pytest.mark.parametrize("way", ["button", "known"])
async def test_whoever_takes_back_what_was_replaced_and_what_replaced_it_is_left_with_neither(
    database: Database, tmp_path: Path, order: Sequence[str], way: str
) -> None:
    home = await house(database, tmp_path, model=False)
    undo = dict[str, str]()
    older, newer = "I live in Potsdam", "I live in Dresden"
    noted = (("o", older), ("n", newer)) if way == "button" else (("n", newer), ("o", older))
    for letter, text in noted:
        await said(home, f"remember that {text}")
        undo[letter] = home.button("Undo")
    if way == "button":
        # Its buttons are used up by the one that is pressed.
        del undo["n"]
        await pressed(home, "Replace")
    else:
        await said(home, f"no, {newer}")
    assert ("I live in Potsdam", "superseded") in await states(home)
    undo["!"] = home.button("Undo")
    for letter in order:
        if letter in undo:
            await home.press("Undo", data=undo[letter])
            await home.work()
            assert "changed again" not in home.adapter.texts("1")[-1]
    left = [text for text, state in await states(home) if state != "removed"]
    assert left == ([newer] if way == "button" else [])
    if way == "button":
        await said(home, f"forget that {newer}")
        assert [state for _, state in await states(home)] == ["removed", "removed"]


async def test_what_was_replaced_once_more_does_not_stand_again_by_the_undo_of_the_first_time(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, model=False)
    undo = list[str]()
    for text in ("remember that I live in Dresden", "remember that I live in Potsdam", "no, I live in Dresden"):
        await said(home, text)
        undo.append(home.button("Undo"))
    await home.press("Undo", data=undo[0])
    await home.work()
    await said(home, "remember that I live in Leipzig")
    await pressed(home, "Replace")
    await home.press("Undo", data=undo[2])
    await home.work()
    assert "changed again" in home.adapter.texts("1")[-1]
    assert [text for text, state in await states(home) if state == "active"] == ["I live in Leipzig"]
