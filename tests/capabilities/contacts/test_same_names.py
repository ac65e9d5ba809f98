"""Several people of one name: whoever is asked which one is meant can tell them apart."""

from __future__ import annotations

from pathlib import Path

from core.kernel.ports import Database
from tests.commanding import GROUP, group, home, labels, pressed, said


async def test_two_of_a_name_have_their_handles_on_the_buttons(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    for handle in ("@bob_t", "@chen_t"):
        await said(house, f"/contacts add Bob {handle}", **GROUP)
    await said(house, "/remind Bob tomorrow at 9 to come", **GROUP)
    assert labels(house, "-5") == ["Bob @bob_t", "Bob @chen_t"]
    assert "call" not in await pressed(house, "Bob @chen_t", chat="-5")
    assert await house.column("SELECT c.nickname FROM addressee a JOIN contact c ON c.id = a.contact_id") == ["Bob"]
    assert "- Bob · @bob\\_t\n- Bob · @chen\\_t" in await said(house, "/contacts", **GROUP)
    await said(house, "/contacts rename Bob Rob", **GROUP)
    assert labels(house, "-5") == ["Bob @bob_t", "Bob @chen_t"]


async def test_who_has_no_handle_is_told_by_their_town_or_number(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for address in ("tg:31", "tg:32", "tg:33"):
        await said(house, f"/contacts add Bob {address}")
    (first, *_) = await house.column("SELECT id FROM contact WHERE nickname = 'Bob' ORDER BY id")
    await house.db.write(lambda tx: tx.run("UPDATE contact SET timezone = 'Asia/Tokyo' WHERE id = :id", {"id": first}))
    await said(house, "/contacts Bob")
    assert labels(house) == ["Bob Tokyo", "Bob 32", "Bob 33"]
    await said(house, "/language zh")
    await said(house, "/contacts Bob")
    assert labels(house)[0] == "Bob 东京"


async def test_whose_item_of_the_list_it_is_is_asked_below_it(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    for handle in ("@bob_t", "@chen_t"):
        await said(house, f"/contacts add Bob {handle}", **GROUP)
    assert "Whom do you mean by Bob?" in await said(house, "/todo sweep for Bob tomorrow at 15:00", **GROUP)
    assert labels(house, "-5")[:3] == ["Undo", "Bob @bob_t", "Bob @chen_t"]
    assert "sweep for Bob — Bob" in await pressed(house, "Bob @chen_t", chat="-5")
    for table in ("assignee", "addressee"):
        chosen = f"SELECT x.external_id FROM {table} a JOIN contact_address x ON x.contact_id = a.contact_id"
        assert await house.column(chosen) == ["tg:@chen_t"]
