"""`teller doctor`: every check gets ten seconds, all at once, and says one line."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Mapping
from pathlib import Path

import click

from bot.adapters.console.screen import encodable, safe
from bot.cli import socket as control
from bot.cli.typed import typed
from bot.config import file as config_file
from bot.config.config import Config, load
from bot.doctor import local as doctor_local
from bot.doctor import network as doctor_network
from bot.doctor.finding import Finding, Patient, wrong
from bot.runtime.logging import Redactor
from core.kernel.errors import ConfigError, TellerError
from core.kernel.types import Json

SECONDS = 10.0
ASK_SECONDS = 4.0


async def doctor(file: Path | None, environ: Mapping[str, str], *, as_json: bool) -> bool:
    """Print everything that was found; False when something is wrong. Works with nothing configured, and offline."""
    found, config = await examine(file, environ)
    redact = Redactor(config.secrets() if config is not None else ()).redact
    lines = [Finding(one.check, one.mark, safe(redact(one.text))) for one in found]
    healthy = all(one.mark != "wrong" for one in lines)
    if as_json:
        checks = [{"check": one.check, "state": one.mark, "text": one.text} for one in lines]
        shown = json.dumps({"ok": healthy, "checks": checks}, indent=2)
    else:
        shown = typed("\n".join(one.line() for one in lines))
    click.echo(encodable(shown, sys.stdout))
    return healthy


async def examine(file: Path | None, environ: Mapping[str, str]) -> tuple[list[Finding], Config | None]:
    """Look at everything; without a configuration that can be read there is nothing else to look at."""
    try:
        config = load(file, environ)
    except ConfigError as error:
        return [wrong("configuration", line) for line in str(error).splitlines()], None
    running, silent = await _running(config)
    patient = Patient(config=config, file=config_file.find(file, environ), environ=environ, running=running)
    far = doctor_network.CHECKS
    if config.slack.bot_token is not None or config.slack.oauth:
        from bot.doctor import slack as doctor_slack  # noqa: PLC0415 - heavy, and only with Slack

        far = {**far, **doctor_slack.CHECKS}
    found = await asyncio.gather(
        # What is looked at here may block, so it is looked at in threads.
        *(_guarded(name, asyncio.to_thread(list, check(patient))) for name, check in doctor_local.CHECKS.items()),
        *(_guarded(name, _collected(check(patient))) for name, check in far.items()),
    )
    return [*silent, *(one for some in found for one in some)], config


async def _running(config: Config) -> tuple[Mapping[str, Json] | None, list[Finding]]:
    """The status of the bot on the data, None when none runs; a bot that does not answer is a finding."""
    try:
        status = await asyncio.to_thread(control.ask, config.data_dir, "status", {}, ASK_SECONDS)
    except control.NotRunning:
        return None, []
    except TellerError as error:
        return {}, [wrong("bot", f"{error} Look at its log; stop it and start it again.")]
    return (status if isinstance(status, dict) else {}), []


async def _collected(findings: AsyncIterator[Finding]) -> list[Finding]:
    return [one async for one in findings]


async def _guarded(name: str, check: Awaitable[list[Finding]]) -> list[Finding]:
    """One check cannot hold up or break the others."""
    try:
        async with asyncio.timeout(SECONDS):
            return await check
    except TimeoutError:
        return [wrong(name, f"no answer within {SECONDS:.0f} s")]
    except (TellerError, OSError) as error:
        return [wrong(name, f"{error}" if isinstance(error, TellerError) else f"{error.strerror or error}")]
