"""Taking up again what was given up, and giving up what is kept for the model (STATES: Lane)."""

from __future__ import annotations

from pydantic import Field

from core.kernel import ids
from core.kernel.access import may
from core.kernel.ports import Tx
from core.kernel.types import Json, Role, Standing
from core.store.conversation import dead_letters, inbox
from core.toolkit.params import Params
from core.toolkit.tool import Effect, ToolContext, tool


class RetryParams(Params):
    """`message`: its id, such as m12ab34."""

    message: str = Field(min_length=1, max_length=40)


@tool(Role.PERSON, effect=Effect.WRITE, category="chat")
def retry_message(params: RetryParams, context: ToolContext, tx: Tx) -> Json:
    """Bring a message back that was given up, and those given up with it: for its writer or an owner, in its place."""
    number = ids.number("m", params.message)
    row = None if number is None else dead_letters.written(tx, context.lane, number)
    if number is None or row is None:
        return {"status": "unknown"}
    if row["person_id"] is None:  # erased on request: nobody knows whose it was
        return {"status": "gone"}
    if row["person_id"] != context.principal.person_id and not may(context.standing, Standing.OWNER):
        return {"status": "not_yours"}
    if row["state"] != "dead":
        return {"status": "answered" if row["state"] == "done" else "at_work"}
    together = dead_letters.given_up_with(tx, context.lane, number, row["run_id"])
    again = [dead_letters.retry_inbox(tx, one) is not None for one in together]
    return {"status": "again" if any(again) else "gone"}


@tool(Role.PERSON, effect=Effect.WRITE, category="chat")
def drop_kept(params: Params, context: ToolContext, tx: Tx) -> Json:
    """End what waits here for the model, of whoever asks: it is not answered any more."""
    person_id, now = context.principal.person_id, context.clock.now()
    return {"count": inbox.drop_waiting(tx, context.lane, person_id, now, "dropped", only_held=True)}
