"""What a platform tells of a message and its sender is kept, and reaches whoever works on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Message, Role, Sender
from core.pipeline.runs.run_context import RunContext
from core.store.people import people
from tests.fakes import FRIEND, OWNER, House, claim_lane, house, inbound

QUOTING: dict[str, Any] = {
    "reply_to": "77",
    "quoted": "Dinner at eight?",
    "link": "https://chat.example/c/5/77",
    "forwarded": True,
}


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await house(database, tmp_path / "house", lambda request: "")


async def opened(home: House) -> RunContext:
    (lane_id,) = await home.column("SELECT id FROM lane ORDER BY id DESC LIMIT 1")
    run = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert run is not None
    return run


def facts(message: Message | None) -> dict[str, Any]:
    assert message is not None
    return {name: getattr(message, name) for name in QUOTING}


async def test_what_a_message_replies_to_and_whose_it_is_reaches_the_tools(home: House) -> None:
    await home.hear("yes", **QUOTING)
    run = await opened(home)
    assert facts(run.messages[0]) == QUOTING
    assert facts(run.context(Role.TELLER).said) == QUOTING


@pytest.mark.databases("sqlite")
async def test_a_run_that_is_taken_up_again_still_knows_them(home: House) -> None:
    await home.hear("yes", **QUOTING)
    first = await opened(home)
    await home.app.worker._put_down(first, 0.0, forgive=True)
    again = await opened(home)
    assert again.run_id == first.run_id
    assert facts(again.context(Role.TELLER).said) == QUOTING


@pytest.mark.databases("sqlite")
async def test_a_message_of_its_own_has_none_of_them(home: House) -> None:
    await home.hear("yes")
    said = (await opened(home)).context(Role.TELLER).said
    assert facts(said) == {"reply_to": "", "quoted": "", "link": "", "forwarded": False}
    assert said is not None
    assert (said.text, said.pressed, said.trigger_id) == ("yes", None, None)


async def test_what_was_quoted_is_forgotten_with_the_message(home: House) -> None:
    await home.hear("yes", **QUOTING)
    await home.work()
    await home.hear("/forget yes")
    await home.work()
    assert await home.column("SELECT count(*) FROM inbox WHERE quoted <> '' OR link <> ''") == [0]


async def test_a_handle_is_kept_current(home: House) -> None:
    async def heard(handle: str) -> list[str]:
        sender = Sender(address=OWNER, name="Anna", language="en", handle=handle)
        key = f"h{handle}"
        await home.app.inbox.accept(home.tenant_id, [replace(inbound("hi", key=key), sender=sender)])
        return await home.column("SELECT handle FROM person")

    assert [await heard(handle) for handle in ("@anna", "@anna_k", "")] == [["@anna"], ["@anna_k"], [""]]


async def test_a_handle_that_somebody_else_has_taken_is_theirs(home: House) -> None:
    for n, address in enumerate((OWNER, FRIEND)):
        sender = Sender(address=address, name=address, language="en", handle="@anna")
        await home.app.inbox.accept(home.tenant_id, [replace(inbound("hi", key=str(n), chat=str(n)), sender=sender)])
    assert await home.column("SELECT handle FROM person ORDER BY id") == ["", "@anna"]
    seen = await home.db.read(
        lambda tx: people.find(tx, home.tenant_id, Sender(address=OWNER, name=OWNER, language="en"), "0", "")
    )
    assert seen is not None
    assert not seen.changed
