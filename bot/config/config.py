"""The configuration: what can be set, where it is read from, and what it needs to start.

`load` merges config.yaml and the environment (`TELLER_…`, `__` between levels; the environment wins) into one frozen
`Config`. A secret may also be named by a file: `TELLER_TELEGRAM__TOKEN_FILE=/run/secrets/token`. Every refusal is one
`ConfigError` whose text names the key and says what to write instead.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

import yaml
from pydantic import Field, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from bot.config import keys as config_keys
from bot.config import places
from bot.config.sections import (
    AccessSection,
    Address,
    BudgetSection,
    DatabaseSection,
    EngineSection,
    FilesSection,
    Folder,
    HttpSection,
    LanguageCode,
    LlmSection,
    LogSection,
    MemorySection,
    NoticesSection,
    RetentionSection,
    RolesSection,
    SecretKey,
    TasksSection,
    TelegramSection,
    TimezoneName,
    ToolsSection,
    key_parts,
    password_of,
    system_timezone,
)
from bot.config.slack import SlackSection
from bot.config.voice import VoiceSection
from bot.config.web import WebSection
from core.capabilities.files.paths import apart
from core.kernel.errors import ConfigError

PREFIX = "TELLER_"
# Read by the program itself, not settings: which file to load, and the crash points of the tests.
NOT_SETTINGS = frozenset({"TELLER_CONFIG", "TELLER_FAILPOINT"})
# How addresses of a platform begin.
SHORT = {"telegram": "tg", "slack": "slack"}
DEEPEST = 8  # levels of a file; ours has three
MERGE = "tag:yaml.org,2002:merge"  # the key <<, of which all hold


class Config(BaseSettings):
    """The whole configuration. Values come from `load` or the constructor, never from the environment by themselves."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    data_dir: Folder = places.DATA
    owners: tuple[Address, ...] = ()
    timezone: TimezoneName = Field(default_factory=system_timezone)
    language: LanguageCode = "auto"
    fast_path: bool = True
    secret_key: SecretKey = None
    access: AccessSection = AccessSection()
    budget: BudgetSection = BudgetSection()
    database: DatabaseSection = DatabaseSection()
    engine: EngineSection = EngineSection()
    files: FilesSection = FilesSection()
    tasks: TasksSection = TasksSection()
    http: HttpSection = HttpSection()
    llm: LlmSection = LlmSection()
    log: LogSection = LogSection()
    memory: MemorySection = MemorySection()
    notices: NoticesSection = NoticesSection()
    retention: RetentionSection = RetentionSection()
    roles: RolesSection = RolesSection()
    slack: SlackSection = SlackSection()
    telegram: TelegramSection = TelegramSection()
    tools: ToolsSection = ToolsSection()
    voice: VoiceSection = VoiceSection()
    web: WebSection = WebSection()
    _ignored: tuple[str, ...] = ()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take constructor values only: a test's `Config()` must not depend on who runs it."""
        return (init_settings,)

    @model_validator(mode="after")
    def _settle_paths(self) -> Config:
        folder = self.data_dir.expanduser().absolute()
        object.__setattr__(self, "data_dir", folder)
        if self.database.url == "sqlite:///":
            url = f"sqlite:///{folder / 'teller.db'}"
            object.__setattr__(self, "database", self.database.model_copy(update={"url": url}))
        return self

    @property
    def zone(self) -> ZoneInfo:
        """The time zone as an object."""
        return ZoneInfo(self.timezone)

    def secrets(self) -> list[str]:
        """Return every value that must never be written anywhere, for the logs' redaction."""
        slack, telegram = self.slack, self.telegram
        secrets = (
            *(telegram.token, telegram.webhook_secret, self.llm.api_key),
            *(slack.bot_token, slack.app_token, slack.signing_secret, slack.client_secret),
            self.voice.api_key,
            *(self.web.search.api_key, *(profile.value for profile in self.web.auth_profiles)),
        )
        kept = [secret.get_secret_value() for secret in secrets if secret]
        urls = (
            *(self.database.url, self.llm.base_url, telegram.base_url, slack.base_url),
            *(self.web.search.base_url or "", self.voice.base_url or ""),
        )
        passwords = [form for url in urls for form in (password_of(url), unquote(password_of(url)))]
        return list(dict.fromkeys(value for value in (*kept, *self.secret_keys, *passwords) if value))

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """What tokens of workspaces are sealed with: the newest first, then those that still open what they sealed."""
        return key_parts(self.secret_key)

    @property
    def platforms(self) -> tuple[str, ...]:
        """The platforms that are set up, as far as they are."""
        wanted = {"telegram": self.telegram.token is not None, "slack": self.slack.wanted}
        return tuple(name for name, there in wanted.items() if there)

    def ignoring(self, names: Sequence[str], twice: Sequence[str]) -> Config:
        """Return this configuration, which was given settings that are gone, by their `names`, and others `twice`,
        which a sentence tells of each."""
        self._ignored = (*(f"The setting {name} is gone and ignored. Remove it." for name in names), *twice)
        return self

    def warnings(self) -> list[str]:
        """Return what the configuration holds in vain, one sentence each; it never stops the start."""
        found = [*self._ignored]
        found += [
            f"owners names {owner}, which is a group. An owner is a person: write the number that /id shows in private."
            for owner in self.owners
            if owner.startswith("tg:-")
        ]
        for name in SHORT.keys() - set(self.platforms):
            there = next((owner for owner in self.owners if owner.startswith(f"{SHORT[name]}:")), None)
            if there:
                key = "telegram.token" if name == "telegram" else "slack.bot_token"
                variable = config_keys.variable(key, PREFIX)
                found.append(f"owners names {there}, but {key} ({variable}) is missing or empty.")
        if self.http.public_url and not self.http.port:
            found.append(
                "http.public_url is set, but there is no web server for it to lead to. Set http.port "
                "(TELLER_HTTP__PORT), such as 8080."
            )
        return found

    def problems_at_start(self) -> list[str]:
        """Return why the platforms must not be started, one sentence each; empty when all is well."""
        found = []
        ours = tuple(f"{SHORT[name]}:" for name in self.platforms)
        owned = any(owner.startswith(ours) for owner in self.owners)
        # Where the app is installed by its page, whoever does that is an owner.
        if self.platforms and not owned and not self.slack.oauth:
            found.append(
                "No owner yet. Run: teller setup (1 minute; finds your id for you)."
                if "telegram" in self.platforms
                else "No owner yet. Run: teller setup --platform slack (1 minute; it says where Slack shows your "
                "member id)."
            )
        if self.access.mode == "open" and self.budget.daily_tokens is None:
            found.append(
                "access.mode is open, so anybody may spend your model tokens. Set budget.daily_tokens "
                "(TELLER_BUDGET__DAILY_TOKENS), such as 200000, or choose another mode."
            )
        if self.telegram.webhook_url and not self.http.port:
            found.append(
                "telegram.webhook_url is set, but there is no web server for it to reach. Set http.port "
                "(TELLER_HTTP__PORT), such as 8080, or remove telegram.webhook_url."
            )
        if self.slack.mode == "http" and urlsplit(self.telegram.webhook_url).path == self.slack.path:
            found.append("telegram.webhook_url and slack.path lead to the same place. Give one of them another path.")
        return [*found, *self.slack.problems(self.http.port, sealed=bool(self.secret_keys))]


def load(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """Read the configuration.

    Without `path` the file of TELLER_CONFIG is read, else the config.yaml of `bot.config.places` when there is one.
    Raises ConfigError: the file or a key is unknown, or a value is wrong.
    """
    named = path or (Path(environ["TELLER_CONFIG"]) if environ.get("TELLER_CONFIG") else None)
    file = (named or places.settings_file(environ)).expanduser()
    twice: list[str] = []
    variables: dict[str, str] = {}
    try:
        read = {} if named is None and not file.exists() else _read_file(file, twice)
        filed, ignored = config_keys.without_gone(read)
        gone = sorted(config_keys.variable(key, PREFIX) for key in config_keys.GONE)
        ignored += [name for name in gone if environ.get(name)]
        problems = config_keys.unknown_keys(Config, filed)
        variables, refused = config_keys.read_variables(Config, environ, PREFIX, NOT_SETTINGS.union(ignored))
        if problems or refused:
            raise ConfigError("\n".join([*problems, *refused]))
        given = _merge(filed, _Environment(variables)())
        if "data_dir" not in given:
            given["data_dir"] = places.data_folder(environ)
        config = Config(**given).ignoring(ignored, twice)
        for allowed in config.files.rules.allowed:
            if not (apart(allowed.path, config.data_dir) and apart(allowed.path, file)):
                raise ConfigError(
                    f"files.allowed_paths names {allowed.path}, but the bot's own data or its configuration lie there. "
                    "Name a folder that has nothing to do with them."
                )
        return config
    except ConfigError as error:
        wrong = str(error)
    except SettingsError as error:
        lists = (key for key, kind in config_keys.keys(Config) if getattr(kind, "__origin__", None) is tuple)
        names = (config_keys.variable(key, PREFIX) for key in lists)
        broken = [
            f'{name} must be a JSON list, such as {name}=\'["tg:1001", "tg:1002"]\'.'
            for name in names
            if not _is_json(variables.get(name, "[]"))
        ]
        wrong = "\n".join(broken) or f"The environment cannot be read: {error}"
    except ValidationError as error:
        wrong = config_keys.explain(error, PREFIX)
    # What stands twice may be the cause.
    raise ConfigError("\n".join([wrong, *twice]))


class _Environment(EnvSettingsSource):
    """The environment source over given variables instead of the process's own."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._given = variables
        super().__init__(Config)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._given.items() if value}


class _Loader(yaml.SafeLoader):
    """Reads YAML, and tells `twice` of each key that stands there again: the last one holds."""

    def __init__(self, text: str, twice: list[str]) -> None:
        super().__init__(text)
        self._twice = twice

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        """Read one mapping as it stands in the file, before aliases are filled in."""
        node = super().compose_mapping_node(anchor)
        lines: dict[str, int] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != MERGE:
                line, before = key.start_mark.line + 1, lines.get(key.value)
                if before is not None:
                    self._twice.append(
                        f"The key {key.value} stands twice in the configuration, in line {before} and again in line "
                        f"{line}, which holds. Remove one of them."
                    )
                lines[key.value] = line
        return node


def _read_file(file: Path, twice: list[str]) -> dict[str, Any]:
    try:
        found = _Loader(file.read_text(encoding="utf-8"), twice).get_single_data()
    except OSError as error:
        raise ConfigError(f"The configuration {file} cannot be read: {error.strerror}. Is the path right?") from None
    except RecursionError:
        raise ConfigError(f"The configuration {file} is nested too deeply.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        # Not the error's own text: it quotes the line, which may hold a secret.
        mark = getattr(error, "problem_mark", None)
        why = f"{getattr(error, 'problem', 'wrong')} in line {mark.line + 1}." if mark else "it is not UTF-8 text."
        raise ConfigError(f"The configuration {file} is not valid YAML: {why}") from None
    if found is not None and not isinstance(found, dict):
        raise ConfigError(f"The configuration {file} must hold `key: value` lines; see config.example.yaml.")
    if _too_deep(found):
        raise ConfigError(f"The configuration {file} is nested too deeply, or holds itself by an alias (*name).")
    # A section whose keys are all commented out reads as null.
    return {key: value for key, value in (found or {}).items() if value is not None}


def _too_deep(value: object, left: int = DEEPEST) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left < 0 or any(_too_deep(part, left - 1) for part in inner)


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    both = {
        key: _merge(below[key], value)
        for key, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(key), dict)
    }
    return {**below, **above, **both}


def _is_json(text: str) -> bool:
    try:
        json.loads(text or "[]")
    except (ValueError, RecursionError):
        return False
    return True
