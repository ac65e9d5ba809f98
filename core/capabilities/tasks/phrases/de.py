"""German: what people say to ask what is worked on, or to stop it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "WORK": "(laufende|laufenden|aktuelle|aktuellen)? (aufgabe|aufgaben|arbeit|arbeiten|auftrag|job)",
    "JUST": "(denn)? (gerade|grad|grade|jetzt|im moment|momentan|noch)?",
}
ROWS: Mapping[str, Sequence[str]] = {
    "tasks.busy": (
        "was (machst|tust) du JUST|woran (arbeitest|bist) du JUST (dran)?",
        "(arbeitest|bist) du (noch|gerade|noch gerade) (an (etwas|was)|daran|dran|beschäftigt)?",
        "was läuft JUST im hintergrund|(welche|was für) (WORK) (läuft|laufen) JUST",
    ),
    "tasks.stop": (
        "(bitte)? (stopp|stoppe|beende) (bitte)? (die|den|diese|diesen) (WORK) (bitte)?",
        "PLEASE (halt|halte|brich) PLEASE (die|den|diese|diesen) (WORK) PLEASE (an|ab)",
        "hör (bitte)? auf (,)? daran zu arbeiten",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
