"""Commands for everybody the bot ever heard: what is kept, to be left alone, to be forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Protocol, runtime_checkable

from core.capabilities.privacy import service, shorter
from core.capabilities.privacy.actions import forget
from core.capabilities.privacy.models import narrowed
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import Standing
from core.language.short_texts import OFF, ON
from core.store.people import chats
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, Confirms, Menu, Quiet, intent
from core.toolkit.keeping import Keep

YES = frozenset({"yes", "ja", "是", "是的"})
ALL = frozenset({"everything", "all", "alles", "全部", "一切", "所有"})
ME = frozenset({"me", "mich", "我"})
NO = frozenset({"no", "keep", "nein", "否", "不", "保留"})


@runtime_checkable
class KeepsLines(Protocol):
    """A platform for one person that keeps what they typed beside the database."""

    def forget(self) -> None:
        """Keep nothing of it any more."""


async def _privacy(run: CommandRun) -> Act:
    blind = run.group and not await run.sees_all()
    return partial(_explain, run, blind)


def _explain(run: CommandRun, blind: bool, tx: Tx) -> Reply:
    kept = service.kept(tx, run.context)
    language, keep = run.language, narrowed(run.context.services.get(Keep), kept.days)
    sees = "privacy_private"
    if run.group:
        sees = "privacy_reads_along" if chats.reads_along(tx, run.context.lane) else "privacy_group"
        sees += "_blind" if blind else ""
    what, elsewhere = _counted(run, kept.counts), language.counted(**kept.elsewhere)
    counts = "privacy_counts_own" if run.group else "privacy_counts"
    spans = {"inbox": keep.inbox, "outbox": keep.outbox, "journal": keep.journal, "files": keep.files}
    parts = [
        language.say(sees, days=keep.readalong),
        language.say(counts, what=what) if what else language["privacy_counts_none"],
        language.say("privacy_kept", **spans),
        language.say("privacy_shorter", what=shorter.listed(language, kept.days)) if kept.days else "",
        language.say("privacy_things", undo=keep.undo, todos=keep.todos),
        language.say("privacy_elsewhere", what=elsewhere) if elsewhere else "",
        language["privacy_readers"],
        language["privacy_backups"],
        language["privacy_ways_group" if run.group else "privacy_ways"],
    ]
    return run.reply("\n\n".join(filter(None, parts)))


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
    opted = run.actor.act(tx, service.opt_out, out=out)
    if not opted.out:
        return run.say("optout_off")
    erased = run.language.counted(**opted.erased)
    said = [run.language["optout_on"], run.language["optout_nothing_noted"]]
    said += [run.language.say("optout_erased", what=erased)] if erased else []
    # Of a stranger no press is heard.
    heard = run.context.standing is not Standing.STRANGER
    return run.reply(
        run.language.sentences(*said), offers=[(run.language["listen_again"], opt_out.of(out=False))] if heard else []
    )


opt_out = intent("privacy.opt_out", as_command="optout")(_opted)


async def _forget(run: CommandRun) -> Reply | Act:
    said = run.rest.lower()
    if said in NO:
        return await _kept(run)
    if said in YES or (run.group and said in ME):
        return await _forgotten(run)
    if said and said not in ME | ALL:
        # Whoever writes "/forget that my locker is 214" means that alone.
        return run.say("forget_usage")
    return lambda tx: _ask(run, service.kept(tx, run.context).counts)


async def _kept(run: CommandRun) -> Reply:
    """Erase nothing."""
    return run.say("forget_kept")


async def _forgotten(run: CommandRun) -> Reply:
    """Erase what is kept of somebody: in a group their own words, in private everything."""
    # Batch after batch, each a step of the run: what a crash interrupts goes on where it was.
    while (done := await run.actor.commit(forget)).left:
        pass
    if not run.group and isinstance(run.adapter, KeepsLines):
        run.adapter.forget()
    said = [run.language["forgotten_group" if run.group else "forgotten"], run.language["forgotten_backups"]]
    if done.at_work:
        said.append(run.language.say("forgotten_at_work", command=run.typed("/forget me" if run.group else "/forget")))
    return replace(run.reply("\n\n".join(said)), own=True)


spare = intent("privacy.keep", as_command="forget")(_kept)
erase = intent(
    intents.FORGET, as_command="forget", confirms=Confirms(yes=("forget_everything", "forget_me"), no="keep")
)(_forgotten)


def _ask(run: CommandRun, kept: Mapping[str, int]) -> Reply:
    """What would go, and the question whether it shall."""
    kind = "forget_ask_group" if run.group else "forget_ask"
    question = run.language.say(kind, what=_counted(run, kept) or run.language["forget_none"])
    if run.context.standing is Standing.STRANGER:  # whose presses are not heard
        return run.reply(question)
    label = run.language["forget_me" if run.group else "forget_everything"]
    offers = [(label, erase.of()), (run.language["keep"], spare.of())]
    return run.reply(question, offers=offers)


def _counted(run: CommandRun, kept: Mapping[str, int]) -> str:
    """Return what is kept, with how many there are: messages and files first; in a group, what is one's own of it."""
    counts = {name: kept[name] for name in ("messages", "files")} | dict(kept)
    if run.group:
        own = {name for name in counts if run.language.first(f"count_own_{name}")}
        counts = {f"own_{name}" if name in own else name: n for name, n in counts.items()}
    return run.language.counted(**counts)


INTENTS = (opt_out, spare, erase)
COMMANDS: Mapping[str, Command] = {
    "privacy": Command(_privacy, menu=Menu(40), for_everybody=True, quiet=Quiet.ALWAYS),
    "optout": Command(_optout, menu=Menu(41, "group", "admin"), for_everybody=True, named=True, quiet=Quiet.ALWAYS),
    "forget": Command(_forget, menu=Menu(42), for_everybody=True, named=True),
}
