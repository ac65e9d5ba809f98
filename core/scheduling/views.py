"""How what is scheduled is shown: read back absolutely, with buttons to change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from core.kernel.markdown import called, literal
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.schedule import Interval, Once, Rule, load
from core.kernel.timing.zones import zone_named
from core.kernel.types import Millis
from core.language import Language, zone_search
from core.scheduling import repository as triggers
from core.toolkit.command import CommandRun

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
NEARLY_A_MINUTE = 50 * SECOND
LONGEST, LONGEST_LABEL = 300, 28
_LISTED = 80
_YEAR, _MANY_YEARS = 365.25 * DAY, 2


def keyboard_row(run: CommandRun, text: str, offers: Sequence[Offer]) -> Reply:
    """An answer that takes the place of the message whose button was pressed, and whose own buttons stay."""
    return run.reply(text, offers=offers, edits=True, once=False)


def zone_name(language: Language, zone: str) -> str:
    """A zone as people call it: an offset as they write it, or the town of its name as the language calls that."""
    named = zone_search.shown(zone)
    return named if named != zone else language.town(zone)


def moment(language: Language, at: Millis, zone: ZoneInfo, now: Millis) -> str:
    """An instant, with its year where that is another one than now."""
    shown, today = _local(at, zone), _local(now, zone)
    if shown.year == today.year:
        return language.moment(shown)
    return f"{language.date(shown)} {language.clock(shown)}"


def day(language: Language, at: Millis, zone: ZoneInfo, now: Millis) -> str:
    """The day of an instant."""
    clock = language.clock(_local(at, zone))
    return moment(language, at, zone, now).removesuffix(f" {clock}")


def _local(at: Millis, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone)


def wait(language: Language, at: Millis, zone: ZoneInfo, now: Millis) -> str:
    """How long it is until then, as people say it: days as a calendar counts them, or hours and minutes."""
    length = at - now
    if length >= _MANY_YEARS * _YEAR:
        return language.say("in_years", n=round(length / _YEAR))
    if length >= DAY:
        return language.duration((_local(at, zone).date() - _local(now, zone).date()).days * DAY)
    unit = MINUTE if length >= NEARLY_A_MINUTE else SECOND
    return language.duration((length + unit // 2) // unit * unit)


def cut(text: str, most: int = LONGEST) -> str:
    """One line of a text for Markdown."""
    line = " ".join(text.split())
    return literal(line if len(line) <= most else f"{line[: most - 1]}…")


def label(text: str) -> str:
    """A text on a button."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_LABEL else f"{line[: LONGEST_LABEL - 1]}…"


def when(run: CommandRun, task: Mapping[str, Any], zone: str = "") -> str:
    """When something is due, read back: `zone` is that of another person whom it is for."""
    language, schedule, now = run.language, load(task["schedule"]), run.context.clock.now()
    here = ZoneInfo(zone) if zone and task.get("apart") else run.context.zone
    match schedule:
        case Once():
            return _once(run, task["next_at"], here, zone, own=not (task.get("names") or task.get("everybody")))
        case Interval():
            next_at = moment(language, task["next_at"], here, now)
            return language.say("when_even", rule=language.grammar.say(schedule, here), next=next_at)
        case Rule():
            own = ZoneInfo(schedule.zone)
            rule, named = language.grammar.say(schedule, own), zone_name(language, schedule.zone)
            shown = (day if _one_clock(schedule) else moment)(language, task["next_at"], own, now)
            return language.say("when_again", rule=rule, zone=named, next=shown)


async def zone_offer(run: CommandRun) -> list[Offer]:
    """Look what `offers_of_zone` returns."""
    return await run.context.db.read(lambda tx: offers_of_zone(run, tx))


def offers_of_zone(run: CommandRun, tx: Tx) -> list[Offer]:
    """Where nobody has said which zone it is, the first thing that goes by its clock offers to, to who may."""
    if run.context.participant.timezone or not run.may("timezone"):
        return []
    found = triggers.following(tx, run.context.lane)
    return [(run.language["not_my_zone"], "/timezone")] if len(found) == 1 else []


def _one_clock(rule: Rule) -> bool:
    """Whether a rule is due once a day, so that its day says when."""
    return all(part.isdecimal() for part in rule.cron.split()[:2])


def _once(run: CommandRun, at: Millis, mine: ZoneInfo, theirs: str, *, own: bool) -> str:
    """By the clock of whose it is, and by that of who asked; what is one's `own` in a group also by the group's."""
    language, now = run.language, run.context.clock.now()
    if theirs and not own:
        # In a group it may be another than the group's.
        mine = zone_named(run.context.principal.timezone) or mine
    if at - now < SECOND:
        return language["when_now"]
    length = wait(language, at, mine, now)
    if not theirs or _same(at, mine, ZoneInfo(theirs)):
        zone = zone_name(language, mine.key)
        return language.say("when_once", moment=moment(language, at, mine, now), zone=zone, wait=length)
    there_zone = ZoneInfo(theirs)
    here, there = _local(at, mine), _local(at, there_zone)
    for_me = language.clock(here) if here.date() == there.date() else language.moment(here)
    said = {"moment": moment(language, at, there_zone, now), "zone": zone_name(language, theirs), "mine": for_me}
    if own:
        return language.say("when_own", **said, here=zone_name(language, mine.key), wait=length)
    return language.say("when_theirs", **said, wait=length)


def _same(at: Millis, one: ZoneInfo, other: ZoneInfo) -> bool:
    return one.key == other.key or _local(at, one).utcoffset() == _local(at, other).utcoffset()


def names(run: CommandRun, task: Mapping[str, Any]) -> str:
    """Whom it is for, when that is not who asks."""
    if task.get("everybody"):
        return run.language["for_everybody"]
    return ", ".join(called(name, "–") for name in task.get("names", ()))


def full(run: CommandRun, task: Mapping[str, Any], zone: str = "") -> str:
    """Something that is scheduled, as it is read back."""
    who, said = names(run, task), when(run, task, zone)
    if task.get("state") == "paused":
        said = run.language.say("when_paused", when=said)
    if task.get("until_done"):
        said = run.language.say("when_until_done", when=said)
    text = run.language["brief_name"] if task["deliver"] == "brief" else cut(task["text"])
    if who:
        return run.language.say("task_for", name=who, when=said, text=text)
    return run.language.say("task", when=said, text=text)


def short(run: CommandRun, task: Mapping[str, Any], zone: ZoneInfo | None = None) -> str:
    """Something that is scheduled, as a line of a list."""
    language, now = run.language, run.context.clock.now()
    schedule, own = load(task["schedule"]), zone or run.context.zone
    said = language["paused"] if task["state"] == "paused" else moment(language, task["next_at"], own, now)
    again = "" if isinstance(schedule, Once) else " ↻"
    text = language["brief_name"] if task["deliver"] == "brief" else cut(task["text"], _LISTED)
    who = names(run, task)
    return language.say("task_line", when=f"{said}{again}", text=f"{who}: {text}" if who else text)


def offers(run: CommandRun, task: Mapping[str, Any]) -> list[Offer]:
    """The buttons of something that is scheduled."""
    language, this = run.language, task["schedule_id"]
    again = not isinstance(load(task["schedule"]), Once)
    change = [(language["change"], f"/move {this}")]
    if task["state"] == "paused":
        rest = [(language["resume"], f"/resume {this}")]
    else:
        rest = [(language["button_skip_next"], f"/skip {this}"), (language["button_pause"], f"/pause {this}")]
    return [*change, *(rest if again else ()), (language["button_stop"], f"/cancel {this}")]


def group_title(run: CommandRun) -> str:
    """What the group where it is asked is called, such as "#general"."""
    return run.context.participant.title or run.language["this_group"]


def other_times(run: CommandRun, task: Mapping[str, Any], times: Sequence[Once | Rule], zone: ZoneInfo) -> list[Offer]:
    """Return the other times that may have been meant, each with a button that moves it there."""
    now, offers = run.context.clock.now(), {}
    for other in times:
        if isinstance(other, Rule):
            # Its days stay: only the time of day is another one.
            minute, hour = other.cron.split()[:2]
            time = f"{int(hour):02}:{int(minute):02}"
            offers[time] = f"/move {task['schedule_id']} {time}"
            continue
        at = _local(other.at, zone).isoformat(timespec="minutes")
        offers[moment(run.language, other.at, zone, now)] = f"/move {task['schedule_id']} {at}"
    return list(offers.items())


def undo(run: CommandRun, result: Mapping[str, Any], text: str = "") -> list[Offer]:
    """The button that takes a change back, if it can be."""
    found = result.get("undo")
    return [(text or run.language["undo"], f"/undo {found}")] if found else []
