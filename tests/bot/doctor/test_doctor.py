"""Doctor's look at this computer, and how it tells what it found."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.config.config import Config, load
from bot.doctor import doctor
from bot.doctor import local as doctor_local
from bot.doctor.finding import Finding, Patient, careful, fine, wrong
from core.kernel.clock import SystemClock
from core.store.sqlite.database import SqliteDatabase, take_lock
from core.store.sqlite.inspect import look
from core.toolkit.ledger.anchors import AnchorFile
from core.toolkit.ledger.ledger import load_key

pytestmark = pytest.mark.databases("sqlite")

Check = Callable[[Patient], Iterator[Finding]]
TOKEN = "123456789:CANARY-of_the_telegram_token_0123456"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run where no config.yaml of a developer lies around."""
    monkeypatch.chdir(tmp_path)


def patient(running: Mapping[str, Any] | None = None, **environ: str) -> Patient:
    file = Path("config.yaml").absolute()
    return Patient(config=load(file if file.exists() else None, environ), file=file, running=running)


def marks(check: Check, who: Patient) -> list[str]:
    return [found.mark for found in check(who)]


def a_database(path: Path) -> None:
    async def make() -> None:
        database = SqliteDatabase(path, SystemClock())
        await database.open()
        await database.close()

    asyncio.run(make())


def test_with_nothing_configured_all_is_well_and_nothing_is_made(tmp_path: Path) -> None:
    found, _ = asyncio.run(doctor.examine(None, {"TELLER_TIMEZONE": "Europe/Berlin"}))
    assert [one for one in found if one.mark == "wrong"] == []
    assert "console only" in " ".join(one.text for one in found)
    assert list(tmp_path.iterdir()) == []


def test_a_setting_that_is_gone_is_a_warning() -> None:
    found = list(doctor_local.configuration(patient(TELLER_TELEGRAM__RICH="true")))
    assert (found[0].mark, found[0].text.partition(".")[0]) == (
        "warning",
        "The setting TELLER_TELEGRAM__RICH is gone and ignored",
    )


async def test_a_configuration_that_cannot_be_read_is_told_line_by_line() -> None:
    found, config = await doctor.examine(None, {"TELLER_OWNER": "x", "TELLER_TZ": "y"})
    assert [one.mark for one in found] == ["wrong", "wrong"]
    assert config is None


@pytest.mark.parametrize(
    ("text", "mode", "mark"),
    [
        (f"telegram: {{token: '{TOKEN}'}}\n", 0o644, "warning"),
        (f"telegram: {{token: '{TOKEN}'}}\n", 0o600, "ok"),
        ("database: {url: 'postgresql://me:hunter2@db/x'}\n", 0o640, "warning"),
        ("database: {url: 'postgresql://me@db/x'}\n", 0o640, "ok"),
        ("language: en\n", 0o644, "ok"),
    ],
)
def test_a_file_with_secrets_is_closed_to_others(text: str, mode: int, mark: str) -> None:
    Path("config.yaml").write_text(text, encoding="utf-8")
    Path("config.yaml").chmod(mode)
    assert marks(doctor_local.configuration, patient()) == [mark]


def test_a_token_without_an_owner_and_open_access_without_a_budget_are_wrong() -> None:
    found = list(doctor_local.owners(patient(TELLER_TELEGRAM__TOKEN=TOKEN, TELLER_ACCESS__MODE="open")))
    assert [one.mark for one in found] == ["wrong", "wrong", "ok"]
    assert found[0].text == "No owner yet. Run: teller setup (1 minute; finds your id for you)."


def test_owners_and_access_are_told() -> None:
    found = list(doctor_local.owners(patient(TELLER_OWNERS='["tg:1"]', TELLER_BUDGET__DAILY_TOKENS="500")))
    assert [one.text for one in found] == ["tg:1", "owner, at most 500 model tokens a day"]


def test_a_data_folder_is_one_that_can_be_written() -> None:
    Path("file").write_text("", encoding="utf-8")
    (found,) = doctor_local.folder(patient(TELLER_DATA_DIR="file"))
    assert found.mark == "wrong"
    assert "is a file" in found.text
    assert list(doctor_local.database(patient(TELLER_DATA_DIR="file"))) == []
    assert marks(doctor_local.folder, patient(TELLER_DATA_DIR="file/data")) == ["wrong"]
    Path("data").mkdir(mode=0o755)
    Path("data").chmod(0o755)
    assert marks(doctor_local.folder, patient())[0] == "warning"
    Path("data").chmod(0o700)
    assert marks(doctor_local.folder, patient())[0] == "ok"


@pytest.mark.parametrize(("free", "mark"), [(1 << 30, "ok"), (100 << 20, "warning"), (1 << 20, "wrong")])
def test_little_space_is_told(free: int, mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type(shutil.disk_usage("."))
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage(1 << 40, 0, free))
    assert doctor_local._space(Path()).mark == mark


def test_a_database_is_looked_at_and_not_changed() -> None:
    path = Path("data/teller.db").absolute()
    a_database(path)
    before = (path.read_bytes(), sorted(os.listdir("data")))
    (found,) = doctor_local.database(patient())
    assert (found.mark, "intact" in found.text) == ("ok", True)
    assert (path.read_bytes(), [name for name in sorted(os.listdir("data")) if "db-" not in name]) == before


def test_what_a_command_of_another_user_has_made_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    a_database(Path("data/teller.db"))
    Path("data/ledger.anchor").touch()
    Path("data/backups").mkdir()
    taken = ("teller.db", "ledger.anchor", "backups")
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).name not in taken)
    found = [*doctor_local.folder(patient()), *doctor_local.database(patient())]
    told = [one.text for one in found if one.mark == "wrong"]
    assert [Path(text.partition(" cannot be written; give it to the user")[0]).name for text in told] == [
        "backups",
        "ledger.anchor",
        "teller.db",
    ]


def test_a_disk_that_is_mounted_read_only_is_told_once_and_no_user_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    a_database(Path("data/teller.db"))
    (Path("data") / "backups").mkdir()
    monkeypatch.setattr(os, "access", lambda _path, mode: not mode & os.W_OK)
    fields = list(os.statvfs("data"))
    fields[8] |= os.ST_RDONLY
    monkeypatch.setattr(os, "statvfs", lambda _path: os.statvfs_result(fields))
    found = [*doctor_local.folder(patient()), *doctor_local.database(patient())]
    told = [one.text.partition(" is on a disk that is mounted read-only; ") for one in found if one.mark == "wrong"]
    assert [(Path(where).name, bool(what)) for where, what, _ in told] == [("data", True), ("teller.db", True)]


def test_a_database_that_cannot_be_made_where_it_is_to_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "teller.db", tmp_path / "file" / "below" / "teller.db"):
        [found] = doctor_local.database(patient(TELLER_DATABASE__URL=f"sqlite:///{path}"))
        assert (found.mark, f"cannot be made in {tmp_path / 'file'}" in found.text) == ("wrong", True)


def test_a_path_with_odd_characters_is_no_obstacle() -> None:
    path = Path("da ta?#%/te ll?er.db").absolute()
    a_database(path)
    assert look(path, 5).checked


def test_a_database_is_lost_where_anchors_know_it_unless_an_empty_backup_was_restored() -> None:
    a_database(Path("data/teller.db"))
    anchors = AnchorFile(Path("data/ledger.anchor"), load_key(Path("data/ledger.key")))
    anchors.append([(1, 5, "0")], 0)
    assert marks(doctor_local.database, patient()) == ["wrong"]
    anchors.append([(1, 0, "")], 1, restored=True)
    assert marks(doctor_local.database, patient()) == ["ok"]


def test_a_damaged_database_is_told() -> None:
    path = Path("data/teller.db")
    a_database(path)
    content = bytearray(path.read_bytes())
    content[4096:8192] = bytes(4096)
    path.write_bytes(content)
    assert marks(doctor_local.database, patient()) == ["wrong"]
    path.write_bytes(b"nothing of ours" * 100)
    assert marks(doctor_local.database, patient()) == ["wrong"]


def test_a_database_that_somebody_has_locked_is_left_alone() -> None:
    path = Path("data/teller.db")
    a_database(path)
    lock = take_lock(path)
    try:
        (found,) = doctor_local.database(patient())
    finally:
        os.close(lock)
    assert (found.mark, str(os.getpid()) in found.text) == ("warning", True)


def test_the_running_bot_is_asked_instead_of_its_database() -> None:
    status = {"problems": [], "uptime_s": 60, "pid": 7, "database": "sqlite", "database_bytes": 1 << 20}
    assert [one.text for one in doctor_local.database(patient(status))] == ["in use by the running bot: sqlite, 1.0 MB"]
    assert marks(doctor_local.bot, patient(status)) == ["ok"]
    assert marks(doctor_local.bot, patient({**status, "calendars_failing": 2})) == ["warning"]
    assert marks(doctor_local.bot, patient({**status, "problems": ["telegram: no good poll lately"]})) == ["wrong"]


@pytest.mark.parametrize("started", [True, False])
def test_a_reserve_that_does_not_fit_on_the_disk_is_told(started: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if started:
        Path("data").mkdir(mode=0o700)
    usage = type(shutil.disk_usage("."))
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage(1 << 40, 0, 1 << 30))
    assert marks(doctor_local.folder, patient()) == ["ok", "ok"]
    found = list(doctor_local.folder(patient(TELLER_DATABASE__BALLAST_MB="600")))
    assert [one.mark for one in found] == ["ok", "wrong", "ok"]
    assert "1.2 GB must be free for database.ballast_mb" in found[1].text


def test_the_library_and_its_rule_are_told() -> None:
    (found,) = doctor_local.sqlite(patient())
    assert "reads go beside the writer" in found.text or "one connection for everything" in found.text
    assert list(doctor_local.sqlite(patient(TELLER_DATABASE__URL="postgresql://db/x"))) == []


def test_another_program_with_a_package_of_our_name_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert marks(doctor_local.installation, patient()) == ["ok"]
    # Newer versions of Python pass over files that are not there.
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").touch()
    for name in ("teller", "other"):
        notes = tmp_path / f"{name}-1.dist-info"
        notes.mkdir()
        (notes / "METADATA").write_text(f"Name: {name}\nVersion: 1\n")
        (notes / "RECORD").write_text("core/__init__.py,,\n")
        if name == "teller":
            monkeypatch.syspath_prepend(tmp_path)
            assert marks(doctor_local.installation, patient()) == ["ok"]
    (found,) = doctor_local.installation(patient())
    assert (found.mark, found.text.partition(" ")[0]) == ("warning", "other")
    assert "an environment of its own" in found.text


def test_the_key_of_the_ledger_is_there_whole_and_closed() -> None:
    key = Path("data/ledger.key")
    assert marks(doctor_local.ledger_key, patient()) == ["ok"]
    assert not key.exists()
    key.parent.mkdir()
    Path("data/teller.db").touch()
    assert marks(doctor_local.ledger_key, patient()) == ["wrong"]
    load_key(key)
    assert marks(doctor_local.ledger_key, patient()) == ["ok"]
    key.chmod(0o640)
    assert marks(doctor_local.ledger_key, patient()) == ["warning"]
    key.write_text("nonsense", encoding="utf-8")
    assert marks(doctor_local.ledger_key, patient()) == ["wrong"]


def test_a_zone_that_nobody_chose_and_that_is_utc_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr(doctor_local, "system_timezone", lambda: "UTC")
    guessed = Patient(config=Config.model_construct({"llm"}, timezone="UTC"), file=Path("x"))
    assert marks(doctor_local.timezone, guessed) == ["warning"]
    assert marks(doctor_local.timezone, patient(TELLER_TIMEZONE="UTC")) == ["ok"]
    (found,) = doctor_local.timezone(patient(TELLER_TIMEZONE="Asia/Tokyo"))
    assert found.text == "Asia/Tokyo (this computer: UTC)"


def test_a_port_is_free_or_taken_or_the_bots_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = str(taken.getsockname()[1])
        assert marks(doctor_local.port, patient(TELLER_HTTP__PORT=number)) == ["wrong"]
        assert marks(doctor_local.port, patient({}, TELLER_HTTP__PORT=number)) == ["ok"]
    assert marks(doctor_local.port, patient(TELLER_HTTP__PORT=number)) == ["ok"]
    assert [one.text for one in doctor_local.port(patient())] == ["off (http.port is 0)"]


async def test_a_check_that_hangs_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SECONDS", 0.01)
    found = await doctor._guarded("slow", asyncio.get_running_loop().create_future())
    assert [(one.check, one.mark) for one in found] == [("slow", "wrong")]


async def test_a_check_that_breaks_is_told_in_a_sentence() -> None:
    async def breaks() -> list[Finding]:
        raise PermissionError(13, "Permission denied")

    assert await doctor._guarded("broken", breaks()) == [wrong("broken", "Permission denied")]


def test_each_finding_is_one_line_with_its_sign() -> None:
    lines = [fine("a", "well"), careful("b", "so\nso"), wrong("c", "bad")]
    assert [one.line() for one in lines] == ["✓ a: well", "! b: so so", "✗ c: bad"]


async def test_as_json_each_finding_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert not await doctor.doctor(None, {"TELLER_OWNER": "x"}, as_json=True)
    told = json.loads(capsys.readouterr().out)
    [only] = told["checks"]
    assert (told["ok"], only["check"], only["state"]) == (False, "configuration", "wrong")
    assert only["text"].startswith("Unknown environment variable TELLER_OWNER.")


def test_folders_that_are_allowed_are_looked_at(tmp_path: Path) -> None:
    assert "wrong" not in marks(doctor_local.allowed_folders, patient())
    (tmp_path / "reports").mkdir()
    names = json.dumps([f"{tmp_path}/reports", f"{tmp_path}/notes:rw"])
    found = list(doctor_local.allowed_folders(patient(TELLER_FILES__ALLOWED_PATHS=names)))[:2]
    assert [one.mark for one in found] == ["ok", "warning"]
    assert "which is no folder" in found[1].text
