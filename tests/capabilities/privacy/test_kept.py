"""What /privacy says is kept of whoever asks: how much, how long, who reads it; without a model, in each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.capabilities.privacy.test_forget import PLUM
from tests.capabilities.privacy.test_left_alone import lane_of, remember
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, said
from tests.fakes import FakeAdapter
from tests.fakes import house as build


@pytest.mark.databases("sqlite")
async def test_what_is_kept_of_a_private_chat_is_counted_by_its_kind(database: Database, tmp_path: Path) -> None:
    adapter = FakeAdapter()
    adapter.files["f1"] = b"plum"
    house = await build(database, tmp_path / "house", "noted", adapter=adapter)
    await said(house, "I like plum jam", attachments=(PLUM,))
    await said(house, "/todo buy jam")
    await said(house, "/remind me in 2 hours to stretch")
    await said(house, "/contacts add Bob tg:4711")
    await remember(house, await lane_of(house, "1"), "plums are fine")
    told = await said(house, "/privacy")
    (line,) = [line for line in told.splitlines() if line.startswith("**Of this chat I have now:**")]
    for part in ("messages", "1 file", "1 open to-do", "1 reminder", "2 contacts", "1 memory", "journals", "record"):
        assert part in line, part
    assert "Backups:" in told
    assert "nothing deletes them by itself" in told


@pytest.mark.databases("sqlite")
async def test_what_others_noted_is_counted_and_never_whose(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/help", sender=FRIEND, **GROUP)
    await said(house, f"/contacts add Canary {FRIEND}")
    told = await said(house, "/privacy", **friend())
    assert "you stand in 2 other books of contacts" in told
    assert "Canary" not in told
    assert "Family" not in told
    # Others of a group do not hear of it.
    assert "books of contacts" not in await said(house, "/privacy", sender=FRIEND, **GROUP)


@pytest.mark.databases("sqlite")
async def test_every_member_of_a_group_learns_what_is_kept_of_them_alone(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo buy jam", **GROUP)
    told = await said(house, "/privacy", sender=GUEST, **GROUP)
    assert "what I know of you as a contact" in told
    assert "to-do" not in told.split("**What I keep")[0]


@pytest.mark.databases("sqlite")
async def test_a_stranger_of_whom_nothing_is_kept_is_told_so(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await house.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed' WHERE name = 'Name of tg:2'"))
    told = await said(house, "/privacy", sender=FRIEND, **GROUP)
    assert "**What I keep:**" in told
    assert "until that person deletes them" in told


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("code", "counted", "backups"),
    [
        ("de", "Aus diesem Chat habe ich jetzt", "von selbst löscht sie nichts"),
        ("zh", "本聊天里我现在保留着", "不会自动删除"),
    ],
)
async def test_it_is_said_in_the_language_of_who_asks(
    database: Database, tmp_path: Path, code: str, counted: str, backups: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, f"/language {code}")
    told = await said(house, "/privacy")
    assert counted in told
    assert backups in told
    assert backups[-4:] not in await said(house, "/time")
