"""English: what people say to ask what is worked on, or to stop it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "WORK": "(running|current|background)? (task|tasks|job|jobs|work)",
    "UNDER_WAY": "(running|under way|underway|in progress|queued|going on) (in the background)?",
}
ROWS: Mapping[str, Sequence[str]] = {
    "tasks.busy": (
        "what are you (doing|working on|busy with|up to) (NOW)?",
        "are you (still)? (working|busy) (on (something|anything|it|that))? (NOW)?",
        "(what|which) (WORK) (is|are) (UNDER_WAY) (NOW)?|what is (running|going on|happening) in the background",
        "(SHOW) (me)? (what is|what you are) (UNDER_WAY|working on) (NOW)?",
    ),
    "tasks.stop": (
        "(please)? (stop|abort|kill) (the|that|this|your) (WORK) (please|now)?",
        "(please)? (cancel|end) (the|that|this) (running|current|background) (task|job|work) (please)?",
        "(please)? stop working (on (it|that|this))? (please|now)?",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
