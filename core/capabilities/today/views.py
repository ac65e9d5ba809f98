"""What people read of their day. Nothing here looks anything up."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from core.capabilities.today.service import Due, Today
from core.capabilities.todos.views import item, marked
from core.kernel.markdown import called
from core.kernel.timing.zones import to_local
from core.language import Language
from core.language.lines import cut, shortened


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


def _reminder(language: Language, one: Due, zone: ZoneInfo) -> str:
    clock, text = language.clock(to_local(one.at, zone)), cut(one.text)
    who = language["for_everybody"] if one.everybody else language.listed([called(name, "–") for name in one.who])
    key = "today_reminder_for" if who else "today_reminder"
    line = language.say(key, clock=clock, text=text, **({"name": who} if who else {}))
    return marked(language, line, one.source)
