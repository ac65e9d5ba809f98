"""To-dos and today, in German."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # What people call themselves, and what stands between a task and whose it is.
    "todo_me": "mich|mir|ich",
    "todo_for": "für",
    "todo_for_words": "für",
    # What may stand between whose it is and what is to be done: "@bob needs to call Oma".
    "todo_does_words": "soll|sollen|muss|müssen|sollte|sollten|müsste|müssten|bitte",
    # What stands between a task and what it becomes, when it is due, and whose it is now.
    "todo_edit_words": "zu|in",
    "todo_due_words": "am|bis|um|für|ist",
    "todo_give_words": "an|für",
    # How the last day for it is said.
    "todo_last_day": "{text} fällig bis {when}|{text} fällig {when}|{text} bis {when}|{text} bis zum {when}",
    "list_shopping": "Einkauf",
    "list_packing": "Gepäck",
    "list_usual": "Zu tun",
    "list_word": "liste|zettel",
    "list_usual_words": "zu tun|aufgaben|to-do-liste|todo-liste|todoliste|to-dos|todos|meine|allgemein|aufgabenliste",
    "list_own_words": "meine|unsere|die|diese",
    "list_shopping_words": (
        "einkauf|einkaufen|einkaufs|einkaufsliste|einkaufszettel|einkäufe|supermarkt|lebensmittel|kaufen|besorgen|holen"
    ),
    "list_packing_words": "gepäck|pack|packen|packliste|koffer",
    "list_title": "📝 {name}: {count}",
    "list_title_page": "📝 {name}: {count} · Seite {page} von {pages}",
    "list_empty": "📝 Auf dieser Liste steht nichts: {name}",
    "list_new": "📝 {name}: noch steht nichts darauf. So kommt etwas hin: „setz Milch auf die {name}-Liste“",
    "list_near": "Eine Liste {new} gibt es noch nicht, aber {there}. Welche?",
    "lists_title": "🗂 Listen",
    "lists_line": "- {name}: {count}",
    "lists_how": (
        "Nenn eine, und sie ist da: „Setz Milch auf die Einkaufsliste“, oder /todo Campingliste: Zelt, Kocher"
    ),
    "lists_more": "🗂 {names}",
    "lists_all": "🗂 Listen",
    "todo_title": "📝 Zu tun: {count}",
    "todo_title_page": "📝 Zu tun: {count} · Seite {page} von {pages}",
    "todo_empty": "📝 Nichts zu tun. Schreib etwas dazu: /todo Milch, oder /todo morgen um 17:00 Oma anrufen",
    "todo_groups": "Aus deinen Gruppen:",
    "todo_done_title": "☑ Erledigt:",
    "todo_done_none": "Es ist noch nichts erledigt. /todo zeigt, was offen ist.",
    "todo_overdue": "⚠️ überfällig seit {when}",
    "todo_today": "heute",
    "todo_today_at": "heute {clock}",
    "todo_group": "{item} · {group}",
    "todo_by": "{item} ({name})",
    "todo_added": "☐ {item}",
    "todo_again": "🔁 {item}\n{when}, auf der Liste {name}",
    "todo_again_already": "Das kommt schon immer wieder: 🔁 {item}. /tasks zeigt es.",
    "todo_again_rests": "Das ruht: 🔁 {item}. /resume {id} lässt es weitergehen.",
    "todo_reminder": "⏰ Erinnerung in {duration} ({zone}).",
    "todo_raw": "{name} kenne ich nicht, also lasse ich den Namen, wie er ist. /contacts zeigt, wen ich hier kenne.",
    "todo_past": "Das ist schon vorbei, also gibt es keine Erinnerung.",
    # What joins the last of several items; what begins no item of its own; what a list behind it belongs to.
    "todo_and_words": "und|&|sowie",
    "todo_goes_on_words": (
        "dann|aber|weil|deshalb|oder|wenn|während|das|sie|wir|ich|du|nicht|bitte|danke|seit|bevor|nachdem|bis|um|bei|für"
        "|mit|von|zu"
    ),
    "todo_together_words": "mit|für|von|über|zwischen|rufe|frage|sage|schreibe|treffe|danke|besuche|erinnere|siehe",
    "todo_added_several": "{items}\n\nEs steht auf der Liste.|{items}\n\nAlle {n} stehen auf der Liste.",
    "todo_clear_ask": "Den einen offenen Eintrag von der Liste nehmen?|Alle {n} offenen Einträge von der Liste nehmen?",
    "todo_clear_yes": "Liste leeren",
    "todo_clear_no": "Behalten",
    "todo_kept": "Die Liste bleibt, wie sie ist.",
    "todo_cleared": "🗑 Die Liste ist leer: {n} Eintrag entfernt.|🗑 Die Liste ist leer: {n} Einträge entfernt.",
    "todo_cleared_but": (
        "🗑 {n} Eintrag entfernt. Was seitdem dazukam, bleibt.|🗑 {n} Einträge entfernt. Was seitdem dazukam, bleibt."
    ),
    "undo_todo_several": "{n} neue Aufgabe|{n} neue Aufgaben",
    "todo_done_several": "{items}",
    "todo_removed_several": "🗑 Von der Liste:\n{items}",
    "undo_todo_done": "{n} Aufgabe ist wieder offen|{n} Aufgaben sind wieder offen",
    "undo_todo_clear": "das Leeren der Liste",
    "todo_duplicate": "Das steht schon auf der Liste: ☐ {item}",
    "todo_completed": "☑ {item}",
    "todo_already_done": "Das ist schon erledigt: ☑ {item}",
    "todo_reopened": "Wieder offen: ☐ {item}",
    "todo_changed": "✏️ ☐ {item}",
    "todo_removed": "🗑 Von der Liste: {item}",
    "todo_unchanged": "Nichts zu ändern: {item}",
    "todo_which": "Was davon?",
    "todo_none_called": "Hier heißt nichts „{text}“.",
    "todo_no_match": "Ich finde nichts Offenes wie „{text}“. /todo zeigt die Liste.",
    "todo_no_match_new": "Ich finde nichts wie „{text}“. /todo zeigt die Liste. Oder ist es etwas Neues?",
    "todo_ask_edit": "Was soll statt „{item}“ dastehen?",
    "todo_ask_due": "Wann ist „{item}“ fällig? Zum Beispiel: Freitag, morgen um 17:00",
    "todo_ask_assign": "Wessen Sache ist „{item}“? Schreib einen Namen, zum Beispiel: Bob, @bob, ich",
    "todo_edit_how": "Wo beginnt der neue Text? Ein Doppelpunkt sagt es mir: /todo edit Milch: Hafermilch",
    "todo_edit_unread": "Diese Änderung ändert nichts an der Liste. Sag bitte neu, was darauf soll.",
    "todo_edit_gone": "Seither erledigt oder gestrichen, also nicht noch einmal hinzugefügt:\n{items}",
    "todo_edit_stays": "Was vorher in der Nachricht stand, bleibt:\n{items}",
    "todo_there": "{item} ist in {place}: Dort wird es geändert.",
    "todo_unknown": "So etwas kenne ich hier nicht. /todo zeigt die Liste.",
    "todo_nobody": "Unter diesem Namen kenne ich hier niemanden, oder mehrere. /contacts zeigt, wen ich kenne.",
    "todo_reference": (
        "Die Kennung in Klammern gehört niemandem, den ich hier kenne. Lass sie weg, oder nimm eine aus /contacts."
    ),
    "todo_reference_unknown": (
        "Die Kennung in Klammern gehört niemandem, den ich hier kenne. Lass sie weg, oder nimm eine aus /contacts."
    ),
    "todo_long": "Das ist zu lang: höchstens 1.000 Zeichen. Kürze es, oder mach mehrere daraus.",
    "todo_many": "Das sind {count} Einträge; auf einmal gehen 50. Schick sie in mehreren Nachrichten.",
    "todo_full": "Die Liste ist voll: 1.000 Dinge sind offen. Erledige oder streich erst etwas.",
    "todo_reminders_full": "100 Erinnerungen sind die Grenze. Gib einen Tag ohne Uhrzeit, oder streich eine: /tasks",
    "todo_no_time": "Diese Zeit verstehe ich nicht. Beispiele: morgen, Freitag um 17 Uhr, 31. Dezember",
    "todo_no_such_year": "Diese Zeit verstehe ich nicht. Beispiele: morgen, Freitag um 17 Uhr, 31. Dezember",
    "todo_usage": (
        "/todo zeigt die Liste. Und:\n\n"
        "- /todo Milch, /todo morgen um 17:00 Oma anrufen, /todo add Klempner @bob\n"
        "- /todo done Milch, /todo done\n"
        "- /todo edit Milch: Hafermilch, /todo due Milch Freitag, /todo assign Milch @bob\n"
        "- /todo reopen Milch, /todo remove Milch, /todo clear"
    ),
    "undo_todo_add": "die neue Aufgabe „{text}“",
    "undo_todo_complete": "„{text}“ ist wieder offen",
    "undo_todo_reopen": "„{text}“ ist wieder erledigt",
    "undo_todo_edit": "die Änderung an „{text}“",
    "undo_todo_assign": "wessen Sache „{text}“ ist",
    "undo_todo_remove": "das Streichen von „{text}“",
    "undo_todo_restore": "die Rückkehr von „{text}“",
    "today_title": "📅 **{date}**",
    "today_nothing": "☀️ Heute steht nichts an. Genieß es!",
    "tomorrow_nothing": "☀️ Morgen steht nichts an.",
    "day_nothing": "☀️ Dann steht nichts an.",
    "today_reminder": "⏰ {clock} {text}",
    "today_reminder_for": "⏰ {clock} {name}: {text}",
    "today_question": "❓ {text}",
    "today_running": "⏳ {text}",
    "today_more": "… und {count} weitere",
    "today_working": "Ich arbeite an etwas",
    "menu_todo": "Die Liste der Aufgaben",
    "menu_today": "Was heute ansteht",
}
