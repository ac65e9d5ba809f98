"""Commands of the conversation itself: hello, help, state, a new beginning, another try."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.capabilities.chat import service
from core.kernel.markdown import called, coded, literal, visible
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At, Clock
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import Once, next_after
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import Standing
from core.language import pick
from core.language.zone_search import shown, zone_of
from core.scheduling import time_input
from core.scheduling.time_input import When
from core.scheduling.views import zone_name
from core.store.conversation import shown_tasks
from core.store.people import chats
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, Interrupts, Menu, Quiet, intent

# Any thread: how commands are written in one is no other in the next.
THREAD = "thread"


async def _start(run: CommandRun) -> Reply:
    name = run.context.principal.name
    known = run.language.say("greeting_named", name=called(name, "")) if visible(name) else run.language["greeting"]
    return replace(run.reply(known, run.language.choices), own=True)


async def _help(run: CommandRun) -> Reply:
    """What works; an owner is told in private what nobody else may do."""
    owner = run.context.owner_in_private
    texts = [run.language["help"], run.language["help_owner"]] if owner else [run.language["help"]]
    if run.language.spelling.in_threads:
        example = run.language.spelling.here(THREAD).command("/timezone Berlin")
        texts.append(run.language.say("help_threads", example=coded(example)))
    return run.reply("\n\n".join(texts), run.language.choices)


@intent("chat.help", as_command="help")
async def explain(run: CommandRun) -> Reply:
    """Say what works."""
    return await _help(run)


def _time(run: CommandRun, tx: Tx) -> Reply:
    return _clock(run, run.rest)


@intent("chat.time", as_command="time")
def time_in(run: CommandRun, tx: Tx, *, place: str) -> Reply:
    """Say what a clock shows at a place, or here."""
    return _clock(run, place)


def _clock(run: CommandRun, place: str) -> Reply:
    named = zone_of(place) if place else None
    zone = run.context.zone if named is None else zone_named(named)
    if zone is None or (place and named is None):
        return run.say("time_unknown", place=literal(place[:40]))
    at = to_local(run.context.clock.now(), zone)
    return run.reply(run.language.say("time_is", clock=run.language.clock(at), zone=zone_name(run.language, zone.key)))


@intent("chat.date", as_command="time")
def date_of(run: CommandRun, tx: Tx, *, when: When, week: bool = False) -> Reply:
    """Say which day a time is on and how far off that is, or which calendar `week` it is in (ISO 8601); without a time,
    of today."""
    zone, now = run.context.zone, run.context.clock.now()
    today = to_local(now, zone)
    if when is None:
        key, number = "week_is" if week else "date_is", today.isocalendar().week
        named = zone_name(run.language, zone.key)
        return run.reply(run.language.say(key, date=run.language.date(today), week=number, zone=named))
    try:
        # The end of the day is to come as long as it is that day.
        ends = replace(when, clock=Clock(hour=23, minute=59)) if isinstance(when, At) else when
        schedule = time_input.readings(ends, now, zone, run.clock_zone)[0].schedule
    except Impossible:
        return run.say("no_such_day")
    # Of a year that was said it may be over.
    at = schedule.at if isinstance(schedule, Once) else next_after(schedule, now) or now
    day = to_local(at, zone)
    date, days = run.language.date(day), (day.date() - today.date()).days
    if week:
        return run.reply(run.language.say("week_of", date=date, week=day.isocalendar().week))
    if abs(days) <= 1:
        return run.reply(date)
    return run.reply(run.language.say("date_in" if days > 0 else "date_ago", date=date, days=abs(days)))


async def _status(run: CommandRun) -> Act:
    blind = run.group and not await run.sees_all()
    return partial(_show_status, run, blind)


def _show_status(run: CommandRun, blind: bool, tx: Tx) -> Reply:
    """Say how the bot does; in a group also who you are here, whether it reads along (not when `blind`), language and
    zone."""
    context, language = run.context, run.language
    state = context.states["health"].read(tx, context.lane)
    waiting = state["waiting"]
    model = "status_model" if state["model_reachable"] else "status_model_down"
    model = f"status_model_{state['model_incident']}" if state["model_incident"] else model
    lines = [
        language["health_ok" if state["ok"] else "health_bad"],
        language.say("status_uptime", duration=language.duration(state["uptime_s"] * 1000)),
        language.say("status_waiting", count=waiting) if waiting else language["status_nothing_waiting"],
        language.say(model, model=state["model"]) if state["model"] else language["status_model_none"],
    ]
    under_way = [language.many(f"status_tasks_{state}", n) for state, n in shown_tasks.counts(tx, context.lane).items()]
    lines += [language.say("status_tasks", tasks=language.listed(under_way))] if under_way else []
    if run.group:
        reads = "status_reads_blind" if blind else "status_reads_along"
        chosen = context.participant.language
        lines += [
            language.say("status_standing", standing=language[f"standing_{context.standing.value}"]),
            language[reads if chats.reads_along(tx, context.lane) else "status_reads_not"],
            language.say("status_language", language=pick(chosen).name if chosen else language["automatic"]),
            language.say("status_timezone", zone=shown(context.zone.key)),
        ]
    return run.reply("\n".join(lines))


def _new(run: CommandRun, tx: Tx) -> Reply:
    if run.rest:
        # It is no wish for a new reminder, or a new list.
        return run.say("new_usage")
    return run.undoable(run.language["new_done"], run.actor.act(tx, service.new_context).undo)


async def _id(run: CommandRun) -> Reply:
    place = run.context.participant.place
    lines = [run.language.say("id_person", id=coded(run.context.principal.address))]
    lines += [run.language.say("id_chat", id=coded(place.chat))]
    lines += [run.language.say("id_thread", id=coded(place.thread))] if place.thread else []
    return run.reply("\n".join(lines))


def _retry(run: CommandRun, tx: Tx) -> Reply:
    if not run.rest:
        return run.say("retry_usage")
    return _retried(run, tx, message=run.rest.split()[0])


def _retried(run: CommandRun, tx: Tx, *, message: str) -> Reply:
    """Try a message again that was given up."""
    return run.say(f"retry_{run.actor.act(tx, service.retry_message, message=message[:40]).status}")


def _drop(run: CommandRun, tx: Tx) -> Reply:
    """Give up what is kept for the model."""
    return run.say("dropped_kept" if run.actor.act(tx, service.drop_kept).count else "dropped_none")


@intent(intents.PRESS, as_command="help")
def press(run: CommandRun, tx: Tx) -> Reply:
    """Say that nothing has happened yet: what was asked is answered by its buttons alone."""
    return run.say("confirm_by_button")


# It is done when it is accepted (core.pipeline.intake.inbox). Here it comes only by an edit of what waited: too late.
async def _stop(run: CommandRun) -> Reply:
    return run.say("nothing_to_stop")


retry = intent(intents.RETRY, as_command="retry")(_retried)
drop = intent(intents.DROP, as_command="drop")(_drop)
INTENTS = (explain, time_in, date_of, retry, drop, press)
COMMANDS: Mapping[str, Command] = {
    "start": Command(_start, menu=Menu(12, "private")),
    "help": Command(_help, menu=Menu(20), quiet=Quiet.ALWAYS),
    "stop": Command(_stop, menu=Menu(21), interrupts=Interrupts.ALWAYS),
    "new": Command(_new, menu=Menu(13, "private", "admin"), in_group=Standing.MEMBER),
    "status": Command(_status, menu=Menu(22), quiet=Quiet.ALWAYS, asks_platform=True),
    "time": Command(_time, menu=Menu(24), takes_words=True),
    "id": Command(_id, menu=Menu(26), quiet=Quiet.ALWAYS),
    "retry": Command(_retry),
    "drop": Command(_drop),
}
