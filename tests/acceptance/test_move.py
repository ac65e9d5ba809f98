"""A company outgrows one file: `teller move` takes everything to Postgres, where it goes on as if nothing had been."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.cli import offline
from bot.config.config import Config
from bot.config.sections import DatabaseSection
from tests import operating
from tests.acceptance import nursery
from tests.acceptance.harness import OWNER, Bot, environment
from tests.acceptance.nursery import ROOT
from tests.acceptance.playing import AHEAD
from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_chats import SentMessage
from tests.postgres_server import PostgresServer

SAID = (
    "remind me in 1 hour to stretch",
    "remind me every weekday at 9:30 to stand up",
    "add milk to my list",
    "/todo call Oma tomorrow at 5",
    "remember that the bicycle is red",
    "ask me something",
)
HOURS = 2 * 3600.0


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    """A database of a real server with nothing in it."""
    made = postgres_server.create(empty=True)
    yield made
    postgres_server.drop(made)


def teller(bot: Bot, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the bot's settings."""
    return nursery.perform(["bot", *args], ROOT, environment(bot.settings), "", 60)


def tables(bot: Bot) -> dict[str, list[tuple[tuple[str, Any], ...]]]:
    """All rows of the file, by table."""
    names = bot.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " AND name NOT LIKE 'document_index%' AND name <> 'migration'"
    )
    found = {row["name"]: bot.rows(f"SELECT * FROM {row['name']}") for row in names}
    return {name: [tuple(row.items()) for row in rows] for name, rows in found.items()}


def moved_tables(url: str, names: Iterator[str]) -> dict[str, list[tuple[tuple[str, Any], ...]]]:
    """The same of the database."""
    found = {}
    with psycopg.connect(url, row_factory=psycopg.rows.dict_row) as conn:
        for name in names:
            rows = conn.execute(f"SELECT * FROM {name}".encode()).fetchall()
            found[name] = [tuple(one for one in row.items() if one[0] != "terms") for row in rows]
    return found


def saying(telegram: TelegramServer, text: str) -> SentMessage:
    """The first message of the bot that begins so."""
    return next(one for one in telegram.sent() if one.text.startswith(text))


async def lived_in(bot: Bot, telegram: TelegramServer) -> None:
    """Let somebody use the bot until it has some of everything, and something that it could not deliver; kill it."""
    bot.module = list(AHEAD)
    await bot.start()
    for number, text in enumerate(SAID, 1):
        telegram.say(text)
        await telegram.wait_sent(number)
    telegram.send_media("document", OWNER, data=b"lease of the flat", file_name="lease.txt")
    await telegram.wait_sent(len(SAID) + 1)
    fault = telegram.fault("sendMessage", kind="slow", delay=60.0)
    telegram.say("echo not delivered yet")
    await bot.until(lambda: fault.times == 0)
    await bot.kill()


async def test_everything_is_moved_and_goes_on(plain: Bot, telegram: TelegramServer, url: str) -> None:
    await lived_in(plain, telegram)
    before = tables(plain)
    references = plain.value(
        "SELECT count(*) AS n FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) r"
        " WHERE m.type = 'table' AND r.seq = 0"
    )
    empty = {name for name, rows in before.items() if not rows}
    assert not {"inbox", "outbox", "trigger", "todo", "memory", "question", "attachment", "keyboard", "undo"} & empty
    plain.settings["DATABASE__URL"] = url
    done = teller(plain, "move", str(plain.data / "teller.db"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Moved {sum(map(len, before.values())):,} rows to Postgres; the ledger goes on from")
    assert {path.name for path in plain.data.glob("teller.db*")} == {"teller.db.moved"}
    after = moved_tables(url, iter(before))
    assert {name: sorted(map(repr, rows)) for name, rows in after.items()} == {
        name: sorted(map(repr, rows)) for name, rows in before.items()
    }
    with psycopg.connect(url) as conn:
        sql = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace"
        assert conn.execute(sql).fetchone() == (references,)
    await plain.start()
    await plain.until(lambda: any("not delivered yet" in text for text in plain.told(OWNER)))
    telegram.press(saying(telegram, "☐ milk"), "Undo")
    await plain.until(lambda: bool(saying(telegram, "☐ milk").edits))
    telegram.press(saying(telegram, "Tea or coffee?"), "Coffee")
    await plain.until(lambda: "You chose “Coffee”." in plain.told(OWNER))
    telegram.say("add eggs to my list")
    await plain.until(lambda: any(text.startswith("☐ eggs") for text in plain.told(OWNER)))
    plain.advance(HOURS)
    await plain.until(lambda: sum("stretch" in text for text in plain.told(OWNER)) == 2)
    telegram.say("/todo")
    await plain.until(lambda: any(text.startswith("📝 To do: 2") for text in plain.told(OWNER)))
    await plain.stop()
    told = plain.told(OWNER)
    assert sum("not delivered yet" in text for text in told) == 1
    assert sum("stretch" in text for text in told) == 2
    assert "milk" not in told[-1]
    assert "is intact" in teller(plain, "ledger", "verify").stdout
    del plain.settings["DATABASE__URL"]
    refused = teller(plain, "run")
    assert (refused.returncode, "there was one" in refused.stderr) == (1, True)


async def test_nothing_is_moved_from_a_running_bot_nor_onto_other_rows(
    plain: Bot, telegram: TelegramServer, url: str
) -> None:
    await plain.start()
    telegram.say("add milk to my list")
    await telegram.wait_sent(1)
    file = plain.data / "teller.db"
    postgres = {"DATABASE__URL": url}
    settings, plain.settings = plain.settings, plain.settings | postgres
    refused = teller(plain, "move", str(file))
    assert (refused.returncode, "Another Teller" in refused.stderr) == (1, True)
    await plain.stop()
    plain.settings = settings
    refused = teller(plain, "move", str(file))
    assert (refused.returncode, "names a SQLite file" in refused.stderr) == (2, True)
    plain.settings = settings | postgres
    refused = teller(plain, "run")
    assert (refused.returncode, "teller move FILE" in refused.stderr) == (1, True)
    refused = teller(plain, "move", str(file) + "x")
    assert (refused.returncode, "There is no file" in refused.stderr) == (1, True)
    plain.settings = settings | postgres | {"DATA_DIR": str(plain.data.with_name("other"))}
    refused = teller(plain, "move", str(file))
    assert (refused.returncode, f"Set it to {plain.data}" in refused.stderr) == (2, True)
    plain.settings = settings | postgres
    with closing(sqlite3.connect(file)) as conn:
        conn.execute("SELECT count(*) FROM todo").fetchall()
        refused = teller(plain, "move", str(file))
        assert (refused.returncode, "is locked" in refused.stderr, file.exists()) == (1, True, True)
    assert teller(plain, "move", str(file)).returncode == 0
    refused = teller(plain, "move", str(file))
    assert (refused.returncode, "has been moved, and is" in refused.stderr) == (1, True)
    # What was cut off before the file got its other name is done again, and nothing comes twice.
    (plain.data / "teller.db.moved").rename(file)
    assert teller(plain, "move", str(file)).returncode == 0
    (plain.data / "teller.db.moved").rename(file)
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT count(*) FROM todo").fetchall() == [(1,)]
        conn.execute("DELETE FROM inbox")
    refused = teller(plain, "move", str(file))
    assert (refused.returncode, "has rows already" in refused.stderr, file.exists()) == (1, True, True)
    (plain.data / "teller.db.moved").write_text("of before")
    refused = teller(plain, "move", str(file))
    assert (refused.returncode, "from another move" in refused.stderr, file.exists()) == (1, True, True)
    file.replace(plain.data / "teller.db.moved")


async def test_no_database_of_another_program_is_touched(plain: Bot, telegram: TelegramServer, url: str) -> None:
    await plain.start()
    telegram.say("hello")
    await telegram.wait_sent(1)
    await plain.stop()
    theirs = plain.data / "theirs.db"
    with closing(sqlite3.connect(theirs)) as conn:
        conn.execute("CREATE TABLE song (name TEXT)")
    was = theirs.read_bytes()
    settings, plain.settings = plain.settings, plain.settings | {"DATABASE__URL": url}
    refused = teller(plain, "move", str(theirs))
    assert (refused.returncode, "is no Teller database" in refused.stderr) == (1, True)
    assert theirs.read_bytes() == was
    plain.settings = settings


def test_of_a_file_that_cannot_be_renamed_it_is_said_that_it_was_moved(tmp_path: Path, url: str) -> None:
    data, rename = tmp_path / "data", os.rename
    file = data / "teller.db"
    operating.teller(data, "chat", stdin="echo one\n")

    def mounted(source: Path, target: Path) -> None:
        if Path(source) == file:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(source))
        rename(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "rename", mounted)
        done = offline.move(Config(data_dir=data, database=DatabaseSection(url=url)), file)
    assert done.startswith("Moved ")
    assert f"{file} cannot be renamed (" in done
