"""Documents, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "document_unknown": "I can't read {name}: I read PDFs, office documents, books, tables, pages and texts.",
    "document_mismatch": "{name} is not what its name says, so I don't read it.",
    "document_damaged": "{name} is damaged; I can't read it.",
    "document_encrypted": "{name} is closed with a password. Send it to me without one.",
    "document_empty": "There is no text in {name}. It may be a scan or a picture.",
    "document_bomb": "{name} unfolds into more than I read.",
    "document_slow": "{name} takes too long to read.",
    "document_huge": "{name} is too large for me to read.",
    "document_gone": "{name} is not kept any more.",
    "document_n_page": "{n} page|{n} pages",
    "document_n_sheet": "{n} sheet|{n} sheets",
    "document_n_slide": "{n} slide|{n} slides",
    "document_n_chapter": "{n} chapter|{n} chapters",
    "document_n_part": "{n} part|{n} parts",
    "document_n_entry": "{n} entry|{n} entries",
}
