"""What people read of their day. Nothing here looks anything up."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from core.capabilities.calendars.models import Event
from core.capabilities.today.service import MOST_TIMES, Due, Today
from core.capabilities.todos.views import item, marked
from core.kernel.markdown import called
from core.kernel.timing.zones import to_local
from core.kernel.types import Millis
from core.language import Language
from core.language.lines import cut, shortened
from core.toolkit.other_chats import Source

# So many times are named of what comes more often than people read; they show how often that is.
_FEW_TIMES = 3
# What is said of today and tomorrow when nothing is on, by the days until then.
_NOTHING = {0: "today_nothing", 1: "tomorrow_nothing"}


def worded(language: Language, data: Today) -> str:
    """Return one short message: to-dos that are due, reminders, questions that wait, and work that is under way."""
    day, today = (to_local(at, data.zone) for at in (data.now if data.at is None else data.at, data.now))
    title = language.say("today_title", date=language.date(day))
    nothing = _NOTHING.get((day.date() - today.date()).days, "day_nothing")
    return "\n".join([title, *(_lines(language, data) or [language[nothing]])])


def worded_days(language: Language, days: Sequence[Today]) -> str:
    """Return one message about several days, without those on which nothing is."""
    if some := [worded(language, one) for one in days if _lines(language, one)]:
        return "\n\n".join(some)
    dates = (language.date(to_local(one.now if one.at is None else one.at, one.zone)) for one in (days[0], days[-1]))
    title = language.say("today_title", date=" – ".join(dict.fromkeys(dates)))
    return "\n".join([title, language["day_nothing"]])


def _lines(language: Language, data: Today) -> list[str]:
    shown = data.now if data.at is None else data.at
    blocks = [
        [event_line(language, event, source, data.zone, shown) for source, event in data.events],
        [item(language, todo, data.zone, data.now, source=source) for source, todo in data.todos],
        [_reminder(language, one, data.zone) for one in data.reminders],
        [language.say("today_question", text=cut(text)) for text in data.questions],
        [language.say("today_running", text=cut(text) or language["today_working"]) for text in data.running],
    ]
    return [line for block in blocks for line in shortened(language, block)]


def event_line(language: Language, event: Event, source: Source, zone: ZoneInfo, at: Millis) -> str:
    """Return a line of a calendar, on the day of `at`. Of one that began on an earlier day it says when it ends, on
    that."""
    text = cut(language.joined((event.title or "–", event.place), "list_also"))
    day = to_local(at, zone).date()
    begins, ends = to_local(event.begins_at, zone), to_local(event.ends_at, zone)
    earlier, ends_then = begins.date() < day, ends.date() == day
    if event.day or (earlier and not ends_then):
        return marked(language, language.say("today_event_whole", text=text), source)
    clock = "" if earlier else language.clock(begins)
    if ends_then and ends > begins:
        clock = f"{clock}–{language.clock(ends)}"
    return marked(language, language.say("today_event", clock=clock, text=text), source)


def _reminder(language: Language, one: Due, zone: ZoneInfo) -> str:
    text = cut(one.text)
    if one.item:
        return marked(language, language.say("todo_added", item=text), one.source)
    clocks = [language.clock(to_local(at, zone)) for at in one.times]
    often = len(clocks) > MOST_TIMES
    clock = f"{language.joined(clocks[:_FEW_TIMES])} … {clocks[-1]}" if often else language.joined(clocks)
    who = language["for_everybody"] if one.everybody else language.listed([called(name, "–") for name in one.who])
    key = "today_reminder_for" if who else "today_reminder"
    line = language.say(key, clock=clock, text=text, **({"name": who} if who else {}))
    return marked(language, line, one.source)
