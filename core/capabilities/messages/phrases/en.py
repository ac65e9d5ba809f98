"""English: what people say to hear no more from somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    "mute": ("mute (?!<nobody>) <x:some>",),
    "unmute": ("unmute (?!<nobody>) <x:some>",),
}
PHRASES = PhraseTable(rows=ROWS)
