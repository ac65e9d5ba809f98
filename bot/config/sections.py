"""The sections of the configuration: their keys, defaults and rules. `bot.config.config` puts them together."""

from __future__ import annotations

import pkgutil
import posixpath
import re
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import tzlocal
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

from core.capabilities.files.models import Limits as FileLimits
from core.capabilities.files.paths import AllowedFolder, Rules

# A member of a workspace; an organisation (E…) stands for all of its workspaces where it has them.
SLACK_MEMBER = r"slack:[TE][A-Z0-9]+:[UW][A-Z0-9]+"
ADDRESS = re.compile(rf"tg:-?[1-9][0-9]*|{SLACK_MEMBER}|console:\S+")
# Who may be let in together: the full members of a workspace, and who writes in a channel.
ALLOWED = re.compile(rf"{ADDRESS.pattern}|slack:[TE][A-Z0-9]+(?::[CG][A-Z0-9]+)?")

ADDRESSES = (
    "Write platform and id, such as tg:1001 (the number, without zeros before it, not the @name), "
    "slack:T012ABC:U034DEF (workspace and member, in capitals)"
)

TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]{5,}")

# What the Bot API takes (setWebhook), and of a path what needs no escape.
WEBHOOK_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
SHORTEST_KEY = 16
LANGUAGE = re.compile(r"[a-z]{2,3}")
WEBHOOK_PATH = re.compile(r"[A-Za-z0-9/._~-]*")


def _address(value: str) -> str:
    if not ADDRESS.fullmatch(value):
        raise ValueError(f"{value!r} is not an address. {ADDRESSES} or console:me")
    return value


def _allowed(value: str) -> str:
    if not ALLOWED.fullmatch(value):
        raise ValueError(
            f"{value!r} is not an address. {ADDRESSES}, slack:T012ABC (all full members of a workspace) or "
            "slack:T012ABC:C056GHI (a channel)"
        )
    return value


def _language(value: str) -> str:
    if value not in LANGUAGES:
        raise ValueError(f"write {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}")
    return value


def stripped(value: SecretStr | None) -> SecretStr | None:
    """Return what was copied with blanks or a line's end around it; nothing but blanks is no secret."""
    text = value.get_secret_value().strip() if value is not None else ""
    return SecretStr(text) if text else None


def _token(value: SecretStr | None) -> SecretStr | None:
    found = stripped(value)
    if value is not None and (found is None or not TOKEN.fullmatch(found.get_secret_value())):
        raise ValueError(
            "it is not a token of @BotFather, which looks like 123456789:the-token-from-BotFather: "
            "a number, a colon, and letters, digits, _ or -. Copy it again, whole and alone"
        )
    return found


def web_root(value: str) -> str:
    """Return the address of a server without a slash at its end; raise `ValueError` for anything else."""
    if urlsplit(value).scheme not in {"http", "https"} or not urlsplit(value).netloc:
        raise ValueError("it must be a web address, starting with https:// or http://")
    return value.rstrip("/")


def _telegram_root(value: str) -> str:
    root = web_root(value)
    if root.endswith("/bot"):
        raise ValueError("give the server only, such as https://api.telegram.org; /bot and /file/bot are appended")
    return root


def _public_url(value: str) -> str:
    if not value:
        return value
    root = web_root(value)
    parts = urlsplit(root)
    if parts.query or parts.fragment or parts.username:
        raise ValueError("give the address only, such as https://bot.example.org")
    return root


def _webhook_url(value: str) -> str:
    if not value:
        return value
    parts = urlsplit(value)
    if parts.scheme != "https" or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValueError("it must be a web address as Telegram sees it, such as https://bot.example.org/telegram")
    if not WEBHOOK_PATH.fullmatch(parts.path) or parts.path.rstrip("/") == "/healthz":
        raise ValueError("its path may hold letters, digits, /, ., _, ~ and -, and is not /healthz, which is taken")
    return value


def _webhook_secret(value: SecretStr | None) -> SecretStr | None:
    found = stripped(value)
    if found is not None and not WEBHOOK_SECRET.fullmatch(found.get_secret_value()):
        raise ValueError("it may hold 1 to 256 letters, digits, _ and -")
    return found


def _secret_key(value: SecretStr | None) -> SecretStr | None:
    found = stripped(value)
    if found is not None and min(map(len, key_parts(found))) < SHORTEST_KEY:
        raise ValueError(
            f"each key is at least {SHORTEST_KEY} characters of chance, such as what `openssl rand -base64 32` prints. "
            "To change it write the new one, a comma, and the former one"
        )
    return found


def key_parts(value: SecretStr | None) -> tuple[str, ...]:
    """Return the keys of a list with commas, the one that seals first; none when there is none."""
    text = value.get_secret_value() if value is not None else ""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"{value!r} is not a time zone. Write a name such as Europe/Berlin or Asia/Shanghai") from None
    return value


def _folder(value: Path) -> Path:
    try:
        return value.expanduser().absolute()
    except RuntimeError:
        raise ValueError("it begins with ~ and the name of a user who is not there. Write the whole path") from None


# The address of a Postgres database, taken apart as libpq does it: the first @, if no / is before it, ends name and
# password. Another one in what follows, or a port of letters, is a part of the password, and would be printed.
_SERVER = r"(?:\[[^\]]*\]|[^:/?,@\[\]]*)(?::[0-9]*)?"
_POSTGRES = re.compile(
    rf"postgresql://(?:[^:@/]*(?::(?P<password>[^@/]*))?@|(?![^@/]*@)){_SERVER}(?:,{_SERVER})*(?:/[^?@]*)?(?:\?.*)?"
)


def _database(value: str) -> str:
    if not value.startswith(("sqlite:///", "postgresql://")):
        raise ValueError("it starts with sqlite:/// (a file) or postgresql:// (a server)")
    if value.startswith("sqlite"):
        _folder(Path(value.removeprefix("sqlite:///")))
    elif not _POSTGRES.fullmatch(value):
        raise ValueError(
            "special characters of the name and the password are %-encoded: @ is %40, / is %2F, : is %3A, % is %25"
        )
    return value


def password_of(url: str) -> str:
    """Return the password in an address, as what opens it reads it; empty where there is none."""
    postgres = _POSTGRES.fullmatch(url)
    try:
        return (postgres["password"] if postgres else urlsplit(url).password) or ""
    except ValueError:
        return ""


def system_timezone() -> str:
    """Return the system's IANA time zone, or UTC when it names none."""
    with warnings.catch_warnings():
        # A half-configured system (a TZ variable beside another /etc/localtime) is answered with UTC, not with noise.
        warnings.simplefilter("error")
        try:
            return _zone(tzlocal.get_localzone_name())
        except (LookupError, ValueError, OSError, UserWarning):
            return "UTC"


# What may be chosen for the bot's own texts.
# The codes of the languages are names of folders: to load these takes a tenth of a second. One without texts is only
# understood.
_language_spec = find_spec("core.language")
_language_folder = (_language_spec and _language_spec.submodule_search_locations) or []
LANGUAGES = (
    "auto",
    *sorted(
        one.name
        for one in pkgutil.iter_modules(_language_folder)
        if LANGUAGE.fullmatch(one.name)
        and any(Path(folder, one.name, "texts.py").exists() for folder in _language_folder)
    ),
)

Address = Annotated[str, AfterValidator(_address)]
Allowed = Annotated[str, AfterValidator(_allowed)]
Secret = Annotated[SecretStr | None, AfterValidator(stripped)]
SecretKey = Annotated[SecretStr | None, AfterValidator(_secret_key)]
Token = Annotated[SecretStr | None, AfterValidator(_token)]
WebRoot = Annotated[str, AfterValidator(web_root)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]
TelegramRoot = Annotated[str, AfterValidator(_telegram_root)]
WebhookUrl = Annotated[str, AfterValidator(_webhook_url)]
WebhookSecret = Annotated[SecretStr | None, AfterValidator(_webhook_secret)]
LanguageCode = Annotated[str, AfterValidator(_language)]
TimezoneName = Annotated[str, AfterValidator(_zone)]
Folder = Annotated[Path, AfterValidator(_folder)]
DatabaseUrl = Annotated[str, AfterValidator(_database)]
Days = Annotated[int, Field(ge=1)]
Positive = Annotated[int, Field(ge=1)]


class Section(BaseModel):
    """One level of the configuration; frozen, and it knows its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, validate_default=True)


class AccessSection(Section):
    """Who may talk to the bot beside the owners."""

    mode: Literal["owner", "allowlist", "pairing", "open"] = "owner"
    allow: tuple[Allowed, ...] = ()


Money = Annotated[float, Field(gt=0)] | None


class BudgetSection(Section):
    """What models may cost in a day: the whole bot, one person, one chat; in tokens, and in US dollars."""

    daily_tokens: Positive | None = None
    daily_money: Money = None
    person_tokens: Positive | None = None
    person_money: Money = None
    chat_tokens: Positive | None = None
    chat_money: Money = None


class DatabaseSection(Section):
    """Where everything is kept. `url` is never empty in a loaded `Config`."""

    url: DatabaseUrl = Field(default="sqlite:///", repr=False)
    synchronous: Literal["normal", "full"] = "normal"
    ballast_mb: Annotated[int, Field(ge=0)] = 8

    @property
    def path(self) -> Path | None:
        """The SQLite file; None for Postgres."""
        found = self.url.removeprefix("sqlite:///")
        return None if found == self.url else Path(found).expanduser().absolute()


class EngineSection(Section):
    """How much is done at once."""

    concurrency: Positive = 256


class MemorySection(Section):
    """How memories and history are found. `vectors`: also by what they mean; it needs the extra `recall`."""

    vectors: bool = False


class NoticesSection(Section):
    """What the bot says by itself, at no time that a person set."""

    daily: Positive = 20


class RolesSection(Section):
    """What the roles of the model may use: an `assistant` has few tools, made for models; `strict` is the permission
    matrix. `full` and `brief` are what former versions had, and mean `assistant`."""

    preset: Literal["assistant", "strict", "full", "brief"] = "assistant"

    @property
    def former(self) -> bool:
        """Whether the preset is one that is gone."""
        return self.preset in {"full", "brief"}


def _allowed_path(value: str) -> str:
    path = value.removesuffix(":rw")
    if not path.startswith("/") or posixpath.normpath(path) != path or path == "/":
        raise ValueError(f"{value!r} is no folder. Write its absolute path, such as /srv/reports or /srv/reports:rw")
    return value


def _denied_path(value: str) -> str:
    absolute = value.startswith("/") and posixpath.normpath(value) == value and value != "/"
    if not absolute and (not value.strip() or "/" in value):
        raise ValueError(f"{value!r} is neither an absolute path nor a name, such as /srv/reports/private or *.key")
    return value


AllowedPath = Annotated[str, AfterValidator(_allowed_path)]
DeniedPath = Annotated[str, AfterValidator(_denied_path)]


class FilesSection(Section):
    """What people send: the largest file that is kept, the space for all files of one chat's world, and the longest
    time that one file may take to arrive. What models may do with files: how much they write at once, how many files
    there may be, how long and how much of what they replace is kept, and which folders they may use beside."""

    max_mb: Positive = 20
    scope_mb: Positive = 500
    fetch_seconds: Annotated[int, Field(ge=20, le=600)] = 120
    write_max_kb: Positive = 1024
    most_files: Positive = 2000
    kept_days: Days = 14
    kept_mb: Positive = 100
    allowed_paths: tuple[AllowedPath, ...] = ()
    deny_paths: tuple[DeniedPath, ...] = (".env*", ".git", ".ssh", "*.key", "*.pem")

    @property
    def limits(self) -> FileLimits:
        """How much may be written and kept."""
        return FileLimits(
            write_bytes=self.write_max_kb << 10,
            file_bytes=self.max_mb << 20,
            scope_bytes=self.scope_mb << 20,
            most_files=self.most_files,
            kept_bytes=self.kept_mb << 20,
        )

    @property
    def rules(self) -> Rules:
        """Which paths may be used."""
        allowed = [AllowedFolder(one.removesuffix(":rw"), writable=one.endswith(":rw")) for one in self.allowed_paths]
        return Rules(allowed=allowed, denied=self.deny_paths)


class TasksSection(Section):
    """Work in the background: how many Planners and Workers are at work at once, how many Workers one task may have in
    all, and what it may take at most, in tokens and in US dollars."""

    planners: Annotated[int, Field(ge=1, le=50)] = 2
    workers: Annotated[int, Field(ge=1, le=50)] = 3
    most_workers: Annotated[int, Field(ge=1, le=20)] = 5
    most_tokens: Positive | None = None
    most_dollars: Money = None


class HttpSection(Section):
    """The small web server for health checks, webhooks and hooks; port 0 switches it off.

    `public_url` is how others reach it, by way of a proxy or not: hooks and feeds need it.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    public_url: PublicUrl = ""


class ModelsSection(Section):
    """Models of their own for roles."""

    teller: str | None = None
    planner: str | None = None
    worker: str | None = None


# What a small model sees of the past, in tokens, whatever more is allowed.
SMALL_PAST = 1_000


class LlmSection(Section):
    """The model. It is used as soon as `model` is set; local servers need no key."""

    base_url: WebRoot = Field(default="https://api.openai.com/v1", repr=False)
    api_key: Secret = None
    model: str | None = None
    models: ModelsSection = Field(default_factory=ModelsSection)
    api: Literal["auto", "responses", "chat"] = "auto"
    profile: Literal["auto", "default", "small"] = "auto"
    effort: Literal["none", "minimal", "low", "medium", "high"] = "low"
    tool_calls: Literal["auto", "native", "json"] = "auto"
    timeout_seconds: Annotated[float, Field(gt=0)] = 60.0
    max_retries: Annotated[int, Field(ge=0)] = 2
    retry_seconds: Annotated[float, Field(gt=0, le=300)] = 15.0
    context_tokens: Annotated[int, Field(ge=500)] = 2500
    max_output_tokens: Positive | None = None
    vision: bool = False
    input_price: Annotated[float, Field(ge=0)] = 0.0
    output_price: Annotated[float, Field(ge=0)] = 0.0
    cached_price: Annotated[float, Field(ge=0)] | None = None

    @property
    def configured(self) -> bool:
        """Whether there is a model to ask."""
        return bool(self.model)

    @property
    def past_tokens(self) -> int:
        """How much of the past a request has at most."""
        return min(self.context_tokens, SMALL_PAST) if self.profile == "small" else self.context_tokens


class LogSection(Section):
    """What is written to the error stream."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "json", "console"] = "auto"


class RetentionSection(Section):
    """Days until bodies are erased. The inbox also recognises repeats, which takes a week."""

    inbox_days: Annotated[int, Field(ge=7)] = 7
    outbox_days: Days = 30
    journal_days: Days = 30
    files_days: Days = 90
    readalong_days: Days = 90


# What never is a name for `get_env`: our own settings, and what by its name is a secret.
NO_NAME = re.compile(
    r"TELLER_|.*(?:SECRET|TOKEN|PASSW|CREDENTIAL|API_?KEY|PRIVATE|ACCESS_?KEY|COOKIE|SIGNING|AUTH(?!OR(?:_|$))"
    r"|_KEY$|_PASS$|_DSN$)",
    re.IGNORECASE,
)


def _variable(value: str) -> str:
    if NO_NAME.match(value):
        raise ValueError(f"{value!r} looks like the name of a secret, and no tool is ever given one")
    return value


class ToolsSection(Section):
    """What tools may see: `env` are the environment variables that `get_env` reads."""

    env: tuple[Annotated[str, AfterValidator(_variable)], ...] = ()


class TelegramSection(Section):
    """Telegram; switched on by its token. With `webhook_url` it posts to us instead of being asked."""

    token: Token = None
    base_url: TelegramRoot = Field(default="https://api.telegram.org", repr=False)
    doubt: Literal["resend", "hold"] = "resend"
    poll_seconds: Annotated[int, Field(ge=1, le=50)] = 30
    webhook_url: WebhookUrl = Field(default="", repr=False)
    webhook_secret: WebhookSecret = None
    drafts: bool = True
