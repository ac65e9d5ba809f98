"""How an assistant's model changes what is scheduled, and what was posted."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.capabilities.contacts import service as addressing
from core.capabilities.contacts.assistant import confirmed, for_whom
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.answers import finish, snooze_for
from core.capabilities.schedules import actions
from core.kernel import ids
from core.kernel.errors import Refused, ToolError
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import Role
from core.language.matching import matching
from core.scheduling import service as scheduling
from core.scheduling.service import Scheduled
from core.toolkit import intents
from core.toolkit.params import Params
from core.toolkit.tool import Asks, Effect, Offered, ToolContext, tool


class ChangeParams(Params):
    """`which`: its id or the words that name it; `when`: for move and snooze, or until when it pauses."""

    which: str = Field(min_length=1, max_length=200)
    action: Literal["move", "snooze", "done", "cancel", "skip", "pause", "resume"]
    when: str = Field(default="", max_length=100)


@tool(Role.TELLER, effect=Effect.ASKED, category="schedule", offered=Offered.ALWAYS, matrix=False)
async def change_reminder(params: ChangeParams, context: ToolContext) -> Asks:
    """Change a reminder that is set (move, cancel, skip its next time, pause, resume) or one that came (done, snooze);
    `which` is its id or its words."""
    which, when = params.which.strip(), params.when.strip()
    if params.action in {"move", "snooze"} and not when:
        raise ToolError("change_reminder", f"{params.action} needs when: ask the person if they did not say")
    if params.action in {"done", "snooze"}:
        came = await context.db.read(lambda tx: _posted(tx, context, which))
        if not came and params.action == "done":
            raise ToolError("change_reminder", f"no reminder that came is called {which!r}; cancel one that is to come")
        if came:
            done = params.action == "done"
            return Asks(intents=[finish.of(reminder=came) if done else snooze_for.of(reminder=came, words=when)])
    if params.action in {"move", "snooze", "resume"}:
        resumes = params.action == "resume"
        waits = await context.db.read(lambda tx: _waits(tx, context, which))
        this = which if waits is None else waits.schedule_id
        wish = intents.resume(this) if resumes else intents.move(this, when)
        if waits is None:
            return Asks(intents=[wish])
        change = context.texts["resume"] if resumes else when
        return Asks(
            reply=confirmed(context, "confirm_change", wish, text=for_whom(waits.text, waits.names), change=change)
        )
    wishes = {
        "cancel": lambda: intents.cancel(which),
        "skip": lambda: intents.skip(which),
        "pause": lambda: Intent(intents.PAUSE, {"schedule": which, "until": when or context.texts["pause_open"]}),
    }
    return Asks(intents=[wishes[params.action]()])


def _waits(tx: Tx, context: ToolContext, which: str) -> Scheduled | None:
    """Return what is meant if it waits for a button before it is moved or resumed, since a model would reach somebody
    by that unasked; None where nothing waits."""
    found = actions.meant(tx, context, which)
    trigger = scheduling.find(tx, context.lane, found[0].schedule_id) if len(found) == 1 else None
    if trigger is None:
        return None
    try:
        addressing.refuse_unasked_move(tx, context, trigger)
    except Refused:
        return found[0]
    return found[0] if trigger.everybody and context.is_tainted(tx) else None


def _posted(tx: Tx, context: ToolContext, which: str) -> str:
    """Return the id of the reminder that came and waits for an answer, by its id or its words; empty where there is
    none."""
    if ids.number("r", which[:40]) is not None:
        return which
    waiting = reminders.waiting(tx, context.lane, context.clock.now() - reminders.WAITS)
    found = matching(which, waiting)
    return ids.ref("r", found[0].reminder_id) if len(found) == 1 else ""
