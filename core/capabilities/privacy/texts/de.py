"""German: what is kept, being left alone, being forgotten."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "ledger_broken_owner": (
        "⚠️ **Meine Aufzeichnung dessen, was ich getan habe (das Ledger), ist nicht heil.** Jemand hat sie geändert, "
        "oder ein Teil fehlt. Befunde: {n}.\n{problems}\nAlle zeigt `teller ledger verify` auf meinem Rechner; ändere "
        "vorher nichts."
    ),
    "menu_retention": "Wie lange ich aufhebe, was hier gesagt wird",
    "count_answers": "das Protokoll von {n} Antwort|die Protokolle von {n} Antworten",
    "count_acts": "die Texte von {n} Eintrag in meinem Nachweis|die Texte von {n} Einträgen in meinem Nachweis",
    "count_books": "{n} anderen Kontaktliste|{n} anderen Kontaktlisten",
    "privacy_counts": "**Aus diesem Chat habe ich jetzt:** {what}.",
    "privacy_counts_own": "**Von dir habe ich in dieser Gruppe jetzt:** {what}.",
    "privacy_counts_none": "**Von dir habe ich hier jetzt nichts.**",
    "privacy_things": (
        "Aufgaben, Erinnerungen, Kontakte und Gemerktes hebe ich auf, bis jemand sie entfernt, danach noch {undo} "
        "Tage, damit es sich zurücknehmen lässt; erledigte Aufgaben {todos} Tage."
    ),
    "privacy_elsewhere": (
        "**Was andere aufheben:** Du stehst in {what}: von Gruppen, in denen du etwas gesagt hast, oder von Leuten, "
        "die dich notiert haben. Was andere über dich geschrieben haben, gehört ihnen, und ich zeige es nur ihnen."
    ),
    "privacy_shorter": "Dieser Chat hebt weniger auf, als ich es sonst täte (/retention): {what}.",
    "privacy_backups": (
        "**Sicherungen:** Wer diesen Bot betreibt, hat vielleicht welche gemacht. Sie enthalten, was es damals gab, "
        "auch das inzwischen Vergessene, bis diese Person sie löscht; von selbst löscht sie nichts."
    ),
    "optout_nothing_noted": "Ich halte hier nichts mehr über dich fest, wer auch immer das möchte.",
    "optout_erased": "Was hier über dich festgehalten war, ist gelöscht: {what}.",
    "forgotten_backups": (
        "Sicherungen, die bis jetzt gemacht wurden, enthalten es noch, bis sie löscht, wer diesen Bot betreibt; von "
        "selbst wird keine gelöscht."
    ),
    "forgotten_at_work": (
        "An etwas davon wird in einem anderen Thread noch gearbeitet. Wenn das beantwortet ist, schreib noch einmal "
        "{command}."
    ),
    "retention_now": "Aus diesem Chat hebe ich auf:\n{lines}\n\n{usage}",
    "retention_line_messages": (
        "- Nachrichten {days}: was hier gesagt wurde und was ich geantwortet habe, mit dem, was es auffindbar macht, "
        "wie es hereinkam und hinausging, meinen Protokollen, den Texten meines Nachweises und den Dateien"
    ),
    "retention_line_files": "- Dateien {days}",
    "retention_forever": "bis sie vergessen werden",
    "retention_days": "{n} Tag lang|{n} Tage lang",
    "retention_usage": (
        "Schreib {messages} oder {files}, um weniger aufzuheben, und {off}, damit ich es so lange wie sonst aufhebe. "
        "Aufgaben, Erinnerungen, Kontakte und Gemerktes gehören nicht dazu: Sie bleiben, bis jemand sie entfernt."
    ),
    "retention_wider": ("Das ist länger, als ich sie überhaupt aufhebe: höchstens {limit}. Es wurde nichts geändert."),
    "retention_ask": (
        "Soll ich {kind} aus diesem Chat nur {days} aufheben? Was älter ist, wird jetzt gelöscht: {what}. Das lässt "
        "sich nicht zurücknehmen."
    ),
    "retention_do": "Älteres löschen",
    "retention_set": "🧹 Von jetzt an hebe ich {kind} aus diesem Chat {days} auf. Was älter war, ist gelöscht.",
    "retention_off": "Von jetzt an hebe ich, was hier gesagt wird, so lange wie sonst auf.",
    "retention_off_already": (
        "Dieser Chat wünscht nichts anderes: Ich hebe, was hier gesagt wird, so lange wie sonst auf."
    ),
    "retention_kind_messages": "Nachrichten",
    "retention_kind_files": "Dateien",
    "retention_words_messages": "nachrichten|nachricht|verlauf|alles|chat",
    "retention_words_files": "dateien|datei|anhänge|dokumente",
    "retention_words_1": "t|tag|tage|tagen",
    "retention_words_7": "w|woche|wochen",
    "retention_words_30": "m|monat|monate|monaten",
    "retention_words_365": "j|jahr|jahre|jahren",
}
