"""Commands for what is scheduled: look at it, change it, stop it.

Each verb has three functions: the command reads what people typed, the intent has the id from a button, and both come
to the one that does it (`_skip`, `skip`, `_skipped`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.reminders.actions import set_brief
from core.capabilities.reminders.commands import said_at
from core.capabilities.schedules import actions
from core.capabilities.schedules.actions import Elsewhere
from core.capabilities.tasks import listing
from core.capabilities.tasks.commands import stopped as stop_at_work
from core.capabilities.tasks.service import meant as at_work
from core.kernel import ids
from core.kernel.intent import Intent
from core.kernel.markdown import folded, plain
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.expressions import At, Clock, Every, Expression
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import Once, Rule, Schedule, Watch, dump, load
from core.kernel.timing.trigger import TriggerState
from core.kernel.timing.zones import to_local
from core.kernel.types import Millis
from core.language import all_words, languages
from core.language.lines import shortened
from core.language.matching import is_part
from core.scheduling import time_input
from core.scheduling import views as shown
from core.scheduling.repository import Deliver
from core.scheduling.service import Scheduled
from core.scheduling.time_input import When
from core.store.people.groups import Group
from core.store.people.links import Linked
from core.toolkit import intents, other_chats
from core.toolkit.command import Act, Command, CommandRun, Confirms, Interrupts, Menu, TimeWords, intent
from core.toolkit.other_chats import NO_OTHERS, Source, named

# So many characters of an outcome are shown.
OUTCOME = 200


# Looking.


async def _tasks(run: CommandRun) -> Reply | Act:
    if run.rest and not (run.rest.isascii() and run.rest.isdecimal()):
        return await run.context.db.read(lambda tx: _looked_at(run, tx, run.rest))
    return await _list(run, max(1, int(run.rest[:4] or 1)))


@intent("schedules.list", as_command="tasks")
async def show_all(run: CommandRun, *, page: int = 1) -> Reply:
    """Show a page of what is scheduled."""
    return await _list(run, page)


@intent("schedules.show", as_command="tasks")
def show(run: CommandRun, tx: Tx, *, schedule: str) -> Reply:
    """Show what an id means, with its buttons."""
    return _looked_at(run, tx, schedule)


def _looked_at(run: CommandRun, tx: Tx, words: str) -> Reply:
    found = _meant(run, tx, "tasks", words)
    return found if isinstance(found, Reply) else _view(run, found, came=actions.came_of(tx, run.context, found))


async def _list(run: CommandRun, number: int) -> Reply:
    page = await run.context.db.read(lambda tx: actions.page_of(tx, run.context, number))
    under_way = await run.context.db.read(lambda tx: listing.of_context(tx, run.context))
    lines = [shown.short(run, task) for task in page.tasks]
    beyond = page.linked if page.page == 1 else []
    made = page.elsewhere if page.page == 1 else []
    others = await other_chats.of_run(run) if made or beyond or under_way.elsewhere else NO_OTHERS
    # What the person made in groups is shown as long as they are there; nobody else sees it.
    of_groups = [_block(run, _in(made, group), Source(group=group.title)) for group in others.groups]
    # From where the bot is gone only what they made themselves, which rests.
    of_groups += [_block(run, _in(made, group), Source(group=group.title), "tasks_gone") for group in others.gone]
    groups = [*(block for blocks in of_groups for block in blocks), *_of_linked(run, beyond, others.linked)]
    busy, stops = listing.blocks(run.language, under_way, others) if page.page == 1 else ([], [])
    if not lines and not groups and not busy:
        return run.reply(run.language["tasks_none"])
    key = "tasks_title" if page.pages == 1 else "tasks_title_page"
    title = run.language.say(key, count=page.count, page=page.page, pages=page.pages)
    blocks = [*busy, "\n".join([title, *lines]) if lines else "", *groups]
    resting = (there.task for group in others.gone for there in _in(made, group))
    shows = [*page.tasks, *(there.task for there in beyond if not there.zone), *resting]
    offers = offers_of(run, shows, _ORDERS["tasks"])
    back = [("◀", show_all.of(page=page.page - 1))] if page.page > 1 else []
    more = [("▶", show_all.of(page=page.page + 1))] if page.page < page.pages else []
    listed = (*page.tasks, *(there.task for there in (*beyond, *made)))
    reply = shown.in_place(run, "\n\n".join(filter(None, blocks)), [*stops, *offers, *back, *more])
    return replace(reply, foreign=any(task.tainted for task in listed))


def _view(
    run: CommandRun,
    task: Scheduled,
    note: str = "",
    back: Sequence[Offer] = (),
    came: Sequence[tuple[Millis, str]] = (),
) -> Reply:
    """Return the view of something scheduled, with its buttons; `note` says what was done to it, and `came` are the
    last outcomes of work with their instants."""
    language, zone, now = run.language, run.context.zone, run.context.clock.now()
    lines = [
        language.say("task_line", when=shown.moment(language, at, zone, now), text=shown.cut(outcome, OUTCOME))
        for at, outcome in came
    ]
    text = "\n".join(filter(None, (note, shown.full(run, task, task.zone), *lines)))
    offers = [*back, *shown.offers(run, task), (run.language["all_tasks"], show_all.of())]
    return replace(shown.in_place(run, text, offers), foreign=task.tainted or bool(came))


def offers_of(run: CommandRun, tasks: Sequence[Scheduled], order: Callable[[str], Intent]) -> list[Offer]:
    """Return a button for each task, labelled by its text; those with the same text are told apart by their times."""
    times = Counter(name_of(run, task) for task in tasks)
    labels = [
        plain(shown.short(run, task).removeprefix("- ")) if times[name_of(run, task)] > 1 else name_of(run, task)
        for task in tasks
    ]
    return [(shown.label(label), order(task.schedule_id)) for label, task in zip(labels, tasks, strict=True)]


def ask_which(
    run: CommandRun,
    tasks: Sequence[Scheduled],
    order: Callable[[str], Intent],
    question: str = "",
    besides: Sequence[Offer] = (),
) -> Reply:
    """Ask which of several tasks is meant, with a button for each of the first, and those `besides`."""
    more = shortened(run.language, [task.text for task in tasks], actions.MATCHES)[actions.MATCHES :]
    offers = [*offers_of(run, tasks[: actions.MATCHES], order), *besides]
    return run.reply("\n".join([question or run.language["which_task"], *more]), offers=offers)


def name_of(run: CommandRun, task: Scheduled) -> str:
    """Return what something is called: by its text, which the daily brief lacks."""
    return run.language["brief_name"] if task.deliver == Deliver.BRIEF else task.text


def _of_linked(run: CommandRun, made: Sequence[Elsewhere], linked: Sequence[Linked]) -> list[str]:
    """Return blocks of what is scheduled for those with whom the person is linked: in their chats and their groups."""
    blocks = []
    for other in linked:
        theirs = [there for there in made if there.person_id == other.person_id]
        own = [there for there in theirs if not there.zone]
        blocks += _block(run, own, Source(platform=other.platform))
        for group in other.groups:
            blocks += _block(run, _in(theirs, group), Source(group=group.title, platform=other.platform))
    return blocks


def _in(made: Sequence[Elsewhere], group: Group) -> list[Elsewhere]:
    return [there for there in made if there.scope_id == group.scope_id]


def _block(run: CommandRun, made: Sequence[Elsewhere], source: Source, key: str = "tasks_group") -> list[str]:
    """Return a block with a title and what is scheduled in a chat; none where that is nothing.

    The title of a group has the text `key`, and names the group's zone if it is not the reader's.
    """
    lines = [shown.short(run, there.task, ZoneInfo(there.zone) if there.zone else None) for there in made]
    zones = dict.fromkeys(there.zone for there in made if there.zone and there.zone != run.context.zone.key)
    place = "".join(f" ({shown.zone_name(run.language, zone)})" for zone in zones)
    where = f"{named(source, run.language)}{place}"
    title = run.language.say(key if source.group else "tasks_linked", title=where)
    return ["\n".join([title, *lines])] if lines else []


def _meant(
    run: CommandRun, tx: Tx, name: str, words: str, order: Callable[[str], Intent] | None = None
) -> Scheduled | Reply:
    """Return the task that an id or words mean, or a reply where that is not clear: of several, it asks which, by
    buttons that ask for `order`."""
    if not words:
        return run.say("task_usage", command=run.language.command(f"/{name}"))
    said = words[:200]
    found = actions.meant(tx, run.context, said)
    part = name == "cancel" and len(found) == 1 and is_part(said, name_of(run, found[0]))
    if len(found) > 1 or part:
        which = run.language.say("only_part", text=shown.cut(said)) if part else ""
        return ask_which(run, found, order or _ORDERS[name], which)
    if not found:
        return run.say("task_unknown")
    # What was due a moment ago may still wait to be sent, and can be cancelled so far.
    over = found[0].state in {TriggerState.DONE, TriggerState.CANCELLED} and name != "cancel"
    return run.say("task_ended") if over else found[0]


async def own_task(
    run: CommandRun, name: str, words: str, order: Callable[[str], Intent] | None = None
) -> Scheduled | Reply:
    """Return the task that words mean and that the person may change; else a reply that says why not, so that nobody is
    asked for a time in vain."""
    found = await run.context.db.read(lambda tx: _meant(run, tx, name, words, order))
    if name == "move" and not isinstance(found, Reply) and isinstance(load(found.schedule), Watch):
        return run.say("watch_no_time")
    return found if isinstance(found, Reply) or found.mine else run.say("task_not_yours")


def due_then(run: CommandRun, tx: Tx, due: At) -> Sequence[Scheduled]:
    """Return what is due on a day, at a clock time, or both."""
    day = None
    if due.day is not None:
        # The end of the day is still to come, also of this one.
        end = resolved(run, replace(due, clock=Clock(hour=23, minute=59)), run.context.zone)
        if not isinstance(end, Once):
            return []
        day = to_local(end.at, run.context.zone).date()
    return actions.due_at(tx, run.context, day, due.clock)


# Changing.


def _cancel(run: CommandRun, tx: Tx) -> Reply:
    """Stop what words mean. A bare /cancel withdraws a question when it is accepted: here there was none."""
    return stop(run, tx, run.rest) if run.rest else run.say("nothing_to_cancel")


@intent(intents.CANCEL, as_command="cancel")
def cancel(run: CommandRun, tx: Tx, *, schedule: str) -> Reply:
    """Stop what an id means, or words."""
    return stop(run, tx, schedule)


def stop(run: CommandRun, tx: Tx, words: str) -> Reply:
    """Stop what an id means, or words, also what is being worked on."""
    if at_work(tx, run.context, words) is not None:
        return stop_at_work(run, tx, words)
    task = _meant(run, tx, "cancel", words)
    # What a former version stopped in this run, before it was killed, is not found any more.
    if isinstance(task, Reply) and not run.actor.replays(actions.cancel_schedule.name):
        return task
    schedule_id, name = ("", "") if isinstance(task, Reply) else (task.schedule_id, name_of(run, task))
    stopped = run.actor.act(tx, actions.cancel_schedule, schedule_id=schedule_id)
    if not stopped.success:
        return run.say("task_ended")
    text = run.language.say("task_cancelled", text=shown.cut(name or stopped.text))
    return shown.in_place(run, text, shown.undo(run, stopped.undo))


def _skip(run: CommandRun, tx: Tx) -> Reply:
    return _skipped(run, tx, run.rest)


@intent(intents.SKIP, as_command="skip")
def skip(run: CommandRun, tx: Tx, *, schedule: str) -> Reply:
    """Leave out the next time of what an id means."""
    return _skipped(run, tx, schedule)


def _skipped(run: CommandRun, tx: Tx, words: str) -> Reply:
    task = _meant(run, tx, "skip", words)
    if isinstance(task, Reply):
        return task
    schedule = load(task.schedule)
    if isinstance(schedule, Once):
        return run.say("skip_once")
    task = run.actor.act(tx, actions.skip_next, schedule_id=task.schedule_id)
    # By the clock that its times are shown by right below.
    zone = ZoneInfo(schedule.zone) if isinstance(schedule, Rule) else run.context.zone
    at = shown.moment(run.language, task.skipped, zone, run.context.clock.now())
    return _view(run, task, run.language.say("task_skipped", moment=at), shown.undo(run, task.undo))


async def _pause(run: CommandRun) -> Reply | Act:
    return await _paused(run, *_what_until(run))


@intent(intents.PAUSE, as_command="pause")
async def pause_until(run: CommandRun, *, schedule: str, until: TimeWords = "") -> Reply | Act:
    """Let something rest until the time that an answer gives, or until somebody resumes it; else ask until when."""
    if not until:
        return await _paused(run, schedule)
    at = _until(run, until)
    if at is None and not _open_end(until):
        return _ask_until(run, schedule)
    return partial(_rest_until, run, schedule, at)


async def _paused(run: CommandRun, name: str, until: str = "") -> Reply | Act:
    task = await own_task(run, "pause", name)
    if isinstance(task, Reply):
        return task
    if isinstance(load(task.schedule), Once):
        return run.say("skip_once")
    at = _until(run, until) if until else None
    if at is None and not _open_end(until) and not isinstance(load(task.schedule), Watch):
        return _ask_until(run, task.schedule_id)
    return partial(_rest_until, run, task.schedule_id, at)


def _ask_until(run: CommandRun, schedule_id: str) -> Reply:
    order = pause_until.asking("until", schedule=schedule_id)
    return run.ask(run.language["ask_until"], order, options=[run.language["pause_open"]])


def _rest_until(run: CommandRun, schedule_id: str, until: Millis | None, tx: Tx) -> Reply:
    task = run.actor.act(tx, actions.pause_schedule, schedule_id=schedule_id, until=until)
    return _view(run, task, back=shown.undo(run, task.undo))


def _what_until(run: CommandRun) -> tuple[str, str]:
    """Split what stands behind /pause into an id or words, and until when; empty where that is not said."""
    first, rest = id_first(run.rest)
    if first:
        return first, rest
    for word in all_words("until_words"):
        before, there, after = rest.rpartition(f" {word} " if word.isascii() else word)
        if there and before.strip() and (_until(run, after) is not None or _open_end(after)):
            return before.strip(), after
    return rest, ""


def id_first(words: str) -> tuple[str, str]:
    """Split words into the id of something scheduled with which they begin, and the rest; an empty id where there is
    none."""
    first, _, rest = words.partition(" ")
    return (first, rest.strip()) if ids.number("s", first) is not None else ("", words)


def _until(run: CommandRun, words: str) -> Millis | None:
    """Return the instant that words name, with or without "until"; a day counts from its beginning. None for no
    time."""
    when = time_input.when_of(_without_until(words), run.language)
    if when is None or isinstance(when, Every):
        return None
    when = replace(when, clock=Clock(hour=0)) if isinstance(when, At) and when.clock is None else when
    schedule = resolved(run, when, run.context.zone)
    return schedule.at if isinstance(schedule, Once) else None


def _without_until(words: str) -> str:
    said = words.strip()
    found = next((one for one in all_words("until_words") if said.casefold().startswith(one)), "")
    return said[len(found) :].strip()


def _open_end(words: str) -> bool:
    said = folded(_without_until(words))
    return any(said == folded(language["pause_open"]) for language in languages().values())


def resolved(run: CommandRun, when: Expression, zone: ZoneInfo) -> Schedule | None:
    return next(iter(meanings(run, when, zone)), None)


def meanings(run: CommandRun, when: Expression, zone: ZoneInfo) -> list[Schedule]:
    """Return the schedules that a time may mean, the likeliest first."""
    try:
        return [one.schedule for one in time_input.readings(when, said_at(run), zone, run.clock_zone)]
    except Impossible:
        return []


def _resume(run: CommandRun, tx: Tx) -> Reply:
    return _resumed(run, tx, run.rest)


@intent(intents.RESUME, as_command="resume", confirms=Confirms(yes=("assistant_yes",), in_words=True))
def resume(run: CommandRun, tx: Tx, *, schedule: str) -> Reply:
    """Let what an id means go on."""
    return _resumed(run, tx, schedule)


def _resumed(run: CommandRun, tx: Tx, words: str) -> Reply:
    task = _meant(run, tx, "resume", words)
    if isinstance(task, Reply):
        return task
    task = run.actor.act(tx, actions.resume_schedule, schedule_id=task.schedule_id)
    return _view(run, task, back=shown.undo(run, task.undo))


# The daily brief.


async def _brief(run: CommandRun) -> Reply | Act:
    said = run.rest.casefold()
    if not said:
        brief = await run.context.db.read(lambda tx: actions.brief_of(tx, run.context))
        return run.say("brief_usage") if brief is None else _view(run, brief)
    if said in all_words("off_words"):
        return partial(_no_brief, run)
    schedule = _daily(run, run.rest)
    return run.say("brief_usage") if schedule is None else partial(_set_brief, run, schedule)


@intent("schedules.brief", as_command="brief")
async def brief_at(run: CommandRun, *, when: When) -> Reply | Act:
    """Tell what is on at a time, again and again."""
    schedule = _recurring(run, when)
    return run.say("brief_usage") if schedule is None else partial(_set_brief, run, schedule)


@intent("schedules.no_brief", as_command="brief")
def no_brief(run: CommandRun, tx: Tx) -> Reply:
    """Tell no more what is on."""
    return _no_brief(run, tx)


def _set_brief(run: CommandRun, schedule: Rule, tx: Tx) -> Reply:
    brief = run.actor.act(tx, set_brief, schedule=dump(schedule))
    reply = _view(run, brief, back=shown.undo(run, brief.undo))
    if run.about_own_chat:
        reply = replace(reply, text=f"{reply.text}\n{run.language['comes_to_you']}")
    return replace(reply, offers=(*reply.offers, *shown.offers_of_zone(run, tx)))


def _no_brief(run: CommandRun, tx: Tx) -> Reply:
    brief = actions.brief_of(tx, run.context)
    if brief is None:
        return run.say("brief_none")
    stopped = run.actor.act(tx, actions.cancel_schedule, schedule_id=brief.schedule_id)
    return shown.in_place(run, run.language["brief_off"], shown.undo(run, stopped.undo))


def _daily(run: CommandRun, words: str) -> Rule | None:
    """Return the rule that words name: a time alone means every day. None for what is no such rule."""
    when = time_input.when_of(words, run.language)
    if when is None and words.isascii() and words.isdecimal():  # "/brief 7"
        when = time_input.when_of(run.language.say("at_time", rest=words), run.language)
    if isinstance(when, At) and not (when.day or when.zone) and when.clock is not None:
        when = Every(unit="day", clocks=(when.clock,))
    return _recurring(run, when)


def _recurring(run: CommandRun, when: Expression | Once | None) -> Rule | None:
    """Return a time that recurs as a rule of the calendar in the zone of the chat; None for any other time."""
    found = resolved(run, when, run.context.zone) if isinstance(when, Every) else None
    return found if isinstance(found, Rule) else None


# The intent of a button below the question which of several is meant, by command.
_ORDERS: Mapping[str, Callable[[str], Intent]] = {
    "tasks": lambda schedule: show.of(schedule=schedule),
    "cancel": intents.cancel,
    "skip": intents.skip,
    "pause": intents.pause,
    "resume": intents.resume,
    "move": intents.move,
}
INTENTS = (
    show_all, show, cancel, skip, resume, pause_until, brief_at, no_brief,
)  # fmt: skip
COMMANDS: Mapping[str, Command] = {
    "tasks": Command(_tasks, menu=Menu(4), of_chat="own_list", aliases=("reminders", "schedules")),
    "cancel": Command(_cancel, asks_platform=True, interrupts=Interrupts.ALONE),
    "skip": Command(_skip, asks_platform=True),
    "pause": Command(_pause, asks_platform=True),
    "resume": Command(_resume, asks_platform=True),
    "brief": Command(_brief, menu=Menu(6), asks_platform=True, of_chat="not_here", takes_words=True),
}
