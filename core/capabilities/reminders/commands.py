"""Commands that set reminders: for who asks, for others, for everybody of a group; active at once, read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, zip_longest
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter

from core.capabilities.calendars import repository as calendars
from core.capabilities.contacts import namesakes
from core.capabilities.contacts.reaching import find, reachable
from core.capabilities.contacts.service import MOST, Person
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.actions import place_reminder, set_reminder, take_forwarded
from core.kernel import ids
from core.kernel.clean_text import cleaned
from core.kernel.intent import Intent
from core.kernel.markdown import called, labelled, literal
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.expressions import At, Delay, Every, Expression, InDays
from core.kernel.timing.resolution import Impossible, Reading
from core.kernel.timing.schedule import Interval, Once, Rule, Schedule, dump
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import Millis
from core.language import Language, languages
from core.language.grammar import ME
from core.language.short_texts import time_instead
from core.scheduling import time_input
from core.scheduling import views as shown
from core.scheduling.service import Scheduled
from core.scheduling.time_input import LONGEST, SIGN, Asked
from core.store.conversation import questions
from core.toolkit import intents
from core.toolkit.acting_as import own_chat
from core.toolkit.command import Act, Command, CommandRun, Confirms, Menu, TimeWords, intent
from core.toolkit.services import OpenQuestions

DROP, HERE = "drop", "here"
TODAY, TOMORROW = InDays(days=0), InDays(days=1)
SHOWN = 60
MOST_EVENTS = 2
MOST_NAMED = 2
_ASKED = TypeAdapter(Asked)


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
        """Return the other times that may have been meant."""
        found = [self.readings[0].other, *(one.schedule for one in self.readings[1:])]
        return [one for one in found if isinstance(one, Once | Rule)]


# What there is to say of what is asked, when it is not clear for whom that is.
_Unclear = Callable[[Asked], Reply]


@dataclass(frozen=True, kw_only=True)
class _Past:
    """A time that is over: `at`, in unix milliseconds; `instead` are times that may have been meant, as read."""

    at: Millis
    instead: Sequence[str] = ()


async def _remind(run: CommandRun) -> Reply | Act:
    # What buttons of a former version say.
    if run.rest == DROP:
        return run.say("reminder_dropped")
    word, _, schedule = run.rest.partition(" ")
    if word == HERE and ids.number("s", schedule) is not None:
        return partial(_brought, run, schedule)
    return await _read(run, run.rest)


async def _every(run: CommandRun) -> Reply | Act:
    line = time_input.every(run.rest, run.language)
    return await _read(run, line) if line else run.say("every_usage")


async def _read(run: CommandRun, rest: str) -> Reply | Act:
    return await _understood(run, await _settled(run, rest))


async def _settled(run: CommandRun, rest: str) -> Asked:
    said = run.context.said
    quoted, link = (said.quoted, said.link) if said is not None else ("", "")
    return await time_input.settle(run, time_input.read(cleaned(rest), run.language, quoted=quoted, link=link))


@intent(intents.SET, as_command="remind", confirms=Confirms(yes=("assistant_yes",), in_words=True))
async def wanted(run: CommandRun, *, asked: Asked) -> Reply | Act:
    """Set what a text asks for; or what was asked before, once a button said what was unclear."""
    asked = await time_input.settle(run, asked)
    if asked.quoted or asked.when or asked.now:
        return await _understood(run, asked)
    bare = asked.names == (ME,) or not any(map(str.isalnum, time_input.own(asked.text)))
    return partial(_of_forwarded, run) if bare else await _understood(run, asked)


def _of_forwarded(run: CommandRun, tx: Tx) -> Reply:
    """Ask when to remind of what was forwarded behind a wish that says nothing; where nothing was, of what and when."""
    forwarded = run.actor.act(tx, take_forwarded)
    if forwarded.text.strip():
        return _of_others(run, forwarded.text, forwarded.link)
    return run.ask(run.language["ask_what_when"], of_words.asking("text"))


def _of_others(run: CommandRun, text: str, link: str) -> Reply:
    """Ask when to remind of what others wrote, which says neither when nor for whom."""
    quoted = time_input.cut(text.strip())
    return _ask_when(run, Asked(text=quoted, quoted=quoted, link=link, names=(ME,)))


async def _understood(run: CommandRun, asked: Asked) -> Reply | Act:
    others = [name for name in asked.names if name != ME]
    # Without a text, where that is but the names of people who are known here: "Bob at 9", not "Milk at 9".
    if asked.when is not None and 0 < len(others) <= MOST and all(await find(run, others)):
        asked = replace(asked, text="", who=asked.names, names=())
    return await _set(run, asked)


@intent(intents.REMIND, as_command="remind")
async def of_words(run: CommandRun, *, text: str, others: bool = False) -> Reply | Act:
    """Set what a text wants that nobody has read yet; what `others` wrote says neither when nor for whom."""
    said = run.context.said
    if others or (said is not None and said.forwarded):
        return _of_others(run, text, "" if said is None else said.link)
    # A time alone is no text with the words that correct another: "no, at 6".
    asked = await _settled(run, time_instead(text, bare=False) or text)
    # A word that may be a name is what it is about, as in a wish that lacks a time: "Milch".
    alone = asked.when is None and asked.names not in ((ME,), (time_input.EVERYBODY,))
    return await _understood(run, replace(asked, names=()) if alone else asked)


@intent("reminders.when", as_command="remind")
async def at_time(run: CommandRun, *, asked: Asked, when: TimeWords) -> Reply | Act:
    """Set what was asked before, at the time that an answer gives."""
    found = time_input.answered(asked, when, run.language)
    if found.when is None:
        return _ask(run, asked, asked.text, run.language.say("ask_day", text=_about(asked.text)))
    return await _set(run, _linked(run, found))


@intent("reminders.what", as_command="remind")
async def of_text(run: CommandRun, *, asked: Asked, text: str) -> Reply | Act:
    """Set what was asked before, with the text that an answer gives; an hour or a length of time is none, but says when
    instead, and so does any time with a word that corrects, unless others wrote it."""
    said = run.context.said
    own = said is None or not said.forwarded
    if own and (when := time_input.instead(text, asked.when, run.language)) is not None:
        return await _set(run, replace(asked, when=when))
    return await _set(run, _linked(run, replace(asked, text=cleaned(text))))


def _linked(run: CommandRun, asked: Asked) -> Asked:
    """Return what is asked for with a link to the message that was forwarded as an answer."""
    said = run.context.said
    return replace(asked, link=asked.link or ("" if said is None else said.link))


@intent("reminders.drop", as_command="remind")
def drop(run: CommandRun, tx: Tx) -> Reply:
    """Set nothing of what was asked."""
    return run.say("reminder_dropped")


@intent("reminders.here", as_command="remind")
def bring_here(run: CommandRun, tx: Tx, *, schedule: str) -> Reply:
    """Let what comes in one's own chat come in the group instead."""
    return _brought(run, schedule, tx)


INTENTS = (wanted, of_words, at_time, of_text, drop, bring_here)


async def _set(run: CommandRun, asked: Asked) -> Reply | Act:
    """Find out for whom it is: all that takes a while comes before the transaction in which it is set."""
    said, quoted = run.context.said, asked.quoted
    reply_to = "" if said is None else said.reply_to
    run.own_chat, own = await run.context.db.read(
        lambda tx: (
            own_chat(tx, run.context),
            reminders.own_words(tx, run.context.lane, reply_to, quoted) if quoted else "",
        )
    )
    if quoted and asked.text.endswith(quoted):
        asked = replace(asked, text=asked.text.removesuffix(quoted) + own, quoted=own)
    if len(asked.text.removesuffix(asked.quoted).rstrip()) > LONGEST:
        return run.say("reminder_too_long")
    if asked.when is None and not asked.now:
        return _ask_when(run, asked)
    asked = replace(asked, text=time_input.cut(asked.text))
    people = await _people(run, asked)
    plan = None if callable(people) else _planned(run, asked, people)
    return partial(_carry_out, run, asked, people, plan)


def _ask_when(run: CommandRun, asked: Asked) -> Reply:
    if time_input.begins_with_pronoun(asked.words):
        return run.say("remind_whom")
    if not asked.text or (asked.names and not asked.quoted):
        return run.say("remind_usage")
    bare = asked.quoted and (asked.names == (ME,) or time_input.is_this(asked.words))
    if time_input.too_quick(asked.words):
        return run.say("too_quick")
    said = asked.quoted if bare else time_input.vague(time_input.own(asked.text))
    if not said.replace(SIGN, " ").strip():
        return run.say("remind_usage")
    key = "ask_day" if SIGN in asked.words else "ask_when"
    # Where a day was said, the usual times would put it aside.
    days = said != asked.quoted and time_input.begins_with_day(said, run.language)
    usual = () if days else time_input.offered(run.language, run.context.zone, run.context.clock.now())
    named, zone = _named(run, asked, said), _zone(run, asked, ())
    read = [(time, time_input.when_of(time, run.language)) for time in usual]
    # A usual time may be a named one in other words: "Tomorrow 9:00" beside "Tue 22 Sep 09:00".
    others = [time for time, when in read if not (when and {*_choices(run, [when], zone)[:1]} & {*named})]
    options = [*named, *others]
    return _ask(run, asked, said, run.language.say(key, text=_about(said)), options)


def _named(run: CommandRun, asked: Asked, text: str) -> list[str]:
    """Return the first times to come that a text names, wherever they stand in it, in words to choose from."""
    own, *others = ([*grammar.times(text)] for grammar in time_input.grammars(run.language))
    # It is in the language that finds the most. A clock alone is written alike in many, and counts in the person's own:
    # of "19:00 Tokyo time" that finds none.
    worded = ([when for when in found if not (isinstance(when, At) and when.day is None)] for found in others)
    found = max([own, *worded], key=len)
    if asked.quoted:
        # Nobody knows from which day others counted "tomorrow".
        found = [when for when in found if isinstance(when, At) and not isinstance(when.day, InDays)]
    # A day alone is not offered, since something that was not read may say its clock: "friday around five". Nor is a
    # clock alone beside a day, since it may be of that day: "tomorrow the bus leaves at 5pm".
    times = list[Expression]()
    for when in found:
        match when:
            case At(clock=None) | Every(clocks=(), unit="day" | "week" | "month" | "year"):
                continue
        times.append(when)
    if len(times) < len(found):
        times = [when for when in times if not (isinstance(when, At) and when.day is None)]
    return _choices(run, times, _zone(run, asked, ()))[:MOST_NAMED]


def _choices(run: CommandRun, times: Sequence[Expression], zone: ZoneInfo) -> list[str]:
    """Return words to choose from for the meanings of times that are still to come. The likeliest meaning of each comes
    first, then the other half of the day if it may be meant. `when_of` reads the words back as that meaning."""
    now = run.context.clock.now()

    def words(when: Expression) -> Iterator[str]:
        with suppress(Impossible):
            read = time_input.reading(when, said_at(run), zone)
            for one in (read.schedule, read.other):
                if isinstance(one, Once) and one.at > now:
                    yield shown.moment(run.language, one.at, zone, now)
                elif isinstance(one, Interval | Rule):
                    yield run.language.grammar.say(one, zone)

    likely = dict.fromkeys(chain.from_iterable(zip_longest(*map(words, times))))
    parsed = ((said, time_input.when_of(said, run.language)) for said in likely if said)
    return [said for said, when in parsed if when and next(words(when), "") == said]


def _ask(run: CommandRun, asked: Asked, said: str, question: str, options: Sequence[str] | None = None) -> Reply:
    """Ask when; `said` is what it is about, also what may be a time and was not understood. `options` are times to be
    offered; None: those of the language."""
    text = time_input.cut(" ".join(said.replace(SIGN, " ").split()))
    offered = time_input.offered(run.language, run.context.zone, run.context.clock.now())
    times = offered if options is None else options
    # What others wrote says neither when nor for whom.
    quoted = text if asked.quoted and said == asked.quoted else ""
    lacking = replace(_bare(asked), text=text, when=None, quoted=quoted)
    return run.ask(question, at_time.asking("when", asked=lacking), options=times)


def _bare(asked: Asked) -> Asked:
    """Return what a button keeps: all that was read, without the words it was read from."""
    return replace(asked, words="", names=())


def _about(said: str) -> str:
    """Return what a question is about."""
    return shown.cut(time_input.subject(said.replace(SIGN, " ")), SHOWN)


def _ask_again(
    run: CommandRun, asked: Asked, people: Sequence[Person], question: str, options: Sequence[str] = ()
) -> Reply:
    """Ask for a time that can be; nothing else of what was said is lost."""
    chosen = [person.contact for person in people if ids.number("c", person.contact) is not None]
    return _ask(run, replace(asked, chosen=tuple(chosen)), asked.text, question, options or None)


# For whom.


async def _people(run: CommandRun, asked: Asked) -> Sequence[Person] | _Unclear:
    """Return whom the names mean, or what there is to say when that is not clear."""
    names = asked.who or asked.chosen
    if not names:
        return []
    if any(name.casefold() in time_input.pronouns() for name in names):
        return lambda _: run.say("remind_whom")
    me = run.context.principal.address
    people: list[Person] = []
    for name, some in zip(names, await find(run, [me if name == ME else name for name in names]), strict=True):
        person = _chosen(run, asked, name, some)
        if person is None:
            return partial(_unclear, run, name, some)
        if not await reachable(run, person):
            return partial(_unreached, run, "person_unreachable", called(person.name, name))
        people.append(person)
    return people


def _chosen(run: CommandRun, asked: Asked, name: str, some: Sequence[Person]) -> Person | None:
    if name == ME and not some:
        # Nothing is noted of who asks.
        person = run.context.principal
        return Person(contact=person.address, name=person.name, private=True, me=True)
    picked = some if len(some) == 1 else [person for person in some if person.contact in asked.chosen]
    if picked:
        return picked[0]
    if not some and run.group and name.startswith("@"):
        return Person(contact=name, name=name, private=False)
    return None


def _unclear(run: CommandRun, name: str, some: Sequence[Person], asked: Asked) -> Reply:
    if not some:
        return _unreached(run, "person_not_here" if run.group else "person_unreachable", literal(name[:SHOWN]), asked)
    labels = namesakes.labels(run.language, some)
    picked = [replace(_bare(asked), chosen=(person.contact, *asked.chosen)) for person in some]
    offers = [(label, wanted.of(asked=one)) for label, one in zip(labels, picked, strict=True)]
    return run.reply(run.language.say("which_person", name=literal(name[:SHOWN])), offers=offers)


def _unreached(run: CommandRun, key: str, name: str, asked: Asked) -> Reply:
    """Tell that somebody cannot be reminded, and offer to remind who asks: a text may begin with what looks like a
    name."""
    others = run.language.joined([one for one in asked.who if one != ME])
    own = replace(_bare(asked), who=(), chosen=(), text=f"{others}: {asked.text}" if others else asked.text)
    return replace(run.say(key, name=name), offers=((run.language["offer_remind"], wanted.of(asked=own)),))


# When.


def _planned(run: CommandRun, asked: Asked, people: Sequence[Person]) -> Sequence[_Part] | _Past | None:
    """Return what is to be set; or a time that is over; None for one that there never is."""
    # In a group one for all of them; in private one for each, at that time where they are.
    each = [people] if run.group or len(people) <= 1 else [[person] for person in people]
    now = run.context.clock.now()
    when = Once(at=now) if asked.now or asked.when is None else asked.when
    parts = []
    try:
        for some in each:
            zone = _zone(run, asked, some)
            readings = time_input.readings(when, said_at(run), zone, run.clock_zone)
            parts.append(_Part(people=some, readings=readings, zone=zone))
    except Impossible:
        return None
    over = [part.schedule.at for part in parts if isinstance(part.schedule, Once) and part.schedule.at < now]
    # What a former version had set before it was killed is set, however late that is said.
    if not over or asked.now or run.actor.replays(set_reminder.name):
        return parts
    at = min(over)
    # What was to be today, and is past, can be tomorrow, in either half of the day.
    today = [asked.when] if isinstance(asked.when, At) and asked.when.day == TODAY and at <= said_at(run) else []
    tomorrow = [replace(one, day=TOMORROW) for one in today]
    return _Past(at=at, instead=_choices(run, tomorrow, _zone(run, asked, people)))


def _carry_out(
    run: CommandRun, asked: Asked, people: Sequence[Person] | _Unclear, plan: Sequence[_Part] | _Past | None, tx: Tx
) -> Reply:
    if not asked.text:
        # A comment comes before the message that it is on.
        forwarded = run.actor.act(tx, take_forwarded)
        asked = replace(asked, text=time_input.cut(forwarded.text.strip()), link=forwarded.link)
    if not asked.text:
        return run.ask(run.language["ask_what"], of_text.asking("text", asked=_bare(asked)))
    if callable(people):
        return people(asked)
    if plan is None:
        often = asked.when if isinstance(asked.when, Every) else None
        key = "time_but_holidays" if often and often.but_holidays else "time_impossible"
        key = "time_ends_before" if often and often.until else key
        return _ask_again(run, asked, people, run.language.say(key, text=_about(asked.text)))
    if isinstance(plan, _Past):
        return _past(run, asked, people, plan)
    made = [(part, _store(run, tx, asked, part)) for part in plan]
    # What this person is still asked about the time of what was just set would set it once more. For whom that is may
    # stand in its text until a time is beside it: "us to call Oma".
    lane, person_id = run.context.lane, run.context.principal.person_id
    for one in questions.open_in(tx, lane):
        if not (isinstance(one.order, Intent) and one.order.name == at_time.name and one.person_id == person_id):
            continue
        lacking = _ASKED.validate_python(one.order.arguments["asked"])
        if asked.text.casefold() not in lacking.text.casefold():
            continue
        times = {each["time_offers"].rpartition("|")[2] for each in languages().values()}
        would = [time_input.answered(lacking, time, run.language) for time in times]
        if (asked.text.casefold(), asked.who, asked.everybody) in [
            (each.text.casefold(), each.who, each.everybody) for each in would
        ]:
            run.context.services.get(OpenQuestions).withdraw_one(tx, lane, person_id, one.question_id)
    reply = _read_back(run, tx, made)
    # It was for all of a channel in which the bot is not.
    elsewhere = asked.everybody and run.about_own_chat
    said = [run.language[key] for key, so in (("no_calendar", asked.calendar), ("not_here", elsewhere)) if so]
    reply = replace(reply, text="\n".join([reply.text, *said]))
    return _with_events(run, tx, reply, *made[0])


def _with_events(run: CommandRun, tx: Tx, reply: Reply, part: _Part, task: Scheduled) -> Reply:
    """Return what else is on at that time, by the calendars of the chat: said where all may see them, of who is
    reminded."""
    lane, schedule = run.context.lane, part.schedule
    if not isinstance(schedule, Once) or task.apart or not (run.group or all(person.me for person in part.people)):
        return reply
    access, at, zone = run.context.access, schedule.at, run.context.zone
    events = calendars.between(tx, access, lane.tenant_id, lane.scope_id, at, at + 1, zone=zone)
    titles = [literal(one.title) or "–" for one in events if not one.day]
    if not titles:
        return reply
    said = run.language.say("clash", title=run.language.joined(titles[:MOST_EVENTS]))
    return replace(reply, text=f"{reply.text}\n{said}", foreign=True)


def _zone(run: CommandRun, asked: Asked, people: Sequence[Person]) -> ZoneInfo:
    """Return the zone in which a time is read: that of the only person it is for, as far as it is known, else the
    chat's."""
    if asked.everybody or len(people) > 1:
        return run.context.zone
    me = not people or people[0].me
    if run.own_chat is not None and me:
        return run.own_chat.zone
    named = run.context.principal.timezone if me else people[0].zone
    return (zone_named(named) if run.group or not me else None) or run.context.zone


def said_at(run: CommandRun) -> Millis:
    """Return when it was said: "in 20 minutes" counts from then."""
    return run.context.clock.now() if run.context.said is None else run.context.said.sent_at


def _past(run: CommandRun, asked: Asked, people: Sequence[Person], past: _Past) -> Reply:
    """Say that a time is over: the message was read too late, or the time was past already when it was written."""
    language, zone, now = run.language, _zone(run, asked, people), run.context.clock.now()
    if past.at <= said_at(run):
        shown_now = shown.moment(language, now, zone, now)
        said = language.say("time_past", now=shown_now, zone=shown.zone_name(language, zone.key))
        question = language.sentences(said, language.say("time_instead", text=_about(asked.text)))
        return _ask_again(run, asked, people, question, past.instead)
    offers: list[Offer] = [(language["remind_now"], wanted.of(asked=replace(_bare(asked), now=True)))]
    if isinstance(asked.when, Delay):
        length = language.duration(past.at - said_at(run))
        offers.append((language.say("from_now", wait=length), wanted.of(asked=_bare(asked))))
    offers.append((language["drop"], drop.of()))
    text = language.say("was_due", text=shown.cut(asked.text, SHOWN), duration=language.duration(now - past.at))
    return replace(run.reply(text, offers=offers), tells_late=True)


def instant(when: Expression | Once, said: Millis, zone: ZoneInfo) -> Millis | None:
    """Return the one instant that a time means, said at another one; None when it recurs, or never is."""
    try:
        found = time_input.reading(when, said, zone).schedule
    except Impossible:
        return None
    return found.at if isinstance(found, Once) else None


def _store(run: CommandRun, tx: Tx, asked: Asked, part: _Part) -> Scheduled:
    alone = not asked.everybody and all(person.me for person in part.people)
    place = run.own_chat if run.own_chat is not None and alone else run.context
    schedule, own, text = part.schedule, part.zone.key == place.zone.key, asked.text
    if isinstance(asked.when, At) and asked.when.of_event and not asked.now:
        text = ahead_of_event(run.language, text, asked.when, schedule, part.zone)
    goes_by_zone = isinstance(schedule, Rule) or (isinstance(schedule, Once) and bool(schedule.wall))
    return run.actor.act(
        tx,
        set_reminder,
        text=text,
        schedule=dump(schedule),
        contacts=[person.contact for person in part.people if len(part.people) > 1 or not person.me],
        everybody=asked.everybody,
        until_done=asked.until_done,
        follows=own and goes_by_zone,
        link=asked.link,
        own=place is run.own_chat,
    )


def ahead_of_event(
    language: Language, text: str, when: Expression | Once | None, schedule: Schedule, zone: ZoneInfo
) -> str:
    """Return the text of what comes by a schedule that a time means, with when the event is that this is ahead of, if
    any."""
    if not (isinstance(when, At) and when.of_event and when.ahead and isinstance(schedule, Once)):
        return text
    begins = to_local(schedule.at + when.ahead.seconds * 1000, zone) + timedelta(days=when.ahead.days)
    return with_event(language, text, begins, to_local(schedule.at, zone), whole_day=when.clock is None)


def with_event(language: Language, text: str, begins: datetime, here: datetime, *, whole_day: bool) -> str:
    """Return the text of what comes at a time `here`, ahead of an event, and when that is: "dentist (15:00)"."""
    say = language.date if whole_day else language.moment
    at = language.clock(begins) if begins.date() == here.date() else say(begins)
    told = language.say("aside", text=text, aside=at)
    return told if len(told) <= LONGEST else text


# Reading back.


def _read_back(run: CommandRun, tx: Tx, made: Sequence[tuple[_Part, Scheduled]]) -> Reply:
    text = "\n".join(line for part, task in made for line in _lines(run, part, task))
    if len(made) > 1:
        offers: list[Offer] = []
        for part, task in made:
            name = run.language.joined([labelled(person.name, person.contact) for person in part.people])
            offers += shown.undo(run, task.undo, run.language.say("undo_for", name=name))
        return run.reply(text, offers=offers)
    ((part, task),) = made
    others = shown.other_times(run, task, part.others, part.zone)
    elsewhere: list[Offer] = []
    if task.apart:
        # The group, of what comes in one's own chat.
        label = run.language.say("in_group_instead", group=shown.group_title(run))
        elsewhere = [(shown.label(label), bring_here.of(schedule=task.schedule_id))]
    if not isinstance(part.schedule, Once) and run.group:
        buttons = [offer for offer in shown.offers(run, task) if offer[1] != intents.move(task.schedule_id)]
        reply = run.reply(text, offers=[*others, *buttons, *elsewhere], once=False)
        return replace(reply, own=task.apart)
    zone = shown.offers_of_zone(run, tx) if task.follows else []
    change = (run.language["change"], intents.move(task.schedule_id))
    offers = [*others, change, *shown.undo(run, task.undo), *elsewhere, *zone]
    # Who says where they are may want to change it all the same.
    return replace(run.reply(text, offers=offers, once=not zone), own=task.apart)


def _lines(run: CommandRun, part: _Part, task: Scheduled) -> list[str]:
    others = [person for person in part.people if not person.me]
    named = replace(task, names=[person.name for person in part.people] if others else [])
    lines = [shown.full(run, named, part.zone.key)]
    lines += [run.language["comes_here"]] if task.stays else []
    alone = not others and not task.everybody
    lines += [run.language["comes_to_you"]] if task.apart or (run.about_own_chat and alone) else []
    if len(others) == 1 and not others[0].zone and task.follows and run.may("contacts"):
        name = called(others[0].name, others[0].contact)
        zone = shown.zone_name(run.language, run.context.zone.key)
        lines.append(run.language.say("zone_guessed", name=name, zone=zone))
    return lines


def _brought(run: CommandRun, schedule_id: str, tx: Tx) -> Reply:
    task = run.actor.act(tx, place_reminder, schedule_id=schedule_id)
    text = f"{shown.full(run, task, run.context.principal.timezone)}\n{run.language['comes_here']}"
    change = (run.language["change"], intents.move(schedule_id))
    return shown.in_place(run, text, [change, *shown.undo(run, task.undo)])


COMMANDS: Mapping[str, Command] = {
    "remind": Command(_remind, menu=Menu(1), takes_words=True, aliases=("schedule",)),
    "every": Command(_every, menu=Menu(5), takes_words=True),
}
