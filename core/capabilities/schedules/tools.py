"""Schedule tools: what models may schedule, look at and cancel (TOOLS: Schedule, Tasks)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from core.capabilities.contacts import service as addressing
from core.capabilities.schedules import actions
from core.capabilities.tasks import service as tasks
from core.capabilities.tasks.state import listed
from core.kernel import ids
from core.kernel.clean_text import Text
from core.kernel.conditions import BadCondition
from core.kernel.errors import RateLimitError, ToolError, ToolPermissionError
from core.kernel.ports import Tx
from core.kernel.timing.schedule import Interval, Once, Rule, Schedule, Watch, check_cron
from core.kernel.timing.zones import to_instant
from core.kernel.types import Json, Role
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.between_people import MOST_TO_RECIPIENT_A_DAY
from core.scheduling.service import NewTrigger, Scheduled
from core.toolkit.params import Integer, Params
from core.toolkit.services import Conditions
from core.toolkit.tool import Effect, ToolContext, told_to_model, tool

SHORTEST, LONGEST_DELAY = 60, 2_592_000
# So long something waits for a condition, and rests after it came true at most, in seconds.
LONGEST_WATCH, LONGEST_REST, LONGEST_WORK = 30 * 86_400, 30 * 86_400, 86_400
# What a model is told to change, by the code of what was refused.
TOLD: Mapping[str, str] = {
    "task_not_yours": "only whoever made it, an administrator of the group or an owner may",
    "too_many_tasks": f"at most {scheduling.MOST_OPEN} are active at once; cancel one first",
    "too_many_made": f"at most {scheduling.MOST_MADE} an hour; try later, or put several into one",
    "too_deep": f"at most {scheduling.DEEPEST} may follow each other; tell the person instead",
    "followed_already": "a run that was scheduled may schedule one follow-up only",
    "time_over": "that time is in the past; it is now {now}",
    "time_too_far": "that time is too far away; the last year is 9998",
    "others_too_often": (
        f"that is too often: at most {MOST_TO_RECIPIENT_A_DAY} times a day for other people (reason=others_too_often)"
    ),
    "everybody_too_often": "that is too often: at most every 5 minutes for everybody (reason=everybody_too_often)",
    "guest_too_often": "that is too often: at most once an hour from a guest of a group (reason=guest_too_often)",
    "too_many_people": f"at most {addressing.MOST} people at once",
    "left_alone": "{called} wants to be left alone in this group: nothing is set for them; tell the person so",
    "person_not_here": "nobody here is called {called!r}; contacts_list shows who is known",
    "which_person": "{called!r} may be one of several, so use an id: {known}",
    "person_unreachable": "{called!r} cannot be reached from here; tell the person so",
    **addressing.UNASKED,
    **dict.fromkeys(addressing.LIMITS, "{contact} cannot be reminded then ({reason})"),
}
KINDS: Mapping[str, type[ToolError]] = {
    "task_not_yours": ToolPermissionError,
    **dict.fromkeys(("too_many_tasks", "too_many_made", "too_deep", "followed_already"), RateLimitError),
}


def _create(tx: Tx, context: ToolContext, tool_name: str, new: NewTrigger) -> Scheduled:
    with told_to_model(tool_name, TOLD, KINDS):
        return scheduling.create(tx, context, new)


def _printable(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("1 to 1000 printable characters are needed, on one line")
    return text


Focus = Annotated[str, Field(min_length=1, max_length=scheduling.LONGEST), AfterValidator(_printable)]


def _late(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValidationError as error:
        raise ValueError("run, skip, or how many seconds it may be late, 0 or more") from error


Late = Annotated[Literal["run", "skip"] | Annotated[Integer, Field(ge=0)], WrapValidator(_late)]


class ScheduleParams(Params):
    """`run_at`: ISO 8601; `interval`: seconds; `late`: run, skip or the seconds it may be late; `for`: contacts to
    remind, with deliver="message" only. `condition`: {type: file_changed {path or glob, fire_on_init?} | file_exists
    {path} | task_done | task_failed {task_id} | llm_eval {prompt} | and | or {conditions}}; `cooldown`: seconds that it
    rests after each time; `timeout`: seconds that the work may take; `silent_if_unchanged`: say nothing when all is as
    it was the last time.
    """

    model_config = ConfigDict(populate_by_name=True, extra="forbid", frozen=True)
    spellings: ClassVar[Mapping[str, str]] = {"for": "for_"}

    prompt: Annotated[Text, Field(min_length=1, max_length=scheduling.LONGEST)]
    type: Literal["recurring", "scheduled", "conditional"]
    interval: Integer | None = None
    run_at: str | None = None
    condition: dict[str, Any] | None = None
    cooldown: Integer = Field(default=0, ge=0, le=LONGEST_REST)
    timeout: Integer | None = Field(default=None, ge=1, le=LONGEST_WORK)
    trace_id: str | None = Field(default=None, min_length=1, max_length=80)
    silent_if_unchanged: bool = False
    deliver: Literal["task", "message"] = "task"
    late: Late = "run"
    for_: str | list[str] | None = Field(default=None, alias="for")


@tool(Role.PLANNER, effect=Effect.WRITE, category="schedule")
def schedule(params: ScheduleParams, context: ToolContext, tx: Tx) -> Json:
    """Schedule a prompt: once (run_at), again and again (interval), or whenever a condition comes true, for 30 days.
    deliver="message" posts it word for word, as a reminder; deliver="task" has you work on it then.
    """
    when = _schedule(params, context, tx)
    if params.for_ is not None and params.deliver != "message":
        raise ToolError("schedule", 'for needs deliver="message"')
    if params.silent_if_unchanged and params.deliver != "task":
        raise ToolError("schedule", 'silent_if_unchanged needs deliver="task"')
    names = [params.for_] if isinstance(params.for_, str) else params.for_ or []
    with told_to_model("schedule", TOLD, KINDS):
        contacts = addressing.resolve(tx, context, names, when)
    new = NewTrigger(
        schedule=when,
        text=params.prompt,
        deliver=params.deliver,
        late=str(params.late),
        contacts=contacts,
        silent=params.silent_if_unchanged,
        timeout_s=params.timeout,
        cooldown_s=params.cooldown,
        trace_id=params.trace_id or "",
    )
    made = _create(tx, context, "schedule", new)
    if isinstance(when, Watch):
        return {"task_id": made.schedule_id}
    return {"task_id": made.schedule_id, "next_run_at": made.next_run_at}


# What belongs to other types.
_FOREIGN = {
    "recurring": ("run_at", "condition"),
    "scheduled": ("interval", "condition", "cooldown", "silent_if_unchanged"),
    "conditional": ("run_at", "interval"),
}


def _schedule(params: ScheduleParams, context: ToolContext, tx: Tx) -> Schedule:
    for name in _FOREIGN[params.type]:
        if getattr(params, name):
            raise ToolError("schedule", f"a {params.type} one takes no {name}; leave it out, or change type")
    match params.type:
        case "conditional":
            try:
                condition = context.services.get(Conditions).checked(
                    tx, context.lane, params.condition, context.owner_in_private
                )
            except BadCondition as error:
                raise ToolError("schedule", f"condition: {error}") from error
            return Watch(condition=condition, until=context.clock.now() + LONGEST_WATCH * 1000)
        case "recurring" if params.interval is None or params.interval < SHORTEST:
            raise ToolError("schedule", f"a recurring schedule needs interval, {SHORTEST} seconds or more")
        case "recurring" if params.interval is not None:
            return Interval(seconds=params.interval, start=context.clock.now())
        case _ if params.run_at is None:
            raise ToolError("schedule", "a scheduled one needs run_at, an ISO 8601 instant")
        case _:
            return _once(params.run_at or "", context.zone)


def _once(text: str, zone: ZoneInfo) -> Once:
    """Return an instant with an offset, or a local time of the zone."""
    try:
        said = datetime.fromisoformat(text.strip())
        if said.tzinfo is not None:
            return Once(at=round(said.timestamp() * 1000))
        return Once(at=to_instant(said, zone), wall=said.isoformat(timespec="minutes"))
    except (OverflowError, ValueError) as error:
        raise ToolError("schedule", f"run_at is no ISO 8601 time: {text[:60]!r}") from error


class OnceParams(Params):
    """`delay_seconds`: 1 to 2592000; `focus`: what to do then."""

    delay_seconds: Integer = Field(ge=1, le=LONGEST_DELAY)
    focus: Focus


@tool(Role.PLANNER, effect=Effect.WRITE, category="schedule")
def schedule_once(params: OnceParams, context: ToolContext, tx: Tx) -> Json:
    """Work on a focus once, after a delay."""
    at = context.clock.now() + params.delay_seconds * 1000
    made = _create(tx, context, "schedule_once", NewTrigger(schedule=Once(at=at), text=params.focus, deliver="task"))
    return {"schedule_id": made.schedule_id, "scheduled_at": made.next_run_at, "focus": params.focus}


class CronParams(Params):
    """`cron_expression`: five fields, 0 and 7 are Sunday; `focus`: what to do then."""

    cron_expression: str
    focus: Focus


@tool(Role.PLANNER, effect=Effect.WRITE, category="schedule")
def schedule_cron(params: CronParams, context: ToolContext, tx: Tx) -> Json:
    """Work on a focus again and again by a cron expression, in the person's time zone."""
    try:
        line = check_cron(params.cron_expression)
    except ValueError as error:
        raise ToolError("schedule_cron", str(error)) from error
    rule = Rule(cron=line, zone=context.zone.key)
    new = NewTrigger(schedule=rule, text=params.focus, deliver="task", follows=True)
    made = _create(tx, context, "schedule_cron", new)
    return {
        "schedule_id": made.schedule_id,
        "cron_expression": line,
        "next_run_at": made.next_run_at,
        "focus": params.focus,
    }


class CancelParams(Params):
    """`schedule_id`: such as s12ab34."""

    spellings: ClassVar[Mapping[str, str]] = {"task_id": "schedule_id", "taskId": "schedule_id", "id": "schedule_id"}

    schedule_id: str = Field(min_length=1, max_length=80)


@tool(Role.PLANNER, effect=Effect.WRITE, category="schedule")
def cancel_schedule(params: CancelParams, context: ToolContext, tx: Tx) -> Json:
    """Cancel what is scheduled. Only whoever made it may, an administrator of the group, or an owner."""
    with told_to_model("cancel_schedule", TOLD, KINDS):
        stopped = actions.cancel_schedule(tx, context, params.schedule_id)
    message = "cancelled" if stopped.success else "there is no such schedule, or it has ended"
    return {"success": stopped.success, "message": message}


class TaskParams(Params):
    """`task_id`: such as s12ab34."""

    spellings: ClassVar[Mapping[str, str]] = {"schedule_id": "task_id", "scheduleId": "task_id", "id": "task_id"}

    task_id: str = Field(min_length=1, max_length=80)


@tool(Role.TELLER, Role.PLANNER, effect=Effect.WRITE, category="tasks")
def cancel_task(params: TaskParams, context: ToolContext, tx: Tx) -> Json:
    """Cancel a task that has not begun, or what is scheduled; false for what runs or is unknown."""
    with told_to_model("cancel_task", TOLD, KINDS):
        if (number := ids.number("t", params.task_id)) is not None:
            return {"success": tasks.cancel(tx, context, number)}
        return {"success": actions.cancel_schedule(tx, context, params.task_id).success}


class ListParams(Params):
    """`scope`: which of them; `role`: whose."""

    scope: Literal["all", "queue", "running", "triggers"] = "all"
    role: Literal["planner", "worker"] | None = None


@tool(Role.TELLER, Role.PLANNER, category="tasks")
async def list_tasks(params: ListParams, context: ToolContext) -> Json:
    """What is queued, what runs, and what is scheduled here."""

    def look(tx: Tx) -> list[Json]:
        found: list[Json] = []
        if params.scope != "triggers":
            of_role = None if params.role is None else Role(params.role)
            found += listed(tx, context.lane, context.zone, params.scope, of_role)
        if params.scope in {"all", "triggers"} and params.role is None:
            found += [scheduling.as_listed_task(one, context.zone) for one in triggers.of_scope(tx, context.lane)]
        return found

    return {"tasks": await context.db.read(look)}
