"""What is scheduled, and how it is looked at and changed, in German."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # What is scheduled, read back.
    "task": "⏰ {when}: {text}",
    "task_for": "⏰ {name}: {when}: {text}",
    "task_line": "- {when}: {text}",
    "when_once": "{moment} ({zone}), in {wait}",
    "when_theirs": "{moment} {zone} (bei dir {mine}), in {wait}",
    "when_own": "{moment} {zone} ({mine} {here}), in {wait}",
    "when_now": "jetzt",
    "when_again": "{rule} ({zone}), das nächste Mal {next}",
    "when_even": "{rule}, das nächste Mal {next}",
    "task_runs": "⚙ Läuft {when}: {text}",
    "task_runs_silent": "⚙ Läuft {when} und sagt nichts, wenn nichts neu ist: {text}",
    "when_watch": "sobald {what}, bis {day}",
    "when_watched": "sobald {what}",
    "watch_over": (
        "⌛ Dreißig Tage sind um, ich warte nicht länger auf den Anlass hierfür: {text}."
        " Sag mir, wenn ich wieder darauf warten soll."
    ),
    "maker_left_work": (
        "Wer diese Arbeit gesetzt hat, hat diese Gruppe verlassen oder keinen Zugang mehr zu mir, also mache ich sie"
        " nicht mehr: {text}"
    ),
    "maker_gone_work": (
        "Wer diese Arbeit gesetzt hat, hat keinen Zugang mehr zu mir, also mache ich sie nicht mehr. Wenn sie fällig"
        " ist, sage ich nur, was gewünscht war, bis es jemand streicht: {text}"
    ),
    "watch_changed": "eine Datei {path} neu ist oder sich ändert",
    "watch_exists": "es eine Datei {path} gibt",
    "watch_done": "Aufgabe {task} fertig ist",
    "watch_failed": "Aufgabe {task} scheitert",
    "watch_judged": "„{prompt}“ zutrifft",
    "watch_and": "{one} und {other}",
    "watch_or": "{one} oder {other}",
    "watch_no_time": "Das wartet auf ein Ereignis, auf keine Zeit. /pause lässt es ruhen, /cancel streicht es.",
    "when_paused": "{when}, ⏸ ruht",
    "when_until_done": "{when}, immer wieder, bis es erledigt ist",
    "for_everybody": "alle",
    "brief_name": "der tägliche Überblick",
    "paused": "⏸ ruht",
    "change": "Ändern",
    "resume": "Weiter",
    "all_tasks": "Alle",
    "not_my_zone": "🌍 Nicht meine Zeitzone",
    # For some time, whenever that is; and pronouns, which are no names.
    "later_words": (
        "ein bisschen später|vielleicht später|nicht jetzt|jetzt nicht|gerade nicht|später|nachher"
        "|in ein paar minuten|in einer weile|irgendwann|ein andermal"
    ),
    "pronouns": "ihn|ihm|ihr|sie|ihnen|jemanden|jemand|leute",
    # A nod to what was said last; what stands for the text that a line replies to; and what ends what was read back.
    "nod_words": "ok|okay|ja|jep|jo|klar|alles klar|passt|mach ich|verstanden|gut",
    "this_words": "diese nachricht|das da|dies|dieses|das|es|daran",
    "add_this_words": (
        "setz das auf die liste|setz das auf meine liste|schreib das auf die liste|schreib das auf meine liste"
        "|schreib das auf|auf die liste|auf die liste damit|das auf die liste|pack das auf die liste|notier das"
    ),
    "ticked_words": (
        "{x} ist erledigt|{x} sind erledigt|{x} erledigt|{x} ist fertig|{x} fertig|fertig mit {x}|{x} gekauft|{x} "
        "besorgt"
        "|{x} ist gekauft|hab {x} gekauft|hab {x} besorgt|ich hab {x} gekauft|ich habe {x} gekauft|{x} abgehakt|{x} ✅"
    ),
    "removed_words": "streich {x}|lösch {x}|lösche {x}|streiche {x}|entferne {x}|{x} streichen|{x} löschen",
    # Of an item these say nothing: "not done", "cancel it".
    "filler_words": (
        "es|das|dies|dieses|diese|alles|nichts|etwas|was|nicht|nie|wer|mich|mein|meine|uns|unser|unsere|du|dein|deine"
        ""
        "|neu|letzte|letzten|nächste|nächsten|erste|ersten|andere|anderen|ganz|ding|dinge|sache|sachen|jetzt|gerade"
        "|noch"
        "|schon|nur|niemand|alle|da|hier|arbeit|fertig|und|für|zu|von|im|auf|bei|um|bis|aus|mit|oder|ist|sind"
        "|ja"
        "|nein"
    ),
    # What may stand between the words of a name, or in front of it, and says nothing of it.
    "articles": (
        "der|die|das|den|dem|des|mein|meine|meinen|meinem|meiner|meines|unser|unsere|unseren|unserem|unserer|unseres"
        "|dein|deine|deinen|deinem|deiner|deines|euer|eure|euren|eurem|eurer|eures|und|zu"
    ),
    "first_articles": "ein|eine|einen|einem|einer|eines",
    # Verbs that begin so have "zu" within them: "anzurufen" is "anrufen".
    "verb_prefixes": (
        "ab|an|auf|aus|bei|durch|ein|fern|fest|frei|her|hin|hoch|los|mit|nach|rein|rum|runter|statt|teil|um|vor|weg"
        "|weiter|zu|zurück|zusammen"
    ),
    # What is done to all that is bought; behind these, and behind what is brought and measured, even one character
    # names something.
    "buy_words": "kaufe|kauf|hol|besorge|besorg",
    "carry_words": "bringe|bring",
    "measure_words": "kg",
    "only_part": "„{text}“ ist nur ein Teil davon. Alles?",
    "cancelled_words": (
        "{x} absagen|sag {x} ab|streich die erinnerung {x}|{x} abbrechen|lösch {x}|lösche {x}|{x} löschen"
    ),
    "stop_words": "stopp|halt|abbrechen|lösch es|lösche es|lösch das|löschen|streich das|vergiss es",
    "wait_words": "verschieb um|verschiebe um|schlummern|schlummer|gib mir noch|gib mir|nochmal|in|noch|um",
    # What gives up what was just set or came; and what answers no question, but leaves it.
    "drop_words": (
        "vergiss es|vergiss das|egal|doch nicht|nein|nee|nö|nein danke|nicht nötig|nicht mehr nötig|lass es|lass gut "
        "sein"
        "|schon gut|brauch ich nicht"
    ),
    "asking_words": (
        "was ist|was sind|was war|was macht|wer ist|wo ist|wo sind|wann ist|wann macht|warum ist|wie ist|wie sind|wie "
        "geht"
        "|wie viel|wie viele|kannst du|könntest du|sag mir"
    ),
    "skip_words": "vergiss es|egal|abbrechen|nein|nee|nö|nichts|stopp|überspringen|weiter",
    "move_it": "mach es {rest}",
    "at_time": "um {rest}",
    "quiet_line": "ruhezeit {rest}",
    # Places that are no towns: a zone is shown by its town.
    "countries": (
        "china|deutschland|england|frankreich|griechenland|indien|italien|japan|österreich|polen|schweiz|spanien|türkei"
    ),
    "in_years": "{n} Jahren",
    "time_over": "Die Zeit dafür ist schon vorbei, also bleibt es, wie es ist.",
    "ends_by_then": "Danach kommt es nicht mehr: Es endet ohnehin. /cancel streicht es jetzt.",
    "time_too_far": "Das ist zu weit weg: Das letzte Jahr ist 9998.",
    "time_past": "Das ist vorbei: Jetzt ist es {now} ({zone}).",
    "move_recurs": (
        "„{text}“ kommt immer wieder. Soll alles davon auf {moment} verschoben werden? "
        "Für ein einziges Mal: das nächste auslassen und ein eigenes setzen."
    ),
    "move_recurs_not_all": (
        "„{text}“ kommt immer wieder, und alles davon kann ich nicht auf {moment} verschieben. Soll es dann nur noch "
        "einmal kommen, oder das nächste Mal ausfallen?"
    ),
    "move_series": "Von jetzt an {rule}",
    "move_once": "Nur noch einmal, dann nicht mehr",
    "zone_word": "zone",
    "which_person": "Wen meinst du mit {name}?",
    "person_not_here": (
        "{name} kenne ich hier nicht. Erwähne die Person mit Handle (@…), oder schreib /contacts add {name} und das "
        "Handle."
    ),
    "person_unreachable": (
        "Ich kann {name} von hier nicht erreichen: Ich kenne niemanden mit diesem Namen, oder {name} hat mir noch nie "
        "privat geschrieben oder möchte keine Nachrichten. /contacts add {name} und der Name dort, etwa "
        "@anna, sagt mir, wer das ist."
    ),
    "they": "Wer auch immer gemeint ist,",
    "recipient_limit": (
        "{name} bekommt am Tag höchstens {count} Nachrichten von anderen über mich und hat sie für dann schon. Die "
        "nächste "
        "kann frühestens {when} kommen."
    ),
    "recipient_limit_here": (
        "{name} bekommt am Tag höchstens {count} Nachrichten von anderen über mich und hat sie für dann schon. Die "
        "nächste "
        "kann frühestens {when} kommen. Was für euch alle ist, hat keine solche Grenze: „Erinnere uns …“."
    ),
    "sender_limit": (
        "Du kannst mich in einer Stunde höchstens {count} Nachrichten an andere senden lassen und hast es für dann "
        "schon "
        "getan. Die nächste kann frühestens {when} kommen."
    ),
    "every_seconds": "alle {n} sekunden|alle {n} sek|jede {n} sekunde|jede sekunde",
    "others_too_often": "Das ist zu oft: Andere erinnere ich höchstens dreimal am Tag an etwas.",
    "everybody_too_often": "Das ist zu oft: Alle hier erinnere ich höchstens alle 5 Minuten.",
    "guest_too_often": "Das ist zu oft: Für dich tue ich hier etwas höchstens einmal in der Stunde.",
    "this_group": "diese Gruppe",
    "group_list": "In der Liste von {group}, die alle dort gemeinsam haben.",
    "too_many_tasks": "100 Dinge sind geplant, das ist die Grenze. /tasks zeigt sie; streich erst eines.",
    # Looking and changing.
    "tasks_title": "Was geplant ist: {count}",
    "tasks_title_page": "Was geplant ist: {count} · Seite {page} von {pages}",
    "tasks_group": "👥 {title}",
    "tasks_gone": "👥 {title} · dort bin ich nicht mehr, das ruht:",
    "tasks_none": "Es ist nichts geplant. Zum Beispiel: /remind morgen um 9 Oma anrufen",
    "tasks_none_here": (
        "In diesem Chat ist nichts geplant. /tasks zeigt, was auf deinen anderen Plattformen ist, je mit einem Knopf."
    ),
    "tasks_none_own": (
        "Nichts, was hier geplant ist, ist von dir; darum streiche ich nichts. "
        "/tasks zeigt es: Wer es gesetzt hat, oder ein Admin, streicht es dort."
    ),
    "task_usage": "Schreib {command} und worum es geht, oder wähle es aus /tasks.",
    "task_unknown": "So etwas kenne ich hier nicht. /tasks zeigt, was geplant ist.",
    "task_ended": "Das ist schon vorbei. /tasks zeigt, was geplant ist.",
    "task_not_yours": "Das darf nur, wer es gesetzt hat, ein Administrator dieser Gruppe oder mein Besitzer.",
    "no_calendar": "Einen Kalender führe ich nicht: Das ist eine Erinnerung.",
    "none_due": "Dann steht hier nichts an. /tasks zeigt, was geplant ist.",
    "which_task": "Was davon?",
    "which_instead": "„{called}“ heißt hier nichts. Was davon ist gemeint?",
    "due_recurs": "„{text}“ kommt wieder. Nur dieses eine Mal auslassen oder ganz streichen?",
    "due_recurs_before": "„{text}“ kommt auch davor: Auslassen lässt sich nur das nächste Mal (/skip). Ganz streichen?",
    "skip_time": "Nur dieses Mal",
    "stop_series": "Ganz streichen",
    "task_cancelled": "🗑 Gestrichen: {text}",
    "tasks_stop_ask": "Streichen?|Alle {n} streichen?",
    "tasks_stop_yes": "Streichen|Alle streichen",
    "tasks_stop_some": "{n} von {count} streichen",
    "tasks_stop_no": "Behalten",
    "tasks_stopped": "🗑 Gestrichen: {n}",
    "tasks_kept": "Es bleibt alles, wie es ist.",
    "task_skipped": "⏭ {moment} fällt aus.",
    "maker_no_access": (
        "Es ruht, denn wer es gesetzt hat, hat keinen Zugang mehr zu mir. Es geht von selbst weiter, wenn der Zugang"
        " wieder da ist; /cancel streicht es."
    ),
    "skip_paused": "Es ruht, also gibt es kein Mal auszulassen. /resume lässt es weitergehen.",
    "skip_once": "Das kommt nur einmal. /cancel streicht es, /move gibt ihm eine andere Zeit.",
    "ask_new_time": "Wann soll es sein? „{text}“ – zum Beispiel: morgen um 9, Freitag um 17 Uhr",
    "ask_until": "Bis wann soll es ruhen? Zum Beispiel: Montag, 31. Dezember",
    "until_words": "bis zum|bis",
    "reminder_words": "erinner|wecker|weckruf",
    "pause_open": "Vorerst ohne Ende",
    "undo_cancel_schedule": "das Streichen von „{text}“",
    "undo_cancel_several": "das Streichen von {n} Erinnerung|das Streichen von {n} Erinnerungen",
    "undo_move_schedule": "die neue Zeit von „{text}“",
    "undo_schedule": "die Änderung an „{text}“",
    # The brief and quiet hours.
    "brief_usage": "Schreib, wann ich dir jeden Tag sagen soll, was ansteht: /brief 7:30. /brief off beendet es.",
    "brief_none": "Es gibt keinen täglichen Überblick. Zum Beispiel: /brief 7:30",
    "brief_off": "🗑 Kein täglicher Überblick mehr.",
    "off_words": "aus|nie|nein|stopp|keine",
    "always_words": "immer|an",
    "quiet_usage": "Schreib zum Beispiel /quiet 22:00-07:00, /quiet always oder /quiet off.",
    "quiet_is": "🌙 {hours}: Dann melde ich mich nicht von selbst. Deine Erinnerungen kommen trotzdem.",
    "quiet_is_always": "🌙 Ich melde mich nicht von selbst. Deine Erinnerungen kommen trotzdem.",
    "quiet_is_off": "Keine Ruhezeit.",
    "quiet_always": "Immer",
    "quiet_off": "Aus",
    "undo_quiet": "die Ruhezeit",
    "timezone_moved": "Jetzt zu anderen Zeiten: {count}. /tasks zeigt sie.",
    "menu_tasks": "Was geplant ist",
    "menu_brief": "Jeden Tag, was ansteht",
    "menu_quiet": "Wann ich mich nicht von selbst melde",
    "menu_contacts": "Wen ich für dich kenne",
    "edit_unread": "Aus dieser Änderung werde ich nicht schlau, also bleibt es:\n{task}",
}
