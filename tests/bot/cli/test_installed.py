"""Teller outside its checkout, as the wheel installs it: from anywhere it finds its settings and data again."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bot.config.file import find
from tests.operating import ROOT, environment


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages with ours, without the rest of the checkout."""
    for name in ("bot", "core", "teller_tools"):
        (tmp_path / "site" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "site" / name).symlink_to(ROOT / name)
    (tmp_path / "work").mkdir()
    return tmp_path / "site"


def installed(site: Path, *args: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run an installed Teller in a folder that has nothing to do with it."""
    ours = environment(site, {"PYTHONPATH": str(site), "XDG_DATA_HOME": str(site.parent / "share")})
    del ours["TELLER_DATA_DIR"]
    return subprocess.run(
        [sys.executable, "-m", "bot", *args],
        cwd=site.parent / "work",
        env=ours | env,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def looked_at(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """What doctor says of each thing."""
    return {one["check"]: one["text"] for one in json.loads(done.stdout)["checks"]}


def test_without_a_command_it_is_a_chat_whose_data_belong_to_the_user(site: Path) -> None:
    done = installed(site, stdin="remind me tomorrow at 9 to call mum\nwhat are my reminders?\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("call mum") == 3  # when it is set, in the list, and on its button
    assert (site.parent / "share" / "teller" / "teller.db").exists()
    assert list((site.parent / "work").iterdir()) == []


def test_settings_that_were_set_up_are_found_from_any_folder(site: Path) -> None:
    settings = site.parent / "share" / "teller" / "config.yaml"
    # Without a token it ends before it writes, but the folder to write to is there, and nobody else's.
    assert "token" in installed(site, "setup", "--yes").stderr
    assert stat.S_IMODE(settings.parent.stat().st_mode) == 0o700
    settings.write_text("timezone: Asia/Tokyo\n")
    found = looked_at(installed(site, "doctor", "--json"))
    assert found["configuration"] == str(settings)
    assert found["data folder"].startswith(str(settings.parent))
    assert found["time zone"].startswith("Asia/Tokyo")


def test_in_a_folder_with_settings_the_data_are_there_too(site: Path) -> None:
    work = site.parent / "work"
    (work / "config.yaml").write_text("timezone: Asia/Tokyo\n")
    found = looked_at(installed(site, "doctor", "--json"))
    assert found["configuration"] == str(work / "config.yaml")
    assert found["data folder"].startswith(str(work / "data"))


def test_data_that_a_former_version_left_in_the_working_folder_go_on(site: Path) -> None:
    data = site.parent / "work" / "data"
    data.mkdir(mode=0o700)
    (data / "teller.db").touch(mode=0o600)
    found = looked_at(installed(site, "doctor", "--json"))
    assert found["data folder"].startswith(str(data))


def test_settings_are_in_the_data_folder_that_is_named(site: Path) -> None:
    volume = site.parent / "volume"
    volume.mkdir()
    (volume / "config.yaml").write_text("timezone: Asia/Tokyo\n")
    found = looked_at(installed(site, "doctor", "--json", TELLER_DATA_DIR=str(volume)))
    assert found["configuration"] == str(volume / "config.yaml")


def test_in_a_checkout_the_working_folder_has_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find(None, {"TELLER_DATA_DIR": "elsewhere"}) == tmp_path / "config.yaml"
