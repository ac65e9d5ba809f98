"""Commands that set reminders: for who asks, for others, for everybody of a group; active at once, read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from core.capabilities.contacts import namesakes
from core.capabilities.contacts.reaching import find, reachable
from core.kernel import ids
from core.kernel.clean_text import cleaned
from core.kernel.markdown import called, labelled, literal
from core.kernel.replies import Offer, Reply
from core.kernel.timing.expressions import At, Delay, InDays
from core.kernel.timing.resolution import Impossible, Reading
from core.kernel.timing.schedule import Once, Rule, Schedule, dump
from core.kernel.timing.zones import zone_named
from core.kernel.types import Millis
from core.language.grammar import ME
from core.scheduling import refusals, time_input, time_input_dateparser
from core.scheduling import views as shown
from core.scheduling.time_input import LONGEST, NOW, SIGN, Asked
from core.toolkit.command import Command, CommandRun, Menu
from core.toolkit.own_chat import own_chat

DROP, HERE = "drop", "here"
TODAY, TOMORROW = InDays(days=0), InDays(days=1)
SHOWN = 60
Person = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class _Part:
    """One reminder to be set: `people` it is for (nobody: who asks), its schedule, and the `zone` it was read in.

    `readings` are what its time may mean, the likeliest first.
    """

    people: Sequence[Person]
    readings: Sequence[Reading]
    zone: ZoneInfo

    @property
    def schedule(self) -> Schedule:
        return self.readings[0].schedule

    @property
    def others(self) -> list[Once | Rule]:
        """The other times that may have been meant."""
        found = [self.readings[0].other, *(one.schedule for one in self.readings[1:])]
        return [one for one in found if isinstance(one, Once | Rule)]


async def _remind(run: CommandRun) -> Reply:
    if run.rest == DROP:
        return run.say("reminder_dropped")
    word, _, asked = run.rest.partition(" ")
    if word == HERE and ids.number("s", asked) is not None:
        return await _bring_here(run, asked)
    return await _set(run, run.rest)


async def _every(run: CommandRun) -> Reply:
    line = time_input.every(run.rest, run.language)
    return await _set(run, line) if line else run.say("every_usage")


async def _set(run: CommandRun, rest: str) -> Reply:
    said = run.context.said
    quoted, link = (said.quoted, said.link) if said is not None else ("", "")
    run.own = await run.context.db.read(lambda tx: own_chat(tx, run.context))
    asked = time_input.read(cleaned(rest), run.language, quoted=quoted, link=link)
    asked = await _named(run, await time_input_dateparser.settle(run, asked))
    if len(asked.text.removesuffix(asked.quoted).rstrip()) > LONGEST:
        return run.say("reminder_too_long")
    if asked.when is None and not asked.now:
        return await _ask_when(run, asked)
    if not asked.text:
        asked = await _forwarded(run, asked)
    if not asked.text:
        return await run.ask(run.language["ask_what"], f"/remind {asked.marks}{asked.words} {SIGN}")
    asked = replace(asked, text=time_input.cut(asked.text))
    people = await _people(run, asked)
    return people if isinstance(people, Reply) else await _make(run, asked, people)


async def _named(run: CommandRun, asked: Asked) -> Asked:
    """Without a text, where that is but the names of people who are known here: "Bob at 9", not "Milk at 9"."""
    found = time_input.of_names(asked, run.language) if asked.text else None
    if found is None:
        return asked
    result = await find(run, [name for name in found.who if name != ME])
    return found if result.success and all(result.result["found"]) else asked


async def _forwarded(run: CommandRun, asked: Asked) -> Asked:
    """The same about what was forwarded together with it: a comment comes before the message it is on."""
    result = await run.call("take_forwarded")
    if not result.success:
        return asked
    return replace(asked, text=time_input.cut(result.result["text"].strip()), link=result.result["link"])


async def _ask_when(run: CommandRun, asked: Asked) -> Reply:
    if time_input.begins_with_pronoun(asked.words):
        return run.say("remind_whom")
    people = time_input.only_people(asked.words, run.language)
    if not asked.text or (people and not asked.quoted):
        return run.say("remind_usage")
    me = people is not None and not people.who and not people.everybody
    bare = asked.quoted and (me or time_input.is_this(asked.words))
    if refusals.too_quick(asked.words):
        return run.say("too_quick")
    said = asked.quoted if bare else time_input.vague(time_input.own(asked.text))
    if not said.replace(SIGN, " ").strip():
        return run.say("remind_usage")
    key = "ask_day" if SIGN in asked.words else "ask_when"
    return await _ask(run, asked, said, run.language.say(key, text=_about(said)))


async def _ask(run: CommandRun, asked: Asked, said: str, question: str, options: Sequence[str] = ()) -> Reply:
    """Ask when; `said` is what it is about, also what may be a time and was not understood."""
    text = time_input.cut(" ".join(said.replace(SIGN, " ").split()))
    times = options or time_input.offered(run.language, run.context.zone, run.context.clock.now())
    return await run.ask(question, f"/remind {asked.marks}{text} {SIGN}", expects="time", options=times)


def _about(said: str) -> str:
    """What a question is about."""
    return shown.cut(time_input.subject(said.replace(SIGN, " ")), SHOWN)


async def _ask_again(
    run: CommandRun, asked: Asked, people: Sequence[Person], question: str, options: Sequence[str] = ()
) -> Reply:
    """Ask for a time that can be; nothing else of what was said is lost, unless somebody has no number here."""
    chosen = tuple(str(one["contact"]) for one in people)
    if any(ids.number("c", one) is None for one in chosen):
        return run.reply(question)
    return await _ask(run, replace(asked, chosen=chosen), asked.text, question, options)


# For whom.


async def _people(run: CommandRun, asked: Asked) -> list[Person] | Reply:
    """Whom the names mean, or what there is to say when that is not clear."""
    names = asked.who or asked.chosen
    if not names:
        return []
    if any(name.casefold() in time_input.pronouns() for name in names):
        return run.say("remind_whom")
    me = run.context.principal.address
    result = await find(run, [me if name == ME else name for name in names])
    if not result.success:
        return run.failed(result)
    found: list[Person] = []
    for name, some in zip(names, result.result["found"], strict=True):
        one = _chosen(run, asked, name, some)
        if one is None:
            return _unclear(run, asked, name, some)
        if not await reachable(run, one):
            return run.say("person_unreachable", name=called(one["name"], name))
        found.append(one)
    return found


def _chosen(run: CommandRun, asked: Asked, name: str, some: Sequence[Person]) -> Person | None:
    if name == ME and not some:
        return _myself(run)
    picked = some if len(some) == 1 else [one for one in some if one["contact"] in asked.chosen]
    if picked:
        return picked[0]
    if not some and run.group and name.startswith("@"):
        return {"contact": name, "name": name, "zone": "", "private": False, "me": False}
    return None


def _myself(run: CommandRun) -> Person:
    """Who asks, where nothing is noted of them."""
    person = run.context.principal
    return {"contact": person.address, "name": person.name, "zone": "", "private": True, "me": True}


def _unclear(run: CommandRun, asked: Asked, name: str, some: Sequence[Person]) -> Reply:
    if not some:
        key = "person_not_here" if run.group else "person_not_known"
        return run.say(key, name=literal(name[:SHOWN]))
    labels = namesakes.labels(run.language, some)
    offers = [(label, f"/remind #{one['contact']} {asked.line}") for label, one in zip(labels, some, strict=True)]
    return run.reply(run.language.say("which_person", name=literal(name[:SHOWN])), offers=offers)


# When.


async def _make(run: CommandRun, asked: Asked, people: Sequence[Person]) -> Reply:
    try:
        parts = _parts(run, asked, people)
    except Impossible:
        return await _ask_again(run, asked, people, run.language.say("time_impossible", text=_about(asked.text)))
    now = run.context.clock.now()
    over = [one.schedule.at for one in parts if isinstance(one.schedule, Once) and one.schedule.at < now]
    # What was set before a crash is set, however late that is said.
    if over and not asked.now and not run.replays("set_reminder"):
        return await _past(run, asked, people, min(over))
    made = []
    for part in parts:
        result = await _store(run, asked, part)
        if not result.success:
            return failed(run, result.code, result.error, _named_in(result.error, part.people))
        made.append((part, result.result))
    return await _read_back(run, made)


def _named_in(error: str, people: Sequence[Person]) -> list[str]:
    """The names of those whom an error is about; of all others where it does not say."""
    about = [one["name"] for one in people if str(one["contact"]) in error.split()]
    return about or [one["name"] for one in people if not one["me"]]


def _parts(run: CommandRun, asked: Asked, people: Sequence[Person]) -> list[_Part]:
    """In a group one for all of them; in private one for each, at that time where they are."""
    if run.group or len(people) <= 1:
        return [_part(run, asked, people)]
    return [_part(run, asked, [one]) for one in people]


def _part(run: CommandRun, asked: Asked, people: Sequence[Person]) -> _Part:
    zone, now = _zone(run, asked, people), run.context.clock.now()
    when = Once(at=now) if asked.now or asked.when is None else asked.when
    return _Part(people=people, readings=time_input.readings(when, said_at(run), zone, run.clock_zone), zone=zone)


def _zone(run: CommandRun, asked: Asked, people: Sequence[Person]) -> ZoneInfo:
    """Of the only one it is for, as far as it is known: also of who asks in a group. Else of the chat."""
    if asked.everybody or len(people) > 1:
        return run.context.zone
    me = not people or people[0]["me"]
    if run.own is not None and me:
        return run.own.zone
    named = run.context.principal.timezone if me else str(people[0]["zone"])
    return (zone_named(named) if run.group or not me else None) or run.context.zone


def said_at(run: CommandRun) -> Millis:
    """When it was said: "in 20 minutes" counts from then."""
    return run.context.clock.now() if run.context.said is None else run.context.said.sent_at


async def _past(run: CommandRun, asked: Asked, people: Sequence[Person], at: Millis) -> Reply:
    """It was said in time and read too late, or it never was to come."""
    language, zone, now = run.language, _zone(run, asked, people), run.context.clock.now()
    if at <= said_at(run):
        shown_now = shown.moment(language, now, zone, now)
        said = language.say("time_past", now=shown_now, zone=shown.zone_name(language, zone.key))
        question = f"{said} {language.say('time_instead', text=_about(asked.text))}"
        return await _ask_again(run, asked, people, question, _next_day(run, asked, zone))
    offers = [(language["remind_now"], f"/remind {NOW} {asked.line}")]
    if isinstance(asked.when, Delay):
        length = language.duration(at - said_at(run))
        offers.append((language.say("from_now", wait=length), f"/remind {asked.line}"))
    offers.append((language["drop"], f"/remind {DROP}"))
    text = language.say("was_due", text=shown.cut(asked.text, SHOWN), duration=language.duration(now - at))
    return replace(run.reply(text, offers=offers), tells_late=True)


def _next_day(run: CommandRun, asked: Asked, zone: ZoneInfo) -> list[str]:
    """What was to be today, and is past, can be tomorrow, in either half of the day: times that are read as shown."""
    if not isinstance(asked.when, At) or asked.when.day != TODAY:
        return []
    now = run.context.clock.now()
    tomorrow = (replace(asked.when, day=TOMORROW), _early(asked.when))
    found = dict.fromkeys(time_input.reading(when, said_at(run), zone).schedule for when in tomorrow)
    times = [(shown.moment(run.language, at.at, zone, now), at.at) for at in found if isinstance(at, Once)]
    return [time for time, at in times if _read_as(run, time, zone) == at]


def _read_as(run: CommandRun, time: str, zone: ZoneInfo) -> Millis | None:
    when = time_input.when_of(time, run.language)
    try:
        found = None if when is None else time_input.reading(when, said_at(run), zone).schedule
    except Impossible:
        return None
    return found.at if isinstance(found, Once) else None


def _early(when: At) -> At:
    """Tomorrow in the earlier half of the day: "tonight at 5" may mean the morning that ends the night."""
    return replace(when, day=TOMORROW, clock=when.clock and replace(when.clock, certain=True))


async def _store(run: CommandRun, asked: Asked, part: _Part) -> Any:
    alone = not asked.everybody and all(one["me"] for one in part.people)
    place = run.own if run.own is not None and alone else run.context
    schedule, own = part.schedule, part.zone.key == place.zone.key
    goes_by_zone = isinstance(schedule, Rule) or (isinstance(schedule, Once) and bool(schedule.wall))
    return await run.call(
        "set_reminder",
        text=asked.text,
        schedule=dump(schedule),
        contacts=[one["contact"] for one in part.people if len(part.people) > 1 or not one["me"]],
        everybody=asked.everybody,
        until_done=asked.until_done,
        follows=own and goes_by_zone,
        link=asked.link,
        own=place is run.own,
    )


# Reading back.


async def _read_back(run: CommandRun, made: Sequence[tuple[_Part, Mapping[str, Any]]]) -> Reply:
    lines = [line for part, task in made for line in _lines(run, part, task)]
    if len(made) > 1:
        undos = [shown.undo(run, task, _undo_label(run, part)) for part, task in made]
        return run.reply("\n".join(lines), offers=[one for some in undos for one in some])
    ((part, task),) = made
    again = not isinstance(part.schedule, Once)
    if again and run.group:
        offers = [*shown.other_times(run, task, part.others, part.zone)]
        offers += [one for one in shown.offers(run, task) if not str(one[1]).startswith("/move ")]
        offers += _elsewhere(run, task)
        return replace(run.reply("\n".join(lines), offers=offers, once=False), own=bool(task.get("apart")))
    zone = await shown.zone_offer(run) if task["follows"] else []
    change = (run.language["change"], f"/move {task['schedule_id']}")
    offers = [
        *shown.other_times(run, task, part.others, part.zone),
        change,
        *shown.undo(run, task),
        *_elsewhere(run, task),
        *zone,
    ]
    # Who says where they are may want to change it all the same.
    return replace(run.reply("\n".join(lines), offers=offers, once=not zone), own=bool(task.get("apart")))


def _undo_label(run: CommandRun, part: _Part) -> str:
    name = ", ".join(labelled(one["name"], one["contact"]) for one in part.people)
    return run.language.say("undo_for", name=name)


def _lines(run: CommandRun, part: _Part, task: Mapping[str, Any]) -> list[str]:
    others = [one for one in part.people if not one["me"]]
    named = {**task, "names": [one["name"] for one in part.people] if others else []}
    lines = [shown.full(run, named, part.zone.key)]
    lines += [run.language["comes_here"]] if task["stays"] else []
    alone = not others and not task["everybody"]
    lines += [run.language["comes_to_you"]] if task.get("apart") or (run.strays and alone) else []
    if len(others) == 1 and not others[0]["zone"] and task["follows"]:
        if not run.may("contacts"):
            return lines
        name = called(others[0]["name"], others[0]["contact"])
        zone = shown.zone_name(run.language, run.context.zone.key)
        lines.append(run.language.say("zone_guessed", name=name, zone=zone))
    return lines


def _elsewhere(run: CommandRun, task: Mapping[str, Any]) -> list[Offer]:
    """The group, of what comes in one's own chat."""
    if not task.get("apart"):
        return []
    label = run.language.say("in_group_instead", group=shown.group_title(run))
    return [(shown.label(label), f"/remind {HERE} {task['schedule_id']}")]


async def _bring_here(run: CommandRun, schedule_id: str) -> Reply:
    result = await run.call("place_reminder", schedule_id=schedule_id)
    if not result.success:
        return failed(run, result.code, result.error)
    task = result.result
    text = f"{shown.full(run, task, run.context.principal.timezone)}\n{run.language['comes_here']}"
    change = (run.language["change"], f"/move {schedule_id}")
    return shown.keyboard_row(run, text, [change, *shown.undo(run, task)])


def failed(run: CommandRun, code: str, error: str, names: Sequence[str] = ()) -> Reply:
    """Say why something about reminders did not work; `names` are of those it was for."""
    name = ", ".join(called(one, "–") for one in names)
    if refused := refusals.refused(run, error, name):
        more = run.language["remind_us_instead"] if run.group and refusals.reason(error) == "recipient_limit" else ""
        return replace(refused, text=f"{refused.text} {more}".rstrip())
    known = {"not_permitted": "task_not_yours", "too_many": "too_many_tasks", "invalid": "reminder_too_long"}
    return run.say(known.get(code, "failed"))


COMMANDS: Mapping[str, Command] = {
    "remind": Command(_remind, menu=Menu(1), aliases=("schedule",)),
    "every": Command(_every, menu=Menu(5)),
}
