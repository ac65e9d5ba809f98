"""Dateien, auf Deutsch."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "count_written_files": "{n} Änderung an einer Datei|{n} Änderungen an Dateien",
    "count_own_written_files": "{n} Änderung an einer Datei|{n} Änderungen an Dateien",
    "count_brought_files": "{n} Datei|{n} Dateien",
    "did_in_files": "Dateien geändert",
    "files_title": "📁 Dateien hier, die neuesten zuerst ({used} von {most}):",
    "files_title_about": "📁 Dateien mit „{words}“ im Pfad:",
    "files_none": "Hier sind keine Dateien. Sende mir eine, dann bewahre ich sie auf.",
    "files_none_about": "Keine Datei hier hat „{words}“ im Pfad.",
    "files_line": "• {path} ({size}, {day})",
    "files_where": "🗄 Programme dürfen Dateien hierher legen: {path} in meinem Datenordner.",
    "files_more": "Ältere",
    "files_newer": "Neuere",
    "files_one": "📄 {path}\n{size}, {day}",
    "files_button_send": "Sende sie mir",
    "files_button_delete": "Löschen",
    "files_button_all": "Alle",
    "files_button_deleted": "Ersetzt und gelöscht",
    "files_unknown": "Diese Datei ist nicht (mehr) hier.",
    "files_deleted": "🗑 Gelöscht: {name}",
    "files_not_yours": "In einer Gruppe löschen eine Datei nur Admins, und wer sie gesendet hat oder schreiben ließ.",
    "files_on_its_way": "Ich sende dir {name} in unseren privaten Chat.",
    "files_no_private": "Schreib mir zuerst privat: Dorthin sende ich die Datei.",
    "files_too_big": "{name} ist zu groß, um sie hier zu senden ({size}).",
    "files_no_room": "Die Festplatte ist voll, darum kann ich sie nicht senden. Mein Betreiber muss Platz schaffen.",
    "files_old_title": "🗑 Was ersetzt oder gelöscht wurde und wiederkommen kann, das Neueste zuerst:",
    "files_old_none": "Hier wurde nichts ersetzt oder gelöscht, was noch da ist. Es bleibt {days} Tage.",
    "files_old_line": "• {path} ({day})",
    "files_back": "↩ Wieder da: {name}",
    "failed_import_full_files": "Nichts wurde eingelesen: Hier wären zu viele oder zu große Dateien.",
    "failed_files_disk": "Die Festplatte nimmt es gerade nicht an ({why}). Nichts wurde geändert. Mein Betreiber muss"
    " danach sehen.",
    "failed_files_missing": "Diese Datei ist nicht (mehr) hier.",
    "failed_files_folder": "Das ist inzwischen ein Ordner.",
    "failed_files_odd": "An ihrer Stelle ist etwas anderes, darum lasse ich es, wie es ist.",
    "failed_files_above": "An ihrer Stelle ist etwas anderes, darum lasse ich es, wie es ist.",
    "failed_files_exists": "Es gibt wieder eine Datei mit diesem Namen, darum lasse ich es, wie es ist.",
    "failed_files_readonly": "Das kann nur gelesen werden.",
    "failed_files_inbox": "Was gesendet wurde, bleibt, wie es kam.",
    "undo_file_write": "was in {name} geschrieben wurde",
    "undo_file_delete": "dass {name} gelöscht wurde",
    "undo_file_move": "dass {name} verschoben wurde",
}
