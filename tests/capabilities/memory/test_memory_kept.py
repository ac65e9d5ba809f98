"""What becomes of memories with time, and with whose they are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.memory import repository as memories
from core.capabilities.memory.keeps import expire, merged
from core.capabilities.memory.models import PREFIX
from core.capabilities.memory.service import remember
from core.kernel import ids
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey, Role
from core.store.conversation import chat_migration, history, runs
from core.store.conversation.chat_migration import Chats
from core.toolkit.keeping import Keep, Night
from tests.calling import acts_of, caller, claimed
from tests.commanding import FRIEND, GROUP, group, pressed, said
from tests.fakes import House, house

DAYS = 86_400


async def left(home: House) -> list[int]:
    """How many memories there are, and how many of them can be found."""
    documents = await home.column("SELECT count(*) FROM document WHERE kind = 'memory'")
    return [*await home.column("SELECT count(*) FROM memory"), *documents]


def _expire(night: Night, tx: Tx) -> int:
    return expire(tx, night, 100)


@pytest.mark.databases("sqlite")
async def test_what_was_deleted_goes_after_a_month_with_all_that_it_had_superseded(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "remember that the dentist is on Tuesday at Weber's")
    await said(home, "no, the dentist is on Thursday at Weber's")
    await said(home, "/remember my locker is 214")
    await said(home, "forget that the dentist is on Thursday at Weber's")
    assert await left(home) == [3, 1]
    for days in (29, 2):
        home.clock.advance(days * DAYS)
        night = Night(keep=Keep(), now=home.clock.now())
        for _ in range(3):
            await database.write(partial(_expire, night))
    assert await left(home) == [1, 1]
    assert await home.column("SELECT content FROM memory") == ["my locker is 214"]


@pytest.mark.databases("sqlite")
async def test_who_is_forgotten_leaves_no_memory(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/remember my locker is 214")
    assert "1 memory" in await said(home, "/forget")
    await pressed(home, "Forget everything")
    assert await left(home) == [0, 0]


async def test_what_is_forgotten_is_neither_found_in_the_talk_nor_told_to_a_model(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    assert home.model is not None
    await said(home, "remember that the garage code is 4711")
    await said(home, "so the GARAGE code is  4711, what do you think?")
    await said(home, "the bicycle stands beside the garage, what do you think?")
    assert "4711" in await said(home, "/history garage code")
    assert "4711" in await said(home, "forget that the garage code is 4711")
    found = await said(home, "/history garage code")
    assert "4711" not in found
    assert "bicycle" in found
    await said(home, "how do I get into the garage, what do you think?")
    request = str(home.model.requests[-1].messages)
    assert "4711" not in request
    assert "bicycle" in request
    assert await home.column("SELECT count(*) FROM document WHERE tokens LIKE '%4711%'") == [0]
    await said(home, "/undo")
    assert "4711" in await said(home, "/history garage code")
    await said(home, "forget that the garage code is 4711")
    home.clock.advance(31 * DAYS)
    await database.write(partial(_expire, Night(keep=Keep(), now=home.clock.now())))
    lines = await home.column("SELECT text FROM message WHERE text LIKE '%4711%' AND forgotten_with IS NOT NULL")
    assert lines == []


@pytest.mark.parametrize("first", ["garage", "alarm"])
async def test_undo_of_a_deletion_shows_no_line_that_another_deletion_hides(
    database: Database, tmp_path: Path, first: str
) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    assert home.model is not None
    codes = {"garage": "4711", "alarm": "9922"}
    for name, code in codes.items():
        await said(home, f"remember that the {name} code is {code}")
    await said(home, "so the garage code is 4711 and the alarm code is 9922, what do you think?")
    await said(home, "/memory")
    second = "alarm" if first == "garage" else "garage"
    undo = list[str]()
    for name in (first, second):
        await said(home, f"forget that the {name} code is {codes[name]}")
        undo.append(home.button("Undo"))
    await home.press("Undo", data=undo[0])
    await home.work()
    assert codes[first] in await said(home, f"/history {first} code")
    assert codes[second] not in await said(home, f"/history {second} code")
    await said(home, "how do I get in, what do you think?")
    assert codes[second] not in str(home.model.requests[-1].messages)
    seen = "SELECT text FROM message WHERE text LIKE '%9922%' AND text LIKE '%4711%' AND forgotten_with IS NULL"
    assert await home.column(seen) == []
    await home.press("Undo", data=undo[1])
    await home.work()
    assert len(await home.column(seen)) == 2
    assert codes[second] in await said(home, f"/history {second} code")


@pytest.mark.databases("sqlite")
async def test_undo_of_a_deletion_shows_what_was_said_of_the_same_that_was_taken_back_or_deleted_before(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    garage = "the garage code is 4711"
    await said(home, f"remember that {garage}")
    await home.press("Undo")
    await home.work()
    await said(home, f"/remember {garage}")
    await said(home, f"forget that {garage}")
    await said(home, f"/remember {garage}")
    await said(home, f"so {garage}, what do you think?")
    await said(home, f"forget that {garage}")
    await said(home, "/undo")
    assert f"so {garage}" in await said(home, "/history garage code")


@pytest.mark.databases("sqlite")
async def test_undo_of_the_deletion_of_what_was_noted_anew_shows_the_talk_and_says_so(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    garage = "the garage code is 4711"
    await said(home, "remember that the garage code is 1234")
    await said(home, f"no, {garage}")
    await said(home, f"so {garage}, what do you think?")
    await said(home, f"forget that {garage}")
    undo = home.button("Undo")
    await said(home, f"/remember {garage}")
    answer = await pressed(home, "Undo", data=undo)
    assert f"the forgetting of “{garage}”" in answer
    assert "remembered again already" in answer
    home.clock.advance(31 * DAYS)
    await database.write(partial(_expire, Night(keep=Keep(), now=home.clock.now())))
    assert f"so {garage}" in await said(home, "/history garage code")
    assert await home.column("SELECT content FROM memory WHERE state = 'active'") == [garage]
    # What it had corrected is corrected by what was noted anew.
    assert "1234" in await said(home, "/memory why garage code")


@pytest.mark.parametrize("mine", [True, False])
async def test_what_was_deleted_goes_to_no_model_by_a_reply_to_it(
    database: Database, tmp_path: Path, *, mine: bool
) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    assert home.model is not None
    key = await home.hear("remember that the garage code is 4711")
    await home.work()
    noted = home.adapter.sent[-1]
    await said(home, "forget that the garage code is 4711")
    quoted = "remember that the garage code is 4711" if mine else noted.text
    await home.hear("what about this, do you think?", reply_to=key if mine else noted.platform_id, quoted=quoted)
    await home.work()
    request = str(home.model.requests[-1].messages)
    assert "in reply to" in request
    assert "4711" not in request


async def test_who_note_the_same_at_once_make_one_memory(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, "Well.")
    await home.hear("so what is my locker, do you know?")
    act = acts_of(home, await claimed(home))
    made = await asyncio.gather(*(act(remember, content=f"my locker{' ' * n} is 214") for n in range(1, 7)))
    assert sorted(one.status for one in made) == [*["known"] * 5, "noted"]
    assert await left(home) == [1, 1]


LONG = "my bank PIN is 1234 and the card lies in the blue drawer of the old desk, behind the boxes with all of the toys"
LONG += " that nobody wants any more"


@pytest.mark.parametrize("by_button", [True, False])
async def test_what_is_deleted_is_hidden_also_where_it_was_shortened_stressed_or_shown(
    database: Database, tmp_path: Path, *, by_button: bool
) -> None:
    home = await house(database, tmp_path, lambda request: f"You told me: {LONG.replace('1234', '**1234**')}.")
    assert home.model is not None
    await said(home, f"remember that {LONG}")
    assert "already" in await said(home, f"remember that {LONG}")
    await said(home, "so where is my card, do you think?")
    await said(home, "/memory")
    await pressed(home, f"{LONG[:29]}…")
    await (pressed(home, "Delete") if by_button else said(home, f"forget that {LONG}"))
    assert "1234" not in await said(home, "/history bank")
    assert await home.column("SELECT text FROM message WHERE forgotten_with IS NULL AND text LIKE '%bank PIN%'") == []
    await said(home, "what do you think of banks, then?")
    assert "PIN" not in str(home.model.requests[-1].messages)


async def test_all_lines_with_the_words_of_what_is_deleted_are_hidden_and_no_others(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, lambda request: "Well.")
    for n in range(35):
        await said(home, f"so the garage code is 4711, {n} times, do you see?")
    others = ["so the garage code is 47115, is it?", "so the big garage code is 4711…, no?", "门口的密码是八八八吗？"]
    for text in others:
        await said(home, text)
    for text in ("the garage code is 4711", "我的密码是八八八"):
        await said(home, f"/remember {text}")
    await said(home, "你知道我的密码是八八八对吧？")
    for text in ("the garage code is 4711", "我的密码是八八八"):
        assert "Forgotten" in await said(home, f"/memory delete {text}")
    left = await home.column(
        "SELECT text FROM message WHERE forgotten_with IS NULL AND role = 'user'"
        " AND (text LIKE '%4711%' OR text LIKE '%八八八%') ORDER BY id"
    )
    assert left == others


async def test_a_deletion_in_a_group_hides_what_whoever_deletes_said_and_was_answered_and_no_talk_of_others(
    database: Database, tmp_path: Path
) -> None:
    words = "the big garage code is 4711"
    home = await house(database, tmp_path, lambda request: f"Well, {words}.")
    theirs: dict[str, Any] = {**GROUP, "addressed": True}
    mine = {**theirs, "sender": FRIEND}
    await said(home, "/allow", **theirs)
    await said(home, f"so I think that {words}, or what?", **theirs)
    await said(home, f"and I say: {words}, or what?", **mine)
    await said(home, f"/remember {words}", **mine)
    await said(home, "/memory", **theirs)
    await said(home, f"/memory delete {words}", **mine)
    shown = await home.column(
        "SELECT text FROM message WHERE forgotten_with IS NULL AND text LIKE '%4711%' ORDER BY id"
    )
    assert shown == [f"so I think that {words}, or what?", f"Well, {words}."]


async def test_the_transaction_that_deletes_a_memory_looks_through_no_long_talk(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "remember that код от гаража спрятан под камнем")
    (lane_id, scope_id, tenant_id) = (await home.rows("SELECT lane_id, scope_id, tenant_id FROM message"))[0].values()
    lane = LaneKey(tenant_id=tenant_id, scope_id=scope_id, chat_id=0, lane_id=lane_id)

    def talk(tx: Tx) -> None:
        runs.say_all(tx, None, [(lane, f"погода номер {n}", None, 0, False) for n in range(2_000)], home.clock.now())

    await database.write(talk)
    read, write, looked_at = database.read, database.write, list[int]()

    async def read_and_hear(fn: Callable[[Tx], Any]) -> Any:
        found = await read(fn)
        if isinstance(found, partial):
            # Somebody says it once more before the deletion.
            await write(lambda tx: runs.say(tx, lane, None, "Код от гаража спрятан под камнем!", home.clock.now()))
        return found

    async def counting(fn: Callable[[Tx], Any], **options: Any) -> Any:
        folded = history._folded

        def count(text: str) -> str:
            looked_at.append(1)
            return folded(text)

        with monkeypatch.context() as patch:
            patch.setattr(history, "_folded", count)
            return await write(fn, **options)

    monkeypatch.setattr(database, "read", read_and_hear)
    monkeypatch.setattr(database, "write", counting)
    assert "Forgotten" in await said(home, "/memory delete код от гаража спрятан под камнем")
    assert 0 < len(looked_at) < 300
    assert await home.column("SELECT text FROM message WHERE forgotten_with IS NULL AND text LIKE '%аража%'") == []


@pytest.mark.parametrize("words", ["the", "this is the", "milk", "milk by May", "谢谢你的", "9000"])
async def test_words_in_common_with_what_is_deleted_hide_no_other_line(
    database: Database, tmp_path: Path, words: str
) -> None:
    answer = "So this is the contract: Berger pays 9000 for milk by May, 谢谢你的帮助."
    home = await house(database, tmp_path, lambda request: answer)
    await said(home, f"what do you think of it? {answer}")
    await said(home, f"/remember {words}")
    assert "Forgotten" in await said(home, f"/memory delete {words}")
    shown = await home.column("SELECT text FROM message WHERE forgotten_with IS NULL ORDER BY id")
    assert shown[:2] == [f"what do you think of it? {answer}", answer]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("shown", ["Forgotten", "What I remember", "told me, "])
async def test_what_was_deleted_goes_to_no_model_by_a_reply_to_what_showed_it(
    database: Database, tmp_path: Path, shown: str
) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    assert home.model is not None
    await said(home, "remember that the garage code is 4711")
    for _ in range(2):
        await said(home, "/memory")
    await pressed(home, "the garage code is 4711")
    await said(home, "/memory delete the garage code is 4711")
    replied = next(sent for sent in home.shown() if shown in sent.text and "4711" in sent.text)
    await home.hear("what about this, do you think?", reply_to=replied.platform_id, quoted=replied.text)
    await home.work()
    request = str(home.model.requests[-1].messages)
    assert "in reply to" in request
    assert "4711" not in request


async def test_a_page_of_memories_is_in_no_history_that_a_model_reads(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    await said(home, "remember that the garage code is 4711")
    await said(home, "what do you know about me?")
    await home.hear("so what do you see of it, then?")
    ask, _ = await caller(home, role=Role.PLANNER)
    for name, arguments in (("get_recent_history", {"count": 20}), ("get_history_by_time", {"after": "2020-01-01"})):
        read = await ask(name, **arguments)
        assert not read.error
        assert "4711" in str(read.result)
        assert "What I remember" not in str(read.result)


@pytest.mark.parametrize("goes", ["/forget me", "/optout"])
async def test_what_somebody_corrected_in_a_group_counts_again_once_they_are_gone(
    database: Database, tmp_path: Path, goes: str
) -> None:
    home = await group(database, tmp_path)
    await said(home, "remember that the cabin key is under the blue pot", **GROUP)
    for colour in ("red", "green"):
        await said(home, "/memory", sender=FRIEND, **GROUP)
        (ref,) = [ids.ref(PREFIX, n) for n in await home.column("SELECT id FROM memory WHERE state = 'active'")]
        await said(home, f"/memory edit {ref} the cabin key is under the {colour} pot", sender=FRIEND, **GROUP)
    await said(home, goes, sender=FRIEND, **GROUP)
    assert await home.rows("SELECT content, state, superseded_by FROM memory") == [
        {"content": "the cabin key is under the blue pot", "state": "active", "superseded_by": None}
    ]
    assert await left(home) == [1, 1]
    assert "blue pot" in await said(home, "/memory cabin key", **GROUP)


@pytest.mark.parametrize("goes", ["/forget me", "/optout"])
async def test_what_was_hidden_with_the_memory_of_somebody_who_is_gone_is_erased(
    database: Database, tmp_path: Path, goes: str
) -> None:
    home = await group(database, tmp_path)
    await said(home, "remember that the cabin key is under the blue pot", **GROUP)
    (ref,) = [ids.ref(PREFIX, n) for n in await home.column("SELECT id FROM memory")]
    await said(home, f"/memory edit {ref} the alarm code is 4711", sender=FRIEND, **GROUP)
    await said(home, "forget that the alarm code is 4711", **GROUP)
    await said(home, goes, sender=FRIEND, **GROUP)
    assert await home.column("SELECT text FROM message WHERE text LIKE '%4711%' OR forgotten_with > 0") == []
    assert await home.column("SELECT state FROM memory") == ["removed"]


async def test_what_both_of_two_chats_that_become_one_remember_keeps_what_it_had_corrected(
    database: Database, tmp_path: Path
) -> None:
    home = await group(database, tmp_path)
    other = {**GROUP, "chat": "-1005"}
    await said(home, "/help", **other)
    await said(home, "remember that the gate code is 1111", **other)
    await said(home, "no, the gate code is 2222", **other)
    await said(home, "remember that the gate code is 2222", **GROUP)
    hears = Chats(back=lambda tx, lane: None, merged=merged)
    await database.write(
        lambda tx: chat_migration.move(tx, home.tenant_id, "-5", "-1005", home.clock.now(), hears=hears)
    )
    home.clock.advance(31 * DAYS)
    for _ in range(2):
        await database.write(partial(_expire, Night(keep=Keep(), now=home.clock.now())))
    assert "1111" in await said(home, "/memory why gate code", **other)
    assert await left(home) == [2, 1]


async def test_what_a_former_version_removed_hides_nothing_once_it_is_noted_anew(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, lambda request: "I see.")
    locker = "my locker at work is 2144"
    await said(home, f"/remember {locker}")
    await said(home, f"forget that {locker}")
    old = {"key": memories.key(locker)}
    await home.db.write(lambda tx: tx.run("UPDATE memory SET content_key = :key", old))
    await said(home, f"/remember {locker}")
    await said(home, "/remember the garage code is 4711")
    await said(home, f"so {locker} and the garage code is 4711, what do you think?")
    await said(home, "forget that the garage code is 4711")
    await said(home, "/undo")
    assert "so my locker" in await said(home, "/history locker")
