"""Who gets in: invitations, pairing, removal; strangers get nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.config.sections import AccessSection
from core.capabilities.all import COMMANDS
from core.kernel.access import FAMILIES, Access, family_needs, may
from core.kernel.ports import Database
from core.kernel.types import LaneKey, Press, Sender, Standing
from core.store.people import invitations
from tests.fakes import FRIEND, OWNER, STRANGER, House, house

CODE = re.compile(r"\*\*([A-Z0-9]{8})\*\*")


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house without a model, whose owner has talked to it."""
    home = await house(database, tmp_path / "house", model=False)
    await home.hear("hello")
    await home.work()
    return home


async def pairing_house(database: Database, folder: Path) -> House:
    home = await house(database, folder / "house", model=False, access=AccessSection(mode="pairing"))
    await home.hear("hello")
    await home.work()
    return home


async def invite(home: House, word: str = "a-secret-word-0001", lasts: int = 1000) -> str:
    (lane,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane ORDER BY id LIMIT 1")
    (person_id,) = await home.column("SELECT id FROM person ORDER BY id LIMIT 1")
    now = home.clock.now()

    def insert(tx: object) -> None:
        invitations.insert(tx, LaneKey(**lane), invitations.INVITE, word, person_id, now=now, lasts=lasts)  # type: ignore[arg-type]

    await home.db.write(insert)
    return word


def test_each_standing_may_do_what_those_below_it_may() -> None:
    order = [Standing.STRANGER, Standing.GUEST, Standing.MEMBER, Standing.ADMIN, Standing.OWNER]
    for n, standing in enumerate(order):
        assert [may(standing, needed) for needed in order] == [m <= n for m in range(len(order))]


def test_what_the_table_does_not_name_needs_an_owner() -> None:
    assert family_needs("something new") is Standing.OWNER
    assert COMMANDS.needs("something new", group=False) is Standing.GUEST
    assert COMMANDS.needs("people", group=False) is Standing.OWNER
    assert COMMANDS.needs("language", group=True) is Standing.ADMIN
    assert not [name for name in ("files", "shell", "network", "mcp", "tasks") if may(Standing.GUEST, FAMILIES[name])]


def test_being_removed_outweighs_the_list_but_not_the_owners() -> None:
    rule = Access(mode="allowlist", owners=frozenset({OWNER}), allowed=frozenset({FRIEND}))
    assert rule.standing(FRIEND, workspace="bot") is Standing.MEMBER
    assert rule.standing(FRIEND, "removed", workspace="bot") is Standing.STRANGER
    assert rule.standing(FRIEND, "removed", workspace="bot", in_allowed_group=True) is Standing.STRANGER
    assert rule.standing(OWNER, "removed", workspace="bot") is Standing.OWNER


def test_what_the_configuration_says_of_somebody_counts_in_their_workspace_alone() -> None:
    ann, bo, cleo = "slack:T1:U1", "slack:T1:U2", "slack:T1:U3"
    rule = Access(mode="allowlist", owners=frozenset({ann}), allowed=frozenset({bo, "slack:T1", "slack:T1:C1"}))
    for address, at_home in ((ann, Standing.OWNER), (bo, Standing.MEMBER), (cleo, Standing.MEMBER)):
        assert rule.standing(address, "full", workspace="T1") is at_home
        assert rule.standing(address, "full", workspace="T2", in_allowed_group=True) is Standing.STRANGER
        assert rule.standing(address, "member", workspace="T2") is Standing.MEMBER
    assert rule.invites(bo, "C1", workspace="T1")
    assert not rule.invites(bo, "C1", workspace="T2")


@pytest.mark.databases("sqlite")
async def test_an_invitation_opens_the_door_once(home: House) -> None:
    word = await invite(home)
    await home.hear(f"/start {word}", sender=STRANGER, chat="99")
    await home.hear(f"/start {word}", sender="tg:98", chat="98")
    await home.work()
    assert len(home.adapter.texts("99")) == 1
    assert home.adapter.texts("98") == []
    assert "opened your invitation" in home.adapter.texts("1")[-1]
    await home.hear("hello", sender=STRANGER, chat="99")
    await home.work()
    assert len(home.adapter.texts("99")) == 2


@pytest.mark.databases("sqlite")
async def test_an_invitation_that_ran_out_opens_nothing(home: House) -> None:
    word = await invite(home)
    home.clock.advance(2)
    await home.hear(f"/start {word}", sender=STRANGER, chat="99")
    await home.hear("/start some-other-word-1", sender=STRANGER, chat="99")
    await home.work()
    assert home.adapter.texts("99") == []
    assert await home.column("SELECT count(*) FROM person") == [1]


@pytest.mark.databases("sqlite")
async def test_a_member_who_follows_a_link_does_not_use_it_up(home: House) -> None:
    word = await invite(home)
    await home.hear(f"/start {word}", sender=FRIEND, chat="2")
    await home.hear(f"/start {word}", sender=STRANGER, chat="99")
    await home.work()
    assert len(home.adapter.texts("99")) == 1


@pytest.mark.databases("sqlite")
async def test_a_stranger_gets_a_code_once_and_the_owner_a_question(database: Database, tmp_path: Path) -> None:
    home = await pairing_house(database, tmp_path)
    for _ in range(5):
        await home.hear("hello?", sender=STRANGER, chat="99")
    await home.work()
    (told,) = home.adapter.texts("99")
    code = CODE.search(told)
    assert code is not None
    assert code[1] in home.adapter.texts("1")[-1]
    keyboard = home.shown()[-1].keyboard
    assert keyboard is not None
    assert [button.label for button in keyboard.buttons] == ["Allow", "Deny"]


@pytest.mark.databases("sqlite")
async def test_pairings_a_day_are_limited(database: Database, tmp_path: Path) -> None:
    home = await pairing_house(database, tmp_path)
    for n in range(40):
        await home.hear("hello?", sender=f"tg:{1000 + n}", chat=str(1000 + n))
    assert await home.column("SELECT count(*) FROM invite") == [20]
    assert await home.column("SELECT count(*) FROM person") == [21]


async def test_a_thousand_strangers_cost_no_model_call_no_send_and_no_growth(home: House) -> None:
    tables = ("person", "chat", "lane", "inbox", "message", "outbox", "run", "invite", "scope", "keyboard", "question")
    before = [await home.column(f"SELECT count(*) FROM {table}") for table in tables]
    sent = len(home.adapter.tried)
    for n in range(1000):
        sender = Sender(address=f"tg:{n + 100}", name="S", language="en")
        if n % 2:
            await home.hear(f"spam {n}", sender=f"tg:{n + 100}", chat=str(n + 100))
        else:
            press = Press(key=f"s{n}", chat=str(n + 100), sender=sender, data="x" * 22 + ":0", raw="{}")
            assert await home.app.inbox.accept(home.tenant_id, [press]) == {}
    await home.work()
    assert [await home.column(f"SELECT count(*) FROM {table}") for table in tables] == before
    assert len(home.adapter.tried) == sent


async def test_the_invitation_of_somebody_who_owns_nothing_any_more_opens_nothing(home: House) -> None:
    word = await invite(home)
    await home.db.write(lambda tx: tx.run("UPDATE invite SET person_id = (SELECT max(id) FROM person)"))
    await home.db.write(lambda tx: tx.run("UPDATE address SET external_id = 'tg:3' WHERE external_id = 'tg:1'"))
    await home.hear(f"/start {word}", sender=STRANGER, chat="99")
    await home.work()
    assert home.adapter.texts("99") == []


async def test_an_invitation_does_not_let_a_removed_person_back_in_but_its_giver_is_told(home: House) -> None:
    await home.hear("hello", sender=FRIEND, chat="2")
    await home.work()
    await home.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed' WHERE name LIKE '%tg:2'"))
    word = await invite(home)
    for _ in range(2):
        await home.hear(f"/start {word}", sender=FRIEND, chat="2")
    await home.work()
    assert len(home.adapter.texts("2")) == 1
    assert [text for text in home.adapter.texts("1") if "was removed before" in text] == [home.adapter.texts("1")[-1]]
