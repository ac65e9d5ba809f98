"""Export und Import, auf Deutsch."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "menu_export": "Alles, was hier aufbewahrt ist, als Datei",
    "menu_import": "Export oder Notizen von anderswo einlesen",
    "count_brought_todos": "{n} Aufgabe|{n} Aufgaben",
    "count_brought_contacts": "{n} Kontakt|{n} Kontakte",
    "count_brought_schedules": "{n} Erinnerung oder Termin|{n} Erinnerungen und Termine",
    "count_brought_memories": "{n} gemerkter Eintrag|{n} gemerkte Einträge",
    "count_brought_history": "{n} Gesprächszeile|{n} Gesprächszeilen",
    "count_brought_settings": "deine Einstellungen|deine Einstellungen",
    "count_lines_brought": "{n} Zeile eines anderen Gesprächs|{n} Zeilen anderer Gespräche",
    "count_own_lines_brought": "{n} Zeile eines anderen Gesprächs|{n} Zeilen anderer Gespräche",
    "export_usage": "Schreib nur /export: Ich sende dir alles, was ich hier aufbewahre, als Datei.",
    "export_usage_group": ("/export sendet dir privat, was diese Gruppe hat; „/export hier“ legt es hier für alle ab."),
    "export_no_private": "Schreib mir zuerst privat: Dorthin sende ich die Datei.",
    "export_nothing": "noch nichts",
    "export_done": "📦 Alles aus diesem Chat zum Mitnehmen: {what}. /import liest so eine Datei wieder ein.",
    "export_done_group": "📦 Alles aus der Gruppe {title} zum Mitnehmen: {what}.",
    "export_left_out": (
        "⚠️ Nicht darin: {n} Datei, die geschickt wurde oder für die kein Platz ist.|"
        "⚠️ Nicht darin: {n} Dateien, die geschickt wurden oder für die kein Platz ist."
    ),
    "export_see": "/files zeigt sie.",
    "export_see_group": "/files in der Gruppe zeigt sie.",
    "export_stays": "Die Datei bleibt dort {days}, oder bis /forget.",
    "export_sent_privately": "Ich habe dir die Datei privat gesendet.",
    "export_too_big": (
        "Der Export hat {size} MB, und hier kann ich {most} MB senden. Der Betreiber kann ihn dir geben: "
        "`teller export`."
    ),
    "failed_export_no_room": "Ich konnte die Datei nicht schreiben: Auf der Festplatte ist kein Platz.",
    "import_private": "Einlesen geht nur in unserem privaten Chat.",
    "failed_import_private": "Einlesen geht nur in unserem privaten Chat.",
    "import_usage": (
        "Sende mir eine Datei mit /import als Beschriftung, oder antworte auf eine Datei mit /import. Ich lese einen "
        "Export von mir, MEMORY.md, USER.md, memory.md, TODO.WIP.md, TODO.DONE.md und die Datenexporte von ChatGPT und "
        "Claude (das Zip, oder daraus conversations.json und memories.json)."
    ),
    "import_not_fetched": (
        "Ich konnte die Datei nicht abholen. Vielleicht ist sie mir zu groß; conversations.json allein ist kleiner."
    ),
    "import_ask": "In {name} sind: {what}.",
    "import_own": "Es ist dein eigener Export, wie ich ihn geschrieben habe.",
    "import_foreign": (
        "Ich habe die Datei nicht hier für dich geschrieben, darum traue ich ihr weniger: Was darin steht, gilt als "
        "von anderen geschrieben, Aufträge ans Modell ruhen, und niemand sonst wird erinnert."
    ),
    "import_unread": "Nicht gelesen: {files}.",
    "import_failed": "Ohne das, was ich nicht lesen kann: {what}.",
    "import_more": "und {n} weitere",
    "import_nothing": "In {name} habe ich nichts gefunden, was ich einlesen kann.",
    "import_yes": "Einlesen",
    "import_no": "Abbrechen",
    "import_left": "Es wurde nichts eingelesen.",
    "import_done": "📥 Eingelesen aus {name}: {what}.",
    "import_none_new": "📥 Es ist nichts Neues darin.",
    "import_there": "Schon da, vorbei oder ausgelassen: {what}.",
    "failed_import_full_todos": "Es wurde nichts eingelesen: Es wären hier zu viele Aufgaben.",
    "failed_import_full_schedules": "Es wurde nichts eingelesen: Es wären hier zu viele Erinnerungen und Termine.",
    "failed_import_full_contacts": "Es wurde nichts eingelesen: Es wären hier zu viele Kontakte.",
    "failed_import_full_history": "Es wurde nichts eingelesen: Es wären hier zu viele Gesprächszeilen.",
    "failed_import_many": (
        "Es wurde nichts eingelesen: Aus einer Datei, die ich nicht geschrieben habe, nehme ich von jeder Art "
        "höchstens {most} Einträge."
    ),
    "import_bad_gone": "Die Datei {name} ist nicht mehr da; sende sie noch einmal.",
    "import_bad_empty": "{name} ist leer.",
    "import_bad_suffix": "{name} ist nicht, was der Name sagt.",
    "import_bad_unknown": "Dateien wie {name} kenne ich nicht. /import sagt, welche ich lese.",
    "import_bad_broken": "{name} ist beschädigt oder kein Zip, das ich lesen kann.",
    "import_bad_many": "{name} hat zu viele Dateien.",
    "import_bad_several": "{name} hat mehrere Exporte von mir; sende mir einen davon.",
    "import_bad_big": "{name} ist ausgepackt zu groß: 64 MB je Datei, 256 MB insgesamt.",
    "import_bad_bomb": "{name} wächst beim Auspacken zu sehr; solche Dateien lasse ich liegen.",
    "import_bad_slow": "{name} zu lesen dauert zu lange.",
    "import_bad_json": "{name} hat kein JSON, das ich lesen kann.",
    "import_bad_deep": "{name} ist zu tief verschachtelt.",
    "import_bad_text": "{name} ist kein Text in UTF-8.",
    "import_bad_newer": "{name} hat eine neuere Version von mir geschrieben.",
    "import_why_path": "ein verbotener Name",
    "import_why_locked": "mit einem Passwort verschlossen",
    "import_why_broken": "beschädigt",
    "import_why_json": "kein JSON",
    "import_why_deep": "zu tief verschachtelt",
    "import_why_text": "kein UTF-8",
    "import_why_unknown": "nicht bekannt",
    "import_why_newer": "von einer neueren Version",
    "import_why_big": "zu groß",
}
