"""English: what people say to be told before what stands in their calendars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    # One meeting may be any; all of them are those of a calendar.
    "EVENTS": "(all|all of)? (my|our) (meetings|appointments|events|calendar events)|(each|every) (meeting|appointment"
    "|event|calendar event)|(all|any) (meetings|appointments|events)",
    "REMIND_US": "(always)? (remind|notify|alert|ping|warn|tell) (me|us)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "calendar.before": ("(REMIND_US) (always)? (<by:time>)? before (EVENTS) (begin|start)?",),
    "calendar.before.off": (
        "(don't|do not|stop|no longer) (remind|reminding|notify|notifying|tell|telling) (me|us) (anymore)?"
        " (<by:time>)? before (EVENTS) (anymore|any more)?",
        "no (more)? reminders before (EVENTS) (anymore|any more)?",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
