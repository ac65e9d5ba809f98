"""The command for quiet hours: when the bot starts nothing by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.commands.run import Command, CommandRun
from core.agents.loop import Reply
from core.language import languages
from core.when.quiet import ALWAYS

_HOURS = re.compile(r"([01]?\d|2[0-3])(?::([0-5]\d))?\s*[-–—~]\s*([01]?\d|2[0-3])(?::([0-5]\d))?")


async def _quiet(run: CommandRun) -> Reply:
    if not run.rest:
        return await _show(run)
    chosen = _read(run.rest)
    if chosen is None:
        return run.say("quiet_usage")
    result = await run.call("choose_quiet", quiet=chosen)
    return run.done(result, _said(run, chosen)) if result.success else run.failed(result)


async def _show(run: CommandRun) -> Reply:
    result = await run.call("show_quiet")
    if not result.success:
        return run.failed(result)
    offers = [(hours, f"/quiet {hours}") for hours in ("22:00-07:00", "23:00-08:00")]
    offers += [(run.language["quiet_always"], f"/quiet {ALWAYS}"), (run.language["quiet_off"], "/quiet off")]
    return run.reply(f"{_said(run, result.result['quiet'])}\n{run.language['quiet_usage']}", offers=offers)


def _said(run: CommandRun, quiet: str) -> str:
    if not quiet:
        return run.language["quiet_is_off"]
    if quiet == ALWAYS:
        return run.language["quiet_is_always"]
    return run.language.say("quiet_is", hours=quiet)


def _read(words: str) -> str | None:
    """Such as "22:00-07:00" or "22-7", always, or empty for never; None when it is neither."""
    said = words.strip().casefold()
    for language in languages().values():
        if said in language["always_words"].split("|"):
            return ALWAYS
        if said in language["off_words"].split("|"):
            return ""
    hours = _HOURS.fullmatch(said) or _HOURS.fullmatch(_sentence(said))
    if hours is None:
        return None
    begins, ends = (f"{int(hours[n]):02}:{hours[n + 1] or '00'}" for n in (1, 3))
    return f"{begins}-{ends}" if begins != ends else ALWAYS


def _sentence(said: str) -> str:
    """The hours of what the sentence would understand that says it: "from 22 to 7", "10pm-7am"."""
    lines = (one.grammar.command(one.say("quiet_line", rest=said)) for one in languages().values())
    return next((line.partition(" ")[2] for line in lines if line and line.startswith("/quiet ")), "")


COMMANDS: Mapping[str, Command] = {"quiet": _quiet}
