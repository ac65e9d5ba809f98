"""German: what people say to ask whom the bot knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    "contacts": (
        "(wen|welche leute) kennst du SURELY|wer (ist|steht) (in|unter|auf) (<mine>|deinen) (kontakten|adressbuch)",
        "(SHOW)? (alle)? (THE)? kontakte (an|anzeigen|zeigen)?|welche kontakte (HAVE) (WE)",
    ),
}
PHRASES = PhraseTable(rows=ROWS)
