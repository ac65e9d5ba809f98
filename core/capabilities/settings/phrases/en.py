"""English: what people say to set quiet hours or a time zone, and to take something back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "ZONE": "timezone|time zone|tz",
    "SET_IT": "(,|;|.|-|so|and){0,2} (please|pls|can you)? (set|change|update|adjust|switch|fix|use) (MY|that|this)"
    " (ZONE|clock) (accordingly|to that|for me|to match|from now on)?",
    "QUIET_WORDS": "(set|make)? MY? quiet (hours|time)?|be quiet|no messages|leave (me|us) (alone|in peace)|(don't|do"
    " not) (disturb|bother|message|write|write to|ping) (me|us)?",
}
ROWS: Mapping[str, Sequence[str]] = {
    "quiet": (
        "no (more)? quiet hours|quiet hours off|(turn|switch) off (the)? quiet hours",
        "(QUIET_WORDS) :? (from|between)? <begin:time> (to|till|until|and|-|_-) <until:time> (<oclock>)?",
    ),
    "undo": ("(oops ,?)? (undo (that|this|it|the last (one|thing|change))?|take (that|it) back)",),
    "timezone": (
        "(what's|what is|show|which is)? my (ZONE)|(change|set) MY (ZONE)",
        "(what|which) (ZONE) (am i|are we) (in|on)|(what|which) (ZONE) do you have for me",
        "(set|change|switch) (MY)? (ZONE) (to|as|:|=) <x:some>",
        # "Time zone in France" is a question.
        "(set|change|switch)? (MY)? (ZONE) (?!in|of|for|at) (to|is|as|:|=)? <place:some> (, please? set it)?",
        "(WE (live|(am|are) living|moved|have moved)|(i'm|we're|i've|we've) (living|moved|based)) now? (in|to)"
        " <place:some> (NOW)? (SET_IT)?|(i'm|we're|WE (am|are)) now? (in|back in) <place:some> (NOW)? (SET_IT)|WE"
        " (just)? moved to <place:some> (NOW)? (SET_IT)",
        "(switch|change|set|move) (me|us)? (over)? to (<place:some> time|<place:zone>) (zone)? NOW?",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
