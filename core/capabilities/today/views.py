"""What people read of their to-dos and of their day. Nothing here looks anything up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from core.capabilities.today.service import HERE, Due, Source, Today, overdue
from core.capabilities.todos.repository import Assignee, ItemState, Todo
from core.kernel.markdown import called, literal, quoted
from core.kernel.timing.zones import to_local
from core.kernel.types import Millis
from core.language import Language
from core.language.lines import cut, shortened

MOST_NAMES = 3


def worded(language: Language, data: Today) -> str:
    """One short message: what is due, what reminds, which questions wait, what is being worked on."""
    blocks = [
        [item(language, todo, data.zone, data.now, source=source) for source, todo in data.todos],
        [_reminder(language, one, data.zone) for one in data.reminders],
        [language.say("today_question", text=cut(text)) for text in data.questions],
        [language.say("today_running", text=cut(text) or language["today_working"]) for text in data.running],
    ]
    day = to_local(data.now, data.zone) + timedelta(days=int(data.tomorrow))
    title = language.say("today_title", date=language.date(day))
    lines = [line for block in blocks for line in shortened(language, block)]
    return "\n".join([title, *(lines or [language["tomorrow_nothing" if data.tomorrow else "today_nothing"]])])


def item(
    language: Language,
    todo: Todo,
    zone: ZoneInfo,
    now: Millis,
    *,
    group: str = "",
    source: Source = HERE,
    people: bool = True,
    box: bool = True,
) -> str:
    """A line for a to-do: a `box`, what is to be done, by whom (`people`), until when, and where (`source`, or a
    `group`)."""
    sign = ("☑ " if todo.state == ItemState.DONE else "☐ ") if box else ""
    about = particulars(language, todo, zone, now, people=people)
    line = f"{sign}{cut(todo.text)}{f' — {about}' if about else ''}"
    return marked(language, line, Source(group=group) if group else source)


def particulars(language: Language, todo: Todo, zone: ZoneInfo, now: Millis, *, people: bool = True) -> str:
    """By whom a to-do is to be done (`people`), and until when; empty where neither is said."""
    names = _names(todo.assignees) if people else ""
    due = "" if todo.state == ItemState.DONE else due_words(language, todo, zone, now)
    return ", ".join(filter(None, (names, due)))


def marked(language: Language, line: str, source: Source) -> str:
    """A line with where it comes from, unless that is this chat."""
    where = named(source)
    return language.say("todo_group", item=line, group=where) if where else line


def named(source: Source) -> str:
    """A group by its title and a platform by its name, as Markdown."""
    parts = (quoted(source.group) if source.group else "", platform_name(source.platform))
    return " · ".join(filter(None, parts))


def platform_name(platform: str) -> str:
    """How people call a platform: Telegram."""
    return literal(platform.capitalize())


def _names(people: Sequence[Assignee]) -> str:
    shown = ", ".join(called(one.name, one.address) for one in people[:MOST_NAMES])
    return f"{shown} +{len(people) - MOST_NAMES}" if len(people) > MOST_NAMES else shown


def due_words(language: Language, todo: Todo, zone: ZoneInfo, now: Millis) -> str:
    """When it is due, as people write it; empty when it is not."""
    if todo.due_at is None and not todo.due_on:
        return ""
    today = to_local(now, zone)
    at = to_local(todo.due_at, zone) if todo.due_at is not None else datetime.fromisoformat(todo.due_on)
    timed = todo.due_at is not None
    if overdue(todo, zone, now):
        return language.say("todo_overdue", when=_when(language, at, today.year, timed=timed))
    if at.date() == today.date():
        return language.say("todo_today_at", clock=language.clock(at)) if timed else language["todo_today"]
    return _when(language, at, today.year, timed=timed)


def _when(language: Language, at: datetime, year: int, *, timed: bool) -> str:
    """A day, with its time when it has one, with its year when that is another."""
    if at.year != year:
        return f"{language.date(at)} {language.clock(at)}" if timed else language.date(at)
    moment = language.moment(at)
    return moment if timed else moment.removesuffix(language.clock(at)).strip()


def _reminder(language: Language, one: Due, zone: ZoneInfo) -> str:
    clock, text = language.clock(to_local(one.at, zone)), cut(one.text)
    who = language["for_everybody"] if one.everybody else language.listed([called(name, "–") for name in one.who])
    key = "today_reminder_for" if who else "today_reminder"
    line = language.say(key, clock=clock, text=text, **({"name": who} if who else {}))
    return marked(language, line, one.source)
