"""The command line says in a sentence what is wrong, and never shows a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from bot.__main__ import main
from bot.cli.typed import program
from bot.runtime.run import has_input
from tests.operating import ROOT, environment, teller

pytestmark = pytest.mark.databases("sqlite")

COMMANDS = (
    "run", "chat", "setup", "doctor", "status", "backup", "restore", "dead", "ledger", "slack", "export", "import",
    "tool", "move",
)  # fmt: skip


def test_the_commands_are_listed_with_what_they_do() -> None:
    shown = {name: command.get_short_help_str() for name, command in main.commands.items()}
    assert sorted(shown) == sorted(COMMANDS)
    assert all(shown.values())


def _all(group: click.Group) -> Iterator[click.Command]:
    for command in group.commands.values():
        yield from _all(command) if isinstance(command, click.Group) else [command]


def test_no_parameter_of_a_command_takes_the_place_of_another() -> None:
    for command in _all(main):
        names = [parameter.name for parameter in command.params]
        assert sorted(names) == sorted(set(names)), command.name


def test_the_version_is_told(tmp_path: Path) -> None:
    assert teller(tmp_path, "--version").stdout.startswith("teller, version 0.")


@pytest.mark.parametrize("args", [("--config", "{file}", "status"), ("status", "--config", "{file}")])
def test_the_configuration_may_be_named_before_and_after_the_command(tmp_path: Path, args: tuple[str, ...]) -> None:
    (tmp_path / "my.yaml").write_text("data_dirr: x\n")
    done = teller(tmp_path, *(arg.format(file=tmp_path / "my.yaml") for arg in args))
    assert done.returncode == 2
    assert done.stderr.startswith("teller: ")
    assert "data_dir" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_platform_without_an_owner_is_not_started(tmp_path: Path) -> None:
    done = teller(tmp_path / "data", "run", env={"TELLER_TELEGRAM__TOKEN": "1:abcde"})
    assert done.returncode == 2
    assert done.stderr == f"teller: No owner yet. Run: {program()} setup (1 minute; finds your id for you).\n"
    assert not (tmp_path / "data").exists()


def test_owners_that_stand_twice_are_told_where_the_last_are_none(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text("telegram: {token: '1:abcde'}\nowners: ['tg:1']\nowners: []\n")
    done = teller(tmp_path / "data", "--config", str(tmp_path / "my.yaml"), "run")
    assert done.returncode == 2
    assert "No owner yet." in done.stderr
    assert "The key owners stands twice in the configuration, in line 2 and again in line 3" in done.stderr


def test_slack_without_an_owner_is_not_started(tmp_path: Path) -> None:
    env = {"TELLER_SLACK__BOT_TOKEN": "xoxb-1-CANARY", "TELLER_SLACK__APP_TOKEN": "xapp-1-CANARY"}
    done = teller(tmp_path / "data", "run", env=env)
    assert done.returncode == 2
    assert done.stderr.startswith(f"teller: No owner yet. Run: {program()} setup --platform slack")
    assert "CANARY" not in done.stderr
    assert not (tmp_path / "data").exists()


def test_without_configuration_and_input_it_says_what_to_configure(tmp_path: Path) -> None:
    done = teller(tmp_path, "run", stdin="")
    assert done.returncode == 2
    assert "teller setup" in done.stderr
    assert done.stdout == ""


def test_piped_lines_are_answered_and_the_logs_stay_out_of_the_chat(tmp_path: Path) -> None:
    done = teller(tmp_path, "run", stdin="hello\necho one two\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "teller> one two"
    assert "ready: console" in (tmp_path / "teller.log").read_text()


def test_chatting_ends_with_its_input_whatever_is_configured(tmp_path: Path) -> None:
    env = {"TELLER_TELEGRAM__TOKEN": "1:abcde", "TELLER_SLACK__BOT_TOKEN": "xoxb-1-abcde"}
    done = teller(tmp_path, "chat", env=env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("args", [("status",), ("backup",), ("dead", "list"), ("ledger", "verify")])
def test_without_data_there_is_nothing_to_look_at_and_nothing_is_made(tmp_path: Path, args: tuple[str, ...]) -> None:
    # Each command once from nothing: it imports what it needs.
    done = teller(tmp_path / "data", *args, cold=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "There is no data in" in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = teller(tmp_path / "file" / "data", "run", stdin="hello\n")
    assert done.returncode == 1
    assert done.stderr == f"teller: cannot write to {tmp_path}/file/data: Not a directory\n"


@pytest.mark.parametrize("args", [("status",), ("backup",), ("run",)])
def test_what_the_system_says_of_a_file_is_told_in_a_sentence(tmp_path: Path, args: tuple[str, ...]) -> None:
    folder = tmp_path / ("x" * 300)
    done = teller(folder, *args, stdin="hello\n")
    assert (done.returncode, done.stdout) == (1, "")
    # From 3.14 on Python says of such a path that nothing is there.
    told = rf"teller: (.*{folder.name}.*: File name too long|There is no data in .*{folder.name} yet; .*)\n"
    assert re.fullmatch(told, done.stderr), done.stderr


def test_a_home_folder_that_nobody_has_is_told(tmp_path: Path) -> None:
    done = teller(tmp_path / "data", "backup", "~nobody-has-this-name/copy.db")
    told = "teller: ~nobody-has-this-name/copy.db: there is no such home folder. Write the whole path.\n"
    assert (done.returncode, done.stderr) == (1, told)


def test_a_damaged_ledger_key_is_told(tmp_path: Path) -> None:
    (tmp_path / "ledger.key").write_text("nonsense")
    done = teller(tmp_path, "run", stdin="hello\n")
    assert done.returncode == 2
    assert "damaged" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["ledger.key", "ledger.key.new", "ballast", "control.sock", "lock", "teller.db"])
def test_a_folder_where_a_file_belongs_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    done = teller(tmp_path, "run", stdin="hello\n")
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert done.stderr.startswith("teller: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_configuration_that_holds_itself_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text("llm: &a\n  x: *a\n")
    done = teller(tmp_path, "status", "--config", str(tmp_path / "my.yaml"))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "nested too deeply" in done.stderr


def test_a_data_folder_that_others_may_read_is_closed_at_the_start(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert teller(tmp_path, "run", stdin="hello\n").returncode == 0
    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_postgres_is_restored_with_its_own_tool_and_the_password_is_not_shown(tmp_path: Path) -> None:
    done = teller(tmp_path, "restore", "x.dump", env={"TELLER_DATABASE__URL": "postgresql://me:hunter2@db/name"})
    assert done.returncode == 1
    assert "createdb --owner" in done.stderr
    assert "hunter2" not in done.stderr


def test_a_closed_standard_input_is_no_input(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec '{sys.executable}' -m bot run <&-"],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "Nothing is configured" in done.stderr


def test_input_is_told_from_its_end(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "full").write_text("hello")
    with (tmp_path / "empty").open() as empty, (tmp_path / "full").open() as full, open(os.devnull) as nothing:
        assert [has_input(stream) for stream in (empty, full, nothing, None)] == [False, True, False, False]


def test_a_pipe_has_input_until_it_is_closed_and_empty() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as pipe:
        assert has_input(pipe)
        os.write(writing, b"hello\n")
        os.close(writing)
        assert has_input(pipe)
        pipe.read()
        assert not has_input(pipe)
