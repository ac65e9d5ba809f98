"""German: what people say to ask what was said, or for a summary of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    # What was said: quotes of it are the answer.
    "history": (
        "wer (wollte|sollte) <y:text>",
        "wer (hat|hatte) <y:text> (gesagt|geschrieben|versprochen|vorgeschlagen|angeboten|gebucht|gekauft|besorgt)",
        "was (hat|haben|hatte|hatten) <w:few> (über|zu|zum|zur|von|vom|wegen) <y:text> (gesagt|geschrieben|gemeint"
        "|erzählt|vorgeschlagen)",
        "was (sagte|schrieb|meinte) <w:few> (über|zu|zum|zur|von|vom|wegen) <y:text>",
        "wann (haben|hatten|hat) <w:few> (über|von|vom|wegen) <y:text> (geredet|gesprochen|geschrieben|diskutiert)",
    ),
    "summary": (
        "was (HAVE|hatte|hatten) (WE) SURELY (hier|heute)? SURELY verpasst",
        "(fass|fasse) (mal|bitte){0,2} (das gespräch|den chat|die gruppe|alles|den verlauf) (mal|bitte){0,2} zusammen",
        "(bring|bringe) (mich|uns) (mal|bitte){0,2} auf (den)? (neuesten|neusten|aktuellen|neuen) stand",
        "was (ist|war) (hier)? (passiert|los) ,? (während|als|solange) WE weg (war|waren)",
    ),
}
PHRASES = PhraseTable(rows=ROWS)
