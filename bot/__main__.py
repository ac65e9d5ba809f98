"""The command line: `teller`."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import Any

import click

from bot.adapters.console.screen import safe
from bot.cli import report
from bot.cli import socket as control
from bot.cli.typed import typed
from bot.cli.version import version
from bot.config.config import Config, load
from bot.config.sections import LANGUAGES
from bot.runtime import logging as logs
from core.kernel.errors import ConfigError, TellerError

log = logging.getLogger(__name__)

WRONG, MISCONFIGURED = 1, 2  # exit codes
QUICK, PATIENT, LONG = 15.0, 180.0, 3600.0  # seconds that the running bot has for an answer

_file = click.option("--config", "file", type=click.Path(path_type=Path), help="Configuration file [config.yaml].")


class _Teller(click.Group):
    """Says what went wrong in a sentence; a traceback is for bugs."""

    def invoke(self, ctx: click.Context) -> Any:
        os.umask(0o077)
        try:
            return super().invoke(ctx)
        except TellerError as error:
            click.echo(safe(f"teller: {typed(str(error))}"), err=True)
            ctx.exit(MISCONFIGURED if isinstance(error, ConfigError) else WRONG)
        except OSError as error:
            if error.filename is None:
                raise
            log.info("ended by what the system says of a file", exc_info=error)
            click.echo(safe(f"teller: {report.file_trouble(error)}"), err=True)
            ctx.exit(WRONG)


def _whole(path: str | Path) -> Path:
    """Return a path as it is from anywhere; `TellerError` where it begins with a home folder that nobody has."""
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError as error:
        raise TellerError(f"{path}: there is no such home folder. Write the whole path.") from error


def _configured(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the loaded configuration; `--config` may stand before or behind the command's name."""

    @_file
    @click.pass_context
    def with_config(context: click.Context, /, file: Path | None, **options: Any) -> None:
        command(load(file or context.obj), **options)

    return update_wrapper(with_config, command)


def _operate(config: Config, command: str, seconds: float = QUICK, /, **args: Any) -> Any:
    """Carry out a command: in the running bot, else here on the data themselves."""
    try:
        return control.ask(config.data_dir, command, args, seconds)
    except control.NotRunning:
        from bot.cli import offline as alone

        return alone.perform(config, command, args)


@click.group(cls=_Teller, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@_file
@click.version_option(version(), prog_name="teller")
@click.pass_context
def main(context: click.Context, file: Path | None) -> None:
    """A self-hosted assistant that lives in Telegram and Slack chats, and on this console.

    Without a command it runs: the platforms that have a token, or else a chat here.
    """
    context.obj = file
    if context.invoked_subcommand is None:
        context.invoke(run)


@main.command()
@_configured
def run(config: Config) -> None:
    """Run the platforms that have a token; without any, chat here."""
    from bot.runtime import run as running

    running.run(config, console=False, stdin=sys.stdin if running.has_input(sys.stdin) else None)


@main.command()
@_configured
def chat(config: Config) -> None:
    """Chat here, whatever is configured."""
    from bot.runtime import run as running

    running.run(config, console=True, stdin=sys.stdin)


@main.command()
@_file
@click.option("--platform", type=click.Choice(["telegram", "slack"]), help="Which one to set up.")
@click.option("--token", help="The bot's token. TELLER_TELEGRAM__TOKEN hides it from other users of this computer.")
@click.option("--owner", help="The id of the owner: a number on Telegram (then no link is made), U… on Slack.")
@click.option("--timezone", help="Such as Europe/Berlin.")
@click.option("--language", type=click.Choice(LANGUAGES), help="The language of the bot's own texts.")
@click.option("--model", help="The name of the model; - for none.")
@click.option("--base-url", help="The address of the model's server.")
@click.option("--api-key", help="The model's key. TELLER_LLM__API_KEY hides it from other users of this computer.")
@click.option("--yes", is_flag=True, help="Ask nothing: defaults for what is not given, and values are replaced.")
@click.pass_context
def setup(context: click.Context, /, file: Path | None, yes: bool, **given: str | None) -> None:
    """Set the bot up: token, owner, time zone, language, model.

    The tokens of Slack come from TELLER_SLACK__BOT_TOKEN and TELLER_SLACK__APP_TOKEN, or are asked for.
    """
    from bot.config.file import find_to_write
    from bot.setup import prompts as setup_talk
    from bot.setup.draft import Draft
    from bot.setup.setup import Given, Setup
    from core.kernel.clock import SystemClock

    logs.configure("error", "console")
    talk = setup_talk.Nobody() if yes else setup_talk.Person()
    draft = Draft(find_to_write(file or context.obj, os.environ), os.environ, talk)
    asyncio.run(Setup(draft, Given(**given), talk, SystemClock()).run())


@main.command()
@_file
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(context: click.Context, file: Path | None, as_json: bool) -> None:
    """Check everything the bot needs and say what to do; exit with 1 when something is wrong."""
    from bot.doctor import doctor as checking

    logs.configure("error", "console")
    if not asyncio.run(checking.doctor(file or context.obj, os.environ, as_json=as_json)):
        sys.exit(WRONG)


@main.command()
@click.option("--check", is_flag=True, help="Exit with 1 unless the bot runs and all is well.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_configured
def status(config: Config, check: bool, as_json: bool) -> None:
    """Show how the bot is: what waits, what is dead, platforms, disk."""
    found = _operate(config, "status")
    click.echo(json.dumps(found, indent=2) if as_json else typed(report.status(found, config.zone)))
    if check and found["problems"]:
        sys.exit(WRONG)


@main.command()
@click.argument("path", required=False)
@click.option("--no-files", is_flag=True, help="Leave out what people sent, and the files that were written for them.")
@_configured
def backup(config: Config, path: str | None, no_files: bool) -> None:
    """Write a checked copy of the database, and one of the files beside it, also while the bot runs."""
    wanted = None if path is None else str(_whole(path)) + "/" * path.endswith("/")
    for done in str(_operate(config, "backup", LONG, path=wanted, files=not no_files)).splitlines():
        click.echo(f"Written: {done}")
    click.echo(f"Keep {config.data_dir / 'ledger.key'} in a safe place too: without it the ledger proves nothing.")


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--tenant", help="Of one only, such as telegram:123456 or slack:T0001.")
@_configured
def export(config: Config, folder: Path, tenant: str | None) -> None:
    """Write an export of every chat into a folder, also while the bot runs: what /export sends, for each."""
    folder = _whole(folder)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise TellerError(f"cannot write {folder}: {error.strerror}") from error
    done = _operate(config, "export", LONG, path=str(folder), tenant=tenant)
    for path in done["written"]:
        click.echo(typed(str(path)))
    if left := done["left_out"]:
        # The names are for programs, too.
        what = "1 file" if left == 1 else f"{left:,} files"
        click.echo(f"Not in them: {what} that people sent, or that there was no room for; a backup has them.", err=True)


@main.command("import")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--person", required=True, help="Whose it becomes: an address such as tg:1001 or slack:T0001:U0001.")
@_configured
def import_(config: Config, source: Path, person: str) -> None:
    """Take a file in for somebody: an export, notes, or a data export of ChatGPT or Claude."""
    done = _operate(config, "import", LONG, path=str(_whole(source)), person=person)
    click.echo(typed(report.imported(done)))


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--lost-key", is_flag=True, help="The ledger's key of that time is lost: restore it without a proof.")
@_configured
def restore(config: Config, path: Path, lost_key: bool) -> None:
    """Put a backup in place while the bot is stopped. What was there is moved aside."""
    from bot.cli import offline as alone

    click.echo(typed(alone.restore(config, _whole(path), lost_key=lost_key)))


@main.command()
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@_configured
def move(config: Config, source: Path) -> None:
    """Move the data of a SQLite FILE to the empty Postgres database of database.url, while the bot is stopped."""
    from bot.cli import offline as alone

    click.echo(typed(alone.move(config, _whole(source))))


@main.group("dead")
def dead_() -> None:
    """Messages and answers that were given up."""


@dead_.command("list")
@_configured
def dead_list(config: Config) -> None:
    """Show what is dead, newest first."""
    click.echo(report.dead_list(_operate(config, "dead.list"), config.zone))


@dead_.command("show")
@click.argument("ref")
@_configured
def dead_show(config: Config, ref: str) -> None:
    """Show everything that is kept of REF."""
    click.echo(report.dead_show(_operate(config, "dead.show", ref=ref), config.zone))


@dead_.command("retry")
@click.argument("ref")
@_configured
def dead_retry(config: Config, ref: str) -> None:
    """Try REF again."""
    click.echo(_operate(config, "dead.retry", ref=ref))


@dead_.command("drop")
@click.argument("ref")
@_configured
def dead_drop(config: Config, ref: str) -> None:
    """Give REF up for good and erase its body."""
    click.echo(_operate(config, "dead.drop", ref=ref))


@main.group("ledger")
def ledger_() -> None:
    """What the bot did, in a chain nobody can change unseen."""


@ledger_.command("verify")
@_configured
def ledger_verify(config: Config) -> None:
    """Check the whole chain; exit with 1 when something was changed."""
    found = _operate(config, "ledger.verify", LONG)
    click.echo(typed(report.ledger_verify(found)))
    if found["problems"]:
        sys.exit(WRONG)


@ledger_.command("restored")
@_configured
def ledger_restored(config: Config) -> None:
    """Say that an older copy of the database was put in place: rows that went with it are not missed any more."""
    found = _operate(config, "ledger.restored", LONG)
    click.echo(typed(report.ledger_verify(found)))
    if found["problems"]:
        sys.exit(WRONG)


@ledger_.command("show")
@click.option("--limit", default=20, show_default=True, help="How many rows.")
@_configured
def ledger_show(config: Config, limit: int) -> None:
    """Show the newest rows, oldest first."""
    click.echo(report.ledger_show(_operate(config, "ledger.show", limit=limit), config.zone))


@main.group("tool")
def tool_() -> None:
    """The tools: Teller's, and your own."""


@tool_.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_configured
def tool_list(config: Config, as_json: bool) -> None:
    """Show every tool, and which of your own could not be loaded."""
    found = _operate(config, "tool.list")
    click.echo(json.dumps(found, indent=2) if as_json else typed(report.tool_list(found)))


@tool_.command("run")
@click.argument("name")
@click.argument("arguments", default="{}")
@_configured
def tool_run(config: Config, name: str, arguments: str) -> None:
    """Call the tool NAME with ARGUMENTS, a JSON object, as a model would; exit with 1 when it fails."""
    from core.kernel.strict_json import BadJson, loads

    try:
        given = loads(arguments)
    except BadJson as error:
        raise TellerError(f"ARGUMENTS: {error}") from error
    found = _operate(config, "tool.run", PATIENT, name=name, arguments=given)
    click.echo(typed(json.dumps(found, indent=2, ensure_ascii=False)))
    if not found["success"]:
        sys.exit(WRONG)


@main.group("slack")
def slack_() -> None:
    """What Slack has to be told."""


@slack_.command("manifest")
@click.option("--profile", type=click.Choice(["minimal", "channels"]), default="channels", show_default=True)
@click.option("--http", "url", help="Where Slack reaches the bot by https, for slack.mode http.")
@_configured
def slack_manifest(config: Config, profile: str, url: str | None) -> None:
    """Print the manifest to make the app from, with the reason for all that it asks for.

    minimal: private chats, mentions, commands, the Home tab. channels: threads and reading along as well.
    """
    from bot.setup import slack as setup_slack

    click.echo(setup_slack.manifest_of(config, profile, url or ""), nl=False)


if __name__ == "__main__":
    main(prog_name="teller")
