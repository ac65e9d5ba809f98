"""`plan_create`, for a Planner."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from core.capabilities.planning.service import MOST_STEPS, USUAL_STEPS, plan_for
from core.kernel.errors import ToolError
from core.kernel.types import Json, Role
from core.toolkit.params import Count, Params, capped
from core.toolkit.tool import ToolContext, told_to_model, tool

PATIENCE = 65.0
TOLD: Mapping[str, str] = {
    "plan_no_model": "plan_create unavailable (missing llm client)",
    "plan_too_long": "the task is too long; say it in fewer words",
    "plan_no_answer": "the model gives no plan at the moment; go on without one, or call again later",
    "plan_unread": "the model's answer was no plan; call again, or go on without one",
}


class PlanCreateParams(Params):
    """`task`: to be planned; `max_steps`: 20 at most; `style`: a hint such as terse; `model`: the configured one."""

    task: str = Field(min_length=1)
    max_steps: Count = USUAL_STEPS
    style: str = Field(default="", max_length=200)
    model: str = ""


@tool(Role.PLANNER, Role.PERSON, category="tasks", timeout=PATIENCE)
async def plan_create(params: PlanCreateParams, context: ToolContext) -> Json:
    """Make a plan for a task; nothing is carried out."""
    model = context.services.model
    if model is not None and params.model not in ("", model.name):
        raise ToolError("plan_create", f"only {model.name} is configured for this; leave model out")
    most, note = capped(params.max_steps, MOST_STEPS)
    with told_to_model("plan_create", TOLD):
        plan = await plan_for(context, params.task, most, params.style)
    return {"plan": plan.model_dump(), **note}
