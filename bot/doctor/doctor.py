"""`teller doctor`: carries out all checks at once, each for ten seconds at most, and prints what they find."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Mapping
from itertools import chain
from pathlib import Path

import click

from bot.adapters.console.screen import encodable, safe
from bot.cli import socket as control
from bot.cli.report import file_trouble
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
ASK_SECONDS = 8.0  # more than it gives its database


async def doctor(file: Path | None, environ: Mapping[str, str], *, as_json: bool) -> bool:
    """Print all findings; return False when something is wrong. It works with nothing configured, and offline."""
    found, config = await examine(file, environ)
    redact = Redactor(config.secrets() if config is not None else ()).redact
    findings = [Finding(finding.check, finding.mark, safe(redact(finding.text))) for finding in found]
    healthy = all(finding.mark != "wrong" for finding in findings)
    if as_json:
        checks = [{"check": finding.check, "state": finding.mark, "text": finding.text} for finding in findings]
        report = json.dumps({"ok": healthy, "checks": checks}, indent=2)
    else:
        report = typed("\n".join(finding.line() for finding in findings))
    click.echo(encodable(report, sys.stdout))
    return healthy


async def examine(file: Path | None, environ: Mapping[str, str]) -> tuple[list[Finding], Config | None]:
    """Carry out all checks; return what they find, and the configuration. Where that cannot be read nothing else is
    looked at, and there is none."""
    try:
        config = load(file, environ)
    except ConfigError as error:
        return [wrong("configuration", line) for line in str(error).splitlines()], None
    # The status of the bot that runs on the data, None when none runs; that one does not answer is a finding.
    running: Mapping[str, Json] | None
    unanswered: list[Finding] = []
    try:
        status = await asyncio.to_thread(control.ask, config.data_dir, "status", {}, ASK_SECONDS)
        running = status if isinstance(status, dict) else {}
    except control.NotRunning:
        running = None
    except TellerError as error:
        running, unanswered = {}, [wrong("bot", f"{error} Look at its log; stop it and start it again.")]
    patient = Patient(config=config, file=config_file.find(file, environ), environ=environ, running=running)
    remote = doctor_network.CHECKS
    if config.slack.bot_token is not None or config.slack.oauth:
        from bot.doctor import slack as doctor_slack  # noqa: PLC0415 - heavy, and only with Slack

        remote = {**remote, **doctor_slack.CHECKS}
    found = await asyncio.gather(
        # Checks of this computer may block, so they run in threads.
        *(_guarded(name, asyncio.to_thread(list, check(patient))) for name, check in doctor_local.CHECKS.items()),
        *(_guarded(name, _collected(check(patient))) for name, check in remote.items()),
    )
    return [*unanswered, *chain.from_iterable(found)], config


async def _collected(findings: AsyncIterator[Finding]) -> list[Finding]:
    return [one async for one in findings]


async def _guarded(name: str, check: Awaitable[list[Finding]]) -> list[Finding]:
    """Return what a check finds, which can neither hold up nor break the others."""
    try:
        async with asyncio.timeout(SECONDS):
            return await check
    except TimeoutError:
        return [wrong(name, f"no answer within {SECONDS:.0f} s")]
    except TellerError as error:
        return [wrong(name, str(error))]
    except OSError as error:
        return [wrong(name, f"{error.strerror or error}" if error.filename is None else file_trouble(error))]
