"""German: what people say to see their files, or to delete one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "FILES": "dateien|dokumente",
    "FILE": "datei|dokument|(pdf=pdf)|(picture=foto|bild)",
    "GIVEN": "(geschickt|gesendet|gesandt|hochgeladen)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "files": (
        "(SHOW)? (alle)? (meine|unsere) (FILES) (hier)? (an|anzeigen|zeigen|auflisten)?",
        "SHOW (alle)? (FILES)|(alle)? (FILES) (anzeigen|zeigen|auflisten)|SHOW (alle|die) (FILES) (an)?",
        "(welche|was für) (FILES) ((HAVE) (WE) (dir)? SURELY (hier)? (GIVEN)?|gibt es|gibts|sind|liegen) SURELY (hier"
        "|da)?",
        "SHOW (alle)? (die)? (FILES) , die (WE) (dir)? SURELY (GIVEN) (habe|haben)",
    ),
    "files.delete": (
        "PLEASE (lösch|lösche|entfern|entferne|löschen sie) PLEASE (diese|dieses|dies|das|die|die letzte|das letzte"
        "|meine letzte|mein letztes) (FILE) PLEASE (wieder)?",
        "PLEASE (diese|dieses|die|das|die letzte|das letzte) (FILE) PLEASE (wieder)? (löschen|entfernen)",
        "PLEASE (lösch|lösche|entfern|entferne) PLEASE (die|das|meine|mein) (FILE) (called=namens)? (?!aus|von|vom|in"
        "|im|an|am|mit|über|wieder|PLEASE $) <x:title>",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
