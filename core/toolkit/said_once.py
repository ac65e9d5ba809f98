"""An answer that says the same again and again, and so is said but once."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.store.conversation import runs
from core.store.conversation.last_words import last_words
from core.toolkit.command import Act, CommandRun


def once(run: CommandRun, text: str) -> Act:
    """Return what answers somebody with a text, but with nothing where that is what they were told last already."""

    def answer(tx: Tx) -> Reply:
        last = last_words(tx, run.context.lane)
        theirs = runs.asker(tx, run.context.lane.tenant_id, last.run_id) == run.context.principal.person_id
        return run.reply("" if theirs and last.text == text else text)

    return answer
