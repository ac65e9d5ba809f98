"""What a link must not be used for, and what must not break because of one: codes of strangers, platforms and tenants
that are gone, erasure, and changes from both sides."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.app import build
from bot.config.sections import AccessSection
from core.capabilities.home.service import Pages
from core.capabilities.links import service as linking
from core.kernel.ids import ref
from core.kernel.ports import Database, Lock, Tx
from core.kernel.types import Role, Sender
from core.kernel.updates import Opened
from core.store.people import links, tenants
from tests.commanding import FRIEND, friend, labels, pressed, said
from tests.fakes import OWNER, FakeAdapter, House, claim_lane, settings
from tests.linking import ANN, BO, DM, allowed, asked, code_of, linked

PAIRS = "SELECT count(*) FROM link"


async def todo(home: House, text: str, **where: Any) -> str:
    """Note something, and return its id."""
    await said(home, f"/todo {text}", **where)
    return ref("t", (await home.column("SELECT max(id) FROM todo"))[0])


# Codes.


async def test_a_code_of_somebody_else_leads_nowhere_without_a_yes(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    before = len(one.adapter.texts("2"))
    shown = await said(other, f"/link {await code_of(one, **friend())}", **DM)
    assert "Name of tg:2 on Telegram (`tg:2`)" in shown
    assert labels(other, "D1") == ["Yes, that is me", "No"]
    assert len(one.adapter.texts("2")) == before + 1
    assert "Not linked with Name of tg:2" in await pressed(other, "No", **DM)
    assert len(one.adapter.texts("2")) == before + 1
    assert await one.column("SELECT count(*) FROM link_code WHERE ended_at IS NULL") == [0]


async def test_only_the_button_says_yes_and_only_in_time(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await said(other, f"/link {await code_of(one)}", **DM)
    (number,) = await one.column("SELECT id FROM link_code")
    before = len(one.adapter.texts("1"))
    assert "Only the buttons" in await said(other, f"/link yes {ref('k', number)}", **DM)
    one.clock.advance(600)
    assert "too late" in await pressed(other, "Yes, that is me", **DM)
    assert len(one.adapter.texts("1")) == before


@pytest.mark.databases("sqlite")
async def test_a_question_that_is_open_ends_when_who_asked_forgets_or_unlinks(
    database: Database, tmp_path: Path
) -> None:
    one, other = await allowed(database, tmp_path)
    for word, told in (("/unlink", "taken back"), ("/forget yes", "Forgotten")):
        await asked(one, other)
        assert told in await said(other, word, **DM)
        assert "too late" in await pressed(one, "Reminders and to-dos")
        assert await one.column(PAIRS) == [0]
        await said(other, "hello", **DM)


async def test_no_code_stands_in_a_transcript_or_a_ledger(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    code = await code_of(one)
    await said(other, f"/link {code}", **DM)
    for table, column in (("message", "text"), ("ledger_body", "arguments"), ("step", "content"), ("keyboard", "text")):
        assert await one.column(f"SELECT count(*) FROM {table} WHERE {column} LIKE '%{code}%'") == [0]


# Platforms and tenants that are gone.


async def only_telegram(home: House, folder: Path) -> House:
    """The same database without the second platform."""
    adapter = FakeAdapter()
    access = AccessSection(mode="allowlist", allow=(FRIEND, BO))
    config = settings(folder / "house", owners=(OWNER, ANN), access=access)
    app = build(config, {"telegram": adapter}, db=home.db, clock=home.clock)
    tenant_id = await app.inbox.tenant("telegram", "bot")
    return replace(home, app=app, adapter=adapter, tenant_id=tenant_id, keys=itertools.count(10_000))


@pytest.mark.databases("sqlite")
async def test_without_the_other_platform_links_end_all_the_same(database: Database, tmp_path: Path) -> None:
    one, _ = await linked(database, tmp_path)
    home = await only_telegram(one, tmp_path)
    assert "has ended" in await said(home, "/unlink")
    assert await one.column(PAIRS) == [0]


@pytest.mark.databases("sqlite")
async def test_without_the_other_platform_all_is_forgotten(database: Database, tmp_path: Path) -> None:
    one, _ = await linked(database, tmp_path)
    await said(one, "/todo tax")
    home = await only_telegram(one, tmp_path)
    assert "Forgotten" in await said(home, "/forget yes")
    assert await one.column("SELECT count(*) FROM todo") == [0]


async def test_without_the_other_platform_links_are_forbidden(database: Database, tmp_path: Path) -> None:
    one, _ = await linked(database, tmp_path)
    home = await only_telegram(one, tmp_path)
    assert "Links that ended: 1" in await said(home, "/link forbid")


async def test_without_the_other_platform_what_it_reminded_of_is_done(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    call = await todo(other, "call Oma in 10 minutes", **DM)
    one.clock.advance(600)
    await one.sweep()
    await other.work()
    assert "call Oma" in other.adapter.texts("D1")[-1]
    home = await only_telegram(one, tmp_path)
    await said(home, f"/todo done {call}")
    assert await one.column("SELECT state FROM todo") == ["done"]


async def test_without_the_other_platform_people_are_removed(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await said(other, f"/link {await code_of(one, **friend())}", **DM)
    await pressed(other, "Yes, that is me", **DM)
    await pressed(one, "Reminders and to-dos", chat="2", sender=FRIEND)
    assert await one.column(PAIRS) == [2]
    home = await only_telegram(one, tmp_path)
    await said(home, f"/people remove {FRIEND}")
    assert await one.column(PAIRS) == [0]
    assert await one.column("SELECT count(*) FROM person WHERE standing = 'removed'") == [1]


@pytest.mark.databases("sqlite")
async def test_what_a_removed_app_had_is_neither_shown_nor_changed_elsewhere(
    database: Database, tmp_path: Path
) -> None:
    one, other = await linked(database, tmp_path)
    await said(other, "/remind tomorrow at 9 stretch", **DM)
    await todo(other, "tax", **DM)
    await one.db.write(lambda tx: tenants.end(tx, other.tenant_id, one.clock.now()))
    assert "tax" not in await said(one, "/todo")
    await one.db.write(lambda tx: links.allow(tx, other.tenant_id, on=True))
    assert "tax" not in await said(one, "/todo")
    (number,) = await one.column("SELECT id FROM trigger")
    await said(one, f"/move {ref('s', number)} tomorrow at 10")
    assert await one.column("SELECT state FROM trigger") == ["paused"]


async def test_an_app_that_is_back_is_linked_again_once_its_owner_allows_it(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await todo(other, "tax", **DM)
    await one.db.write(lambda tx: tenants.end(tx, other.tenant_id, one.clock.now()))
    await other.app.inbox.tenant("slack", "T1", "Acme")
    assert await one.column("SELECT links FROM tenant WHERE platform = 'slack'") == [0]
    assert "tax" not in await said(one, "/todo")
    await said(other, "/link allow", **DM)
    assert "tax" in await said(one, "/todo")


async def test_a_tenant_that_is_half_erased_breaks_nothing_for_who_was_linked(
    database: Database, tmp_path: Path
) -> None:
    one, other = await linked(database, tmp_path)
    await todo(one, "mine")
    now, gone = one.clock.now(), list[str]()
    await one.db.write(lambda tx: tenants.end(tx, other.tenant_id, now))
    nameless = "SELECT count(*) FROM link WHERE other_id NOT IN (SELECT person_id FROM address)"
    for n in itertools.count():
        erased = await one.db.write(lambda tx: tenants.erase_ended(tx, now + 1, 1, gone, now))
        assert await one.column(nameless) == [0]
        if not n % 10:
            assert "mine" in await said(one, "/todo")
        if not erased:
            break
    assert "There is no such link" in await said(one, "/unlink")


# Erasure.


async def test_to_forget_erases_what_the_other_side_was_shown(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    tax = await todo(one, "firstword")
    await said(one, "/remind tomorrow at 9 otherword")
    await todo(other, "report", **DM)
    for command in ("/todo", "/tasks", "/today", f"/todo done {tax}", "/todo report2"):
        await said(other, command, **DM)
    assert "Forgotten" in await said(one, "/forget yes")
    places = (("message", "text"), ("outbox", "payload"), ("keyboard", "text"), ("keyboard", "buttons"))
    for table, column in (*places, ("step", "content"), ("ledger_body", "result"), ("undo", "label")):
        words = f"CAST({column} AS TEXT) LIKE '%firstword%' OR CAST({column} AS TEXT) LIKE '%otherword%'"
        assert await one.column(f"SELECT count(*) FROM {table} WHERE {words}") == [0], table
    assert "report2" in await said(other, "/undo", **DM)


# Changes from both sides.


@pytest.mark.databases("sqlite")
async def test_a_newer_change_of_the_other_side_is_not_thrown_away(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    tax = await todo(one, "tax")
    await said(other, f"/todo edit {tax} tax2", **DM)
    await said(one, f"/todo edit {tax} tax3")
    await said(other, "/undo", **DM)
    assert await one.column("SELECT content FROM todo") == ["tax3"]
    await said(other, f"/todo edit {tax} tax4", **DM)
    await said(one, "/undo")
    assert await one.column("SELECT content FROM todo") == ["tax4"]


@pytest.mark.databases("sqlite")
async def test_what_is_out_of_reach_is_not_said_to_be_taken_back(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    tax = await todo(one, "tax")
    await said(other, f"/todo done {tax}", **DM)
    await said(one, "/unlink")
    assert "Taken back" not in await said(other, "/undo", **DM)
    assert await one.column("SELECT state FROM todo") == ["done"]


@pytest.mark.databases("sqlite")
async def test_a_page_of_somebody_with_many_links_is_shown(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    sides: list[tuple[House, dict[str, Any]]] = [(one, {}), (one, friend()), (other, {"chat": "D2", "sender": BO})]
    for home, where in sides[1:]:
        await said(other, f"/link {await code_of(home, **where)}", **DM)
        await pressed(other, "Yes, that is me", **DM)
        await pressed(home, "Reminders and to-dos", **{"chat": "1", "sender": OWNER, **where})
    for home, where in (*sides, (other, DM)):
        for n in range(10):
            await said(home, f"/remind tomorrow at 9:{n:02d} stretch{n}", **where)
    for n in range(20):
        await todo(other, f"item{n}", **DM)
    for n in range(10):
        await todo(one, f"thing{n}")
    opened = Opened(key="o1", chat="D1", sender=Sender(address=ANN, name="Ann", language="en"))
    await other.app.inbox.accept(other.tenant_id, [opened])
    (person_id,) = await one.column("SELECT person_id FROM address WHERE external_id = :address", address=ANN)
    await other.app.container.get(Pages).show(person_id)
    _, _, settings_of = other.adapter.pages[-1][1].sections
    assert all(item.buttons for item in settings_of[1])


# Two at once.


class Between:
    """A transaction; what another one commits while the first lock is waited for happens in `lock`."""

    def __init__(self, tx: Tx, act: Any) -> None:
        self._tx, self._act, self._acted = tx, act, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    def lock(self, *keys: Lock) -> None:
        self._tx.lock(*keys)
        if not self._acted:
            self._acted = True
            self._act(self._tx)


async def test_a_link_that_is_made_while_all_are_being_ended_ends_too(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await said(other, "hello", chat="D2", sender=BO)
    found = await one.rows("SELECT external_id, person_id FROM address")
    ids = {row["external_id"]: row["person_id"] for row in found}
    await other.hear("wait", **DM)
    (lane_id,) = await other.column("SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE external_id = 'D1'")
    run = await other.db.write(lambda tx: claim_lane(other, tx, lane_id))
    assert run is not None
    context = run.context(Role.PERSON)

    def join(tx: Tx) -> None:
        links.link(tx, links.account(tx, ids[BO]), links.account(tx, ids[OWNER]), "todos", 1)

    def leave(tx: Tx) -> int:
        between: Any = Between(tx, join)
        return linking.leave(between, context, other.tenant_id, ids[BO], "remove_person")

    assert await other.db.write(leave) == 1
    assert await one.column(PAIRS) == [0]
