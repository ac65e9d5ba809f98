"""The command line."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import click

from bot.app import App, build
from bot.config import Config, load
from bot.wiring import adapters, database, model
from core.clock import SystemClock
from core.errors import ConfigError, TellerError


@click.group()
@click.option("--config", "file", type=click.Path(path_type=Path), help="Configuration file (default: config.yaml).")
@click.pass_context
def main(context: click.Context, file: Path | None) -> None:
    context.obj = file


@main.command()
@click.pass_obj
def run(file: Path | None) -> None:
    config = load(file)
    clock = SystemClock()
    app = build(
        config,
        adapters(config, clock, console=False),
        db=database(config, clock),
        model=model(config, clock),
        clock=clock,
    )

    async def go():
        loop = asyncio.get_running_loop()
        for s in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(s, app.stop)
        await app.run()

    asyncio.run(go())


if __name__ == "__main__":
    main()
