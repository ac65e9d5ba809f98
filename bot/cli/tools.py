"""The tools, for the operator: which there are, and a call of one by hand, by the same door as a model's."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from core.kernel.errors import TellerError
from core.kernel.ports import Tx
from core.kernel.types import Json, Role, Sender, Standing, ToolCall
from core.store.conversation import lanes
from core.store.conversation import runs as journal
from core.store.conversation.runs import RunState
from core.store.people import chats, people
from core.store.people.chats import Place
from core.toolkit.executor import Executor
from core.toolkit.own_tools.loading import OwnTools
from core.toolkit.tool import Effect, Registry, Tool, ToolContext

if TYPE_CHECKING:
    from bot.cli.operations import Args, House
    from bot.runtime.app import App

# Where such calls are made: in a chat of their own of whoever has the command line.
PLATFORM, TENANT, ADDRESS, CHAT = "console", "local", "console:operator", "teller-tool"
# Milliseconds beyond what a tool may take, until somebody else may use the chat.
SPARE = 30_000
# What is told of a result (TOOLS: Machinery).
TOLD = ("tool_name", "success", "result", "error", "started_at", "completed_at")
# In whose place a tool is called: the first of these that may. What is for talking with people alone is left out.
ROLES = (Role.WORKER, Role.PERSON, Role.PLANNER)


def _app(house: House) -> App:
    if house.app is None:
        raise TellerError("There are no tools here.")
    return house.app()


async def listed(house: House, _args: Args) -> Json:
    """Every tool, by its name, with where it is from if it is one of your own; and what could not be loaded."""
    services = _app(house).container
    own = services.get(OwnTools)
    places = {tool.name: where for tool, where in own.tools}
    return {
        "tools": [
            {
                "name": tool.name,
                "category": tool.category,
                "effect": tool.effect.value,
                "roles": sorted(role.value for role in tool.roles),
                "description": tool.description,
                "from": places.get(tool.name, ""),
            }
            for tool in services.get(Registry).list()
        ],
        "problems": list(own.problems),
    }


async def run(house: House, args: Args) -> Json:
    """Call a tool (`name`) with `arguments`, through the executor: checked, limited, and with its row in the ledger."""
    app, name, arguments = _app(house), str(args.get("name")), args.get("arguments")
    tool = app.container.get(Registry).get(name)
    if tool is None:
        raise TellerError(f"There is no tool {name[:60]!r}. `teller tool list` shows what there is.")
    role = next((role for role in ROLES if role in tool.roles), None)
    if role is None:
        raise TellerError(f"{name} is for a model that talks with somebody; it cannot be called by hand.")
    if tool.effect not in (Effect.READ, Effect.OUTWARD):
        raise TellerError(f"{name} changes what belongs to a chat; ask for it there.")
    if not isinstance(arguments, dict):
        raise TellerError("The arguments must be an object.")
    context = await house.db.write(lambda tx: _context(tx, app, tool, role))
    try:
        call = ToolCall(id="cli", name=name, arguments=arguments)
        result = await app.container.get(Executor).call(context, 1, call)
    finally:
        await house.db.write(lambda tx: lanes.release(tx, context.lease, finished=True, now=house.clock.now()))
    return {**{key: getattr(result, key) for key in TOLD}, "duration_ms": result.duration_ms}


def _context(tx: Tx, app: App, tool: Tool, role: Role) -> ToolContext:
    """Take the operator's own lane, and begin a run in it: one that has ended already, so that no start takes it up."""
    now, services = app.clock.now(), app.container
    tenant_id = people.tenant(tx, PLATFORM, TENANT, "", now)
    person_id, scope_id = people.meet(tx, tenant_id, Sender(address=ADDRESS, name="operator"), now)
    lane = chats.lane(tx, tenant_id, Place(chat=CHAT), scope_id, now)
    lanes.mark(tx, lane.lane_id)
    ttl = round(tool.timeout * 1000) + SPARE
    claim = lanes.claim(tx, lane.lane_id, owner=f"tool:{secrets.token_hex(8)}", ttl=ttl, now=now)
    if claim is None:
        raise TellerError("Another tool is called by hand at the moment; wait until that has ended.")
    trace_id = secrets.token_hex(8)
    run_id = journal.start(tx, lane, person_id=person_id, role=role.value, trace_id=trace_id, now=now)
    journal.end(tx, lane, run_id, RunState.DONE, now)
    participant = people.participant(tx, lane, person_id)
    return ToolContext(
        lease=claim.lease,
        run_id=run_id,
        trace_id=trace_id,
        principal=participant.person,
        role=role,
        standing=Standing.OWNER,
        participant=participant,
        language="en" if app.config.language == "auto" else app.config.language,
        zone=app.config.zone,
        clock=app.clock,
        db=app.db,
        services=services,
        states={state.name: state for one in app.capabilities if one.states for state in one.states(services)},
        # Whoever has the command line has everything.
        access=replace(app.access, owners=app.access.owners | {participant.person.address}),
        home=app.config.zone,
    )
