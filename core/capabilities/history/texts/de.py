"""What was said, in German."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "history_brought": "{name} (in {source})",
    "history_in_part": "{source}, {part}",
    "part_page": "Seite {n}",
    "part_sheet": "Blatt {n}",
    "part_slide": "Folie {n}",
    "part_chapter": "Kapitel {n}",
    "part_entry": "Eintrag {n}",
    "history_found": "🔎 Das wurde zu „{words}“ gesagt:",
    "history_nothing": "Zu „{words}“ finde ich nichts, was hier gesagt wurde.",
    "history_quote": "{name}, {when}: {text}",
    "summary_title": "🗞 {group}: {count} seit {since}",
    "summary_messages": "{n} Nachricht|{n} Nachrichten",
    "summary_silent": "🗞 {group}: seit {since} wurde nichts gesagt.",
    "summary_newest": "Nur die neuesten {n} davon sind hier drin.",
    "summary_open": "❓ Offene Fragen",
    "summary_answered": "💬 Beantwortete Fragen",
    "summary_decided": "✅ Entschieden",
    "summary_decision": "{name}: {answer} ({question})",
    "summary_noted": "📝 Neu auf der Liste",
    "summary_done": "☑ Erledigt",
    "summary_times": "🗓 Mit Zeitangabe",
    "summary_only_talk": "Keine Fragen, keine Termine und nichts Neues auf der Liste.",
    "summary_since_words": "seit|von|ab|der letzten|die letzten|den letzten|letzten|letzte",
    "summary_yesterday": "gestern",
    "summary_usage": (
        "/summary sagt dir, was seit deiner letzten Nachricht gesagt wurde, /summary seit Montag oder /summary 3 Tage, "
        "was seither war. In einer Gruppe dürfen Administratoren /summary jeden Freitag um 17 schreiben, und "
        "/summary aus."
    ),
    "summary_which": "Von welcher Gruppe?",
    "summary_no_group": "Es gibt keine Gruppe, in der ich mitlese und in der du bist.",
    "summary_not_read": (
        "Hier lese ich nicht mit und weiß es darum nicht. Administratoren können das mit /readalong on ändern."
    ),
    "summary_sent": "🗞 Ich schicke es dir privat.",
    "summary_start": (
        "Ich kann dir noch nicht privat schreiben: Öffne {link} und tippe auf Start. Schreib dann dort /summary."
    ),
    "summary_start_here": "Ich kann dir noch nicht privat schreiben: Schreib mir dort, und dann /summary.",
    "summary_name": "eine Zusammenfassung des Gesagten",
    "summary_scheduled": "🗞 Ich fasse hier {rule} zusammen, was seit dem letzten Mal gesagt wurde, zuerst {next}.",
    "summary_stopped": "Ich fasse nichts mehr von selbst zusammen.",
    "summary_ended": "🗞 Ich lese hier nicht mehr mit, deshalb gibt es die regelmäßige Zusammenfassung nicht mehr.",
    "summary_not_scheduled": "Ich fasse hier nichts von selbst zusammen.",
    "menu_summary": "Was du in einer Gruppe verpasst hast",
}
