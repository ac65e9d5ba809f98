"""Dokumente, auf Deutsch."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "document_unknown": (
        "{name} kann ich nicht lesen: Ich lese PDFs, Office-Dokumente, Bücher, Tabellen, Seiten und Texte."
    ),
    "document_mismatch": "{name} ist nicht, was der Name sagt; ich lese es nicht.",
    "document_damaged": "{name} ist beschädigt; ich kann es nicht lesen.",
    "document_encrypted": "{name} ist mit einem Passwort verschlossen. Schick es mir ohne.",
    "document_empty": "In {name} steht kein Text. Vielleicht ist es ein Scan oder ein Bild.",
    "document_bomb": "{name} ist ausgepackt größer, als ich lesen kann.",
    "document_slow": "{name} zu lesen dauert zu lange.",
    "document_huge": "{name} ist mir zu groß zum Lesen.",
    "document_gone": "{name} ist nicht mehr aufgehoben.",
    "document_n_page": "{n} Seite|{n} Seiten",
    "document_n_sheet": "{n} Tabelle|{n} Tabellen",
    "document_n_slide": "{n} Folie|{n} Folien",
    "document_n_chapter": "{n} Kapitel|{n} Kapitel",
    "document_n_part": "{n} Teil|{n} Teile",
    "document_n_entry": "{n} Eintrag|{n} Einträge",
}
