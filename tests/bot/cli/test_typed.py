"""Texts name our commands as they can be typed where the bot stands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.cli.typed import program, typed


@pytest.fixture
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an environment of its own, to which no path leads."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    return tmp_path


def test_where_teller_lies_in_an_environment_its_place_is_named(somewhere: Path) -> None:
    (somewhere / ".venv" / "bin" / "teller").touch()
    assert typed("No owner yet. Run: teller setup (1 minute)") == "No owner yet. Run: .venv/bin/teller setup (1 minute)"
    assert typed("`teller dead list` shows it") == "`.venv/bin/teller dead list` shows it"


def test_where_teller_is_installed_its_name_is_enough(somewhere: Path) -> None:
    (somewhere / "teller").write_text("#!/bin/sh")
    (somewhere / "teller").chmod(0o755)
    assert program() == "teller"


def test_where_there_is_no_such_program_it_is_a_module(somewhere: Path) -> None:
    assert program() == f"{sys.executable} -m bot"


@pytest.mark.parametrize(
    ("url", "runner", "whole"),
    [
        ("https://example.org/teller-1-py3-none-any.whl", "/usr/bin/uv", "uvx --from {} teller"),
        ("https://example.org/teller-1-py3-none-any.whl", "", "pipx run --spec {} teller"),
    ],
)
def test_what_an_environment_for_one_start_was_made_with_makes_it_again(
    somewhere: Path, monkeypatch: pytest.MonkeyPatch, url: str, runner: str, whole: str
) -> None:
    an_installed_teller(somewhere, url, monkeypatch)
    monkeypatch.setenv("UV", runner)
    # The path leads to it only as long as it runs.
    (somewhere / "teller").write_text("#!/bin/sh")
    (somewhere / "teller").chmod(0o755)
    assert program() == "teller"
    (somewhere / "CACHEDIR.TAG").touch()
    assert typed("Run: teller setup") == f"Run: {whole.format(url)} setup"


def test_a_wheel_of_this_computer_is_named_by_its_path(somewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    an_installed_teller(somewhere, "file:///home/me/my%20wheels/teller.whl", monkeypatch)
    monkeypatch.setenv("UV", "/usr/bin/uv")
    (somewhere / "CACHEDIR.TAG").touch()
    assert program() == "uvx --from '/home/me/my wheels/teller.whl' teller"


def an_installed_teller(somewhere: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install as pip and uv note it down: where the wheel came from."""
    notes = somewhere / ".venv" / "teller-1.dist-info"
    notes.mkdir()
    (notes / "METADATA").write_text("Name: teller\nVersion: 1\n")
    (notes / "direct_url.json").write_text(json.dumps({"url": url, "archive_info": {}}))
    monkeypatch.syspath_prepend(somewhere / ".venv")
    monkeypatch.setattr(sys, "prefix", str(somewhere / ".venv"))


@pytest.mark.parametrize("command", sorted(main.commands))
def test_each_command_is_named_as_it_can_be_typed(somewhere: Path, command: str) -> None:
    (somewhere / ".venv" / "bin" / "teller").touch()
    assert typed(f"run: teller {command}") == f"run: .venv/bin/teller {command}"


def test_what_is_no_command_stays_as_it_is(somewhere: Path) -> None:
    for text in ("teller.log", "/srv/teller setup", ".venv/bin/teller setup", "my teller wrote", "pip install teller"):
        assert typed(text) == text


def test_an_error_names_a_command_that_can_be_typed(somewhere: Path) -> None:
    (somewhere / ".venv" / "bin" / "teller").touch()
    found = CliRunner().invoke(main, ["run"], env={"TELLER_TELEGRAM__TOKEN": f"123456:{35 * chr(65)}"})
    assert (found.exit_code, "Run: .venv/bin/teller setup" in found.output) == (2, True)


def test_what_is_named_here_can_be_typed() -> None:
    done = subprocess.run([*program().split(), "--version"], capture_output=True, check=False)
    assert done.returncode == 0
