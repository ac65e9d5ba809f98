"""What is asked where two languages read a text differently, in German: what each reading would do; and which
answers do what was asked with buttons."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "either_ask": "Das lässt sich auf zwei Arten lesen. Was ist gemeint?",
    "either_of": "{name}: {about}",
    "either_remind": "Erinnern",
    "either_todo": "Liste zeigen",
    "either_lists": "Listen zeigen",
    "either_todo_add": "Auf die Liste",
    "either_todo_done": "Abhaken",
    "either_todo_remove": "Von der Liste nehmen",
    "either_todo_clear": "Liste leeren",
    "either_done": "Es ist erledigt",
    "either_date": "Datum sagen",
    "either_time": "Uhrzeit sagen",
    "either_today": "Termine zeigen",
    "either_tasks": "Erinnerungen zeigen",
    "either_contacts": "Kontakte zeigen",
    "either_brief": "Täglicher Überblick",
    "either_brief_off": "Kein täglicher Überblick",
    "either_quiet": "Ruhezeit",
    "either_undo": "Das Letzte rückgängig machen",
    "either_cancel": "Streichen",
    "either_cancel_due": "Streichen, was fällig ist",
    "either_cancel_all": "Alle Erinnerungen streichen",
    "either_cancel_which": "Eine Erinnerung streichen",
    "either_move": "Verschieben",
    "either_mute": "Stummschalten",
    "either_unmute": "Wieder zulassen",
    "either_timezone": "Zeitzone",
    # Answers that do what was asked with buttons; and what is said where only the button does it.
    "confirm_words": (
        "ja|jep|jo|jup|klar|ok|okay|gut|ja bitte|ja, bitte|mach das|mach es|ja, mach das|natürlich|sicher"
    ),
    "confirm_by_button": "Es ist noch nichts geschehen: Drück dafür auf den Knopf.",
}
