"""What people do with work in the background: stop it, and tell it more. /tasks and /cancel stand with what is
scheduled."""

from __future__ import annotations

from core.capabilities.tasks import service
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.store.conversation import keyboards
from core.store.conversation.tasks import TaskState
from core.toolkit import intents
from core.toolkit.command import CommandRun, intent


@intent(intents.STOP_TASK, as_command="cancel")
def stop(run: CommandRun, tx: Tx, *, task: str) -> Reply:
    """Stop a task."""
    return stopped(run, tx, task)


def stopped(run: CommandRun, tx: Tx, task: str) -> Reply:
    """Stop a task. What had happened by then is said when all of it has ended: in the message that shows it, if its
    button was pressed, else by a message of its own."""
    meant, said = service.meant(tx, run.context, task), run.context.said
    done = run.actor.act(tx, service.stop_task, task_id=task)
    pressed = None if said is None or said.pressed is None else keyboards.load(tx, run.context.lane, said.pressed)
    if pressed is not None and meant is not None and pressed.message_key == f"{meant.message_key}:0":
        keyboards.end(tx, pressed, run.context.clock.now())
        return run.reply("")
    if done.success:
        return run.say("task_stopped_there") if done.elsewhere else run.reply("")
    # The press itself may have stopped it: then it was said.
    over = meant is None or meant.state is not TaskState.CANCELLED
    return run.say("task_is_over") if over else run.reply("")


@intent("tasks.steer", as_command="cancel")
def steer(run: CommandRun, tx: Tx, *, task: str, words: str) -> Reply:
    """Tell a task more. The message that shows it, or that of its question, says that it was heard; where there is none
    yet, this does."""
    told = run.actor.act(tx, service.steer_task, task_id=task, words=words)
    if not told.success:
        return run.say("task_is_over")
    found = service.meant(tx, run.context, task)
    shown = told.answered or (found is not None and found.message_key)
    return run.reply("") if shown else run.say("task_noted")


INTENTS = (stop, steer)
