"""Commands for the bot's voice in a channel: it falls silent in a thread, or says for all what only one person sees."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.replies import Reply
from core.toolkit.command import Command, CommandRun


async def _hush(run: CommandRun) -> Reply:
    result = await run.call("hush")
    if not result.success:
        return run.failed(result)
    return run.say("hush_done" if result.result["hushed"] else "hush_nothing")


async def _share(run: CommandRun) -> Reply:
    """What is shared the tool has said; the answer itself loses that button, and keeps the others."""
    result = await run.call("share_answer")
    if not result.success:
        return run.failed(result)
    found = result.result
    if found["status"] != "shared":
        return run.say("share_usage" if found["status"] == "nothing" else "not_your_button")
    offers = [(label, said) for label, said in found["offers"]]
    text = found["text"] if found["stays"] else f"{found['text']}\n\n{run.language['shared_by_you']}"
    return run.reply(text, offers=offers, edits=True, once=False)


COMMANDS: Mapping[str, Command] = {"hush": Command(_hush, leaves_thread=True), "share": Command(_share)}
