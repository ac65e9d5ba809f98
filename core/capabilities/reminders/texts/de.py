"""What is said of reminders when they are set, when they are due and when they are answered, in German."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # What stands before a time that is to be another one, and behind it: "no, make it 4", "friday instead".
    "correct_words": (
        "mach es|mach das|mach|lieber|besser|doch|eigentlich|nein|nee|warte|sorry|ups|oh|ich meinte|ich meine|ich mein"
        "|änder es auf|ändere es auf|ändere das auf|verschieb es auf|verschieb das auf|verschiebe es auf|stattdessen"
    ),
    "correct_ends": "stattdessen|bitte|lieber|doch|besser|sorry|danke|dann|meinte ich|mein ich",
    "reminder": "⏰ {text}",
    "reminder_to": "⏰ {who}: {text}",
    "reminder_to_from": "⏰ {who} (von {name}): {text}",
    "reminder_everybody": "⏰ {who}: {text}\n👥 für {n} Leute",
    "reminder_everybody_more": "⏰ {who} ↓",
    "reminder_from": "⏰ {name} hat mich gebeten, dich zu erinnern: {text}",
    "reminder_again": "(noch einmal, {n} von {most})",
    "reminder_link": "↳ {link}",
    "reminder_progress": "{done} von {all}: {people}",
    "reminder_done": "✅ {clock}",
    "reminder_done_by": "✅ {name} {clock}",
    "reminder_closed": "· erledigt von {name}",
    "reminder_stopped": "🗑 Gestrichen",
    "reminder_put_off": "💤 {when}",
    "reminder_put_off_by": "💤 {name} {when}",
    "reminder_told_done": "{name} ✅ {clock}: {text}",
    "reminder_told_stopped": "{name} will nicht mehr erinnert werden: {text}",
    "reminder_told_back": "{name} nimmt das zurück: {text}",
    "reminder_told_put_off": "{name} 💤 {when}: {text}",
    "reminder_lapsed": "Das wiederhole ich nicht mehr: {text}",
    "reminder_told_lapsed": "Keine Antwort von {name}: {text}",
    "reminder_unseen": "Ich konnte {name} nicht an „{text}“ erinnern: {reason}.",
    "reminder_undelivered": "Ich konnte „{text}“ nicht zustellen: {reason}.",
    "outcome_meanwhile": "Solange ich diesen Chat nicht erreichen konnte, wurde aus „{text}“ dies:\n\n{said}",
    "answer_undelivered": "Ich konnte dir in {title} nicht antworten: {reason}.",
    "reminder_rests": "{said} Es ruht jetzt; /tasks zeigt es und lässt es weitergehen.",
    "reminder_unseen_owner": (
        "⚠️ Eine Erinnerung ({ref}) ließ sich nicht zustellen, und niemandem war es zu sagen. Im Log steht, warum."
    ),
    "reminder_waits": "{said} Es ruht, bis sich das ändert.",
    "why_blocked": "man hat mich dort blockiert oder entfernt",
    "why_left": "die Person hat die Gruppe verlassen",
    "why_never": "die Person redet nicht privat mit mir",
    "why_gone": "ich bin nicht mehr in dieser Gruppe",
    "why_muted": "Nachrichten dieser Art sind dort nicht gewünscht",
    "why_recipient_limit": "andere haben mich heute schon 3 Nachrichten dorthin senden lassen, mehr geht nicht",
    "why_sender_limit": "du hast mich in einer Stunde schon 10 Nachrichten an andere senden lassen, mehr geht nicht",
    "why_forgotten": "was ich von dem Chat aufgehoben hatte, in dem es fällig war, wurde gelöscht",
    "why_refused": "die Plattform hat die Nachricht abgelehnt",
    "maker_gone": (
        "Wer das gesetzt hat, hat keinen Zugang mehr zu mir. Es geht weiter, bis es jemand streicht: {text}"
    ),
    "trigger_broken": "⚠️ Das ging bei mir schief, also ruht es ({ref}): {text}",
    "trigger_broken_owner": (
        "⚠️ Etwas Geplantes ({ref}) ging schief und ruht; im Log steht, warum. Wer es gesetzt hat, weiß Bescheid."
    ),
    "watch_unjudged": (
        "⚠️ Das Modell hat dreimal nicht gesagt, ob das eingetreten ist, darum sehe ich nicht "
        "mehr nach ({ref}). Setz es fort oder stell es mit anderen Worten neu: {text}"
    ),
    "watch_unjudged_owner": (
        "⚠️ Zu einer Bedingung ({ref}) hat das Modell dreimal nichts gesagt, darum ruht sie; "
        "warum, steht im Log. Wer sie gestellt hat, weiß es."
    ),
    "watch_refused": (
        "⚠️ Ob das eingetreten ist, kann ich nicht nachsehen: Das geht bei mir schief. Ich "
        "versuche es weiter ({ref}): {text}"
    ),
    "trigger_refused": "⚠️ Das ist fällig, geht aber bei mir schief; ich versuche es weiter ({ref}): {text}",
    "trigger_refused_owner": (
        "⚠️ Die Datenbank nimmt nicht an, was fällig ist ({ref}); ich versuche es weiter. Im Log steht, warum. Wer es"
        " gesetzt hat, weiß Bescheid."
    ),
    "button_done": "Erledigt",
    "button_ten_minutes": "+10 Min.",
    "button_hour": "+1 Std.",
    "button_tomorrow": "morgen",
    "button_ok": "OK",
    "button_mute": "Nichts von {name}",
    "button_skip_next": "Nächstes auslassen",
    "button_pause": "Ruhen bis…",
    "button_stop": "Streichen",
    "undo_for": "Rückgängig: {name}",
    "zone_guessed": (
        "Ich weiß nicht, wie spät es bei {name} ist, also gehe ich von {zone} aus. /contacts zone {name} und eine "
        "Stadt "
        "ändert das."
    ),
    # Setting one.
    "every_words": "jeden|alle",
    "remind_usage": (
        "Schreib, wann und was: /remind morgen um 9 Oma anrufen, /remind mich in 20 Minuten strecken, /remind alle "
        "jeden "
        "Werktag um 9:30 Besprechung. Oder antworte auf eine Nachricht mit /remind morgen um 9."
    ),
    "every_usage": (
        "Schreib, wie oft, wann und was: /every Werktag um 9:30 Besprechung, /every zweiten Montag um 10 Müll"
    ),
    # What says that a reminder is done.
    "done_words": "erledigt|ist erledigt|schon erledigt|hab ich|hab ich gemacht|gemacht|fertig|bin fertig|abgehakt",
    # Nods that may as well be answers to a question.
    "assent_words": "ja|jep|jo|klar|alles klar",
    "about_this": "{rest} an das",
    # What puts a reminder off, whenever to.
    "snooze_words": "später|nachher|noch nicht|später heute|schlummern|schlummer|snooze|gleich|später nochmal",
    # What beside a time, at either side, says nothing of it.
    "remind_more": (
        "nochmal|noch mal|noch einmal|dann|stattdessen|bitte|und|vielleicht|daran|dran|erinner mich|erinnere mich"
        "|sag mir bescheid|sag bescheid"
    ),
    "remind_whom": "Wen soll ich erinnern? Schreib einen Namen, zum Beispiel: /remind @bob um 9 anrufen",
    "each_day": "jeden Tag um {rest}",
    "ask_when": "Wann genau? „{text}“ – zum Beispiel: morgen um 17 Uhr",
    "ask_day": "An welchem Tag, und wann? „{text}“ – zum Beispiel: morgen um 9, Freitag um 17 Uhr",
    "ask_what": "Woran soll ich dich erinnern?",
    "ask_what_when": "Woran soll ich dich erinnern, und wann?",
    "reminder_dropped": "Verworfen.",
    "reminder_too_long": "Das ist zu lang: Eine Erinnerung hat höchstens 1.000 Zeichen.",
    "time_but_holidays": (
        "Feiertage kann ich bei dem auslassen, was nach Tagen kommt, wenn deine Zeitzone die eines Landes ist"
        " (/timezone Berlin). Wann genau? „{text}“"
    ),
    "time_ends_before": (
        "Das würde vor seinem ersten Mal enden. Wann genau? „{text}“ – zum Beispiel: jeden Tag um 9 bis Freitag"
    ),
    "time_impossible": "Diese Zeit gibt es nicht. Wann genau? „{text}“ – zum Beispiel: morgen um 9, Freitag um 17 Uhr",
    "time_instead": "Wann stattdessen? „{text}“ – zum Beispiel: morgen um 9, Freitag um 17 Uhr",
    "time_offers": "In 1 Stunde|Heute Abend|Morgen 9:00",
    "was_due": "„{text}“ war vor {duration} fällig, während ich offline war.",
    "remind_now": "Jetzt erinnern",
    "from_now": "In {wait} von jetzt an",
    "drop": "Verwerfen",
    "too_quick": "Das ist zu oft: Öfter als einmal in der Minute geht es nicht. Zum Beispiel: /every Minute atmen",
    "clash": "🗓 Dann ist schon: {title}",
    "comes_here": "Es kommt hier, wo es alle sehen.",
    "comes_to_you": "Es kommt in deinem eigenen Chat mit mir, wo nur du es siehst.",
    "in_group_instead": "Lieber in {group}",
    "undo_done_reminder": "das ✅ von „{text}“",
    "undo_put_off": "die spätere Zeit von „{text}“",
    "undo_reminder": "die Erinnerung „{text}“",
    "undo_place_reminder": "wohin „{text}“ kommt",
    # Those that were posted.
    "posted_unknown": ("Ich sehe nicht, welche Erinnerung du meinst: Antworte auf sie, oder drück einen ihrer Knöpfe."),
    "posted_none": "👌 Es wartet keine Erinnerung auf eine Antwort.",
    "posted_none_later": (
        "Es wartet keine Erinnerung auf eine Antwort. Für eine neue sag, worum es geht: erinnere mich in 10 Minuten "
        "daran, "
        "mich zu strecken"
    ),
    "posted_which": "Welche meinst du?",
    "posted_drop": (
        "„{text}“ wartet auf eine Antwort: „erledigt“ beendet es, eine Zeit wie „in 2 Stunden“ verschiebt es."
    ),
    "posted_not_yours": "Diese Erinnerung ist für jemand anderen.",
    "posted_settled": "Alle, für die es ist, haben das getan oder es selbst verschoben.",
    "posted_past": "Das ist schon vorbei. Zum Beispiel: /snooze in 2 Stunden, /snooze morgen um 9",
    "snooze_usage": "Schreib, wann es wiederkommen soll: /snooze in 2 Stunden, /snooze morgen um 9",
    "ask_later": "Wann soll es wiederkommen? Zum Beispiel: in 2 Stunden, morgen um 9",
    "menu_remind": "Mich oder andere erinnern",
    "menu_every": "Immer wieder erinnern",
}
