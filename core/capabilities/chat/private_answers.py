"""Commands for the bot's voice in a channel: it falls silent in a thread, or says for all what only one person sees."""

from __future__ import annotations

from collections.abc import Mapping

from core.capabilities.chat import service
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.toolkit import intents
from core.toolkit.command import Command, CommandRun, intent


def _hush(run: CommandRun, tx: Tx) -> Reply:
    hushed = run.actor.act(tx, service.hush).hushed
    # In private every message is answered.
    return run.say("hush_done" if hushed else "hush_nothing" if run.group else "groups_only")


def _share(run: CommandRun, tx: Tx) -> Reply:
    """Say to all what only one person saw; their own copy loses this button and keeps the others."""
    shared = run.actor.act(tx, service.share_answer)
    text = shared.text if shared.stays else f"{shared.text}\n\n{run.language['shared_by_you']}"
    return run.reply(text, offers=shared.offers, edits=True, once=False)


@intent("chat.hush", as_command="hush")
def hush(run: CommandRun, tx: Tx) -> Reply:
    """Fall silent in a thread."""
    return _hush(run, tx)


share = intent(intents.SHARE, as_command="share")(_share)
INTENTS = (hush, share)
COMMANDS: Mapping[str, Command] = {"hush": Command(_hush, leaves_thread=True), "share": Command(_share)}
