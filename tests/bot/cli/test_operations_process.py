"""The commands against the real process: over its socket while it runs, on the data when it does not."""

from __future__ import annotations

import asyncio
import base64
import errno
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from bot.cli import offline
from bot.cli.typed import program
from bot.config.config import Config
from core.kernel.errors import StorageError, TellerError
from core.store import files_backup
from tests.conftest import PlaceMaker
from tests.emulators.openai import OpenAIServer
from tests.operating import Process, start, teller
from tests.ports import free_port
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.databases("sqlite")

TOKEN = "123456789:CANARY-of_the_telegram_token_0123456"
KEY = "sk-CANARY/of+the=model%key 0123456789"


def say(bot: Process, line: str) -> str:
    """Say a line on the console of a running bot and return the answer."""
    assert bot.stdin is not None
    assert bot.stdout is not None
    bot.stdin.write(line + "\n")
    bot.stdin.flush()
    return bot.stdout.readline().rstrip("\n")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def bot(data: Path) -> Iterator[Process]:
    """A bot on a console that stays open, and that has answered once."""
    with start(data) as process:
        assert say(process, "echo ready") == "teller> ready"
        yield process
        if process.poll() is None:
            process.kill()


@pytest.mark.parametrize(
    ("named", "answer"),
    [
        ({"LC_ALL": "de_DE.UTF-8"}, "Hallo! Ich bin Teller."),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_CN"}, "你好！我是 Teller。"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "Hi! I'm Teller."),
    ],
)
def test_the_console_speaks_the_language_of_its_terminal(data: Path, named: dict[str, str], answer: str) -> None:
    assert teller(data, "run", stdin="hallo\n", env=named).stdout.startswith(f"teller> {answer}")


def test_a_setting_that_is_gone_does_not_stop_the_start(data: Path) -> None:
    done = teller(data, "run", stdin="echo here\n", env={"TELLER_TELEGRAM__RICH": "true"})
    assert (done.returncode, done.stdout) == (0, "teller> here\n")
    assert "The setting TELLER_TELEGRAM__RICH is gone and ignored. Remove it." in done.stderr + logged(data)


def test_a_second_process_on_the_data_is_refused_in_a_sentence(bot: Process, data: Path) -> None:
    done = teller(data, "run", stdin="hello\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"teller: Another Teller (process {bot.pid}) is running on {data}, or is just starting or ending there. "
        "Wait for it, or stop it; or give this one its own TELLER_DATA_DIR.\n"
    )
    assert say(bot, "echo still here") == "teller> still here"


def test_the_status_of_a_running_bot_comes_from_itself(bot: Process, data: Path) -> None:
    done = teller(data, "status", "--check", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert (found["running"], found["pid"], found["problems"]) == (True, bot.pid, [])
    assert found["platforms"] == {"console": {"ok": True, "hears": True, "input": "open"}}
    assert teller(data, "status").stdout.startswith("Teller 0.1.0, running for ")


def test_the_commands_work_while_the_bot_runs(bot: Process, data: Path) -> None:
    assert teller(data, "dead", "list").stdout == "Nothing is dead.\n"
    assert "is intact: 2 rows" in teller(data, "ledger", "verify").stdout
    assert "echo" in teller(data, "ledger", "show", "--limit", "5").stdout
    missing = teller(data, "dead", "retry", "m000000")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.startswith("teller: There is no message 'm000000'.")
    assert "integrity ok" in teller(data, "backup").stdout
    assert len(list((data / "backups").glob("teller-*.db"))) == 1
    assert say(bot, "echo still here") == "teller> still here"


def test_everything_in_the_data_folder_is_its_owners_alone(bot: Process, data: Path) -> None:
    teller(data, "backup")
    modes = {item.name: stat.S_IMODE(item.stat().st_mode) for item in [data, *data.rglob("*")]}
    expected = {name: 0o700 if name in {"data", "backups"} else 0o600 for name in modes}
    assert modes == expected
    assert {"control.sock", "teller.db", "teller.log", "ledger.key", "lock"} <= set(modes)


def test_a_bot_that_is_told_to_stop_ends_well(bot: Process, data: Path) -> None:
    bot.terminate()
    assert bot.wait(15) == 0
    assert not (data / "control.sock").exists()
    found = teller(data, "status", "--check")
    assert (found.returncode, found.stderr) == (1, "")
    assert "! not running" in found.stdout


def test_a_killed_bot_leaves_nothing_in_the_way(bot: Process, data: Path) -> None:
    bot.kill()
    bot.wait(15)
    assert (data / "control.sock").exists()
    assert teller(data, "status").returncode == 0
    # The first answer may come once more: whether the kill came before its row was committed is not known.
    assert teller(data, "run", stdin="echo again\n").stdout.endswith("teller> again\n")
    assert teller(data, "ledger", "verify").returncode == 0


@pytest.mark.parametrize("args", [("status",), ("ledger", "verify"), ("tool", "list"), ("doctor",)])
def test_to_look_at_a_new_postgres_makes_nothing_there(
    data: Path, postgres_server: PostgresServer, args: tuple[str, ...]
) -> None:
    url = postgres_server.create(empty=True)
    done = teller(data, *args, env={"TELLER_DATABASE__URL": url})
    if args != ("doctor",):
        told = "teller: There is no data in the database of database.url yet; `teller run` makes it.\n"
        assert (done.returncode, done.stdout, done.stderr) == (1, "", told.replace("`teller", f"`{program()}"))
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
    assert not data.exists()
    postgres_server.drop(url)


def test_the_commands_work_on_postgres_too(data: Path, make_place: PlaceMaker) -> None:
    env = {"TELLER_DATABASE__URL": make_place("postgres").where}
    with start(data, env=env) as bot:
        assert say(bot, "echo ready") == "teller> ready"
        assert json.loads(teller(data, "status", "--json", env=env).stdout)["database"] == "postgres"
        refused = teller(data.with_name("other"), "chat", env=env)
        assert (refused.returncode, "Another Teller is running on the database" in refused.stderr) == (1, True)
        bot.terminate()
        assert bot.wait(15) == 0
    assert "is intact: 2 rows" in teller(data, "ledger", "verify", env=env).stdout
    assert "! not running" in teller(data, "status", env=env).stdout


def allow_connections(url: str, *, allowed: bool) -> None:
    """Let a database take connections, or take none and end those that there are."""
    name = conninfo_to_dict(url)["dbname"]
    with psycopg.connect(url, dbname="postgres", autocommit=True) as conn:
        conn.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}".encode())
        if not allowed:
            conn.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [name])


def test_a_database_that_is_away_is_named_by_the_status_and_by_the_doctor(data: Path, make_place: PlaceMaker) -> None:
    url = make_place("postgres").where
    env = {"TELLER_DATABASE__URL": url}
    with start(data, env=env) as bot:
        assert say(bot, "echo ready") == "teller> ready"
        allow_connections(url, allowed=False)
        told = teller(data, "status", "--check", env=env)
        found = teller(data, "doctor", env=env).stdout
        allow_connections(url, allowed=True)
        assert (told.returncode, told.stderr, "unanswered" in told.stdout) == (1, "", False)
        assert "! the database cannot be read: " in told.stdout
        assert "✗ bot: running, but: the database cannot be read: " in found
        assert "✗ database: the server cannot be asked: " in found
        assert "not currently accepting connections" in found
        assert say(bot, "echo again") == "teller> again"
        assert teller(data, "status", "--check", env=env).returncode == 0
        bot.terminate()
        assert bot.wait(15) == 0


def test_a_report_names_a_command_that_can_be_typed(data: Path) -> None:
    teller(data, "chat", stdin="echo one\n")
    with (data / "ledger.anchor").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"tenant": 1, "n": 1, "mac": "0", "at": 0, "restored": "by nobody"}) + "\n")
    told = teller(data, "ledger", "verify").stdout
    assert f"not written by `{program()} restore`" in told


def test_the_health_page_is_served_while_the_bot_runs(data: Path) -> None:
    port = free_port()
    with start(data, env={"TELLER_HTTP__PORT": str(port)}) as bot:
        assert say(bot, "echo ready") == "teller> ready"
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as answer:
            assert json.load(answer)["checks"] == {"console": True, "database": True, "room": True, "serving": True}
        bot.terminate()
        assert bot.wait(15) == 0


def test_a_port_in_use_is_told_and_nothing_is_left_behind(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        env = {"TELLER_HTTP__PORT": str(taken.getsockname()[1])}
        done = teller(data, "chat", stdin="echo one\n", env=env)
    # The address may be there later: whoever starts it again after a failure is to do so.
    assert done.returncode == 1
    assert done.stderr.startswith("teller: http.host and http.port: cannot listen on 127.0.0.1 port ")
    assert done.stderr.endswith("Free it, or choose others.\n")
    assert teller(data, "chat", stdin="echo one\n").stdout == "teller> one\n"


def test_a_second_interrupt_ends_the_process_at_once(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        with start(data, env={"TELLER_LLM__BASE_URL": url, "TELLER_LLM__MODEL": "m"}) as bot:
            assert bot.stdin is not None
            bot.stdin.write("tell me a story\n")
            bot.stdin.flush()
            asked, _ = silent.accept()  # now the model is being waited for
            bot.send_signal(signal.SIGINT)
            while not json.loads(teller(data, "status", "--json").stdout).get("stopping"):
                assert bot.poll() is None
            bot.send_signal(signal.SIGINT)
            assert bot.wait(5) == -signal.SIGINT
            asked.close()
    assert json.loads(teller(data, "status", "--json").stdout)["unanswered"] == 1


def test_a_backup_is_restored_and_the_ledger_knows_of_it(data: Path, tmp_path: Path) -> None:
    teller(data, "chat", stdin="echo one\n")
    copy = tmp_path / "copy.db"
    assert teller(data, "backup", str(copy)).returncode == 0
    teller(data, "chat", stdin="echo two\necho three\n")
    done = teller(data, "restore", str(copy))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Restored {data}/teller.db from {copy}; the ledger goes on from 2 rows." in done.stdout
    [overheard] = data.glob("replaced-*")
    assert {item.name for item in overheard.iterdir()} == {"teller.db", "ledger.anchor"}
    verified = teller(data, "ledger", "verify")
    assert (verified.returncode, "rows 3 to 6 were left behind" in verified.stdout) == (0, True)
    assert teller(data, "chat", stdin="echo four\n").stdout == "teller> four\n"
    assert teller(data, "ledger", "verify").returncode == 0
    assert teller(data, "restore", str(overheard / "teller.db")).returncode == 0
    assert json.loads(teller(data, "status", "--json").stdout)["ledger_rows"] == 6


def test_a_database_that_is_gone_or_empty_is_not_begun_anew(data: Path) -> None:
    teller(data, "chat", stdin="echo one\n")
    database, anchor = data / "teller.db", data / "ledger.anchor"
    for lose in (database.unlink, lambda: database.write_bytes(b""), lambda: None):
        lose()
        for command in ("doctor", "status", "chat"):
            done = teller(data, command, stdin="echo two\n")
            told = done.stdout + done.stderr
            assert (done.returncode, "The database is missing or empty, but there was one" in told) == (1, True), told
    anchor.rename(data / "elsewhere")
    assert teller(data, "chat", stdin="echo three\n").stdout == "teller> three\n"
    assert "is intact: 2 rows" in teller(data, "ledger", "verify").stdout


def test_a_database_that_is_gone_is_not_begun_anew_where_the_anchors_cannot_be_read(data: Path) -> None:
    teller(data, "chat", stdin="echo one\n")
    anchor, moved = data / "ledger.anchor", data / "moved"
    (data / "teller.db").unlink()
    anchor.rename(moved)
    for linked in (True, False):
        anchor.unlink(missing_ok=True)
        if linked:
            anchor.symlink_to(moved)
        else:  # as a power cut may leave it
            anchor.write_bytes(b"\0" * 90)
        for command in ("doctor", "status", "chat"):
            done = teller(data, command, stdin="echo two\n")
            assert done.returncode == 1
            assert f"{anchor}, which tells whether there was one, cannot be read" in done.stdout + done.stderr
    anchor.unlink()
    assert teller(data, "chat", stdin="echo three\n").stdout == "teller> three\n"


def test_a_lost_key_of_the_ledger_is_replaced_by_no_other(data: Path, tmp_path: Path) -> None:
    teller(data, "chat", stdin="echo one\n")
    copy, key, kept = tmp_path / "copy.db", data / "ledger.key", tmp_path / "kept.key"
    assert teller(data, "backup", str(copy)).returncode == 0
    key.rename(kept)
    for folder, *command in ((data, "chat"), (data, "status"), (tmp_path / "new", "restore", str(copy))):
        done = teller(folder, *command, stdin="echo two\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"The ledger's key {folder}/ledger.key is missing. Put your copy back." in done.stderr
        assert not (folder / "ledger.key").exists()
    assert not (tmp_path / "new" / "teller.db").exists()
    (tmp_path / "new").mkdir(exist_ok=True)
    shutil.copy(kept, tmp_path / "new" / "ledger.key")
    assert teller(tmp_path / "new", "restore", str(copy)).returncode == 0
    shutil.copy(kept, key)
    for folder in (data, tmp_path / "new"):
        assert "is intact: 2 rows" in teller(folder, "ledger", "verify").stdout
    key.write_text("5" * 64, encoding="utf-8")  # what is made by hand where no copy is left
    assert teller(data, "chat", stdin="echo two\n").stdout == "teller> two\n"
    assert "tenant 1 rows 1 to 2: changed" in teller(data, "ledger", "verify").stdout


def test_a_restore_whose_files_cannot_be_put_in_place_is_finished_by_the_next_start(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teller(data, "chat", stdin="echo one\n")
    copy = tmp_path / "copy.db"
    assert teller(data, "backup", str(copy)).returncode == 0
    teller(data, "chat", stdin="echo two\n")
    files = copy.with_name("copy.db.files.tar")
    files.touch()
    refused = teller(data, "restore", str(copy))
    assert (refused.returncode, f"cannot put the files of {files} back" in refused.stderr) == (1, True)
    assert not list(data.glob("replaced-*"))
    assert json.loads(teller(data, "status", "--json").stdout)["ledger_rows"] == 4
    files.unlink()
    rename = os.rename

    def fail(source: Path, target: Path) -> None:
        if Path(source).parts[-2:] == (files_backup.FRESH, "teller.db"):
            raise OSError(errno.ENOSPC, "No space left on device", str(source))
        rename(source, target)

    monkeypatch.setattr(os, "rename", fail)
    for tried in (
        lambda: offline.restore(Config(data_dir=data), copy),
        lambda: offline.perform(Config(data_dir=data), "status", {}),
    ):
        with pytest.raises(StorageError, match=r"a restore is not finished: No space left .* goes on with it"):
            tried()
    monkeypatch.undo()
    assert json.loads(teller(data, "status", "--json").stdout)["ledger_rows"] == 2
    assert "is intact: 2 rows" in teller(data, "ledger", "verify").stdout


def test_an_export_that_cannot_be_written_is_told_in_a_sentence(data: Path, tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    with pytest.raises(TellerError, match="There is no data"):
        offline.perform(Config(data_dir=data), "export", {"path": str(tmp_path)})
    (data / "teller.db").parent.mkdir()
    (data / "teller.db").touch()
    with pytest.raises(TellerError, match="Nobody has talked to the bot yet"):
        offline.perform(Config(data_dir=data), "export", {"path": str(tmp_path)})
    teller(data, "chat", stdin="/todo milk\n")
    done = teller(data, "export", str(in_the_way / "below"))
    assert (done.returncode, done.stderr) == (1, f"teller: cannot write {in_the_way}/below: Not a directory\n")
    with pytest.raises(TellerError, match=r"cannot write .*: Not a directory"):
        offline.perform(Config(data_dir=data), "export", {"path": str(in_the_way)})


def test_a_backup_goes_into_a_folder_that_is_not_there_yet(data: Path, tmp_path: Path) -> None:
    teller(data, "chat", stdin="/todo milk\n")
    done = teller(data, "backup", f"{tmp_path}/copies/today/")
    assert (done.returncode, done.stderr) == (0, "")
    [copy] = (tmp_path / "copies" / "today").iterdir()
    assert re.fullmatch(r"teller-\d+-\d+\.db", copy.name)
    assert teller(data, "backup", f"{tmp_path}/copies/named").returncode == 0
    assert (tmp_path / "copies" / "named").is_file()


def test_what_was_exported_is_imported(data: Path, tmp_path: Path) -> None:
    teller(data, "chat", stdin="/todo milk\n")
    [written] = teller(data, "export", str(tmp_path / "out")).stdout.splitlines()
    other = tmp_path / "other"
    teller(other, "chat", stdin="echo one\n")
    done = teller(other, "import", written, "--person", "console:local")
    assert (done.returncode, done.stderr) == (0, "")
    assert "todos: 1 new of 1" in done.stdout
    assert "milk" in teller(other, "chat", stdin="/todo\n").stdout


def test_nothing_is_restored_while_the_bot_runs(bot: Process, data: Path, tmp_path: Path) -> None:
    teller(data, "backup", str(tmp_path / "copy.db"))
    # Its files are not even looked at: they would be unpacked into the folder that the bot uses.
    (tmp_path / "copy.db.files.tar").write_bytes(b"no archive at all")
    done = teller(data, "restore", str(tmp_path / "copy.db"))
    assert done.returncode == 1
    assert "Another Teller" in done.stderr
    assert say(bot, "echo still here") == "teller> still here"


@pytest.mark.parametrize("content", [None, b"", b"no database at all", b"SQLite format 3\0" + b"x" * 5000])
def test_a_backup_that_is_no_good_changes_nothing(data: Path, tmp_path: Path, content: bytes | None) -> None:
    teller(data, "chat", stdin="echo one\n")
    if content is not None:
        (tmp_path / "bad.db").write_bytes(content)
    done = teller(data, "restore", str(tmp_path / "bad.db"))
    assert done.returncode == 1
    assert str(tmp_path / "bad.db") in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(teller(data, "status", "--json").stdout)["ledger_rows"] == 2
    assert not list(data.glob("*restoring*"))


def test_a_backup_of_a_newer_version_changes_nothing(data: Path, tmp_path: Path) -> None:
    teller(data, "chat", stdin="echo one\n")
    copy = tmp_path / "copy.db"
    assert teller(data, "backup", str(copy)).returncode == 0
    newer = sqlite3.connect(copy)
    newer.execute("INSERT INTO migration (name, applied_at) VALUES ('9999_future', 0)")
    newer.commit()
    newer.close()
    done = teller(data, "restore", str(copy))
    assert done.returncode == 1
    assert f"{copy} was written by a newer Teller (9999_future)" in done.stderr
    assert not list(data.glob("replaced-*"))
    assert json.loads(teller(data, "status", "--json").stdout)["ledger_rows"] == 2


def forms(secret: str) -> list[bytes]:
    """A secret as it is carried by logs, URLs and headers."""
    texts = [secret, quote(secret), quote(secret, safe=""), json.dumps(secret)[1:-1]]
    return [*(text.encode() for text in texts), base64.b64encode(secret.encode())[:40]]


def test_secrets_are_in_no_file_and_no_output(data: Path) -> None:
    env = {
        "TELLER_TELEGRAM__TOKEN": TOKEN,
        "TELLER_TELEGRAM__BASE_URL": "http://127.0.0.1:9",
        "TELLER_OWNERS": '["tg:1"]',
        "TELLER_LLM__API_KEY": KEY,
        "TELLER_LLM__MODEL": "m",
        "TELLER_LLM__BASE_URL": "http://127.0.0.1:9/v1",
        "TELLER_LLM__MAX_RETRIES": "0",
        "TELLER_LOG__LEVEL": "debug",
    }
    asked = teller(data, "chat", stdin="tell me a story\n", env=env)
    with start(data, env=env) as bot:
        assert bot.stderr is not None
        seen: list[str] = []
        while not any("telegram" in line and "rror" in line for line in seen):
            seen.append(bot.stderr.readline())
            assert seen[-1], seen
        told = [teller(data, *command, env=env) for command in (("status",), ("ledger", "show"), ("backup",))]
        bot.terminate()
        out, err = bot.communicate(timeout=20)
    written = [asked.stdout, asked.stderr, out, err, *seen, *(done.stdout + done.stderr for done in told)]
    found = {path.name: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    found["output"] = "".join(written).encode()
    canaries = forms(TOKEN) + forms(KEY)
    assert [(name, form) for name, content in found.items() for form in canaries if form in content] == []
    assert "NOT OK" in told[0].stdout


def logged(data: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in data.glob("**/*.log"))


async def test_tools_as_text_are_told_by_status_doctor_and_the_log(data: Path) -> None:
    async with OpenAIServer() as server:
        server.refuse_tools = True
        settings = {
            "TELLER_LLM__BASE_URL": f"{server.url}/v1",
            "TELLER_LLM__MODEL": "emulated",
            "TELLER_LLM__API_KEY": server.key,
        }
        with start(data, env=settings) as process:
            answer = await asyncio.to_thread(say, process, "hm, whatever would you think of it, dear?")
            told = [await asyncio.to_thread(teller, data, asked, env=settings) for asked in ("status", "doctor")]
            process.terminate()
            process.communicate(timeout=20)
    assert answer.startswith("teller> You said: ")
    assert "model: emulated, by tools as text" in told[0].stdout
    assert "emulated refuses tools, so the running bot sends them as text" in told[1].stdout
    assert logged(data).count("the text protocol is used from now on") == 1
