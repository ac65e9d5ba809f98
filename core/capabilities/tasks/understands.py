"""What free text says of work in the background: a reply to the message that shows a task tells it more, or stops it;
and somebody asks what is worked on. No model is needed for that."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from core.capabilities.tasks import views
from core.capabilities.tasks.commands import steer, stop
from core.kernel import ids
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import Inbound, Message
from core.language.grammar import Wish
from core.language.short_texts import says, stops
from core.store.conversation import questions, shown_tasks, tasks
from core.store.conversation.tasks import Task
from core.toolkit import intents
from core.toolkit.capability import Candidate, Hearing, Rank, Recalled, Resolve, Taker, Understands, Words
from core.toolkit.tool import ToolContext

# What a model is told of an outcome that somebody replies to.
LONGEST_OUTCOME = 4_000
_COLON = re.compile("([:：])")


def _parse(words: Words) -> Iterator[Candidate]:
    """A reply tells a task more, unless it is an order that stands by itself. Where all that is said in a thread is a
    reply to what began it, "for the task: …" is said to the only one."""
    lead, mark, rest = [*_COLON.split(words.text, maxsplit=1), "", ""][:3]
    named = bool(mark and rest.strip()) and says(lead, "task_steer_leads")
    if not named and (words.whole or not words.replies):
        return
    text = rest.strip() if named else words.text

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        task = _replied_to(tx, hearing) if words.replies else None
        if task is None and named and len(mine := _under_way(tx, hearing)) == 1:
            task = mine[0]
        if task is None:
            return None
        task_id = ids.ref("t", task.task_id)
        return stop.of(task=task_id) if stops(text) else steer.of(task=task_id, words=text)

    yield Candidate(rank=Rank.STEER, resolve=resolve)


def _replied_to(tx: Tx, hearing: Hearing) -> Task | None:
    """Return the open task whose message, or whose question, somebody replies to; where threads are replies, what
    begins theirs."""
    replied = hearing.message.reply_to
    task = shown_tasks.shown_as(tx, hearing.lane, replied)
    if task is not None or not hearing.replies:
        return task
    question = questions.shown_as(tx, hearing.lane.tenant_id, hearing.participant.place.chat, replied)
    task = None if question is None or question.task_id is None else tasks.find(tx, hearing.lane, question.task_id)
    return task if task is not None and task.ended_at is None else None


def _under_way(tx: Tx, hearing: Hearing) -> list[Task]:
    """Return the tasks without a parent that somebody has under way in this chat."""
    mine = hearing.participant.person.person_id
    open_here = (one for one in tasks.open_in(tx, hearing.lane) if one.parent_id is None and not one.stopped)
    return [one for one in open_here if one.person_id == mine]


def _busy(wish: Wish, words: Words) -> Resolve:
    """Return the intent that lists tasks at work; if there are none, the text is left to a model."""
    return lambda tx, hearing: intents.command("tasks") if _under_way(tx, hearing) or not hearing.model else None


def _stop(wish: Wish, words: Words) -> Resolve:
    """Stop the task that it replies to, or the only one; of several it is shown which there are."""

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        found = _under_way(tx, hearing)
        if hearing.replies and (replied := _replied_to(tx, hearing)) is not None:
            found = [replied]
        if len(found) == 1:
            return stop.of(task=ids.ref("t", found[0].task_id))
        return intents.command("tasks") if found or not hearing.model else None

    return resolve


def _meant(message: Inbound) -> Taker | None:
    """Whatever is said in a thread that begins with the message of a task is meant for the bot."""
    if not message.thread or not message.text:
        return None
    return lambda tx, tenant_id: shown_tasks.begins(tx, tenant_id, message.chat, message.thread)


async def recalls(context: ToolContext, messages: Sequence[Message]) -> Recalled:
    """Return what came of the tasks that messages reply to, when these have ended: it stands in no message, as it
    was."""
    replied = list(dict.fromkeys(one.reply_to for one in messages if one.reply_to))
    if not replied:
        return Recalled()

    def look(tx: Tx) -> list[Task]:
        found = (shown_tasks.shown_as(tx, context.lane, one, ended=True) for one in replied)
        return [task for task in found if task is not None]

    found = await context.db.read(look)
    told = [
        {
            "task_id": ids.ref("t", one.task_id),
            "status": views.STATUS.get(one.state, one.state.value),
            "prompt": one.prompt[:100],
            "outcome": (one.outcome or one.error)[:LONGEST_OUTCOME],
        }
        for one in found
    ]
    return Recalled(
        lines=[json.dumps(one, ensure_ascii=False) for one in told], tainted=any(one.tainted for one in found)
    )


UNDERSTANDS = Understands(parse=_parse, wishes={"tasks.busy": _busy, "tasks.stop": _stop}, meant=_meant)
