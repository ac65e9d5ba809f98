"""Commands for everybody the bot ever heard: what is kept, to be left alone, to be forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Protocol, runtime_checkable

from core.capabilities.privacy import service
from core.capabilities.privacy.actions import forget
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import Standing
from core.language.short_texts import OFF, ON
from core.store.people import chats
from core.toolkit.command import Act, Command, CommandRun, Menu, Quiet, intent
from core.toolkit.keeping import Keep

YES = frozenset({"yes", "everything", "all", "是", "全部"})
ME = frozenset({"me", "yes", "我", "是"})
NO = frozenset({"no", "keep", "否", "保留"})


@runtime_checkable
class KeepsLines(Protocol):
    """A platform for one person that keeps what they typed beside the database."""

    def forget(self) -> None:
        """Keep nothing of it any more."""


async def _privacy(run: CommandRun) -> Act:
    blind = run.group and not await run.sees_all()
    return partial(_explain, run, blind)


def _explain(run: CommandRun, blind: bool, tx: Tx) -> Reply:
    language, keep = run.language, run.context.services.get(Keep)
    sees = "privacy_private"
    if run.group:
        sees = "privacy_reads_along" if chats.reads_along(tx, run.context.lane) else "privacy_group"
        sees += "_blind" if blind else ""
    kept = language.say("privacy_kept", inbox=keep.inbox, outbox=keep.outbox, journal=keep.journal, files=keep.files)
    ways = "privacy_ways_group" if run.group else "privacy_ways"
    parts = [language.say(sees, days=keep.readalong), kept, language["privacy_readers"], language[ways]]
    return run.reply("\n\n".join(parts))


def _optout(run: CommandRun, tx: Tx) -> Reply:
    if not run.group:
        return run.say("optout_private")
    said = run.rest.lower()
    if said and said not in ON | OFF:
        return run.say("optout_usage")
    return _opted(run, tx, out=said not in OFF)


def _opted(run: CommandRun, tx: Tx, *, out: bool) -> Reply:
    """Leave somebody alone in a group, or hear them again."""
    if not run.group:
        return run.say("optout_private")
    if not run.actor.act(tx, service.opt_out, out=out).out:
        return run.say("optout_off")
    if run.context.standing is Standing.STRANGER:
        return run.say("optout_on")
    return run.reply(run.language["optout_on"], offers=[(run.language["listen_again"], opt_out.of(out=False))])


opt_out = intent("privacy.opt_out", as_command="optout")(_opted)


async def _forget(run: CommandRun) -> Reply | Act:
    said = run.rest.lower()
    if said in NO:
        return await _kept(run)
    if said in (ME if run.group else YES):
        return await _forgotten(run)
    return lambda tx: _ask(run, service.kept(tx, run.context))


async def _kept(run: CommandRun) -> Reply:
    """Erase nothing."""
    return run.say("forget_kept")


async def _forgotten(run: CommandRun) -> Reply:
    """Erase what is kept of somebody: in a group their own words, in private everything."""
    # Batch after batch, each a step of the run: what a crash interrupts goes on where it was.
    while (await run.actor.commit(forget)).left:
        pass
    if not run.group and isinstance(run.adapter, KeepsLines):
        run.adapter.forget()
    return run.say("forgotten_group" if run.group else "forgotten")


spare = intent("privacy.keep", as_command="forget")(_kept)
erase = intent("privacy.forget", as_command="forget")(_forgotten)


def _ask(run: CommandRun, kept: Mapping[str, int]) -> Reply:
    """What would go, and the question whether it shall."""
    kind = "forget_ask_group" if run.group else "forget_ask"
    own = "own_" if run.group else ""
    counts = {"messages": kept["messages"], "files": kept["files"]}
    counts |= {f"{own}{name}": n for name, n in kept.items() if name not in {*counts, "reads_along"}}
    question = run.language.say(kind, what=run.language.counted(**counts) or run.language["forget_none"])
    if run.context.standing is Standing.STRANGER:  # whose presses are not heard
        return run.reply(question)
    label = run.language["forget_me" if run.group else "forget_everything"]
    offers = [(label, erase.of()), (run.language["keep"], spare.of())]
    return run.reply(question, offers=offers)


INTENTS = (opt_out, spare, erase)
COMMANDS: Mapping[str, Command] = {
    "privacy": Command(_privacy, menu=Menu(40), for_everybody=True, quiet=Quiet.ALWAYS),
    "optout": Command(_optout, menu=Menu(41, "group", "admin"), for_everybody=True, named=True, quiet=Quiet.ALWAYS),
    "forget": Command(_forget, menu=Menu(42), for_everybody=True, named=True),
}
