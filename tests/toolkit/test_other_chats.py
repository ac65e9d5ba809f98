"""What a private chat shows of other chats is found in one place, which asks the platform once a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, group, said
from tests.fakes import OWNER

pytestmark = pytest.mark.databases("sqlite")


class Absent(set[tuple[str, str]]):
    """Who is absent from chats: nobody. It notes of whom the platform was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[object] = []

    def __contains__(self, who: object) -> bool:
        self.asked.append(who)
        return super().__contains__(who)


@pytest.mark.parametrize("command", ["/today", "/todo", "/tasks", "/todo done cake", "/todo edit cake: pie"])
async def test_the_platform_is_asked_once_a_command_whether_somebody_is_in_a_group(
    database: Database, tmp_path: Path, command: str
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo cake at 17:00", **GROUP)
    await said(house, "/remind me at 18:00 cake", **GROUP)
    absent = house.adapter.absent = Absent()
    assert "cake" in await said(house, command)
    assert absent.asked == [("-5", OWNER)]


async def test_in_a_group_nothing_of_other_chats_is_looked_for(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo cake", **GROUP)
    absent = house.adapter.absent = Absent()
    for command in ("/today", "/todo", "/tasks"):
        await said(house, command, **GROUP)
    assert absent.asked == []
