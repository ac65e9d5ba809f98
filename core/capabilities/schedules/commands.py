"""Commands for what is scheduled: look at it, change it, stop it; and for reminders that were posted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from core.capabilities.chat.corrections import EDITED, ONCE
from core.capabilities.links import elsewhere
from core.capabilities.reminders.commands import failed, said_at
from core.capabilities.schedules import edited
from core.capabilities.today.service import Group, Source
from core.capabilities.today.views import named
from core.kernel import ids
from core.kernel.markdown import folded
from core.kernel.replies import Offer, Reply
from core.kernel.timing.expressions import At, Clock, Date, Every, Expression
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import Once, Rule, Schedule, dump, load, next_after
from core.kernel.timing.zones import to_local
from core.kernel.types import Millis, ToolResult
from core.language import languages
from core.language.matching import is_part
from core.scheduling import time_input
from core.scheduling import views as shown
from core.toolkit.command import Command, CommandRun, Interrupts, Menu, for_all

Task = Mapping[str, Any]
NOON = 12
# As much of a text as a question about it shows.
ASKED = 60


# Looking.


async def _tasks(run: CommandRun) -> Reply:
    if not run.rest or (run.rest.isascii() and run.rest.isdecimal()):
        return await _list(run, max(1, int(run.rest[:4] or 1)))
    found = await _meant(run, "tasks", run.rest)
    return found if isinstance(found, Reply) else _view(run, found)


def _view(run: CommandRun, task: Task, note: str = "", back: Sequence[Offer] = ()) -> Reply:
    """One of them, with its buttons and with what was done to it."""
    text = "\n".join(filter(None, (note, shown.full(run, task, task.get("zone", "")))))
    return shown.keyboard_row(run, text, [*back, *shown.offers(run, task), (run.language["all_tasks"], "/tasks")])


async def _list(run: CommandRun, page: int) -> Reply:
    result = await run.call("show_schedules", page=page)
    if not result.success:
        return failed(run, result.code, result.error)
    found = result.result
    lines = [shown.short(run, one) for one in found["schedules"]]
    beyond = found["linked"] if found["page"] == 1 else []
    groups = [*await _of_groups(run, found["elsewhere"]), *await _of_linked(run, beyond)] if found["page"] == 1 else []
    if not lines and not groups:
        return run.reply(run.language["tasks_none"])
    blocks = ["\n".join([_title(run, found), *lines]) if lines else "", *groups]
    changed = [*found["schedules"], *(one for one in beyond if "zone" not in one)]
    offers = _choices(run, changed, "tasks")
    back = [("◀", f"/tasks {found['page'] - 1}")] if found["page"] > 1 else []
    more = [("▶", f"/tasks {found['page'] + 1}")] if found["page"] < found["pages"] else []
    return shown.keyboard_row(run, "\n\n".join(filter(None, blocks)), [*offers, *back, *more])


def _title(run: CommandRun, found: Task) -> str:
    key = "tasks_title" if found["pages"] == 1 else "tasks_title_page"
    return run.language.say(key, count=found["count"], page=found["page"], pages=found["pages"])


def _choices(run: CommandRun, found: Sequence[Task], name: str) -> list[Offer]:
    """A button for each, by its text; those of one text are told apart by their times."""
    times = Counter(_name(run, one) for one in found)
    labels = [
        shown.short(run, one).removeprefix("- ") if times[_name(run, one)] > 1 else _name(run, one) for one in found
    ]
    return [(shown.label(label), f"/{name} {one['schedule_id']}") for label, one in zip(labels, found, strict=True)]


def _name(run: CommandRun, task: Task) -> str:
    return run.language["brief_name"] if task["deliver"] == "brief" else str(task["text"])


async def _of_groups(run: CommandRun, made: Sequence[Task]) -> list[str]:
    """What the person made in groups, as long as they are there; nobody else sees it."""
    groups = await elsewhere.groups(run) if made else ()
    return [block for group in groups for block in _block(run, _in(made, group), Source(group=group.title))]


async def _of_linked(run: CommandRun, made: Sequence[Task]) -> list[str]:
    """What is scheduled for those whom the person is linked with: in their chats, and in groups that they are in."""
    blocks = []
    for one in await elsewhere.linked(run) if made else ():
        theirs = [task for task in made if task["person"] == one.person_id]
        own = [task for task in theirs if "zone" not in task]
        blocks += _block(run, own, Source(platform=one.platform))
        for group in one.groups:
            blocks += _block(run, _in(theirs, group), Source(group=group.title, platform=one.platform))
    return blocks


def _in(made: Sequence[Task], group: Group) -> list[Task]:
    return [one for one in made if one["scope"] == group.scope_id]


def _block(run: CommandRun, made: Sequence[Task], source: Source) -> list[str]:
    """A title with what is there, unless that is nothing. A group has a zone of its own."""
    lines = [shown.short(run, one, ZoneInfo(one["zone"]) if "zone" in one else None) for one in made]
    title = run.language.say("tasks_group" if source.group else "tasks_linked", title=named(source))
    return ["\n".join([title, *lines])] if lines else []


async def _meant(run: CommandRun, name: str, words: str) -> Task | Reply:
    """The one an id or a text means, or what there is to say when that is not clear."""
    if not words:
        return run.say("task_usage", command=run.language.command(f"/{name}"))
    said = words[:200]
    by_id = ids.number("s", said) is not None
    result = await run.call("show_schedules", schedule_id=said if by_id else "", text=said)
    if not result.success:
        return failed(run, result.code, result.error)
    found = result.result["schedules"]
    part = name == "cancel" and len(found) == 1 and is_part(said, found[0]["text"])
    if len(found) > 1 or part:
        offers = _choices(run, found, name)
        which = run.language.say("only_part", text=shown.cut(said)) if part else run.language["which_task"]
        return run.reply(which, offers=offers)
    if not found:
        return run.say("task_unknown")
    # What was due a moment ago may still wait to be sent, and can be cancelled so far.
    over = found[0]["state"] in {"done", "cancelled"} and name != "cancel"
    return run.say("task_ended") if over else found[0]


async def _own(run: CommandRun, name: str, words: str) -> Task | Reply:
    """Such a one, for who may change it: nobody is asked for a time and then refused."""
    found = await _meant(run, name, words)
    return found if isinstance(found, Reply) or found["mine"] else run.say("task_not_yours")


# Changing.


async def _cancel(run: CommandRun) -> Reply:
    """The bare word withdraws a question and is carried out when it is accepted; here it comes too late."""
    if not run.rest:
        return run.say("nothing_to_cancel")
    task = await _meant(run, "cancel", run.rest)
    if isinstance(task, Reply):
        return task
    result = await run.call("cancel_schedule", schedule_id=task["schedule_id"])
    if not result.success:
        return failed(run, result.code, result.error)
    if not result.result["success"]:
        return run.say("task_ended")
    run.tell_all(when=for_all(task))
    text = run.language.say("task_cancelled", text=shown.cut(_name(run, task)))
    return shown.keyboard_row(run, text, shown.undo(run, result.result))


async def _skip(run: CommandRun) -> Reply:
    task = await _meant(run, "skip", run.rest)
    if isinstance(task, Reply):
        return task
    if isinstance(load(task["schedule"]), Once):
        return run.say("skip_once")
    result = await run.call("skip_next", schedule_id=task["schedule_id"])
    if not result.success:
        return failed(run, result.code, result.error)
    now, zone = run.context.clock.now(), run.context.zone
    at = shown.moment(run.language, result.result["skipped"], zone, now)
    return _changed(run, result, run.language.say("task_skipped", moment=at))


def _changed(run: CommandRun, result: ToolResult, note: str = "") -> Reply:
    return _view(run, result.result, note, shown.undo(run, result.result))


async def _pause(run: CommandRun) -> Reply:
    name, rest = _what_until(run)
    task = await _own(run, "pause", name)
    if isinstance(task, Reply):
        return task
    if isinstance(load(task["schedule"]), Once):
        return run.say("skip_once")
    until = _until(run, rest) if rest else None
    if until is None and not _open_end(rest):
        command, options = f"/pause {task['schedule_id']} until", [run.language["pause_open"]]
        return await run.ask(run.language["ask_until"], command, expects="time", options=options)
    result = await run.call("pause_schedule", schedule_id=task["schedule_id"], until=until)
    return _changed(run, result) if result.success else failed(run, result.code, result.error)


def _what_until(run: CommandRun) -> tuple[str, str]:
    """What is to rest, by its id or its words, and until when, empty where that is not said."""
    first, rest = _id_first(run.rest)
    if first:
        return first, rest
    for word in _until_words():
        before, there, after = rest.rpartition(f" {word} " if word.isascii() else word)
        if there and before.strip() and (_until(run, after) is not None or _open_end(after)):
            return before.strip(), after
    return rest, ""


def _id_first(words: str) -> tuple[str, str]:
    """An id of something scheduled and what stands behind it; no id and all words where there is none."""
    first, _, rest = words.partition(" ")
    return (first, rest.strip()) if ids.number("s", first) is not None else ("", words)


def _until(run: CommandRun, words: str) -> Millis | None:
    """Until when, with or without the word for it; a day counts from its beginning."""
    when = time_input.when_of(_without_until(words), run.language)
    if when is None or isinstance(when, Every):
        return None
    when = replace(when, clock=Clock(hour=0)) if isinstance(when, At) and when.clock is None else when
    schedule = _resolved(run, when, run.context.zone)
    return schedule.at if isinstance(schedule, Once) else None


def _until_words() -> list[str]:
    return [one for language in languages().values() for one in language["until_words"].split("|")]


def _without_until(words: str) -> str:
    said = words.strip()
    found = next((one for one in _until_words() if said.casefold().startswith(one)), "")
    return said[len(found) :].strip()


def _open_end(words: str) -> bool:
    said = folded(_without_until(words))
    return any(said == folded(language["pause_open"]) for language in languages().values())


def _resolved(run: CommandRun, when: Expression, zone: ZoneInfo) -> Schedule | None:
    return next(iter(_schedules(run, when, zone)), None)


def _schedules(run: CommandRun, when: Expression, zone: ZoneInfo) -> list[Schedule]:
    """What a time may mean, the likeliest first."""
    try:
        return [one.schedule for one in time_input.readings(when, said_at(run), zone, run.clock_zone)]
    except Impossible:
        return []


async def _resume(run: CommandRun) -> Reply:
    task = await _meant(run, "resume", run.rest)
    if isinstance(task, Reply):
        return task
    result = await run.call("resume_schedule", schedule_id=task["schedule_id"])
    return _changed(run, result) if result.success else failed(run, result.code, result.error)


async def _move(run: CommandRun) -> Reply:
    first, words = _id_first(run.rest)
    task = await _own(run, "move", first or words)
    if isinstance(task, Reply):
        return task
    return await _moved(run, task, words if first else "")


async def _moved(run: CommandRun, task: Task, words: str) -> Reply:
    """The same at another time, or the question when."""
    if words == ONCE:
        return _view(run, task, run.language["recurs_stays"])
    zone = ZoneInfo(task["zone"]) if task["zone"] else run.context.zone
    if words.startswith(f"{EDITED} "):
        return await _edited(run, task, words.removeprefix(f"{EDITED} "), zone)
    schedule = _new_time(run, words, load(task["schedule"]), zone) if words else None
    if schedule is None:
        return await _ask_new_time(run, task)
    if task["put_off"] and not isinstance(schedule, Once):
        return run.say("skip_once")
    now = run.context.clock.now()
    if next_after(schedule, now) is None:
        at = shown.moment(run.language, now, run.context.zone, now)
        past = run.language.say("time_past", now=at, zone=shown.zone_name(run.language, run.context.zone.key))
        return await _ask_new_time(run, task, f"{past} ")
    return await _change(run, task, schedule, others=_others(run, words, schedule, zone))


async def _edited(run: CommandRun, task: Task, text: str, zone: ZoneInfo) -> Reply:
    """What the message that has set it says now; where that is nothing such, all stays, and that is said."""
    found, former = edited.read(run, text, task), load(task["schedule"])
    when, said = found or (None, "")
    if isinstance(when, str):
        schedule = _new_time(run, when, former, zone)
    else:
        schedule = None if when is None else _resolved(run, when, zone)
    over = schedule is None or next_after(schedule, run.context.clock.now()) is None
    if schedule is None or over or (task["put_off"] and not isinstance(schedule, Once)):
        return run.reply(run.language.say("edit_unread", task=shown.full(run, task, task["zone"])))
    said = "" if said == task["text"] else said
    return await _change(run, task, schedule, said) if said or schedule != former else run.reply("")


async def _change(
    run: CommandRun, task: Task, schedule: Schedule, text: str = "", others: Sequence[Once] = ()
) -> Reply:
    """Change it; `others` are times that may have been meant, too."""
    arguments = {"schedule_id": task["schedule_id"], "schedule": dump(schedule), **({"text": text} if text else {})}
    result = await run.call("change_reminder", **arguments)
    if not result.success:
        return failed(run, result.code, result.error, task.get("names", ()))
    moved = {**task, **result.result}
    change = (run.language["change"], f"/move {moved['schedule_id']}")
    text = shown.full(run, moved, task["zone"])
    zone = ZoneInfo(task["zone"]) if task["zone"] else run.context.zone
    offers = shown.other_times(run, moved, others, zone)
    return shown.keyboard_row(run, text, [*offers, change, *shown.undo(run, moved)])


def _others(run: CommandRun, words: str, schedule: Schedule, zone: ZoneInfo) -> list[Once]:
    """What a new time means by the day there, where its day was taken for the speaker's."""
    when = time_input.when_of(words, run.language)
    first, *others = _schedules(run, when, zone) if when is not None else [None]
    return [one for one in others if isinstance(one, Once)] if first == schedule else []


async def _ask_new_time(run: CommandRun, task: Task, why: str = "") -> Reply:
    question = run.language.say("ask_new_time", text=shown.cut(_name(run, task), ASKED))
    # What recurs is not made to come but once by a button.
    once = isinstance(load(task["schedule"]), Once)
    times = time_input.offered(run.language, run.context.zone, run.context.clock.now()) if once else []
    return await run.ask(f"{why}{question}", f"/move {task['schedule_id']}", expects="time", options=times)


def _new_time(run: CommandRun, words: str, former: Schedule, zone: ZoneInfo) -> Schedule | None:
    """A time for something that has one. Where only a time of day is said it keeps its days, or its day."""
    if (instant := time_input.instant_of(words, zone)) is not None:
        return instant
    when = time_input.when_of(words, run.language)
    if when is None:
        return None
    if isinstance(former, Rule) and isinstance(when, At) and when.day is None and when.clock is not None:
        daily = _resolved(run, Every(unit="day", clocks=(when.clock,)), ZoneInfo(former.zone))
        if isinstance(daily, Rule):
            return replace(former, cron=" ".join([*daily.cron.split()[:2], *former.cron.split()[2:]]))
    if isinstance(former, Once) and isinstance(when, At) and (when.day is None or (former.wall and not when.clock)):
        there = to_local(former.at, zone)
        found = _resolved(run, _that_day(when, there) if when.clock else _at_that_time(when, there), zone)
        if isinstance(found, Once) and found.at > run.context.clock.now():
            return found
    return _resolved(run, when, zone)


def _that_day(when: At, there: datetime) -> At:
    """A time of day on the day of something, in the same half of it when that is the later one ("at 10" of 21:00)."""
    clock = when.clock
    if clock is not None and not clock.certain and there.hour >= NOON > clock.hour:
        clock = Clock(hour=clock.hour + NOON, minute=clock.minute)
    return At(day=Date(year=there.year, month=there.month, day=there.day), clock=clock)


def _at_that_time(when: At, there: datetime) -> At:
    """A day at the time of day that something has."""
    return replace(when, clock=Clock(hour=there.hour, minute=there.minute))


# The daily brief.


async def _brief(run: CommandRun) -> Reply:
    said = run.rest.casefold()
    brief = await _current_brief(run)
    if isinstance(brief, Reply):
        return brief
    if not said:
        return run.say("brief_usage") if brief is None else _view(run, brief)
    if any(said in language["off_words"].split("|") for language in languages().values()):
        return await _no_brief(run, brief)
    schedule = _daily(run, run.rest)
    if schedule is None:
        return run.say("brief_usage")
    result = await run.call("set_brief", schedule=dump(schedule))
    if not result.success:
        return failed(run, result.code, result.error)
    reply = _changed(run, result)
    return replace(reply, offers=(*reply.offers, *await shown.zone_offer(run)))


async def _current_brief(run: CommandRun) -> Task | Reply | None:
    result = await run.call("show_brief")
    return result.result["brief"] if result.success else failed(run, result.code, result.error)


async def _no_brief(run: CommandRun, brief: Task | None) -> Reply:
    if brief is None:
        return run.say("brief_none")
    result = await run.call("cancel_schedule", schedule_id=brief["schedule_id"])
    if not result.success:
        return failed(run, result.code, result.error)
    run.tell_all(when=True)
    return shown.keyboard_row(run, run.language["brief_off"], shown.undo(run, result.result))


def _daily(run: CommandRun, words: str) -> Rule | None:
    """Every day at a time, or what recurs by the calendar as it is said."""
    when = time_input.when_of(words, run.language)
    if when is None and words.isascii() and words.isdecimal():  # "/brief 7"
        when = time_input.when_of(run.language.say("at_time", rest=words), run.language)
    if isinstance(when, At) and when.day is None and when.clock is not None:
        when = Every(unit="day", clocks=(when.clock,))
    found = _resolved(run, when, run.context.zone) if isinstance(when, Every) else None
    return found if isinstance(found, Rule) else None


COMMANDS: Mapping[str, Command] = {
    "tasks": Command(_tasks, menu=Menu(4), of_chat=True, aliases=("reminders", "schedules")),
    "cancel": Command(_cancel, asks_platform=True, interrupts=Interrupts.ALONE),
    "skip": Command(_skip, asks_platform=True),
    "pause": Command(_pause, asks_platform=True),
    "resume": Command(_resume, asks_platform=True),
    "move": Command(_move, asks_platform=True),
    "brief": Command(_brief, menu=Menu(6), asks_platform=True),
}
