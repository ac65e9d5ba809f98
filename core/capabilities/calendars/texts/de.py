"""Kalender, auf Deutsch."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "calendar_usage": (
        "Schreib /calendar add und die geheime Adresse eines Kalenders (sie endet auf .ics; Google, "
        "Outlook und iCloud zeigen sie in den Einstellungen eines Kalenders), oder schick mir eine "
        ".ics-Datei mit /calendar add. Von einem CalDAV-Konto schreib die Adresse, deinen Namen "
        "dort und das Passwort. /calendar zeigt, was es gibt, /calendar remove und /calendar rename ändern es. "
        "/calendar feed ist der andere Weg: eine Adresse, an der dein Handy meine Erinnerungen liest."
    ),
    "calendar_list": "🗓 **Kalender**",
    "calendar_none": (
        "Hier ist kein Kalender. /calendar add und seine Adresse fügt einen hinzu, ebenso /calendar "
        "add mit einer .ics-Datei."
    ),
    "calendar_added": "🗓 **{name}** ist dabei: {count} im nächsten Monat. Sie stehen in /today.",
    "calendar_address": "wird alle 15 Minuten gelesen",
    "calendar_file": "aus einer Datei",
    "calendar_as_long_as": "solange {who} hier ist",
    "calendar_fails": "⚠️ ist gerade nicht zu lesen",
    "calendar_left_out": "⚠️ nicht dabei: {why}",
    "calendar_left_unclear": "{n} unverständlicher Termin|{n} unverständliche Termine",
    "calendar_left_busy": "{n} zu häufiger Termin|{n} zu häufige Termine",
    "calendar_left_crowded": "{n} späterer Zeitpunkt (zu viele)|{n} spätere Zeitpunkte (zu viele)",
    "calendar_remove": "🗑 {name}",
    "calendar_removed": "🗑 **{name}** ist entfernt.",
    "calendar_private": (
        "Die Adresse eines Kalenders ist geheim: Schick sie mir in unserem privaten Chat, und lösch "
        "deine Nachricht hier. Was ich davon hatte, ist weg."
    ),
    "calendar_asked": (
        "Die Adresse eines Kalenders ist geheim, darum habe ich dich in unserem privaten Chat gefragt, welcher hier "
        "erscheinen soll. Eine .ics-Datei kannst du mir hier schicken, mit /calendar add."
    ),
    "calendar_asked_said": (
        "Die Adresse eines Kalenders ist geheim: Lösch deine Nachricht hier; was ich davon hatte, ist weg. In unserem "
        "privaten Chat habe ich dich gefragt, welcher Kalender hier erscheinen soll."
    ),
    "calendar_which": "🗓 Welcher Kalender soll in **{group}** erscheinen? Alle dort sehen, was darin steht, solange "
    "auch du dort bist.",
    "calendar_which_none": (
        "🗓 Für **{group}**: Füg den Kalender erst hier hinzu, mit /calendar add und seiner Adresse. Schreib dann dort "
        "noch einmal /calendar add, und ich frage dich, welcher erscheinen soll."
    ),
    "calendar_not_there": "In **{group}** kann ich ihn nicht zeigen: Du bist nicht darin, oder ich nicht mehr, oder du "
    "willst dort in Ruhe gelassen werden (/optout).",
    "calendar_shown": "🗓 **{name}** erscheint gleich in **{group}**.",
    "calendar_shown_here": "🗓 {who} zeigt hier den Kalender **{name}**: /today hat, was darin steht. /calendar",
    "undo_calendar_remove": "dass der Kalender {name} entfernt wurde",
    "calendar_no_key": (
        "Mein Betreiber muss erst einen Schlüssel setzen, um so eine Adresse verschlüsselt "
        "aufzuheben: secret_key in der Konfiguration; `teller setup` macht einen. Eine .ics-Datei geht auch ohne."
    ),
    "calendar_bad_address": (
        "Das ist keine Adresse eines Kalenders. Sie beginnt mit https:// oder webcal:// und endet meist auf .ics."
    ),
    "calendar_bad_file": "Die Datei konnte ich nicht nehmen. Es muss eine .ics-Datei von höchstens 2 MB sein.",
    "calendar_down": (
        "⚠️ Seit einem Tag kann ich den Kalender **{name}** nicht lesen. Ich zeige, was ich von ihm "
        "weiß, und versuche es weiter. /calendar"
    ),
    "calendar_account": "🗓 {names}: dabei. Was darin steht, ist in einer Minute in /today.",
    "calendar_account_full": (
        "🗓 {names}: dabei. Was darin steht, ist in einer Minute in /today. Ein Chat hat höchstens {most} Kalender."
    ),
    "calendar_problem_password": "Der Server lässt diesen Namen mit diesem Passwort nicht ein. Nichts ist hinzugefügt.",
    "calendar_problem_not_caldav": (
        "Das ist kein Server für Kalender (CalDAV). Falls du einen Namen aus zwei Wörtern für einen Kalender mit "
        "Adresse meintest: Füg ihn ohne hinzu, dann /calendar rename."
    ),
    "calendar_problem_no_calendars": "Dieses Konto hat keinen Kalender mit Terminen.",
    "calendar_problem_elsewhere": "Der Server schickt mich zu einem anderen, dem ich dein Passwort nicht sage.",
    "calendar_problem_bad_request": "Ein Passwort sage ich nur über https: Die Adresse muss mit https:// beginnen.",
    "calendar_feed_made": (
        "📲 Der Kalender deines Handys zeigt die Erinnerungen und fälligen Aufgaben dieses Chats, wenn er diese "
        "Adresse abonniert:\n\n{url}\n\nIch zeige sie nur jetzt und hebe sie nirgends auf. Wer sie hat, liest mit: "
        "/calendar feed off beendet das."
    ),
    "calendar_feed_made_here": "📲 Die Adresse für den Kalender deines Handys steht in unserem privaten Chat.",
    "calendar_feed_there": (
        "📲 Dein Handy kann die Erinnerungen und fälligen Aufgaben dieses Chats lesen, an einer Adresse von {at}, "
        "{read}."
    ),
    "calendar_feed_read": "zuletzt gelesen etwa {at}",
    "calendar_feed_unread": "noch nicht gelesen",
    "calendar_feed_new": "🔁 Neue Adresse",
    "calendar_feed_off": "🗑 Beenden",
    "calendar_feed_gone": (
        "🗑 Die Adresse führt jetzt ins Leere. Was dein Handy gelesen hat, bleibt dort, bis du es entfernst."
    ),
    "calendar_feed_none": "Hier gibt es keine solche Adresse von dir. /calendar feed macht eine.",
    "calendar_feed_no_url": (
        "Noch erreicht mich kein Handy: Wer mich betreibt, muss angeben, unter welcher Adresse ich zu erreichen bin "
        "(http.port und http.public_url in der Konfiguration)."
    ),
    "calendar_feed_private_first": "Die Adresse ist nur für dich: Schreib mir erst privat, dann noch einmal hier.",
    "calendar_problem_damaged": "Was ich dort gefunden habe, ist kein Kalender.",
    "calendar_problem_gone": "Der Server gibt ihn mir nicht: Die Adresse ist vielleicht eine alte.",
    "calendar_problem_forbidden_address": (
        "Das lese ich nicht: Es liegt nicht im öffentlichen Netz. Eigene Netze kann mein Betreiber "
        "erlauben (web.own_networks)."
    ),
    "calendar_problem_unknown_host": "Einen Server mit diesem Namen gibt es nicht.",
    "calendar_problem_down": (
        "Ich konnte ihn gerade nicht lesen. Nichts ist hinzugefügt; versuch es später noch einmal."
    ),
    "calendar_problem_slow": "Ihn zu lesen dauert zu lange. Nichts ist hinzugefügt.",
    "calendar_problem_huge": "Er ist zu groß zum Lesen.",
    "calendar_problem_limit": (
        "Du hast so viel aus dem Netz gelesen, wie in einer Stunde geht. Versuch es in der nächsten noch einmal."
    ),
    "calendar_before": "🗓 Ab jetzt melde ich mich {length} vor jedem Termin der Kalender hier, der eine Uhrzeit hat.",
    "calendar_before_stop": "🔕 Nicht mehr",
    "calendar_before_off": "🗓 Ich melde mich vor Terminen nicht mehr.",
    "calendar_before_usage": (
        "Schreib /calendar vorher und eine Zahl von Minuten (höchstens ein Tag) oder /calendar vorher aus."
    ),
    "calendar_soon": "🗓 {clock}, in {length}: {title}",
    "calendar_soon_more": "… und {n} weitere: /today",
    "failed_calendar_none": (
        "Hier ist noch kein Kalender. /calendar add und seine Adresse fügt einen hinzu, ebenso /calendar add mit einer"
        " .ics-Datei."
    ),
    "failed_calendar_unknown": "So einen Kalender gibt es hier nicht. /calendar zeigt, was es gibt.",
    "failed_calendar_many": "So heißen mehrere Kalender. Nimm die Kennung, die /calendar hinter dem Namen zeigt.",
    "failed_calendar_known": "Dieser Kalender ist schon hier.",
    "failed_calendar_too_many": "Das wären mehr als {most} Kalender. Entfern erst einen: /calendar.",
    "calendar_events": "{n} Termin|{n} Termine",
    "count_calendars": "{n} Kalender|{n} Kalender",
    "page_events": "Heute",
    "today_event": "🗓 {clock} {text}",
    "today_event_whole": "🗓 {text}",
    "did_in_calendars": "Kalender geändert",
}
