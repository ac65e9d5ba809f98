"""How what is scheduled is shown: read back absolutely, with buttons to change it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from zoneinfo import ZoneInfo

from core.kernel.conditions import All, Condition, Either, FileChanged, FileExists, Judged, TaskEnded
from core.kernel.conditions import load as load_condition
from core.kernel.markdown import called, literal, truncated
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.schedule import Interval, Once, Rule, Watch, load
from core.kernel.timing.trigger import TriggerState
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import DAY, MINUTE, SECOND, Millis
from core.language import Language, zone_search
from core.scheduling import repository as triggers
from core.scheduling.repository import Deliver
from core.scheduling.service import Scheduled
from core.toolkit import intents
from core.toolkit.command import CommandRun

NEARLY_A_MINUTE = 50 * SECOND
LONGEST, LONGEST_LABEL = 300, 28
_LISTED = 80
_YEAR, _MANY_YEARS = 365.25 * DAY, 2


def in_place(run: CommandRun, text: str, offers: Sequence[Offer]) -> Reply:
    """Return an answer that takes the place of the message whose button was pressed; its own buttons can be pressed
    again and again."""
    return run.reply(text, offers=offers, edits=True, once=False)


def zone_name(language: Language, zone: str) -> str:
    """Return a zone as people call it: an offset as they write it, or the town of its name in their language."""
    named = zone_search.shown(zone)
    return named if named != zone else language.town(zone)


def moment(language: Language, at: Millis, zone: ZoneInfo, now: Millis) -> str:
    """Return an instant as people read it, with its year where that is not the current one."""
    shown, today = to_local(at, zone), to_local(now, zone)
    if shown.year == today.year:
        return language.moment(shown)
    return f"{language.date(shown)} {language.clock(shown)}"


def by_both_clocks(language: Language, at: Millis, first: ZoneInfo, second: ZoneInfo) -> str:
    """Return an instant by the clock of one zone, and by that of another as well where it shows another time."""
    here, there = to_local(at, first), to_local(at, second)
    when = language.when(at, first.key)
    if here.utcoffset() == there.utcoffset():
        return when
    other = language.clock(there) if here.date() == there.date() else language.moment(there)
    return f"{when} {zone_name(language, first.key)} ({other} {zone_name(language, second.key)})"


def day(language: Language, at: Millis, zone: ZoneInfo, now: Millis) -> str:
    """Return the day of an instant as people read it."""
    clock = language.clock(to_local(at, zone))
    return moment(language, at, zone, now).removesuffix(f" {clock}")


def wait(language: Language, at: Millis, zone: ZoneInfo, now: Millis) -> str:
    """Return how long it is until an instant, as people say it: days as a calendar counts them, or hours and
    minutes."""
    length = at - now
    if length >= _MANY_YEARS * _YEAR:
        return language.say("in_years", n=round(length / _YEAR))
    if length >= DAY:
        return language.duration((to_local(at, zone).date() - to_local(now, zone).date()).days * DAY)
    unit = MINUTE if length >= NEARLY_A_MINUTE else SECOND
    return language.duration((length + unit // 2) // unit * unit)


def cut(text: str, most: int = LONGEST) -> str:
    """Return a text as one line of Markdown, cut to a length."""
    return literal(truncated(" ".join(text.split()), most))


def label(text: str) -> str:
    """Return a text as the label of a button."""
    return truncated(" ".join(text.split()), LONGEST_LABEL)


def when(run: CommandRun, task: Scheduled, zone: str = "") -> str:
    """Return when something is due, to be read back; `zone` is that of the other person whom it is for."""
    language, schedule, now = run.language, load(task.schedule), run.context.clock.now()
    here = ZoneInfo(zone) if zone and task.apart else run.context.zone
    match schedule:
        case Once():
            return _once(run, task.next_at, here, zone, own=not (task.names or task.everybody))
        case Interval():
            next_at = moment(language, task.next_at, here, now)
            return language.say("when_even", rule=language.grammar.say(schedule, here), next=next_at)
        case Rule():
            own = ZoneInfo(schedule.zone)
            rule, named = language.grammar.say(schedule, own), zone_name(language, schedule.zone)
            # Where it is due once a day, its day says when.
            once_a_day = len(schedule.clocks) == 1
            shown = (day if once_a_day else moment)(language, task.next_at, own, now)
            return language.say("when_again", rule=rule, zone=named, next=shown)
        case Watch(condition=condition, until=until):
            what = watched(language, load_condition(condition))
            return language.say("when_watch", what=what, day=day(language, until, here, now))


def watched(language: Language, condition: Condition) -> str:
    """Return the condition that must come true, as people read it."""
    match condition:
        case FileChanged(path=path):
            return language.say("watch_changed", path=cut(path, _LISTED))
        case FileExists(path=path):
            return language.say("watch_exists", path=cut(path, _LISTED))
        case TaskEnded(task_id=task_id, failed=failed):
            return language.say("watch_failed" if failed else "watch_done", task=cut(task_id, _LISTED))
        case Judged(prompt=prompt):
            return language.say("watch_judged", prompt=cut(prompt, _LISTED))
        case All(conditions=parts) | Either(conditions=parts):
            key = "watch_and" if isinstance(condition, All) else "watch_or"
            said = (watched(language, part) for part in parts)
            inner = (isinstance(part, All | Either) and len(part.conditions) > 1 for part in parts)
            named = (f"({one})" if several else one for one, several in zip(said, inner, strict=True))
            return reduce(lambda one, other: language.say(key, one=one, other=other), named)


def offers_of_zone(run: CommandRun, tx: Tx) -> list[Offer]:
    """Return the button that asks for the time zone: below the first trigger that depends on one, where nobody has
    chosen any, for people who may choose it."""
    if run.context.participant.timezone or not run.may("timezone"):
        return []
    found = triggers.following(tx, run.context.lane)
    return [(run.language["not_my_zone"], intents.ask_zone())] if len(found) == 1 else []


def _once(run: CommandRun, at: Millis, mine: ZoneInfo, theirs: str, *, own: bool) -> str:
    """Return an instant by the clock of the person whom it is for, and by that of who asks; if it is one's `own` in a
    group, also by the group's."""
    language, now = run.language, run.context.clock.now()
    if theirs and not own:
        # In a group it may be another than the group's.
        mine = zone_named(run.context.principal.timezone) or mine
    if at - now < SECOND:
        return language["when_now"]
    length = wait(language, at, mine, now)
    there_zone = ZoneInfo(theirs) if theirs else mine
    here, there = to_local(at, mine), to_local(at, there_zone)
    # Two zones are one here where their clocks show the same then.
    if here.utcoffset() == there.utcoffset():
        zone = zone_name(language, mine.key)
        return language.say("when_once", moment=moment(language, at, mine, now), zone=zone, wait=length)
    for_me = language.clock(here) if here.date() == there.date() else language.moment(here)
    said = {"moment": moment(language, at, there_zone, now), "zone": zone_name(language, theirs), "mine": for_me}
    if own:
        return language.say("when_own", **said, here=zone_name(language, mine.key), wait=length)
    return language.say("when_theirs", **said, wait=length)


def names(run: CommandRun, task: Scheduled) -> str:
    """Return the names of those whom something is for; empty when that is only who asks."""
    if task.everybody:
        return run.language["for_everybody"]
    return run.language.joined([called(name, "–") for name in task.names]) if task.names else ""


def full(run: CommandRun, task: Scheduled, zone: str = "") -> str:
    """Return the text that reads back something that is scheduled."""
    who, said = names(run, task), when(run, task, zone)
    if task.state == TriggerState.PAUSED:
        said = run.language.say("when_paused", when=said)
    if task.until_done:
        said = run.language.say("when_until_done", when=said)
    text = run.language["brief_name"] if task.deliver == Deliver.BRIEF else cut(task.text)
    if task.deliver == Deliver.TASK:
        key = "task_runs_silent" if task.silent else "task_runs"
        return run.language.say(key, when=said, text=text)
    if who:
        return run.language.say("task_for", name=who, when=said, text=text)
    return run.language.say("task", when=said, text=text)


def short(run: CommandRun, task: Scheduled, zone: ZoneInfo | None = None) -> str:
    """Return something that is scheduled as a line of a list."""
    language, now = run.language, run.context.clock.now()
    schedule, own = load(task.schedule), zone or run.context.zone
    said = moment(language, task.next_at, own, now)
    if isinstance(schedule, Watch):
        said = language.say("when_watched", what=watched(language, load_condition(schedule.condition)))
    said = language["paused"] if task.state == TriggerState.PAUSED else said
    again = "" if isinstance(schedule, Once | Watch) else " ↻"
    text = language["brief_name"] if task.deliver == Deliver.BRIEF else cut(task.text, _LISTED)
    who = names(run, task)
    text = language.say("named", name=who, text=text) if who else text
    return language.say("task_line", when=f"{said}{again}", text=text)


def offers(run: CommandRun, task: Scheduled) -> list[Offer]:
    """Return the buttons of something that is scheduled."""
    language, this = run.language, task.schedule_id
    schedule = load(task.schedule)
    again, watches = not isinstance(schedule, Once), isinstance(schedule, Watch)
    change = [] if watches else [(language["change"], intents.move(this))]
    if task.state == TriggerState.PAUSED:
        rest = [(language["resume"], intents.resume(this))]
    else:
        skip = [] if watches else [(language["button_skip_next"], intents.skip(this))]
        rest = [*skip, (language["button_pause"], intents.pause(this))]
    return [*change, *(rest if again else ()), (language["button_stop"], intents.cancel(this))]


def group_title(run: CommandRun) -> str:
    """Return what the group is called in which a command was given, such as "#general"."""
    return run.context.participant.title or run.language["this_group"]


def other_times(run: CommandRun, task: Scheduled, times: Sequence[Once | Rule], zone: ZoneInfo) -> list[Offer]:
    """Return the other times that may have been meant, each with a button that moves it there."""
    now, offers = run.context.clock.now(), {}
    for other in times:
        if isinstance(other, Rule):
            # Its days stay: only the time of day is another one.
            time = other.clocks[0]
            offers[time] = intents.move(task.schedule_id, time)
            continue
        at = to_local(other.at, zone).isoformat(timespec="minutes")
        offers[moment(run.language, other.at, zone, now)] = intents.move(task.schedule_id, at)
    return list(offers.items())


def undo(run: CommandRun, undo_id: str, text: str = "") -> list[Offer]:
    """Return the button that takes a change back; none where `undo` is empty."""
    return [(text or run.language["undo"], intents.undo(undo_id))] if undo_id else []
