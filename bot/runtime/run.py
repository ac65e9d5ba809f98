"""Running the bot: its signals, its logs and its services."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import select
import signal
import stat
import time
from collections.abc import Callable
from functools import partial
from typing import TextIO

from bot.app import App, Service, build
from bot.cli import operations
from bot.cli import socket as control
from bot.cli.operations import House
from bot.config.config import Config
from bot.runtime import logfile
from bot.runtime import logging as logs
from bot.runtime.wiring import adapters, encoder, model, opened
from core.capabilities.conditions.looking import Looking
from core.kernel.clock import SystemClock
from core.kernel.errors import ConfigError, SendRefused
from core.kernel.ids import ref
from core.scheduling.firing import Triggers
from core.store.text_index import vectors

log = logging.getLogger(__name__)

UNCONFIGURED = (
    "Nothing is configured, and there is no input to chat with. Run: teller setup (1 minute; it asks for the token of "
    "a Telegram bot or a Slack app, and for its owner). To chat here, start it on a terminal; config.example.yaml has "
    "all settings."
)


def run(config: Config, *, console: bool, stdin: TextIO | None) -> None:
    """Run the bot until it is told to stop or the console's input ends. Raises only `TellerError`s."""
    console = console or not config.platforms
    problems = [] if console else config.problems_at_start()
    if problems:
        # What the configuration holds in vain may be the cause.
        raise ConfigError("\n".join([*problems, *config.warnings()]))
    redactor = logfile.configure(config, to_file=console)
    for warning in config.warnings():
        log.warning("%s", warning)
    if console and stdin is None:
        raise ConfigError("\n".join([UNCONFIGURED, *config.warnings()]))
    asyncio.run(_run(config, console, redactor.redact))


async def _run(config: Config, console: bool, redact: Callable[[str], str]) -> None:
    clock = SystemClock()
    vectors.use(encoder(config))
    async with opened(config, clock) as db:
        app = build(
            config,
            adapters(config, clock, console=console, db=db),
            db=db,
            clock=clock,
            model=model(config, clock),
            redact=redact,
            services=_services(config, redact),
        )
        _obey_signals(app)
        logs.watch_loop(asyncio.get_running_loop())
        await app.run(_keep_loaded)
    unseen = sum(int(adapter.health().get("unseen", 0)) for adapter in app.adapters.values())
    if unseen:
        # Whoever reads the exit code learns of answers that the console could not show. What is still in the buffer
        # would fail again, when Python ends, with an exit code of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise SendRefused(f"the output is closed or full; messages that were not shown: {unseen} (teller dead list)")


# New objects between two looks for those that refer to each other (Python: 700).
GARBAGE = 20_000


async def _keep_loaded(app: App) -> None:
    """What is loaded by now stays: to look through it for garbage would hold everybody up for a tenth of a second.

    Afterwards garbage is looked for less often: most of what is made for a message goes with its last reference.
    """
    gc.freeze()
    gc.set_threshold(GARBAGE)


def _obey_signals(app: App) -> None:
    """SIGTERM and Ctrl-C ask for a stop, and so does the end of the terminal, unless `nohup` keeps it off.

    A second Ctrl-C kills at once; the journal goes on from there.
    """
    loop = asyncio.get_running_loop()

    def interrupted() -> None:
        app.stop()
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    loop.add_signal_handler(signal.SIGTERM, app.stop)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        loop.add_signal_handler(signal.SIGHUP, app.stop)
    loop.add_signal_handler(signal.SIGINT, interrupted)


def _services(config: Config, redact: Callable[[str], str]) -> list[Service]:
    """Return what goes on beside the running bot: the operator's commands, and the web server if it has a port."""
    started = time.monotonic()
    services: list[Service] = [
        lambda app: control.serving(config.data_dir, partial(operations.perform, _house(app, redact, started)))
    ]
    if config.http.port:
        from bot.runtime import http  # noqa: PLC0415 - heavy, and only with a port

        services.append(
            lambda app: http.serving(
                http.Checks(app.db, app.adapters, app.clock, app.stopping.is_set),
                config.http.host,
                config.http.port,
                [*http.platform_endpoints(app.adapters), *http.capability_endpoints(app.capabilities, app.container)],
            )
        )
    return services


def _house(app: App, redact: Callable[[str], str], started: float) -> House:
    return House(
        config=app.config,
        db=app.db,
        clock=app.clock,
        ledger=app.ledger,
        redact=redact,
        poke=app.engine.poke,
        app=lambda: app,
        live=lambda: {
            "pid": os.getpid(),
            "uptime_s": round(time.monotonic() - started),
            "stopping": app.stopping.is_set(),
            "platforms": {name: dict(adapter.health()) for name, adapter in app.adapters.items()},
            "triggers_refused": [
                ref("s", number) if number > 0 else ref("t", -number)
                for broken in (app.container.get(Triggers).broken, *app.container.get(Looking).broken.values())
                for number in sorted(broken.refused.rows)
            ],
            "model": None if app.model is None else app.model.name,
            "model_dialect": getattr(app.model, "dialect", None),
            "model_reachable": None if app.model is None else app.model.reachable,
        },
    )


def has_input(stdin: TextIO | None) -> bool:
    """Whether anything can still come from `stdin`; an empty file, a closed pipe and /dev/null are at their end."""
    try:
        descriptor = -1 if stdin is None else stdin.fileno()
        mode = os.fstat(descriptor).st_mode
        if os.isatty(descriptor):
            return True
        if stat.S_ISREG(mode):
            return os.lseek(descriptor, 0, os.SEEK_CUR) < os.fstat(descriptor).st_size
        if stat.S_ISCHR(mode):
            return False
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return not any(event & select.POLLHUP and not event & select.POLLIN for _, event in poll.poll(0))
    except (OSError, ValueError):
        return False
