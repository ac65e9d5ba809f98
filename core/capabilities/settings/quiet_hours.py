"""The command for quiet hours: when the bot starts nothing by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.capabilities.settings import service
from core.capabilities.settings.commands import take_back_of_run
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.quiet_hours import ALWAYS
from core.kernel.types import Standing
from core.language import languages
from core.toolkit import intents
from core.toolkit.command import Command, CommandRun, Menu, Quiet, intent

# Between the hours that were likely meant and others that may be: "from 9 to 5".
_OR = " / "
_HOURS = re.compile(r"([01]?\d|2[0-3])(?::([0-5]\d))?\s*[-–—~]\s*([01]?\d|2[0-3])(?::([0-5]\d))?")


def _quiet(run: CommandRun, tx: Tx) -> Reply:
    if not run.rest:
        return _show(run, service.quiet_hours(tx, run.context.lane))
    hours, *others = _read(run.rest)
    if hours is None:
        return run.say("quiet_usage")
    return _chosen(run, tx, hours, [one for one in others if one])


@intent(intents.ASK_QUIET, as_command="quiet", asks=True)
def ask(run: CommandRun, tx: Tx) -> Reply:
    """Say when it is quiet, and offer other hours."""
    return _show(run, service.quiet_hours(tx, run.context.lane))


@intent("settings.quiet", as_command="quiet")
def choose(run: CommandRun, tx: Tx, *, hours: str, others: Sequence[str] = ()) -> Reply:
    """Choose quiet hours: "22:00-07:00", always, or none. What else may have been meant is offered (`others`)."""
    return _chosen(run, tx, hours, others)


@intent("settings.quiet_edited", as_command="quiet")
def edited(run: CommandRun, tx: Tx, *, former_run: int, words: str) -> Reply:
    """Choose the quiet hours that an edited message names now, instead of those that it had chosen in its run."""
    hours, *others = _read(words)
    if hours is None:
        return run.say("quiet_usage")
    if hours == service.quiet_hours(tx, run.context.lane):
        return run.reply("")
    if not take_back_of_run(run, former_run, tx):
        return run.say("edit_changes_nothing")
    return _chosen(run, tx, hours, [one for one in others if one])


def _chosen(run: CommandRun, tx: Tx, hours: str, others: Sequence[str]) -> Reply:
    chosen = run.actor.act(tx, service.choose_quiet, quiet=hours)
    reply = run.undoable(_said(run, hours), chosen.undo)
    return replace(reply, offers=(*((one, choose.of(hours=one)) for one in others), *reply.offers))


def _show(run: CommandRun, quiet: str) -> Reply:
    shown = {"22:00-07:00": "22:00-07:00", "23:00-08:00": "23:00-08:00"}
    shown |= {run.language["quiet_always"]: ALWAYS, run.language["quiet_off"]: ""}
    offers = [(label, choose.of(hours=hours)) for label, hours in shown.items()]
    return run.reply(f"{_said(run, quiet)}\n{run.language['quiet_usage']}", offers=offers)


def _said(run: CommandRun, quiet: str) -> str:
    if not quiet:
        return run.language["quiet_is_off"]
    if quiet == ALWAYS:
        return run.language["quiet_is_always"]
    return run.language.say("quiet_is", hours=quiet)


def _read(words: str) -> list[str | None]:
    """Such as "22:00-07:00" or "22-7", always, or empty for never; None when it is neither. Behind it what else may
    be meant.
    """
    said = words.strip().casefold()
    if (plain := span(said)) is not None:
        return [plain]
    if _OR in said:
        return [span(one) for one in said.split(_OR)[:2]]
    # The hours of what the sentence would understand that says it: "from 22 to 7", "10pm-7am".
    wishes = (one.grammar.wish(one.say("quiet_line", rest=said)) for one in languages().values())
    hours = next((wish.hours or ("off",) for wish in wishes if wish and wish.name == "quiet"), ())
    return [span(one) for one in hours] or [None]


def quiet_words(hours: Sequence[str]) -> str:
    """Return the words behind the command that choose the hours of a wish, or others that may be meant."""
    return _OR.join(hours) or "off"


def span(said: str) -> str | None:
    """Return quiet hours as they are kept, of what says no more than them; None where it is something else."""
    for language in languages().values():
        if said in language["always_words"].split("|"):
            return ALWAYS
        if said in language["off_words"].split("|"):
            return ""
    hours = _HOURS.fullmatch(said)
    if hours is None:
        return None
    begins, ends = (f"{int(hours[n]):02}:{hours[n + 1] or '00'}" for n in (1, 3))
    return f"{begins}-{ends}" if begins != ends else ALWAYS


INTENTS = (ask, choose, edited)
COMMANDS: Mapping[str, Command] = {
    "quiet": Command(
        _quiet, menu=Menu(11, "private", "admin"), in_group=Standing.ADMIN, quiet=Quiet.ASKED, takes_words=True
    )
}
