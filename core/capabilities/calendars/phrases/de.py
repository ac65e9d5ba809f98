"""German: what people say to be told before what stands in their calendars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "EVENTS": "(allen)? (meinen|unseren) (terminen|meetings|besprechungen)|(jedem|jeder) (termin|meeting|besprechung)"
    "|allen (terminen|meetings|besprechungen)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "calendar.before": (
        "(erinner|erinnere|warn|warne) (mich|uns) (bitte)? immer? <by:time>? immer? vor (EVENTS) immer? <by:time>?"
        " (vorher)?",
    ),
    "calendar.before.off": (
        "(erinner|erinnere) (mich|uns) (bitte)? <by:time>? (nicht|nie) (mehr)? <by:time>? vor (EVENTS)",
        "keine erinnerungen (mehr)? vor (EVENTS) (mehr)?",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
