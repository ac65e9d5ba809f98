"""Answers that concern only who asked: in a group they are meant for that person alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Keyboard, Part, Sender
from tests.commanding import GROUP, GUEST, OWNER, group, said
from tests.conftest import DatabaseMaker
from tests.fakes import FakeAdapter, House, inbound
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")


async def only_for(house: House) -> str | None:
    """The person whom the newest message is for."""
    payloads = await house.column("SELECT payload FROM outbox ORDER BY id DESC LIMIT 1")
    found: str | None = json.loads(payloads[0]).get("only_for")
    return found


async def test_what_concerns_only_who_asked_is_for_them_alone(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    for text in ("/id", "/help", "/privacy", "/status", "/history", "/optout maybe"):
        await said(house, text, sender=GUEST, **GROUP)
        assert await only_for(house) == GUEST, text
    # A refusal.
    await said(house, "/people", sender=GUEST, **GROUP)
    assert await only_for(house) == GUEST


@pytest.mark.parametrize("text", ["hello", "/time", "/start", "/language zh", "/nonsense"])
async def test_what_concerns_the_group_is_for_all(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    assert await said(house, text, addressed=True, **GROUP)
    assert await only_for(house) is None


@pytest.mark.parametrize("text", ["/language", "/timezone", "/optout"])
async def test_what_has_buttons_is_for_all(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, text, sender=OWNER, **GROUP)
    assert house.adapter.keyboards
    assert await only_for(house) is None


async def test_in_private_there_is_nobody_to_hide_from(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/id")
    assert await only_for(house) is None


async def test_the_name_of_a_group_sees_nothing_alone(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    nobody = Sender(address="tg:-5", name="Family", anonymous=True)
    help_asked = replace(inbound("/help", key="x", **GROUP), sender=nobody)
    before = len(house.adapter.texts("-5"))
    await house.app.inbox.accept(house.tenant_id, [help_asked])
    await house.work()
    assert len(house.adapter.texts("-5")) == before + 1
    assert await only_for(house) is None


class Wordy(FakeAdapter):
    """Makes a message of every line."""

    def render(self, text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        return super().render(text.replace("\n", "\f"), choices, keyboard)


async def test_every_part_of_a_long_answer_is_for_one_person(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await build(await make_database("sqlite"), tmp_path / "house", model=False, adapter=Wordy())
    await said(house, "/id", **GROUP)
    payloads = await house.column("SELECT payload FROM outbox ORDER BY id DESC LIMIT 2")
    assert [json.loads(payload)["only_for"] for payload in payloads] == [OWNER, OWNER]
