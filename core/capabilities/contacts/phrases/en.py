"""English: what people say to ask whom the bot knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    "contacts": (
        "(who|whom) do you know|(who|who's) (is|are)? (in|among|on) (MY|your) (contacts|contact <list>|address book)",
        "((show|list|open) (me)?)? (all)? (MY|your) contacts|(show|list)? contacts",
    ),
}
PHRASES = PhraseTable(rows=ROWS)
