"""What messages of a database of version 0.1.0 came of is read out of their keys once, when it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest

from core.kernel.clock import SystemClock
from core.kernel.ports import Database, Tx
from core.store.conversation import incidents
from core.store.conversation.incidents import Incident, IncidentKind
from tests.databases import Place, build
from tests.frozen.thawing import loaded, unpacked
from tests.postgres_server import PostgresServer

# Keys as version 0.1.0 wrote them, whether such a row replaces another one, and what is then known of it: what it came
# of, its number, the epoch of a trigger, the key of the whole message, which part of it.
KEYS: Mapping[tuple[str, bool], tuple[str, int | None, int | None, str, int | None]] = {
    ("run:81:2:0", False): ("run", 81, None, "run:81:2", 0),
    ("run:81:2:11", False): ("run", 81, None, "run:81:2", 11),
    ("run:82:1", True): ("run", 82, None, "run:82:1", 0),
    ("run:82:1:anew:0", False): ("run", 82, None, "run:82:1:anew", 0),
    ("run:81:2:11:closed", True): ("run", 81, None, "run:81:2:11:closed", None),
    ("run:81:2:11:closed:line:0", False): ("run", 81, None, "run:81:2:11:closed:line", None),
    ("trigger:917:3:0", False): ("trigger", 917, 3, "trigger:917:3", 0),
    ("trigger:917:3:2:1", False): ("trigger", 917, 3, "trigger:917:3:2", 1),
    ("trigger:917:3:5e1f", True): ("trigger", 917, 3, "trigger:917:3:5e1f", 0),
    ("question:95:0", False): ("question", 95, None, "question:95", 0),
    ("question:95:again:0", False): ("question", 95, None, "question:95:again", 0),
    ("question:95:0:ended:0", False): ("question", 95, None, "question:95:0:ended", None),
    ("leave:-1005:77", False): ("leave", None, None, "leave:-1005:77", 0),
    ("doubt:14:owner:3:0", False): ("doubt", 14, None, "doubt:14:owner:3", 0),
    ("told:trigger:917:3:done:a1:0", False): ("", None, None, "told:trigger:917:3:done:a1", 0),
    ("unseen:917:gone:Anna:20000:0", False): ("", None, None, "unseen:917:gone:Anna:20000", 0),
    ("run:later:9", False): ("", None, None, "run:later", 9),
    ("notice:123456789012345678901", False): ("", None, None, "notice:123456789012345678901", 0),
    ("greeting", False): ("", None, None, "greeting", 0),
}
BUTTONS: Mapping[str, tuple[str, int | None]] = {
    "run:81:2:11": ("run", 81),
    "trigger:917:3:0": ("trigger", 917),
    "question:95:0": ("question", 95),
    "page:1": ("page", 1),
    "link:1:10:0": ("", None),
}
_MESSAGE = (
    "INSERT INTO outbox (tenant_id, scope_id, chat_id, lane_id, message_key, urgency, state, replaces_id, created_at)"
    " SELECT tenant_id, scope_id, chat_id, id, '{}', '1', 'dead', {}, 0 FROM lane ORDER BY id LIMIT 1"
)
_KEYBOARD = (
    "INSERT INTO keyboard (tenant_id, scope_id, chat_id, lane_id, token, message_key, text, buttons, created_at)"
    " SELECT tenant_id, scope_id, chat_id, id, '{0}', '{0}', '', '[]', 0 FROM lane ORDER BY id LIMIT 1"
)
_INCIDENT = (
    "INSERT INTO cursor_position (tenant_id, name, position) SELECT min(id), 'model_incident',"
    """ '{"kind": "quota", "reason": "Spent; it''s all gone.", "since": 1772874000123}' FROM tenant"""
)
# Why messages were given up, as version 0.1.0 wrote it, and as what that is known.
ERRORS: Mapping[str, str] = {
    "no such chat": "",
    "superseded: what it was to tell is over": "superseded",
    "it cannot be written; see the log": "unwritable",
    "in doubt: the connection broke while sending": "doubt",
    "told: Forbidden: bot was blocked by the user": "told",
    "dropped by the operator; it was: no such chat": "dropped",
}
_DEAD = (
    "INSERT INTO outbox (tenant_id, scope_id, chat_id, lane_id, message_key, urgency, state, error, created_at)"
    " SELECT tenant_id, scope_id, chat_id, id, 'dead: {0}', '1', 'dead', '{0}', 0 FROM lane ORDER BY id LIMIT 1"
)
_HELD = (
    "INSERT INTO trigger (tenant_id, scope_id, chat_id, lane_id, person_id, state, deliver, kind, spec, text, link,"
    " late, depth, made_by, next_at, created_at) SELECT l.tenant_id, l.scope_id, l.chat_id, l.id, p.id, 'active',"
    """ 'note', 'once', '{"once": 0}', 'held', 'held:12:errand:7:3:ab', 'run', 0, 'person', 9999999999999, 0"""
    " FROM lane l JOIN person p ON p.tenant_id = l.tenant_id ORDER BY l.id LIMIT 1"
)
_STATEMENTS = (
    *(_DEAD.format(error) for error in ERRORS),
    _HELD,
    *(_MESSAGE.format(key, "(SELECT min(id) FROM outbox)" if edits else "NULL") for key, edits in KEYS),
    *(_KEYBOARD.format(key) for key in BUTTONS),
    _INCIDENT,
)


@pytest.fixture(params=["sqlite", "postgres"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """The frozen database with more rows in it, opened by today's program."""
    if request.param == "sqlite":
        unpacked(tmp_path, "telegram")
        place = Place("sqlite", str(tmp_path / "data" / "teller.db"))
        with sqlite3.connect(place.where) as file:
            for sql in _STATEMENTS:
                file.execute(sql)
        file.close()
    else:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        place = Place("postgres", loaded(server.create(empty=True)))
        with psycopg.connect(place.where) as connection:
            for sql in _STATEMENTS:
                connection.execute(sql.encode())
    database = build(place, SystemClock())
    await database.open()
    yield database
    await database.close()
    if place.name == "postgres":
        server.drop(place.where)


async def rows(database: Database, sql: str) -> list[Any]:
    def fetch(tx: Tx) -> list[Any]:
        return [tuple(row.values()) if isinstance(row, dict) else tuple(dict(row).values()) for row in tx.all(sql)]

    return await database.read(fetch)


async def test_what_messages_came_of_is_known_from_the_keys_of_before(opened: Database) -> None:
    found = await rows(
        opened,
        "SELECT message_key, replaces_id IS NOT NULL, source_kind, source_id, epoch, whole_key, part FROM outbox",
    )
    known = {(key, bool(edits)): tuple(source) for key, edits, *source in found}
    assert {key: known[key] for key in KEYS} == KEYS
    assert len(known) > len(KEYS) + 50


async def test_what_buttons_hang_below_is_known_from_the_keys_of_before(opened: Database) -> None:
    found = await rows(opened, "SELECT message_key, source_kind, source_id FROM keyboard")
    known = {key: tuple(source) for key, *source in found}
    assert {key: known[key] for key in BUTTONS} == BUTTONS


async def test_each_reminder_of_before_finds_its_message(opened: Database) -> None:
    sql = "SELECT count(*) FROM reminder r {} JOIN outbox o ON o.tenant_id = r.tenant_id AND {}"
    by_key = await rows(opened, sql.format("", "o.message_key = r.message_key || ':0'"))
    assert by_key == await rows(opened, sql.format("", "o.whole_key = r.message_key AND o.part = 0"))
    assert by_key[0][0] > 5


async def test_an_incident_of_before_is_still_open_and_ends_once(opened: Database) -> None:
    ((tenant_id, incident),) = await opened.read(incidents.all_open)
    reason = "Spent; it's all gone."
    assert incident == Incident(kind=IncidentKind.QUOTA, reason=reason, since=1772874000123)
    assert await rows(opened, "SELECT count(*) FROM cursor_position WHERE name = 'model_incident'") == [(0,)]
    await opened.write(lambda tx: incidents.end(tx, tenant_id))
    assert await opened.read(lambda tx: incidents.find(tx, tenant_id)) is None


async def test_why_messages_of_before_were_given_up_is_known_from_their_errors(opened: Database) -> None:
    found = await rows(opened, "SELECT error, dead_for FROM outbox WHERE message_key LIKE 'dead: %'")
    assert {error: dead_for for error, dead_for in found} == ERRORS


async def test_a_message_that_was_held_before_has_the_key_by_which_its_sender_is_known(opened: Database) -> None:
    assert await rows(opened, "SELECT link FROM trigger WHERE text = 'held'") == [("errand:7:3:ab",)]
