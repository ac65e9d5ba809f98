"""Where settings come from, and how wrong ones are answered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict
from pydantic import ValidationError

from bot.config.config import PREFIX, Config, load
from bot.config.keys import keys, variable
from bot.config.sections import LANGUAGES, AccessSection, system_timezone
from bot.config.slack import SlackSection
from core.kernel.errors import ConfigError
from core.language import languages

pytestmark = pytest.mark.databases("sqlite")

EXAMPLE = Path(__file__).parents[3] / "config.example.yaml"
KNOWN = dict(keys(Config))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run where no config.yaml of a developer lies around."""
    monkeypatch.chdir(tmp_path)


def written(text: str) -> Path:
    path = Path("config.yaml")
    path.write_text(text, encoding="utf-8")
    return path


def refusal(text: str = "", **environ: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(written(text), environ)
    return str(caught.value)


def all_on(text: str) -> str:
    """Switch on each setting of the example that is commented out."""
    return re.sub(r"(?m)^(\s*)#(?=\w+:)", r"\1", text)


def dotted(values: dict[str, object], above: str = "") -> set[str]:
    found: set[str] = set()
    for key, value in values.items():
        found |= dotted(value, f"{above}{key}.") if isinstance(value, dict) else {f"{above}{key}"}
    return found


def test_without_anything_it_uses_a_local_folder_and_no_platform(tmp_path: Path) -> None:
    config = load(None, {})
    found = (config.data_dir, config.database.url, config.telegram.token, config.llm.configured, config.access.mode)
    assert found == (tmp_path / "data", f"sqlite:///{tmp_path}/data/teller.db", None, False, "owner")


def test_the_environment_wins_over_the_file() -> None:
    path = written("llm: {model: small, max_retries: 5}\nlanguage: zh\n")
    config = load(path, {"TELLER_LLM__MODEL": "large"})
    assert (config.llm.model, config.llm.max_retries, config.language) == ("large", 5, "zh")


def test_a_file_in_the_working_folder_is_found() -> None:
    written("language: zh\n")
    assert load(None, {}).language == "zh"


def test_a_variable_may_name_the_file() -> None:
    Path("other.yaml").write_text("language: zh\n", encoding="utf-8")
    assert load(None, {"TELLER_CONFIG": "other.yaml"}).language == "zh"


def test_the_process_environment_is_not_read_by_the_constructor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLER_LANGUAGE", "zh")
    assert Config().language == "auto"


def test_every_fixed_name_is_understood() -> None:
    config = load(
        None,
        {
            "TELLER_DATA_DIR": "~/teller",
            "TELLER_DATABASE__URL": "postgresql://me:pa%20ss@db/teller",
            "TELLER_OWNERS": '["tg:1001", "slack:T01:U01"]',
            "TELLER_ACCESS__MODE": "open",
            "TELLER_ACCESS__ALLOW": '["tg:1002"]',
            "TELLER_BUDGET__DAILY_TOKENS": "5000",
            "TELLER_TIMEZONE": "Asia/Shanghai",
            "TELLER_LANGUAGE": "en",
            "TELLER_LLM__BASE_URL": "http://localhost:11434/v1/",
            "TELLER_LLM__API_KEY": "123456789",
            "TELLER_LLM__MODEL": "qwen",
            "TELLER_LLM__TOOL_CALLS": "json",
            "TELLER_TELEGRAM__TOKEN": "1:abcde",
            "TELLER_TELEGRAM__BASE_URL": "http://localhost:8081",
            "TELLER_HTTP__HOST": "0.0.0.0",
            "TELLER_HTTP__PORT": "8080",
            "PATH": "/bin",
        },
    )
    assert config.model_dump(include={"owners", "language", "http"}) == {
        "owners": ("tg:1001", "slack:T01:U01"),
        "language": "en",
        "http": {"host": "0.0.0.0", "port": 8080, "public_url": ""},
    }
    assert (config.data_dir, config.zone) == (Path.home() / "teller", ZoneInfo("Asia/Shanghai"))
    assert (config.llm.base_url, config.llm.tool_calls) == ("http://localhost:11434/v1", "json")
    assert config.secrets() == ["1:abcde", "123456789", "pa%20ss", "pa ss"]
    assert config.problems_at_start() == []


def test_an_empty_variable_counts_as_not_set() -> None:
    assert load(None, {"TELLER_LLM__MODEL": "", "TELLER_OWNERS": ""}).llm.model is None


def test_a_section_with_all_keys_commented_out_is_fine() -> None:
    assert load(written("llm:\n#  model: x\nlanguage: en\n"), {}).language == "en"


@pytest.mark.parametrize("name", ["TELLER_TELEGRAM__TOKEN", "TELLER_LLM__API_KEY", "TELLER_DATABASE__URL"])
def test_a_secret_may_stay_in_a_file(name: str) -> None:
    content = "sqlite:///x.db" if name.endswith("URL") else "1000:from-a-file"
    Path("secret").write_text(f"{content}\n", encoding="utf-8")
    config = load(None, {f"{name}_FILE": "secret"})
    found = [config.telegram.token, config.llm.api_key]
    assert content in [config.database.url, *(secret.get_secret_value() for secret in found if secret)]


def test_blanks_around_a_secret_are_taken_off() -> None:
    Path("secret").write_text(" 1000:from-a-file \n\n", encoding="utf-8")
    config = load(None, {"TELLER_TELEGRAM__TOKEN_FILE": "secret", "TELLER_LLM__API_KEY": " \tsk-key-of-mine\r\n"})
    assert config.secrets() == ["1000:from-a-file", "sk-key-of-mine"]
    assert load(None, {"TELLER_LLM__API_KEY": "  "}).llm.api_key is None


@pytest.mark.parametrize(
    "token", ["canary", "canary:12345", "12:canary/canary", "12:canary canary", "bot12:canary", " "]
)
def test_a_token_that_cannot_be_one_is_explained_and_not_shown(token: str) -> None:
    text = refusal(TELLER_TELEGRAM__TOKEN=token)
    assert text.startswith("telegram.token (TELLER_TELEGRAM__TOKEN): it is not a token of @BotFather")
    assert "canary" not in text


@pytest.mark.parametrize("root", ["http://me:pa%2Fss@127.0.0.1:8081", "https://me:pa%2Fss@host/v1"])
def test_a_password_in_a_web_address_is_a_secret(root: str) -> None:
    for name in ("TELLER_LLM__BASE_URL", "TELLER_TELEGRAM__BASE_URL", "TELLER_SLACK__BASE_URL"):
        config = load(None, {name: root})
        assert config.secrets() == ["pa%2Fss", "pa/ss"]
        assert "pa%2Fss" not in repr(config)


@pytest.mark.parametrize(
    "text", ["llm: &a\n  x: *a\n", "owners: &a [*a]\n", "&a\nllm: *a\n", "x: " + "[" * 5000 + "]" * 5000 + "\n"]
)
def test_a_file_that_holds_itself_or_has_no_bottom_is_refused(text: str) -> None:
    assert "is nested too deeply" in refusal(text)


def test_a_missing_secret_file_is_named() -> None:
    text = refusal(TELLER_LLM__API_KEY_FILE="/nowhere/key")
    assert text == (
        "TELLER_LLM__API_KEY_FILE names /nowhere/key, which cannot be read: "
        "No such file or directory. Is the path right?"
    )


def test_a_secret_given_twice_is_refused() -> None:
    Path("secret").touch()
    assert "Keep one of them" in refusal(TELLER_LLM__API_KEY="a", TELLER_LLM__API_KEY_FILE="secret")


def test_a_file_without_a_secret_in_it_is_refused() -> None:
    Path("secret").write_text("\n")
    assert refusal(TELLER_TELEGRAM__TOKEN_FILE="secret") == (
        "TELLER_TELEGRAM__TOKEN_FILE names secret, which is empty. Put the value there, or take "
        "TELLER_TELEGRAM__TOKEN_FILE away."
    )


def test_an_owner_on_a_platform_that_is_left_out_is_warned_of() -> None:
    owned = {"TELLER_OWNERS": '["tg:1001", "slack:T012ABC:U034DEF"]'}
    assert sorted(load(None, owned | {"TELLER_TELEGRAM__TOKEN": ""}).warnings()) == [
        "owners names slack:T012ABC:U034DEF, but slack.bot_token (TELLER_SLACK__BOT_TOKEN) is missing or empty.",
        "owners names tg:1001, but telegram.token (TELLER_TELEGRAM__TOKEN) is missing or empty.",
    ]
    here = load(None, {"TELLER_OWNERS": '["tg:1001"]', "TELLER_TELEGRAM__TOKEN": "123456789:" + "A" * 35})
    assert here.warnings() == []


def test_only_secrets_come_from_files() -> None:
    assert "Unknown environment variable TELLER_LANGUAGE_FILE" in refusal(TELLER_LANGUAGE_FILE="x")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("dataDir: x", "data_dir"),
        ("langauge: en", "language"),
        ("apiKey: x", "llm.api_key"),
        ("llm: {apiKey: x}", "llm.api_key"),
        ("llm: {modle: x}", "llm.model"),
        ("telegram: {bot_token: x}", "telegram.token"),
        ("telegram: {botToken: x}", "telegram.token"),
        ("access: {allowFrom: []}", "access.allow"),
        ("retention: {inbox: 9}", "retention.inbox_days"),
    ],
)
def test_an_unknown_key_is_answered_with_the_one_that_was_meant(text: str, meant: str) -> None:
    assert f"Write {meant} instead." in refusal(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("telegram.token: x", "Unknown key 'telegram.token' in the configuration file. Write telegram: on a line"),
        ("data_dir: ~nosuch-user/data", "data_dir (TELLER_DATA_DIR): it begins with ~ and the name of a user"),
        ("database: {url: 'sqlite:///~nosuch-user/x.db'}", "database.url (TELLER_DATABASE__URL): it begins with ~"),
        ("database: {url: 'postgresql://u:hunter@2@h/db'}", "database.url (TELLER_DATABASE__URL): special characters"),
        ("database: {url: 'postgresql://u:hun/2@h/db'}", "database.url (TELLER_DATABASE__URL): special characters"),
        ("database: {url: 'postgresql://u:hun＠h/db'}", "database.url (TELLER_DATABASE__URL): special characters"),
        ("database: {url: 'postgresql://u:2?hun@2@h/db'}", "database.url (TELLER_DATABASE__URL): special characters"),
        ("database: {url: 'postgresql://u:hunter'}", "database.url (TELLER_DATABASE__URL): special characters"),
        ("web: {ports: 80}", "web.ports (TELLER_WEB__PORTS): write a list, such as [80, 443]."),
        ("tools: {env: LANG}", 'tools.env (TELLER_TOOLS__ENV): write a list, such as ["LANG", "TZ"].'),
        ("files: {allowed_paths: x}", 'files.allowed_paths (TELLER_FILES__ALLOWED_PATHS): write a list, such as ["/'),
        ("files: {deny_paths: x}", 'files.deny_paths (TELLER_FILES__DENY_PATHS): write a list, such as ["*.key"'),
        ("web: {own_networks: x}", 'web.own_networks (TELLER_WEB__OWN_NETWORKS): write a list, such as ["192.'),
        ("language: no", "language (TELLER_LANGUAGE): write a text, in quotes"),
        ("owners: [1001]", "owners (TELLER_OWNERS): write a text, in quotes"),
    ],
)
def test_what_is_written_in_a_wrong_form_is_told_the_right_one(text: str, told: str) -> None:
    found = refusal(text)
    assert found.startswith(told)
    assert "hun" not in found


@pytest.mark.parametrize(
    "url",
    [
        "postgresql:///teller?host=/run/postgresql",
        "postgresql://one:5432,[::1]:5433/teller?user=me@there",
        "postgresql://me%40there:p%23x@one,two/teller",
        "postgresql:///?user=me@there&dbname=teller",
        "postgresql://u:hun#2@h/db?application_name=a#b",
        "postgresql://u:hun?2@h/db",
        "postgresql://u:12?hun=b@h/db",
        "postgresql://u:hun[2@h/db",
        "postgresql://u:hun＠2@[::1]:5432",
    ],
)
def test_addresses_of_databases_that_postgres_knows_are_taken_and_their_passwords_kept_secret(url: str) -> None:
    config = load(None, {"TELLER_DATABASE__URL": url})
    assert config.database.url == url
    # What Postgres takes for the password is what the logs never show.
    assert (conninfo_to_dict(url).get("password") or "") in (*config.secrets(), "")


def test_a_group_among_the_owners_is_told_and_stops_no_start() -> None:
    owned = {"TELLER_OWNERS": '["tg:1", "tg:-1001"]', "TELLER_TELEGRAM__TOKEN": "123456789:" + "A" * 35}
    (warning,) = load(None, owned).warnings()
    assert warning.startswith("owners names tg:-1001, which is a group")


@pytest.mark.parametrize("key", ["tools.maxConcurrent", "openai_organisation"])
def test_a_key_like_nothing_is_refused_too(key: str) -> None:
    text = ": {".join(key.split(".")) + ": x" + "}" * key.count(".")
    assert refusal(text) == (
        f"Unknown key {key} in the configuration file. Remove it; config.example.yaml lists every setting."
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("TELLER_LLM_API_KEY", "TELLER_LLM__API_KEY"),
        ("TELLER_LLM__TIMEOUT", "TELLER_LLM__TIMEOUT_SECONDS"),
        ("TELLER_TELEGRAM__BOT_TOKEN", "TELLER_TELEGRAM__TOKEN"),
        ("TELLER_OWNER", "TELLER_OWNERS"),
    ],
)
def test_an_unknown_variable_is_answered_with_the_one_that_was_meant(name: str, meant: str) -> None:
    assert refusal(**{name: "secret-value"}) == f"Unknown environment variable {name}. Write {meant} instead."


GONE_FILE = "telegram: {rich: true, ephemeral: [nonsense], drafts: false}\nslack: {streaming: true}\n"
GONE_VARIABLES = {
    "TELLER_SLACK__STREAMING": "true",
    "TELLER_TELEGRAM__EPHEMERAL": "nonsense",
    "TELLER_TELEGRAM__RICH": "true",
}
GONE = ["telegram.rich", "telegram.ephemeral", "slack.streaming", *GONE_VARIABLES]


def test_settings_that_are_gone_are_ignored_with_one_line_each() -> None:
    config = load(written(GONE_FILE), GONE_VARIABLES)
    assert config.warnings() == [f"The setting {name} is gone and ignored. Remove it." for name in GONE]
    assert not config.telegram.drafts
    assert config.problems_at_start() == []


def test_a_setting_that_is_gone_and_empty_is_no_trouble() -> None:
    assert load(None, dict.fromkeys(GONE_VARIABLES, "")).warnings() == []


def test_all_wrong_keys_are_told_at_once() -> None:
    text = refusal("dataDir: x\nllm: {apiKey: y}\n", TELLER_OWNER="z")
    assert len(text.splitlines()) == 3


@pytest.mark.parametrize("value", ["tg:1001,tg:1002", "tg:1001", "1001", "[tg:1001]", '"tg:1001"'])
def test_owners_that_are_no_json_list_are_explained(value: str) -> None:
    text = refusal(TELLER_OWNERS=value)
    assert '["tg:1001", "tg:1002"]' in text


@pytest.mark.parametrize(
    "address", ["@bob", "1001", "tg:@bob", "tg:", "whatsapp:1", "tg:10 01", "tg:01001", "tg:0", "tg:-01"]
)
def test_an_owner_that_is_no_address_is_explained(address: str) -> None:
    assert f"{address!r} is not an address" in refusal(f"owners: ['{address}']")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("database: {url: 'mysql://x'}", "sqlite:/// (a file) or postgresql:// (a server)"),
        ("timezone: Berlin", "is not a time zone"),
        ("timezone: ../../etc/passwd", "is not a time zone"),
        ("access: {mode: all}", "'owner', 'allowlist', 'pairing' or 'open'"),
        ("llm: {base_url: localhost}", "starting with https:// or http://"),
        ("telegram: {base_url: 'https://api.telegram.org/bot'}", "/bot and /file/bot are appended"),
        ("retention: {inbox_days: 1}", "greater than or equal to 7"),
        ("http: {port: 70000}", "TELLER_HTTP__PORT"),
        ("llm: fast", "llm holds further keys"),
        ("- a\n- b", "key: value"),
        ("a: [", "is not valid YAML"),
    ],
)
def test_a_wrong_value_is_explained(text: str, said: str) -> None:
    assert said in refusal(text)


@pytest.mark.parametrize(
    ("text", "key", "lines"),
    [
        ("language: de\ntimezone: UTC\nlanguage: en", "language", (1, 3)),
        ("llm:\n  model: a\n  model: b", "model", (2, 3)),
        ("http: {port: 80}\nlanguage: en\nhttp: {}", "http", (1, 3)),
        ("llm: {model: a, model: b}", "model", (1, 1)),
    ],
)
def test_a_key_that_stands_twice_is_told_with_both_lines(text: str, key: str, lines: tuple[int, int]) -> None:
    (warning,) = load(written(text), {}).warnings()
    where = f"in line {lines[0]} and again in line {lines[1]}, which holds"
    assert warning == f"The key {key} stands twice in the configuration, {where}. Remove one of them."


def test_a_key_that_takes_the_place_of_a_merged_one_does_not_stand_twice() -> None:
    config = load(written("llm: {<<: {model: small, max_retries: 5}, model: large}"), {})
    assert (config.llm.model, config.llm.max_retries) == ("large", 5)
    assert config.warnings() == []


def test_two_merged_mappings_do_not_stand_twice_for_both_hold() -> None:
    config = load(written("llm:\n  <<: {model: small}\n  <<: {max_retries: 4}"), {})
    assert (config.llm.model, config.llm.max_retries) == ("small", 4)
    assert config.warnings() == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("llm: {model: a, model: b, nope: 3}", "Unknown key llm.nope"),
        ("timezone: UTC\ntimezone: Berlin", "is not a time zone"),
        ("files: {allowed_paths: [/srv]}\nfiles: {allowed_paths: [/]}", "is no folder"),
        ("telegram: {token: '1:abcde'}\ntelegram: {token: ''}", "it is not a token of @BotFather"),
    ],
)
def test_what_stands_twice_is_told_with_another_error_which_may_come_of_it(text: str, wrong: str) -> None:
    found = refusal(text)
    assert wrong in found
    assert "stands twice in the configuration" in found.splitlines()[-1]


def test_a_broken_file_is_not_quoted() -> None:
    assert "canary" not in refusal("telegram:\n  token: 'canary-token\n")


def test_a_wrong_secret_is_not_quoted() -> None:
    assert "canary" not in refusal("telegram: {token: [canary-token]}")


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml cannot be read"):
        load(Path("nowhere.yaml"), {})


def test_secrets_do_not_show_in_the_representation() -> None:
    environ = {"TELLER_TELEGRAM__TOKEN": "1:canary", "TELLER_DATABASE__URL": "postgresql://u:canary@h/d"}
    assert "canary" not in repr(load(None, environ))


def test_the_configuration_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Config().language = "zh"  # type: ignore[misc]


def test_a_platform_without_an_owner_does_not_start() -> None:
    problems = load(None, {"TELLER_TELEGRAM__TOKEN": "1:abcde"}).problems_at_start()
    assert problems == ["No owner yet. Run: teller setup (1 minute; finds your id for you)."]


def test_the_console_needs_no_owner() -> None:
    assert Config().problems_at_start() == []


def test_open_without_a_budget_does_not_start() -> None:
    problems = Config(access=AccessSection(mode="open")).problems_at_start()
    assert [("TELLER_BUDGET__DAILY_TOKENS" in problem) for problem in problems] == [True]


def test_the_database_file_is_known() -> None:
    url = {"TELLER_DATABASE__URL": "sqlite:////srv/x.db"}
    assert (load(None, url).database.path, load(None, {"TELLER_DATABASE__URL": "postgresql://h/d"}).database.path) == (
        Path("/srv/x.db"),
        None,
    )


def test_the_system_time_zone_is_a_real_one() -> None:
    assert ZoneInfo(system_timezone()).key == system_timezone()


def test_the_example_loads_and_shows_the_defaults(tmp_path: Path) -> None:
    assert load(EXAMPLE, {}).model_dump() == Config().model_dump()


def test_the_example_with_everything_switched_on_loads() -> None:
    config = load(written(all_on(EXAMPLE.read_text(encoding="utf-8"))), {})
    assert (config.owners, config.llm.configured) == (("tg:1001",), True)


def test_every_setting_is_in_the_example() -> None:
    shown = yaml.safe_load(all_on(EXAMPLE.read_text(encoding="utf-8")))
    assert dotted(shown) == set(KNOWN)


def test_every_setting_has_a_variable() -> None:
    assert variable("llm.api_key", PREFIX) == "TELLER_LLM__API_KEY"
    assert len({variable(key, PREFIX) for key in KNOWN}) == len(KNOWN)


@pytest.mark.parametrize(
    "url",
    [
        "http://bot.example.org/in",
        "https://",
        "bot.example.org",
        "https://bot.example.org/in?token=x",
        "https://me:secret@bot.example.org/in",
        "https://bot.example.org/{in}",
        "https://bot.example.org/healthz",
        "https://bot.example.org/healthz/",
    ],
)
def test_a_webhook_needs_an_address_that_telegram_can_post_to(url: str) -> None:
    text = refusal(TELLER_TELEGRAM__WEBHOOK_URL=url)
    assert text.startswith("telegram.webhook_url (TELLER_TELEGRAM__WEBHOOK_URL)")
    assert "secret" not in text


def test_a_webhook_needs_the_web_server() -> None:
    environ = {"TELLER_TELEGRAM__WEBHOOK_URL": "https://bot.example.org:8443/in", "TELLER_OWNERS": '["tg:1001"]'}
    [problem] = load(None, environ).problems_at_start()
    assert "Set http.port (TELLER_HTTP__PORT)" in problem
    assert load(None, {**environ, "TELLER_HTTP__PORT": "8080"}).problems_at_start() == []


def test_the_secret_of_a_webhook_is_one_and_has_the_signs_that_telegram_takes() -> None:
    assert load(None, {"TELLER_TELEGRAM__WEBHOOK_SECRET": " a-B_1 \n"}).secrets() == ["a-B_1"]
    for secret in ("with blanks in", "ä", "x" * 257):
        text = refusal(TELLER_TELEGRAM__WEBHOOK_SECRET=secret)
        assert text.startswith("telegram.webhook_secret (TELLER_TELEGRAM__WEBHOOK_SECRET)")
        assert secret not in text


def test_the_languages_are_those_that_there_are_files_of() -> None:
    assert set(LANGUAGES) == {"auto", *languages()}
    for code in LANGUAGES:
        assert load(written(f"language: {code}\n"), {}).language == code
    assert refusal("language: xx\n") == "language (TELLER_LANGUAGE): write auto, de, en or zh."


@pytest.mark.parametrize(
    ("limit", "installed", "scarce"),
    [("auto", False, False), ("auto", True, True), ("normal", True, False), ("minute", False, True)],
)
def test_an_app_that_is_installed_by_its_page_reads_once_a_minute_unless_said_otherwise(
    limit: str, installed: bool, scarce: bool
) -> None:
    section = SlackSection.model_validate(
        {"history_limit": limit} | ({"client_id": "1000.2000", "client_secret": "x" * 32} if installed else {})
    )
    assert section.scarce_history is scarce


def test_no_folder_that_is_allowed_holds_the_bots_own_data_or_its_configuration(tmp_path: Path) -> None:
    data, beside = tmp_path / "data", tmp_path / "beside"
    for folder in (data, beside):
        folder.mkdir(exist_ok=True)
    (tmp_path / "link").symlink_to(data)
    file = beside / "config.yaml"
    file.write_text(f"data_dir: {data}\n", encoding="utf-8")
    for refused in (data, data / "files", tmp_path, tmp_path / "link", beside, f"{data}:rw"):
        with pytest.raises(ConfigError, match=r"files\.allowed_paths"):
            load(file, {"TELLER_FILES__ALLOWED_PATHS": json.dumps([str(refused)])})
    rules = load(file, {"TELLER_FILES__ALLOWED_PATHS": json.dumps([f"{tmp_path}/apart:rw"])}).files.rules
    assert [(one.path, one.writable) for one in rules.allowed] == [(f"{tmp_path}/apart", True)]
    for odd in ("reports", "/", "/srv/../etc", "/srv/reports/"):
        with pytest.raises(ConfigError, match="absolute path"):
            load(file, {"TELLER_FILES__ALLOWED_PATHS": json.dumps([odd])})
    with pytest.raises(ConfigError, match="neither an absolute path nor a name"):
        load(file, {"TELLER_FILES__DENY_PATHS": json.dumps(["a/b"])})
