"""German: memories."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "menu_remember": "Sich etwas merken",
    "menu_memory": "Was ich mir gemerkt habe",
    "count_memories": "{n} gemerkter Eintrag|{n} gemerkte Einträge",
    "count_own_memories": "{n} gemerkter Eintrag von dir|{n} gemerkte Einträge von dir",
    "did_remember": "mir etwas gemerkt",
    "did_in_memory": "geändert, was ich mir gemerkt habe",
    # What was noted.
    "memory_noted": "📝 Gemerkt: {text}",
    "memory_noted_by_model": "📝 Gemerkt: {text}",
    "memory_known": "📝 Das weiß ich schon: {text}",
    "memory_instead": "statt: {text} ({day})",
    "memory_alike": "Ich weiß auch noch: {text} ({day}). Wenn das nicht mehr stimmt, ersetze es.",
    "memory_replace": "Ersetzen",
    "memory_replaced": "📝 Von jetzt an gilt: {text}",
    "memory_already": "Das ist schon so.",
    "memory_of_group": "Das ist für {group} gemerkt: Alle dort können es sehen.",
    "memory_confirm": "📝 Soll ich mir das merken? Es sind nicht deine Worte, oder ich habe gelesen, was andere"
    " geschrieben haben.\n{text}",
    "memory_yes": "Merken",
    "memory_usage": "Sag mir, was ich mir merken soll: `/remember mein Schließfach hat die Nummer 214`. Oder antworte"
    " mit `/remember` auf eine Nachricht.",
    # Why it was not noted.
    "memory_full": "Ich habe mir hier {most} Dinge für immer gemerkt und keinen Platz für mehr. Lösche welche mit"
    " `/memory` und sag es mir dann noch einmal. Gemerkt habe ich es mir nicht.",
    "memory_unknown": "So etwas habe ich mir hier nicht (mehr) gemerkt.",
    "memory_left_alone": "Da geht es um jemanden, der hier in Ruhe gelassen werden will. Ich merke es mir nicht.",
    "memory_long": "Das ist zu lang: höchstens {most} Zeichen. Ich habe es mir nicht gemerkt.",
    # What there is.
    "memory_title": "📝 Was ich mir hier gemerkt habe, das Neueste zuerst:",
    "memory_title_about": "📝 Was ich über „{words}“ weiß:",
    "memory_none": "Ich habe mir hier noch nichts gemerkt. Sag es mir:"
    " `/remember mein Schließfach hat die Nummer 214`.",
    "memory_none_about": "Über „{words}“ habe ich mir nichts gemerkt.",
    "memory_more": "Älteres",
    "memory_newer": "Neueres",
    "memory_button_edit": "Ändern",
    "memory_button_delete": "Löschen",
    "memory_button_why": "Warum?",
    "memory_button_back": "Alles",
    "memory_ask_edit": "Was soll ich mir statt „{text}“ merken?",
    "memory_which": "Was davon soll ich vergessen?",
    "memory_deleted": "🗑 Vergessen: „{text}“",
    "memory_newer_stays": "Es wurde seither berichtigt, und das bleibt: „{text}“",
    "memory_again": "Dasselbe ist schon wieder gemerkt, das bleibt. Was darüber gesagt wurde, ist wieder zu finden.",
    "memory_why_title": "📝 Woher das ist, das Neueste zuerst:",
    "memory_by_person": "von {name} gesagt, {day} ({id})",
    "memory_by_model": "vom Modell notiert, nach Worten von {name}, {day} ({id})",
    "memory_by_others": "mit Worten anderer, im Auftrag von {name} gemerkt, {day} ({id})",
    "memory_by_import": "importiert, {day} ({id})",
    "memory_somebody": "jemandem",
    # The setting.
    "memory_notes_on": "📝 Von jetzt an zeige ich hier, was das Modell von sich aus notiert.",
    "memory_notes_off": "📝 Von jetzt an notiert das Modell hier still; `/memory` zeigt alles.",
    "memory_notes_usage": "`/memory notes on` zeigt hier, was das Modell von sich aus notiert, `/memory notes off`"
    " nicht.",
    # What is taken back.
    "undo_memory_add": "die Notiz „{text}“",
    "undo_memory_remove": "das Vergessen von „{text}“",
    "undo_memory_replace": "dass „{text}“ nicht mehr gilt",
    "undo_memory_notes": "ob Notizen gezeigt werden",
    # What is read, not said: {x} is what it is about, also what stands behind a "<".
    "memory_note_forms": "merk dir, dass {x}|merk dir dass {x}|merke dir, dass {x}|merke dir dass {x}|merk dir: {x}"
    "|merke dir: {x}|merk dir bitte, dass {x}|merk dir bitte: {x}|merk dir bitte {x}|merk dir mal, dass {x}"
    "|merk dir {x}|merke dir {x}|notiere, dass {x}|notier, dass {x}|notiere dir, dass {x}|notier dir, dass {x}"
    "|notiere: {x}|notiere dir: {x}|behalte im kopf, dass {x}|vergiss nicht, dass {x}|vergiss nicht dass {x}"
    "|denk daran, dass {x}|denk dran, dass {x}|erinnere dich daran, dass {x}|nur dass du es weißt: {x}",
    "memory_find_forms": "was weißt du über {x}|was weisst du über {x}|was weißt du von {x}|was weißt du alles über {x}"
    "|was hast du dir über {x} gemerkt|was hast du dir zu {x} gemerkt|was hast du über {x} notiert"
    "|was habe ich dir über {x} erzählt|was hab ich dir über {x} erzählt|was habe ich dir über {x} gesagt"
    "|was hab ich dir über {x} gesagt|sag mir, was du über {x} weißt|zeig mir, was du über {x} weißt",
    "memory_forget_forms": "vergiss, dass {x}|vergiss dass {x}|vergiss bitte, dass {x}|vergiss, was du über {x} weißt"
    "|vergiss was du über {x} weißt|vergiss, was ich über {x} gesagt habe|vergiss <mein {x}|vergiss <meine {x}"
    "|vergiss <meinen {x}|vergiss die notiz über {x}",
    "memory_me": "mich|mir|mich alles",
    "memory_us": "uns|uns alles|alles",
    "memory_first_person": "ich|mir|mich|mein|meine|meinen|meinem|meiner|meines",
    "memory_we_words": "wir|uns|unser|unsere|unseren|unserem|unserer|unseres",
    "memory_own_words": "mein|meine|meinen|meinem|meiner|unser|unsere|unseren|unserem|mich|uns",
    "memory_vague": "es|das|dies|alles|mich|uns|ihn|sie|was ich gesagt habe",
    "memory_no_fact": "das|dies|es|das bitte|das mal|bitte|für später|für mich|das für mich|den tag|alles",
    "memory_no_words": "nein|nee|ne|nö|falsch|moment|korrektur|stimmt nicht|doch nicht|quatsch",
    "memory_otherwise_forms": "es ist {x}|es sind {x}|er ist {x}|sie ist {x}|ich meinte {x}|ich meine {x}|sondern {x}",
    "memory_it_forms": "es {x}|er {x}|sie {x}|sondern {x}",
    "memory_wrong": "falsch|nicht wahr|nicht richtig|gut|okay|ok|egal|nichts|genug|schon gut",
    "memory_ask_words": "merk dir|merke dir|merken|gemerkt|notier|notiere|notiz|vergiss nicht|nicht vergessen"
    "|behalte|denk daran|denk dran|für später|aufschreiben",
    "memory_negations": "nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|nichts|niemand|ohne|weder|nimmer",
}
