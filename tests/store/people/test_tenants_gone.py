"""When the app is removed from a workspace everything of it rests, comes back with it, or is erased after a month."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import AccessSection
from core.capabilities.privacy.retention import Retention
from core.kernel.errors import SendRefused, SendUnsent
from core.kernel.ports import Database, Tx
from core.kernel.types import Attachment, Sender
from core.kernel.updates import Installed, Uninstalled
from core.store.files import FOLDERS
from core.store.people import tenants
from tests.fake_adapter import FakeAdapter, Hitch
from tests.fakes import House, claim_lane, house, inbound
from tests.triggering import lane_of

ANN, BO = "slack:T1:U1", "slack:T1:U2"
CHANNEL: dict[str, Any] = {"chat": "C1", "chat_kind": "group", "title": "general"}
DAY = 86_400


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house without owners in its configuration, in which the app is installed by Ann, twice over: in two tenants."""
    access = AccessSection(mode="allowlist", allow=("slack:T1",))
    found = await house(
        database,
        tmp_path / "house",
        lambda request: f"heard: {' / '.join(request.heard)}",
        adapter=FakeAdapter("slack"),
        owners=(),
        access=access,
    )
    await install(found)
    return found


async def install(home: House, tenant_id: int = 0, *, fresh: bool = True, by: str = ANN, chat: str = "D1") -> None:
    update = Installed(key=f"i{next(home.keys)}", sender=Sender(address=by, name="Ann"), chat=chat, fresh=fresh)
    await home.app.inbox.accept(tenant_id or home.tenant_id, [update])
    await home.work()


async def remove(home: House) -> None:
    await home.app.inbox.accept(home.tenant_id, [Uninstalled(key=f"x{next(home.keys)}")])


async def back(home: House) -> None:
    assert await home.app.inbox.tenant("slack", "T1") == home.tenant_id
    await install(home)


async def tell(home: House, text: str, **fields: Any) -> None:
    await home.hear(text, **{"chat": "D1", "sender": ANN, "kin": "full", **fields})
    await home.work()


async def test_who_installed_it_is_the_owner_and_learns_what_owners_learn(home: House) -> None:
    assert home.adapter.texts("D1")[0].startswith("I am installed here, and you are my owner.")
    # The list names all of the workspace.
    assert "/people** shows who else may use me" in home.adapter.texts("D1")[0]
    await tell(home, "/people")
    assert "owner" in home.adapter.texts("D1")[-1]
    assert await home.column("SELECT standing FROM person") == [""]
    stray = inbound("/todo", key="s1", chat="D9", sender="slack:T1:U9", kin="guest", polite=True)
    told = await home.app.inbox.accept(home.tenant_id, [stray])
    assert told["s1"] == f"I'm not set up for you. Ask [Name of {ANN}]({ANN})."


async def test_what_rested_goes_on_when_who_made_it_installs_the_app(home: House) -> None:
    await tell(home, "/remind in 5 minutes buy the gift", chat="D2", sender=BO)
    await home.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed' WHERE owns = 0"))
    home.clock.advance(301)
    await home.sweep()
    assert await home.column("SELECT reason FROM trigger") == ["no access"]
    await install(home, by=BO, chat="D2")
    await home.sweep()
    assert await home.column("SELECT reason FROM trigger") == [""]


async def test_an_owner_is_owner_in_their_workspace_alone(home: House) -> None:
    other = await home.app.inbox.tenant("slack", "another")
    await home.app.inbox.accept(other, [inbound("/people", key="o1", chat="D7", sender=ANN, kin="guest")])
    await home.work()
    assert home.adapter.texts("D7") == []


async def test_nobody_takes_the_place_of_an_owner_who_is_there(home: House) -> None:
    await install(home, fresh=False, by=BO, chat="D2")
    assert await home.column("SELECT name FROM person WHERE owns = 1") == ["Ann"]
    assert home.adapter.texts("D2") == []


async def test_after_a_removal_whoever_installs_it_owns_it_too(home: House) -> None:
    await remove(home)
    await home.app.inbox.tenant("slack", "T1")
    await install(home, by=BO, chat="D2")
    assert await home.column("SELECT count(*) FROM person WHERE owns = 1") == [2]


async def test_what_is_scheduled_rests_until_it_is_back(home: House) -> None:
    await tell(home, "/remind in 3 hours: call Oma")
    await tell(home, "/every day at 9: water the plants")
    await remove(home)
    assert await home.rows("SELECT DISTINCT state, reason FROM trigger") == [
        {"state": "paused", "reason": "uninstalled"}
    ]
    before = len(home.adapter.sent)
    home.clock.advance(10 * DAY)
    await home.sweep()
    assert len(home.adapter.sent) == before
    await back(home)
    await home.sweep()
    said = [text for text in home.adapter.texts("D1") if "call Oma" in text or "water the plants" in text]
    # The first is late, and says so; of what recurs nothing comes but the next one.
    assert ["call Oma" in text for text in said[2:]] == [True]
    assert set(await home.column("SELECT state FROM trigger")) <= {"active", "done"}
    home.clock.advance(DAY)
    await home.sweep()
    assert "water the plants" in home.adapter.texts("D1")[-1]


async def test_what_a_run_says_after_the_removal_is_not_said_when_the_app_is_back(home: House) -> None:
    await home.hear("what's on?", chat="D1", sender=ANN, kin="full")
    lane_ids = await home.column("SELECT id FROM lane WHERE pending > 0")
    run = await home.db.write(lambda tx: claim_lane(home, tx, lane_ids[0]))
    assert run is not None
    await remove(home)
    await home.app.worker._work(run)
    home.adapter.hitches.append(Hitch(error=SendUnsent("no such workspace")))
    await home.app.outbox.pump((await lane_of(home, "D1")).chat_id)
    assert await home.column("SELECT state FROM outbox WHERE payload LIKE '%heard: what%'") == ["dead"]
    home.clock.advance(20 * DAY)
    await back(home)
    await home.sweep()
    assert "heard: what's on?" not in home.adapter.texts("D1")
    assert await home.column("SELECT count(*) FROM outbox WHERE ended_at IS NULL") == [0]


async def test_the_reminders_of_who_installs_it_anew_go_on_in_a_chat_that_was_gone(home: House) -> None:
    await tell(home, "/remind in 1 hour: call Oma")
    home.adapter.hitches.append(Hitch(error=SendRefused("Forbidden: user_disabled")))
    await tell(home, "hello")
    home.clock.advance(3_700)
    await home.sweep()
    assert await home.column("SELECT reason FROM trigger") == ["gone"]
    await install(home)
    await home.sweep()
    assert any("call Oma" in text for text in home.adapter.texts("D1")[2:])


async def test_what_rested_for_its_chats_sake_rests_on(home: House) -> None:
    await tell(home, "hello", **CHANNEL)
    await tell(home, "/remind in 3 hours: standup", **CHANNEL)
    await home.db.write(lambda tx: tx.run("UPDATE chat SET state = 'gone' WHERE external_id = 'C1'"))
    await remove(home)
    await back(home)
    assert await home.rows("SELECT state, reason FROM trigger") == [{"state": "paused", "reason": "gone"}]


async def test_what_waits_to_be_sent_is_given_up_visibly(home: House) -> None:
    home.adapter.hitches.append(Hitch(error=SendUnsent("later", 600)))
    await tell(home, "hello")
    assert await home.column("SELECT count(*) FROM outbox WHERE state = 'new'") == [1]
    await remove(home)
    assert await home.rows("SELECT state, error FROM outbox ORDER BY id DESC LIMIT 1") == [
        {"state": "dead", "error": "the app was removed"}
    ]


def fill(tx: Tx, tenant_id: int) -> None:
    """Rows that no conversation of these tests makes."""
    row = tx.one("SELECT id, scope_id FROM person WHERE tenant_id = :id ORDER BY id LIMIT 1", {"id": tenant_id})
    assert row is not None
    where = {"id": tenant_id, "scope": row["scope_id"], "person": row["id"]}
    tx.run(
        "INSERT INTO link_code (tenant_id, scope_id, person_id, digest, created_at, expires_at)"
        " VALUES (:id, :scope, :person, 'd' || :id, 1, 2)",
        where,
    )
    tx.run(
        "INSERT INTO assignee (todo_id, contact_id, tenant_id, scope_id) SELECT t.id, c.id, t.tenant_id, t.scope_id"
        " FROM todo t JOIN contact c ON c.tenant_id = t.tenant_id WHERE t.tenant_id = :id LIMIT 1",
        where,
    )
    tx.run(
        "INSERT INTO question (tenant_id, scope_id, chat_id, lane_id, run_id, person_id, state, text, options,"
        " timeout_s, created_at) SELECT l.tenant_id, l.scope_id, l.chat_id, l.id, 1, :person, 'open', 'Tea?', '[]', 60,"
        " 1 FROM lane l WHERE l.tenant_id = :id LIMIT 1",
        where,
    )
    tx.run(
        "INSERT INTO link (tenant_id, scope_id, person_id, other_id, shares, created_at) SELECT :id, :scope, :person,"
        " p.id, 'todos', 1 FROM person p WHERE p.tenant_id <> :id LIMIT 1",
        where,
    )
    tx.run(
        "INSERT INTO mute (tenant_id, person_id, muted_id, scope_id, created_at)"
        " VALUES (:id, :person, :person, :scope, 1)",
        where,
    )
    tx.run(
        "INSERT INTO folder (tenant_id, scope_id, path, created_at) VALUES (:id, :scope, '@' || :scope, 1)",
        where,
    )
    tx.run(
        "INSERT INTO file_change (tenant_id, scope_id, person_id, act, state, path, token, created_at)"
        " VALUES (:id, :scope, :person, 'delete', 'failed', 'file_cache_dir/a.txt', 't' || :id, 1)",
        where,
    )
    tx.run(
        "INSERT INTO import_job (tenant_id, scope_id, person_id, digest, state, created_at)"
        " VALUES (:id, :scope, :person, 'd' || :id, 'done', 1)",
        where,
    )
    tx.run(
        "INSERT INTO imported_line (tenant_id, scope_id, person_id, import_id, source, session, position, role, text,"
        " said_at, digest) SELECT tenant_id, scope_id, person_id, id, 'chatgpt', 's', 1, 'user', 'Hi', 1, digest"
        " FROM import_job WHERE tenant_id = :id",
        where,
    )
    tx.run(
        "INSERT INTO task (tenant_id, scope_id, chat_id, lane_id, person_id, source_key, role, state, prompt, trace_id,"
        " order_at, created_at) SELECT l.tenant_id, l.scope_id, l.chat_id, l.id, :person, 'run:1:1', 'planner',"
        " 'queued', 'look', 't', 1, 1 FROM lane l WHERE l.tenant_id = :id LIMIT 1",
        where,
    )
    tx.run(
        "INSERT INTO hook (tenant_id, scope_id, chat_id, lane_id, person_id, kind, name, digest, state, created_at)"
        " SELECT l.tenant_id, l.scope_id, l.chat_id, l.id, :person, 'message', 'deploys', 'd' || :id, 'active', 1"
        " FROM lane l WHERE l.tenant_id = :id LIMIT 1",
        where,
    )
    tx.run(
        "INSERT INTO passage (tenant_id, scope_id, attachment_id, position, text)"
        " SELECT tenant_id, scope_id, id, 0, 'stripes' FROM attachment WHERE tenant_id = :id",
        where,
    )
    tx.run(
        "INSERT INTO calendar (tenant_id, scope_id, chat_id, lane_id, person_id, name, zone, next_at, created_at)"
        " SELECT tenant_id, scope_id, chat_id, lane_id, person_id, 'c', 'UTC', 1, 1 FROM hook WHERE tenant_id = :id",
        where,
    )
    tx.run(
        "INSERT INTO calendar_feed (tenant_id, scope_id, chat_id, lane_id, person_id, digest, created_at)"
        " SELECT tenant_id, scope_id, chat_id, lane_id, person_id, 'feed' || tenant_id, 1 FROM hook"
        " WHERE tenant_id = :id",
        where,
    )
    tx.run(
        "INSERT INTO calendar_event (tenant_id, scope_id, calendar_id, begins_at, ends_at, title)"
        " SELECT tenant_id, scope_id, id, 1, 2, 'e' FROM calendar WHERE tenant_id = :id",
        where,
    )
    tx.run(
        "INSERT INTO hook_call (tenant_id, scope_id, hook_id, key, created_at)"
        " SELECT tenant_id, scope_id, id, 'k', 1 FROM hook WHERE tenant_id = :id",
        where,
    )
    tx.run(
        "INSERT INTO task_input (tenant_id, scope_id, task_id, kind, text, created_at)"
        " SELECT tenant_id, scope_id, id, 'steer', 'now', 1 FROM task WHERE tenant_id = :id",
        where,
    )
    tx.run(
        "INSERT INTO condition (tenant_id, scope_id, owner, owner_id, person_id, parts, created_at)"
        " SELECT tenant_id, scope_id, 'task', id, person_id, '[]', 1 FROM task WHERE tenant_id = :id",
        where,
    )


async def live(home: House, tenant_id: int) -> None:
    """Do a bit of everything in a tenant."""
    photo = Attachment(kind="photo", file="F1", name="cat.jpg", mime="image/jpeg", size=3)
    lines: list[dict[str, Any]] = [
        {"text": "hello"},
        {"text": "look", "attachments": (photo,)},
        {"text": "/todo add cheese"},
        {"text": "/remind in 3 hours: call Oma"},
        {"text": "hi all", **CHANNEL},
        {"text": "/remind @Bo in 2 hours: standup", **CHANNEL},
        {"text": "/optout", **CHANNEL, "sender": BO},
        {"text": "me too", "chat": "D2", "sender": BO},
        {"text": "/invite"},
        {"text": "/remember my locker is 214"},
        {"text": "/retention 400 days"},
        {"text": "nobody", "chat": "D9", "sender": "slack:T9:U9", "kin": "outsider"},
    ]
    for line in lines:
        message = {"chat": "D1", "sender": ANN, "kin": "full", "sent_at": home.clock.now(), **line}
        text = message.pop("text")
        await home.app.inbox.accept(tenant_id, [inbound(text, key=f"l{next(home.keys)}", **message)], ("heard", "1"))
        await home.work()
    await home.db.write(lambda tx: fill(tx, tenant_id))
    home.clock.advance(4 * 3600)
    await home.sweep()


async def counts(home: House, tenant_id: int) -> dict[str, int]:
    found = {}
    for table in tenants.tables():
        column = "id" if table == "tenant" else "tenant_id"
        [found[table]] = await home.column(f"SELECT count(*) FROM {table} WHERE {column} = :id", id=tenant_id)
    return found


async def test_after_a_month_all_of_it_is_erased_and_nothing_of_the_others(home: House) -> None:
    other = await home.app.inbox.tenant("slack", "another")
    await install(home, other, chat="D1")
    for tenant_id in (home.tenant_id, other):
        await live(home, tenant_id)
    await home.app.anchor()
    full = await counts(home, home.tenant_id)
    assert not [table for table, n in full.items() if not n and table not in UNUSED], full
    folders = await home.column("SELECT path FROM folder ORDER BY tenant_id")
    for folder in folders:
        (home.app.config.data_dir / FOLDERS / folder.removeprefix("@") / "file_cache_dir").mkdir(parents=True)
    await remove(home)
    home.clock.advance(29 * DAY)
    assert (await home.app.container.get(Retention).forget())["ended tenants"] == 0
    kept = await counts(home, other)
    home.clock.advance(2 * DAY)
    assert (await home.app.container.get(Retention).forget())["ended tenants"] > 0
    left = {table: n for table, n in (await counts(home, home.tenant_id)).items() if n}
    assert left == {"tenant": 1, "ledger_head": 1, "ledger": full["ledger"]}
    assert [f"@{one.name}" for one in (home.app.config.data_dir / FOLDERS).iterdir()] == folders[1:]
    there = await counts(home, other)
    assert {name: there[name] for name in LASTING} == {name: kept[name] for name in LASTING}
    report = await home.db.read(home.app.ledger.verify)
    assert report.problems == []


# What these conversations leave empty; the order of erasing it is tried by the others.
UNUSED = frozenset({"fetch_use", "token_use", "errand", "incident"})
# What is kept longer than a month.
LASTING = ("person", "address", "scope", "chat", "lane", "message", "contact", "contact_address", "ledger_body", "mute")


async def test_after_that_it_begins_anew(home: House) -> None:
    await live(home, home.tenant_id)
    await remove(home)
    home.clock.advance(31 * DAY)
    await home.app.container.get(Retention).forget()
    assert await home.rows("SELECT erased_at IS NOT NULL AS erased, name FROM tenant") == [{"erased": 1, "name": ""}]
    assert await home.app.inbox.tenant("slack", "T1", "Acme") == home.tenant_id
    assert await home.column("SELECT name FROM tenant") == ["Acme"]
    await back(home)
    assert await home.column("SELECT erased_at IS NULL FROM tenant") == [1]
    await tell(home, "/todo")
    assert "cheese" not in home.adapter.texts("D1")[-1]


async def test_once_its_erasing_has_begun_it_is_erased_to_the_end(home: House) -> None:
    await live(home, home.tenant_id)
    await remove(home)
    home.clock.advance(31 * DAY)
    now, gone = home.clock.now(), list[str]()
    # The night is broken off.
    for _ in range(3):
        assert await home.db.write(lambda tx: tenants.erase_ended(tx, now, 2, gone, now)) > 0
    assert (await counts(home, home.tenant_id))["todo"] > 0
    assert await home.app.inbox.tenant("slack", "T1") == home.tenant_id
    left = {table: n for table, n in (await counts(home, home.tenant_id)).items() if n}
    assert set(left) == {"tenant", "ledger_head", "ledger"}
    assert await home.column("SELECT erased_at IS NULL AND ended_at IS NULL FROM tenant") == [1]
    await install(home)
    await tell(home, "/todo")
    assert "cheese" not in home.adapter.texts("D1")[-1]
    assert await home.db.write(lambda tx: tenants.erase_ended(tx, now, 2, gone, now)) == 0


async def test_within_a_month_nothing_is_lost(home: House) -> None:
    await tell(home, "/todo add cheese")
    await remove(home)
    home.clock.advance(29 * DAY)
    await home.app.container.get(Retention).forget()
    await back(home)
    home.clock.advance(20 * DAY)
    await home.app.container.get(Retention).forget()
    await tell(home, "/todo")
    assert "cheese" in home.adapter.texts("D1")[-1]


async def test_every_table_of_a_tenant_is_erased_or_kept_on_purpose(home: House) -> None:
    postgres = home.db.name == "postgres"
    named = (
        "SELECT DISTINCT table_name AS name FROM information_schema.columns WHERE column_name = 'tenant_id'"
        if postgres
        else "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'tenant_id'"
        " WHERE m.type = 'table'"
    )
    assert set(await home.column(named)) | {"tenant"} == set(tenants.tables())
