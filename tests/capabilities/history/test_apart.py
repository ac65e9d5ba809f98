"""Nothing that was said in one place is found, quoted or summed up in another, nor shown to a model there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import ModelRequest
from tests.commanding import FRIEND, said
from tests.fakes import OWNER, FakeAdapter, House
from tests.fakes import house as build

PLACES: Mapping[str, Mapping[str, Any]] = {
    "ann": {"chat": "1", "sender": OWNER},
    "bob": {"chat": "2", "sender": FRIEND},
    "home": {"chat": "-5", "sender": OWNER, "chat_kind": "group", "title": "Home"},
    "club": {"chat": "-6", "sender": FRIEND, "chat_kind": "group", "title": "Club"},
}
# Whose words may be shown where: what was said in a group also to its member in private.
MAY = {"ann": {"ann", "home"}, "bob": {"bob", "club"}, "home": {"home"}, "club": {"club"}}
CANARIES = {name: f"zwitscher{name}" for name in PLACES}
ASKED = (
    "/history",
    "/history 50",
    "/history so who brings a cake aside",
    "who was going to bring the cake?",
    "what did Name say about the cake?",
    "when did we talk about a cake?",
    "/summary",
    "/summary 3 days",
    "what did I miss?",
)


def echo(request: ModelRequest) -> str:
    """A model that says whatever it was shown."""
    return " ".join(str(one["content"]) for one in request.messages if one["role"] != "system")[-3_000:]


def foreign(name: str, shown: str) -> list[str]:
    """The words of others in what is shown in a place."""
    return [word for place, word in CANARIES.items() if place not in MAY[name] and word in shown]


async def talked(database: Database, folder: Path, *, model: bool) -> House:
    """A house in which each has said something everywhere they are: ann at home, bob in the club."""
    adapter = FakeAdapter()
    adapter.absent |= {("-5", FRIEND), ("-6", OWNER)}
    adapter.admins.add(("-6", FRIEND))
    made = await build(database, folder / "house", *([echo] if model else []), model=model, adapter=adapter)
    for name, place in PLACES.items():
        await said(made, "/time", **place)
        if "title" in place:
            await said(made, "/readalong on", **place)
            await made.hear(f"aside, {CANARIES[name]} brings a cake tomorrow?", **{**place, "addressed": False})
            hook = {"response_url": "https://hooks.example/1"}
            await said(made, f"my wish zwitscherwhisper{name} for a cake", **place, **hook)
        await said(made, f"/todo {CANARIES[name]} cake", **place)
        if not model:
            await said(made, f"so {CANARIES[name]} brings a cake", **place)
    return made


@pytest.mark.parametrize("model", [False, True])
async def test_each_place_shows_and_tells_a_model_only_its_own(
    database: Database, tmp_path: Path, *, model: bool
) -> None:
    house = await talked(database, tmp_path, model=model)
    script = [(name, text) for name in PLACES for text in ASKED]
    random.Random(13).shuffle(script)
    scopes = {row["external_id"]: row["scope_id"] for row in await house.rows("SELECT external_id, scope_id FROM chat")}
    for name, text in script:
        house.clock.advance(60)
        asked = 0 if house.model is None else len(house.model.requests)
        await said(house, text, **PLACES[name])
        for request in () if house.model is None else house.model.requests[asked:]:
            assert request.lane is not None
            assert request.lane.scope_id == scopes[str(PLACES[name]["chat"])]
            assert foreign(name, str(request.messages)) == []
    for name, place in PLACES.items():
        shown = "".join(sent.text for sent in house.adapter.sent if sent.to.chat == place["chat"])
        assert foreign(name, shown) == []
        openly = "".join(
            sent.text for sent in house.adapter.sent if sent.to.chat == place["chat"] and not sent.to.response_url
        )
        assert "zwitscherwhisper" not in openly
    heard = "".join(sent.text for sent in house.adapter.sent if sent.to.chat in ("1", "2"))
    assert CANARIES["home"] in heard
    assert CANARIES["club"] in heard


async def test_what_was_whispered_in_a_group_gets_into_no_summary(database: Database, tmp_path: Path) -> None:
    house = await talked(database, tmp_path, model=False)
    await said(house, "/summary every day at 17", **PLACES["home"])
    for _ in range(30):
        house.clock.advance(3_600)
        await house.sweep()
    (text,) = [sent.text for sent in house.adapter.sent if sent.to.chat == "-5" and sent.text.startswith("🗞 “")]
    assert CANARIES["home"] in text
    assert "aside, " in text
    for one in (CANARIES["ann"], CANARIES["club"], CANARIES["bob"]):
        assert one not in text
