"""Each table is written by the modules of one room; who else writes it is listed, and the list may only get shorter."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.store.schema import migrations

ROOT = Path(__file__).parents[1]
TABLES = frozenset(re.findall(r"CREATE TABLE (\w+)", "".join(sql for _, sql in migrations.scripts())))
_WRITES = re.compile(r"\b(?:INSERT INTO|DELETE FROM|UPDATE) (\w+)")


def _texts(path: Path) -> Iterator[str]:
    """Yield all texts of a module; what a template fills in stands as a gap."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def written(path: Path) -> set[str]:
    """Return the tables that the SQL of a module writes."""
    return {table for text in _texts(path) for table in _WRITES.findall(text)} & TABLES


# The room that writes a table: the folder of its repository, under core.
ROOMS: Mapping[str, str] = {
    **dict.fromkeys(("address", "chat", "install_state", "installation", "invite"), "store/people"),
    **dict.fromkeys(("person", "scope", "stranger", "tenant"), "store/people"),
    **dict.fromkeys(
        ("attachment", "cursor_position", "import_job", "imported_line", "inbox", "incident", "keyboard"),
        "store/conversation",
    ),
    **dict.fromkeys(("lane", "message", "outbox", "passage", "question", "run", "step", "undo"), "store/conversation"),
    **dict.fromkeys(("task", "task_input"), "store/conversation"),
    "document": "store/text_index",
    **dict.fromkeys(("addressee", "trigger"), "scheduling"),
    **dict.fromkeys(("ledger", "ledger_body", "ledger_head"), "toolkit/ledger"),
    **dict.fromkeys(("reminded", "reminder"), "capabilities/reminders"),
    **dict.fromkeys(("assignee", "todo"), "capabilities/todos"),
    **dict.fromkeys(("contact", "contact_address"), "capabilities/contacts"),
    "memory": "capabilities/memory",
    **dict.fromkeys(("file_change", "folder"), "capabilities/files"),
    "condition": "capabilities/conditions",
    **dict.fromkeys(("errand", "mute"), "scheduling"),
    **dict.fromkeys(("link", "link_code"), "store/people"),
    **dict.fromkeys(("chat_retention", "night", "optout"), "capabilities/privacy"),
    **dict.fromkeys(("hook", "hook_call"), "capabilities/hooks"),
    "token_use": "agents",
    "fetch_use": "toolkit/fetch",
    **dict.fromkeys(("calendar", "calendar_event", "calendar_feed"), "capabilities/calendars"),
}
# Modules whose work is to go through the tables of all rooms, and what that work is.
ACROSS: Mapping[str, str] = {
    "capabilities/privacy/erasure.py": "what people want forgotten is erased, in an order over tables",
    "capabilities/privacy/expired.py": "what is old is deleted",
    "store/conversation/chat_migration.py": "what is in a chat goes over to its new id",
    "store/people/tenants.py": "what a workspace had ends with it, and is erased",
}
# What another room writes until its owner does it: this list may only get shorter.
LEFT: frozenset[tuple[str, str]] = frozenset({
    ("capabilities/contacts/rows.py", "reminded"),
    ("capabilities/home/repository.py", "keyboard"),
    ("capabilities/home/repository.py", "person"),
    ("capabilities/reminders/drop.py", "trigger"),
    ("capabilities/reminders/keeps.py", "trigger"),
    ("store/conversation/given_up.py", "reminder"),
    ("store/conversation/outbox.py", "reminder"),
    ("store/people/chats.py", "lane"),
    ("store/people/people.py", "ledger_head"),
})


def writers() -> Mapping[str, set[str]]:
    """Return the modules of core that write tables, and which."""
    found = {path.relative_to(ROOT / "core").as_posix(): written(path) for path in (ROOT / "core").rglob("*.py")}
    return {name: tables for name, tables in found.items() if tables}


def test_every_table_has_a_room_that_writes_it() -> None:
    assert set(ROOMS) == TABLES
    rooms = {(table, name.rpartition("/")[0]) for name, tables in writers().items() for table in tables}
    assert set(ROOMS.items()) - rooms == set()


def test_nobody_else_writes_a_table_but_who_is_listed() -> None:
    others = {
        (name, table)
        for name, tables in writers().items()
        for table in tables
        if name not in ACROSS and not name.startswith(f"{ROOMS[table]}/")
    }
    assert others == LEFT


def test_who_may_write_the_tables_of_others_does_so() -> None:
    made = writers()
    assert [name for name in ACROSS if not {ROOMS[table] for table in made[name]} - {name.rpartition("/")[0]}] == []


def test_a_table_that_is_written_by_sql_of_several_lines_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    lines = ('f"UPDATE outbox SET {x}" " WHERE 1"', '"INSERT INTO" " lane (id)"', '"SELECT 1 FROM run"')
    module.write_text("\n".join(lines))
    assert written(module) == {"outbox", "lane"}
