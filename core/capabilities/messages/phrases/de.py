"""German: what people say to hear no more from somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    "mute": (
        "(schalt|schalte|stell|stelle) PLEASE (?!<nobody>) <x:some> auf? stumm|(?!<nobody>) <x:words> stummschalten",
    ),
    "unmute": (
        "(schalt|schalte|stell|stelle|heb|hebe) (?!<nobody>) <x:some> PLEASE (laut|nicht mehr stumm)",
        "stummschaltung (von|für) (?!<nobody>) <x:some> (aufheben|aus|beenden)",
    ),
}
PHRASES = PhraseTable(rows=ROWS)
