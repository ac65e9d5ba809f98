"""Governance tools (seed 003; TOOLS: Governance)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from pydantic import Field

from core.kernel.errors import ToolError
from core.kernel.ids import ref
from core.kernel.ports import Tx
from core.kernel.types import Json, Role
from core.toolkit.ledger import verification
from core.toolkit.params import Params
from core.toolkit.tool import Effect, ToolContext, tool

EVERYBODY = (Role.TELLER, Role.PLANNER, Role.WORKER, Role.PERSON)


class QueryStateParams(Params):
    """`state_name`: for example health."""

    state_name: str = Field(pattern=r"^[A-Za-z0-9_:-]{1,128}$")


@tool(*EVERYBODY, idempotent=True, category="governance")
async def query_state(params: QueryStateParams, context: ToolContext) -> Json:
    """Look at a state of this conversation, such as health."""
    provider = context.states.get(params.state_name)
    if provider is None or context.role not in provider.roles:
        raise ToolError("query_state", f"No state provider registered for '{params.state_name}'")
    return await context.db.read(lambda tx: provider.read_for(tx, context))


class LogDecisionParams(Params):
    """`reasoning`: why, 1 to 1000 characters; `decision_type`: what kind of decision."""

    reasoning: str = Field(min_length=1, max_length=1000)
    decision_type: Literal["capability_selection", "schedule_decision", "no_action", "other"] = "other"


@tool(*EVERYBODY, effect=Effect.WRITE, category="governance")
def log_decision(params: LogDecisionParams, context: ToolContext, tx: Tx) -> Json:
    """Record why you decided something, for the audit."""
    # The executor adds the ledger row of this call in the same transaction: the decision is that row.
    tx.lock(("ledger_head", context.lane.tenant_id))
    n, _ = verification.head(tx, context.lane.tenant_id)
    moment = datetime.fromtimestamp(context.clock.now() / 1000, UTC)
    return {"decision_id": ref("d", n + 1), "timestamp": moment.isoformat(timespec="seconds")}
