"""The file that set-up writes, and how it asks."""

from __future__ import annotations

import asyncio
import re
import signal
import stat
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from bot.__main__ import main
from bot.adapters.telegram.onboarding import link
from bot.config import file as config_file
from bot.config.config import load
from bot.setup.draft import Draft
from bot.setup.prompts import Nobody, Person
from core.kernel.errors import ConfigError
from tests.onboarding import Prepared

EXAMPLE = Path(__file__).parents[3] / "config.example.yaml"
CHANGES = {"owners": ["tg:1"], "telegram.token": "1:abcde", "language": "zh", "llm.model": "x", "llm.api_key": "k"}


def test_values_go_into_the_example_without_losing_a_comment() -> None:
    before = EXAMPLE.read_text(encoding="utf-8")
    after = config_file.edited(before, CHANGES)
    changed = [line for line in after.splitlines() if line not in before.splitlines()]
    assert changed == [
        'owners: ["tg:1"]',
        'language: "zh"',
        '  token: "1:abcde"',
        '  model: "x"',
        '  api_key: "k"',
    ]
    assert len(after.splitlines()) == len(before.splitlines())


@pytest.mark.parametrize(
    "before",
    [
        "",
        "log:\n  level: debug\n",
        "owners:\n  - tg:5\n  - tg:6\nlog: {level: debug}\n",
        "llm: {model: old, max_retries: 5}\n",
        "llm:\n  # my own\n  max_retries: 5\ntelegram:\n\n    token: '2:fghij' # old\n    doubt: hold\n",
        "telegram:\nllm:\n#  model: x\nlanguage: en",
        "language: >-\n  en\n",
        "owners: [tg:7,\n tg:8]\r\n",
    ],
)
def test_all_other_keys_are_kept_however_the_file_is_written(before: str) -> None:
    after = yaml.safe_load(config_file.edited(before, CHANGES))
    assert _flat(after) == _flat(yaml.safe_load(before) or {}) | CHANGES


def _flat(values: dict[str, Any]) -> dict[str, Any]:
    sections = {key: inner for key, inner in values.items() if key in {"llm", "log", "telegram"}}
    plain = {key: value for key, value in values.items() if key not in sections}
    return plain | {f"{key}.{name}": value for key, inner in sections.items() for name, value in (inner or {}).items()}


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_value_is_read_back_as_it_was_written(value: str) -> None:
    after = config_file.edited("llm:\n  model: x # y\n", {"llm.model": value})
    assert yaml.safe_load(after) == {"llm": {"model": value}}


def test_a_new_file_that_is_refused_leaves_the_old_one_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("language: en\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        config_file.write(file, "language: nonsense\n", lambda new: load(new, {}))
    assert file.read_text(encoding="utf-8") == "language: en\n"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_is_written_for_its_owner_only_and_a_link_to_it_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text("", encoding="utf-8")
    (tmp_path / "config.yaml").symlink_to("real.yaml")
    config_file.write(tmp_path / "config.yaml", "language: en\n")
    assert (tmp_path / "config.yaml").is_symlink()
    assert stat.S_IMODE((tmp_path / "real.yaml").stat().st_mode) == 0o600


def test_what_somebody_left_under_the_name_of_the_new_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine", encoding="utf-8")
    (tmp_path / ".config.yaml.new").symlink_to("other")
    config_file.write(tmp_path / "config.yaml", "language: en\n")
    assert (tmp_path / "other").read_text(encoding="utf-8") == "mine"


def test_the_file_is_the_one_that_the_bot_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    named = {"TELLER_CONFIG": "b.yaml"}
    found = [config_file.find(Path("a.yaml"), named), config_file.find(None, named), config_file.find(None, {})]
    assert [path.name for path in found] == ["a.yaml", "b.yaml", "config.yaml"]


def test_a_place_where_nothing_can_be_written_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    talk = Prepared()
    for file in (tmp_path / "nowhere" / "config.yaml", tmp_path):
        with pytest.raises(ConfigError):
            Draft(file, {}, talk)
    assert talk.asked == []


def test_a_file_that_is_wrong_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("langauge: en\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="Write language instead"):
        Draft(tmp_path / "config.yaml", {}, Prepared())


def test_a_value_of_the_environment_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("1:abcde", encoding="utf-8")
    talk = Prepared()
    draft = Draft(tmp_path / "config.yaml", {"TELLER_TELEGRAM__TOKEN_FILE": str(tmp_path / "token")}, talk)
    assert not draft.put("telegram.token", "2:fghij")
    draft.save()
    assert "TELLER_TELEGRAM__TOKEN_FILE is set and wins" in talk.text
    assert not (tmp_path / "config.yaml").exists()


def test_what_was_edited_while_the_link_waited_is_kept(tmp_path: Path) -> None:
    file, talk = tmp_path / "config.yaml", Prepared()
    file.write_text("language: en\n", encoding="utf-8")
    draft = Draft(file, {}, talk)
    draft.put("telegram.token", "1:abcde")
    edited = "language: zh # for Oma\nlog: {level: debug}\n"
    file.write_text(edited, encoding="utf-8")
    draft.save()
    found = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert found == {"language": "zh", "log": {"level": "debug"}, "telegram": {"token": "1:abcde"}}
    assert "# for Oma" in file.read_text(encoding="utf-8")
    assert file.with_name("config.yaml.bak").read_text(encoding="utf-8") == edited


def test_the_copy_is_of_what_people_wrote_not_of_what_set_up_did(tmp_path: Path) -> None:
    file, talk = tmp_path / "config.yaml", Prepared()
    backup = file.with_name("config.yaml.bak")
    file.write_text("language: en\n", encoding="utf-8")
    draft = Draft(file, {}, talk)
    for key, value in (("telegram.token", "1:abcde"), ("timezone", "Asia/Tokyo")):
        draft.put(key, value)
        draft.save()
    assert backup.read_text(encoding="utf-8") == "language: en\n"
    file.write_text("telegram: {token: '2:fghij'}\n", encoding="utf-8")
    draft.put("language", "zh")
    draft.save()
    assert backup.read_text(encoding="utf-8") == "telegram: {token: '2:fghij'}\n"
    assert yaml.safe_load(file.read_text(encoding="utf-8")) == {"telegram": {"token": "2:fghij"}, "language": "zh"}


def test_an_edit_that_is_not_finished_is_told_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    draft = Draft(file, {}, Prepared())
    draft.put("language", "zh")
    file.write_text("telegram: {token", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"config\.yaml"):
        draft.save()
    assert file.read_text(encoding="utf-8") == "telegram: {token"
    assert list(tmp_path.iterdir()) == [file]


def test_a_secret_that_is_replaced_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("llm: {api_key: canary-1}\n", encoding="utf-8")
    talk = Prepared()
    assert Draft(tmp_path / "config.yaml", {}, talk).put("llm.api_key", "canary-2")
    assert talk.asked == ["llm.api_key in config.yaml is another one. Replace it?"]


def test_a_link_is_one_that_telegram_takes() -> None:
    assert link("teller_bot", "a-B_9") == "https://t.me/teller_bot?start=a-B_9"


def test_nobody_answers_with_defaults_and_does_not_wait_for_ever() -> None:
    nobody = Nobody()
    assert (nobody.ask("Zone", "UTC"), nobody.confirm("Ok?", default=True)) == ("UTC", True)
    assert not nobody.confirm("Make a new link?", default=True, alone=False)
    with pytest.raises(ConfigError, match="--yes"):
        nobody.ask("The token")


def test_what_is_said_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Person().say("Ann\x1b[2J\x07 opened the link.")
    assert capsys.readouterr().out == "Ann opened the link.\n"


def test_the_end_of_the_input_ends_set_up(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["setup", "--config", str(tmp_path / "config.yaml")], input="")
    assert (done.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert re.search("token.*BotFather", done.output)


def test_a_token_that_cannot_be_one_is_refused_without_a_question(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["setup", "--yes", "--token", "x", "--config", str(tmp_path / "config.yaml")])
    assert done.exit_code == 2
    assert "is not a token of @BotFather" in done.output


def test_without_a_token_nothing_can_be_set_up_unattended(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["setup", "--yes", "--config", str(tmp_path / "config.yaml")])
    assert done.exit_code == 2
    assert "--yes" in done.output


def test_typed_lines_are_stripped_and_an_empty_one_means_the_default() -> None:
    @click.command()
    def ask() -> None:
        person = Person()
        found = (person.ask("a"), person.ask("b", "x"), person.ask("c", "", hidden=True))
        click.echo(repr(found))

    done = CliRunner().invoke(ask, input=" one \n\nsecret\n")
    assert done.output.splitlines()[-1].endswith("('one', 'x', 'secret')")


def test_ctrl_c_at_a_question_ends_set_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def isatty(self) -> bool:
            return False

        def readline(self) -> str:
            signal.raise_signal(signal.SIGINT)
            return "not this\n"

    async def ask() -> str:
        return Person().ask("The token")

    monkeypatch.setattr("sys.stdin", Interrupted())
    with pytest.raises((click.Abort, KeyboardInterrupt)) as caught:
        asyncio.run(ask())
    assert caught.type is click.Abort
