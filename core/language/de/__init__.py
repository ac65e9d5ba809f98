"""German."""

from __future__ import annotations

from datetime import datetime

from core.kernel.types import Millis
from core.language import Language, patterns, units
from core.language.de.places import PLACES, TOWNS
from core.language.de.texts import TEXTS as COMMANDS
from core.language.grammar import lazily

DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
MONTHS = (
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
)
# A point stands behind those that are cut.
SHORT = ("Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez.")
UNITS = {"day": "Tagen", "hour": "Std.", "minute": "Min.", "second": "Sek."}


def duration(length: Millis) -> str:
    """Such as "2 Std. 5 Min.", as it stands behind "in" and "seit": "3 Tagen 4 Std."."""
    return " ".join("1 Tag" if (n, unit) == (1, "day") else f"{n} {UNITS[unit]}" for n, unit in units(length))


def clock(at: datetime) -> str:
    """Such as "17:00"."""
    return f"{at:%H:%M}"


def date(at: datetime) -> str:
    """Such as "Freitag, 27. November 2026"."""
    return f"{DAYS[at.weekday()]}, {at.day}. {MONTHS[at.month - 1]} {at.year}"


def moment(at: datetime) -> str:
    """Such as "Fr. 27. Nov. 17:00"."""
    return f"{DAYS[at.weekday()][:2]}. {at.day}. {SHORT[at.month - 1]} {at:%H:%M}"


TEXTS = {
    "greeting": "Hallo! Ich bin Teller. Frag mich etwas, oder schreib „Hilfe“, um zu sehen, was geht.",
    "greeting_named": "Hallo {name}! Ich bin Teller. Frag mich etwas, oder schreib „Hilfe“, um zu sehen, was geht.",
    "help": (
        "Ich bin Teller, ein Assistent, der in deinem Chat lebt.\n\n"
        "- Ich erinnere dich: „Erinnere mich morgen um 9 daran, Oma anzurufen“, „/remind alle jeden Werktag um 9:30 "
        "Besprechung“. Antworte auf eine Erinnerung mit „in 2 Stunden“ oder „erledigt“. /tasks zeigt, was geplant "
        "ist.\n"
        "- Ich führe deine Listen: „Setz Milch auf die Einkaufsliste“, „Was steht auf meiner Liste?“, oder /todo und "
        "/lists. /today zeigt, was ansteht, /brief 7:30 sagt es dir jeden Morgen.\n"
        "- Schreib einfach: Ich antworte auf eine Nachricht nach der anderen, und keine geht verloren.\n"
        "- Erinnerungen, Listen und /today gehen ohne Modell. Auch Uhrzeit und Datum („Wie spät ist es in Tokio?“), "
        "„echo hallo“ und „Geht es dir gut?“.\n"
        "- /remind versteht Zeiten auch in vielen anderen Sprachen: „/remind tomorrow at 5pm call Oma“.\n"
        "- /help zeigt das hier, /status wie es mir geht, /new beginnt von vorn, /undo nimmt zurück, /stop hält mich "
        "an.\n"
        "- /language und /timezone stellen Sprache und Zeitzone ein; bei /privacy und /forget geht es darum, was ich "
        "von dir behalte."
    ),
    "thanks": "Gern geschehen!",
    "nod": "👌",
    "bye": "Tschüss! Ich bin hier, wenn du mich brauchst.",
    "time_is": "Es ist {clock} Uhr ({zone}).",
    "no_such_day": "Diesen Tag gibt es nicht.",
    "date_is": "Heute ist {date} ({zone}).",
    "date_in": "{date}, in {days} Tagen",
    "date_ago": "{date}, vor {days} Tagen",
    "week_is": "Heute ist {date}, Kalenderwoche {week} ({zone}).",
    "week_of": "{date} liegt in Kalenderwoche {week}.",
    "echo": "{text}",
    "tool_failed": "Das hat nicht geklappt: {error}",
    "history_title": "Das Letzte, was du gesagt hast:",
    "history_line": "- {text}",
    "history_none": "Von dir habe ich hier noch nichts.",
    "no_model": (
        "Das kann ich nicht beantworten: Es ist kein Modell eingerichtet. Ohne Modell gehen: Erinnerungen („Erinnere "
        "mich morgen um 9 daran, Oma anzurufen“), deine Listen („Milch auf die Liste“), /today, Uhrzeit und Datum. "
        "/help zeigt mehr."
    ),
    "model_unreachable": (
        "Das kann ich gerade nicht beantworten: Das Modell ist nicht erreichbar. Ohne Modell gehen: Erinnerungen "
        "(„Erinnere mich morgen um 9 daran, Oma anzurufen“), deine Listen („Milch auf die Liste“), /today, Uhrzeit und "
        "Datum. /help zeigt mehr."
    ),
    "no_model_short": "Das kann ich ohne Modell nicht beantworten.",
    "model_unreachable_short": "Das kann ich gerade nicht beantworten: Das Modell ist nicht erreichbar.",
    "model_refused_short": "Das kann ich nicht beantworten: Der Anbieter des Modells lehnt immer noch ab.",
    "budget_spent_short": "Das kann ich vor morgen nicht beantworten: Das Budget für heute ist verbraucht.",
    "share_spent_short": "Das kann ich vor morgen nicht beantworten: Dein Anteil am heutigen Budget ist verbraucht.",
    "offer_remind": "Erinnere mich",
    "offer_add": "Auf meine Liste",
    "remind_foreign": "Für eine Erinnerung schreib zuerst /remind, dann wann und was: /remind {text}",
    "one_wish": "Bitte einzeln: für jedes davon eine Nachricht.",
    "ask_rest_again": "Mehr auf einmal schaffe ich nicht. Frag den Rest bitte noch einmal.",
    "wish_too_long": "Das ist mir zu lang, um es ohne Modell zu lesen: Ein Wunsch hat höchstens 2.000 Zeichen.",
    "remind_watching": (
        "Darauf kann ich nicht selbst achten: Ohne Modell kenne ich Zeiten, aber nicht, was geschieht. Sag, wann: "
        "/remind morgen um 9 nach dem Wetter sehen"
    ),
    "model_unreachable_kept": (
        "Das Modell ist nicht erreichbar. Ich hebe deine Frage auf und antworte, sobald es wieder da ist."
    ),
    "drop_kept": "Verwerfen",
    "model_refused": (
        "Ich kann nicht antworten: Der Anbieter des Modells hat die Anfrage abgelehnt. Der Betreiber muss sich das "
        "ansehen. Ohne Modell gehen: Erinnerungen, deine Listen, /today, Uhrzeit und Datum. /help zeigt, wie."
    ),
    "model_trouble_owner": (
        "⚠️ Das Modell ist nicht zu gebrauchen. {reason}\n\nBis das behoben ist, tue ich, was kein Modell braucht. "
        "Diese Nachricht ändert sich, wenn das Modell wieder antwortet."
    ),
    "model_trouble_over": "✅ Nach {duration} antwortet das Modell wieder. Es war: {reason}",
    "model_refused_owner": "⚠️ Das Modell hat eine Anfrage abgelehnt. {reason}",
    "budget_spent": (
        "Das heutige Budget für das Modell ist verbraucht, deshalb kann ich das vor morgen nicht beantworten. Ohne "
        "Modell gehen: Erinnerungen, deine Listen, /today, Uhrzeit und Datum. /help zeigt, wie."
    ),
    "share_spent": (
        "Dein Anteil am heutigen Budget ist verbraucht, deshalb kann ich das vor morgen nicht beantworten. Ohne Modell "
        "gehen: Erinnerungen, deine Listen, /today, Uhrzeit und Datum. /help zeigt, wie."
    ),
    "model_said_nothing": "Das Modell hat darauf nichts geantwortet. Versuch es mit anderen Worten.",
    "model_said_nothing_after": "Das Modell hat darauf nichts geantwortet. Getan habe ich aber: {done}.",
    "files_kept": "Bekommen: {files}. Ohne Modell kann ich es mir nicht ansehen; es ist aufgehoben.",
    "files_not_kept": "Das konnte ich nicht aufheben: {files} – {reason}.",
    "file_too_big": "es ist zu groß",
    "file_unfetched": "es ließ sich nicht abrufen",
    "file_no_room": "auf meiner Platte ist kein Platz mehr",
    "file_over_quota": "der Platz für Dateien hier ist aufgebraucht",
    "file_gone": "es wurde gelöscht",
    "kind_photo": "Foto",
    "kind_document": "Datei",
    "kind_voice": "Sprachnachricht",
    "kind_audio": "Audiodatei",
    "kind_video": "Video",
    "kind_animation": "Animation",
    "kind_video_note": "Videonachricht",
    "withheld": "Der Anbieter des Modells hat diese Antwort zurückgehalten (Inhaltsfilter).",
    "late": "Mit {duration} Verspätung.",
    "late_offline": "Mit {duration} Verspätung – ich war offline.",
    "late_model": "Mit {duration} Verspätung – das Modell war nicht erreichbar.",
    "gave_up": "⚠️ Damit bin ich nicht fertig geworden (Nr. {ref}). Es ist aufgehoben.",
    "gave_up_owner": "⚠️ Ich habe eine Nachricht aufgegeben (Nr. {ref}): {reason}",
    "question_broken_owner": (
        "⚠️ Eine Frage ({ref}) ließ sich nicht beenden und ist zurückgezogen; im Log steht, warum."
    ),
    "file_refused": "⚠️ Die Datei {name} ging nicht durch: Sie wurde hier abgelehnt. Der Betreiber sieht, warum.",
    "send_in_doubt_owner": (
        "⚠️ Eine Nachricht an {chat} ist vielleicht nicht angekommen (Nr. {ref}): Beim Senden brach die Verbindung ab. "
        "Ich halte sie zurück und sende sie nicht von selbst noch einmal."
    ),
    "try_again": "Noch einmal",
    "answer_button": "✍️ Antworten…",
    "skip": "Überspringen",
    "question_by_reply": "Für eine eigene Antwort antworte auf diese Nachricht.",
    "question_default": "⏱ Ohne Antwort gilt in {duration}: {default}",
    "question_expired": "⏱ Es kam rechtzeitig keine Antwort: {default}",
    "question_timeout": "⏱ Es kam rechtzeitig keine Antwort.",
    "question_skipped": "⏭ Übersprungen.",
    "question_stopped": "⏹ Die Aufgabe wurde angehalten.",
    "question_answered": "Du hast „{answer}“ gewählt.",
    "question_defaulted": "Es kam keine Antwort, also bleibt es bei „{answer}“.",
    "question_unanswered": "Es kam rechtzeitig keine Antwort.",
    "demo_question": "Tee oder Kaffee?",
    "demo_first": "Tee",
    "demo_second": "Kaffee",
    "already_answered": "Schon beantwortet.",
    "answer_too_late": "Die Zeit für diese Frage ist um.",
    "answer_unasked": "Diese Frage wird nicht mehr gestellt.",
    "not_your_question": "Diese Frage ist für jemand anderen.",
    "edit_changes_nothing": "Diese Änderung bewirkt nichts. Sag es bitte neu.",
    "share": "Hier zeigen",
    "installed": (
        "Ich bin hier eingerichtet, und du bist mein Besitzer. Schreib **/help**, um zu sehen, was ich kann. "
        "**/people** zeigt, wer mich sonst noch benutzen darf, und **/invite** lässt Leute einzeln herein."
    ),
    "not_set_up": "Für dich bin ich nicht eingerichtet. Frag {lead}.",
    "not_set_up_alone": "Für dich bin ich nicht eingerichtet. Frag die Person, die sich hier um mich kümmert.",
    "not_your_button": "Dieser Knopf ist für jemand anderen.",
    "already_pressed": "Schon erledigt.",
    "unknown_button": "Dieser Knopf geht nicht mehr.",
    "cancelled": "⏭ Übersprungen.",
    "nothing_to_cancel": "Es ist keine Frage offen.",
    "stopped": "⏹ Angehalten. Es war noch nichts geschehen.",
    "stopped_after": "⏹ Angehalten. Bis dahin habe ich: {done}.",
    # What a tool did, else what those of its family do.
    "did_contacts_send": "eine Nachricht für dich gesendet",
    "did_schedule": "eine Erinnerung gesetzt",
    "did_schedule_once": "eine Erinnerung gesetzt",
    "did_schedule_cron": "eine Erinnerung gesetzt",
    "did_set_reminder": "eine Erinnerung gesetzt",
    "did_cancel_schedule": "eine Erinnerung gestrichen",
    "did_in_chat": "etwas in diesem Chat geändert",
    "did_in_contacts": "die Kontakte geändert",
    "did_in_custom": "ein eigenes Werkzeug benutzt",
    "did_in_governance": "eine Entscheidung notiert",
    "did_in_links": "Verknüpfungen geändert",
    "did_in_people": "geändert, wer Zugang hat",
    "did_forget": "geändert, was von dir aufgehoben ist",
    "did_in_schedule": "eine Erinnerung geändert",
    "did_in_settings": "eine Einstellung geändert",
    "did_in_tasks": "eine Erinnerung gestrichen",
    "did_in_todo": "die Liste geändert",
    "done_after_others": "Nachdem ich gelesen hatte, was andere schreiben, habe ich {done}.\n↩ {undo}",
    "stopped_unfinished": "⚠️ Ließ sich nicht abbrechen und läuft vielleicht noch: {tools}.",
    "stopped_waiting": "⏹ Angehalten. Unbeantwortet geblieben: {count}.",
    "nothing_to_stop": "Es gibt nichts anzuhalten.",
    "ignored_press": "Du wolltest, dass ich dich hier nicht beachte. /optout off ändert das.",
    "invite_refused": (
        "{name} hat deine Einladung geöffnet, wurde aber früher entfernt. /people lässt ihn oder sie wieder herein."
    ),
    "invite_used": "{name} hat deine Einladung geöffnet und darf jetzt mit mir reden. /people zeigt alle.",
    "pairing_code": (
        "Ich kenne dich noch nicht. Dein Code ist **{code}**. Ich habe meinen Besitzer gefragt; sag ihm den Code, "
        "damit "
        "er weiß, dass du es bist. Er gilt einen Tag."
    ),
    "pairing_owner": "{name} ({address}) möchte mit mir reden. Code: **{code}**.",
    "allow": "Erlauben",
    "deny": "Ablehnen",
    "group_intro": (
        "Hallo! Ich antworte hier, wenn ihr mich erwähnt, mir antwortet oder einen Befehl schreibt; wo ich alle "
        "Nachrichten bekomme, auch wenn ihr mit meinem Namen anfangt. Was ihr mir sagt und was ich antworte, hebe ich "
        "auf; was ihr einander sagt, hebe ich weder auf noch verwende ich es.\n\n"
        "/privacy sagt mehr, mit /optout beachte ich dich nicht, /help zeigt, was ich kann."
    ),
    "stray_group_owner": (
        "{name} ({address}) hat mich in die Gruppe „{title}“ geholt, hat aber keinen Zugang. Ich habe sie verlassen."
    ),
    "organisation_gone_owner": (
        "⚠️ Slack-Installationen für ganze Organisationen werden nicht mehr bedient, und es gibt eine: {name}. Ihre "
        "Workspaces bekommen keine Antworten, bis die App in jedem über seine Seite installiert ist (slack/install). "
        "Was ich weiß, bleibt aufgehoben."
    ),
    "preset_owner": (
        "Mit dem Modell bin ich jetzt ein Assistent: Ich setze, verschiebe und streiche Erinnerungen, führe Listen, "
        "merke mir Kontakte und verschicke Nachrichten selbst, und zeige mit Knöpfen, was ich getan habe. "
        "`roles.preset: {preset}` in der Konfiguration bedeutet das; mit `strict` darf das Modell nur, was die Tabelle "
        "der Rechte nennt."
    ),
    "platform_down_owner": (
        "⚠️ {platform} ist ausgefallen: Das Token wird abgelehnt. Alles andere läuft.\n{why}\nBring es in Ordnung und "
        "starte mich neu."
    ),
    "left_own_ended": (
        "👋 Du bist nicht mehr in {title}, also ist zu Ende, was du dort für dich gesetzt hattest. Willst du trotzdem "
        "erinnert werden, setz es hier:\n{items}"
    ),
    "left_own_ended_meanwhile": (
        "👋 Solange ich dich nicht erreichen konnte, galtest du als nicht mehr in {title}, also ist zu Ende, was du "
        "dort für dich gesetzt hattest. Willst du trotzdem erinnert werden, setz es neu:\n{items}"
    ),
    "left_put_off": "eine Erinnerung, die noch einmal kommen sollte",
    "left_with_open": (
        "👋 {name} hat {title} verlassen. Was du dieser Person dort aufgetragen hast, ist noch offen, und daran "
        "wird dort nicht mehr erinnert:\n{items}"
    ),
    "repeated_mark": "↻ Vielleicht doppelt – beim Senden brach die Verbindung ab.",
    "health_here": "Ich bin da und antworte.",
    "health_ok": "Alles in Ordnung.",
    "health_bad": "Etwas stimmt nicht:",
    "health_line": "- {name}: {value}",
    "yes": "ja",
    "no": "nein",
    "limit_reached": "Hier habe ich aufgehört: Das brauchte zu viele Schritte. Frag nach einem kleineren Teil davon.",
    "unknown_command": "Ich kenne {command} nicht. /help zeigt, was geht.",
    "unknown_command_like": "Ich kenne {command} nicht. Meinst du {meant}?",
    "unknown_command_again": "Ich kenne {command} nicht. Schreib es noch einmal als {meant}: Was dahinter stand, habe"
    " ich nicht behalten.",
    "status_uptime": "Seit {duration} in Betrieb.",
    "status_waiting": "Wartende Nachrichten: {count}.",
    "status_nothing_waiting": "Nichts wartet.",
    "status_model": "Modell: {model}.",
    "status_model_down": "Modell: {model} – nicht erreichbar.",
    "status_model_key": "Modell: {model} – der Anbieter lehnt den Schlüssel oder den Namen des Modells ab.",
    "status_model_quota": "Modell: {model} – das Konto hat kein Guthaben mehr.",
    "status_model_none": "Modell: keines eingerichtet.",
}

_NOW = r"(?: jetzt| gerade| grad| denn| eigentlich| bitte| heute| hier)*"
_TIME_NOW = (
    r"wie ?spät (?:ist|isses|ists|haben wir)(?: es)?|wie ?viel uhr (?:ist|haben wir|ists)(?: es)?|(?:die )?uhrzeit"
)

INTENTS = {
    "echo": patterns(
        r"echo[:\s]\s*(?P<text>.+)",
        r"sprich mir nach:\s*(?P<text>.+)",
        r"sag[:\s]\s*[\"“„](?P<text>[^\"”“]+)[\"”“]",
        r"sag (?P<text>hallo|hi)",
    ),
    "greeting": patterns(
        r"(?:hi|hallo|hey|servus|moin|moin moin|grüß dich|grüß gott|grüezi|guten (?:morgen|tag|abend)|gude|na)"
        r"(?: zusammen| alle| allerseits| teller| du)*"
    ),
    "thanks": patterns(
        r"(?:ok(?:ay)?|super|toll|prima|perfekt|vielen|besten|herzlichen|lieben)?[, ]*(?:danke|dank|merci)"
        r"(?: dir| schön| sehr| vielmals| euch| teller)*|dankeschön"
    ),
    "nod": patterns(
        r"ok(?:ay)?|ja|jep|jo|jup|klar|alles klar|passt|gut|prima|super|toll|verstanden|gemerkt|[👍👌]"
        r"|nein|nee|nö|nichts|egal|vergiss es|schon gut"
    ),
    "bye": patterns(r"tschüs+|tschau|ciao|auf wiedersehen|bis (?:bald|dann|später|morgen)|gute nacht|mach.?s gut"),
    "help": patterns(
        r"hilfe|befehle|was kannst du(?: alles)?(?: für mich tun)?|wer bist du|was bist du|wie heißt du"
        r"|wie funktioniert (?:das|du)|was geht(?: ohne modell)?"
    ),
    "time": patterns(
        rf"(?:{_TIME_NOW}){_NOW}",
        rf"(?:{_TIME_NOW}){_NOW} in (?P<place>.+?){_NOW}",
        r"(?:welche )?zeitzone (?:ist |hat |haben )?(?:in|von|für) (?P<place>.+)",
    ),
    "date": patterns(
        rf"(?:was ist |welches |das )?(?:heutige |heute )?datum(?: ist| haben wir)?(?: es)?{_NOW}",
        rf"(?:welcher|was für ein) (?:tag|wochentag) ist(?: es)?{_NOW}|welchen tag haben wir{_NOW}",
        rf"der wievielte ist{_NOW}|den wievielten haben wir{_NOW}",
    ),
    "health": patterns(
        r"(?:bist|geht es) d(?:u|ir) (?:ok|okay|gut|da|wach|noch da|gesund|online)"
        r"|wie geht(?:.?s| es)(?: dir)?(?: heute)?"
        r"|(?:dein )?(?:zustand|status)|ping|alles (?:ok|okay|gut|in ordnung)"
    ),
    "question": patterns(r"frag mich (?:etwas|was|irgendetwas|eine frage)|stell mir eine frage"),
    "history": patterns(
        r"was habe? ich (?:gerade|eben|zuletzt|vorhin) gesagt|was waren meine letzten nachrichten"
        r"|(?:zeig (?:mir )?)?(?:den |meinen |unseren )?verlauf"
    ),
}
_TIME_BEGINS = r"(?:um|am|in|ab|gegen|vor|nach|bis|jeden|jede|jedes|alle|nächste\w*|diese\w*|\d|über?morg\w*)"

LANGUAGE = Language(
    code="de",
    name="Deutsch",
    texts={**TEXTS, **COMMANDS},
    intents=INTENTS,
    lead=patterns(
        r"(?:(?:hi|hey|ey|hallo|ok|okay|und|also|so|bitte|teller|bot|sag mal|sag mir(?: bitte)?"
        r"|(?:kannst|könntest) du mir(?: bitte)? sagen|weißt du|ich (?:will|möchte|würde gern) wissen"
        r"|darf ich fragen)\b[\s,:]*)+"
    )[0],
    places=PLACES,
    thousands=".",
    quotes="„“",
    towns=TOWNS,
    choices=("Erinnere mich in 1 Minute daran, mich zu strecken", "Was steht auf meiner Liste?", "Wie spät ist es?"),
    duration=duration,
    clock=clock,
    date=date,
    moment=moment,
    grammar=lazily("core.language.de.grammar"),
    reminding=patterns(
        r"erinner[en]?\b(?!(?: mich| uns)?,? (?:was|wer|wen|wem|wo|wann|warum|wieso|wie|welche\w*|ob)\b)"
        r"(?!(?: (?!dr?an|daran|dass)\w+){0,4} (?:nicht|nie|niemals)\b)"
        r"(?P<me> mich\b(?! und\b))?[\s,:]*(?:bitte[\s,:]*)?(?:daran[\s,:]*)?"
        r"|(?:neue )?(?:erinnerung|reminder):\s*"
        # Nothing but when: "Erinnerung für Samstag".
        r"|(?:eine |ne |neuer? )*(?:erinnerung|reminder)"
        r"(?=(?: (?:für|am|auf|um|in|an|ein|er|morgen|heute|über)\w*(?: [^\s.?!,:]+){0,5})?[.!]?$)"
        r"(?!.*\b(?:lösch|streich|storn|verschieb|änder|nicht|kein|war\b|ist\b|kam\b))"
        r"(?: (?:anlegen|einrichten|erstellen|einstellen)\b)?\s*(?:(?:für|auf)\s+)?"
        r"|(?:(?:stell|setz|mach|erstell|leg|trag)(?:e|en sie)?|ich\s(?:brauche?|möchte|will))"
        r"\s(?:mir\s|uns\s|bitte\s){0,2}(?:einen?|nen?)\s(?:neuen?\s)?(?:erinnerung|reminder)\b"
        r"(?!\s(?:löschen|ändern|verschieben|nicht)\b)"
        r"(?:\s(?:haben|setzen|stellen|erstellen)\b|\s(?:ein|an)(?=[.!]*$))?[\s,:]*"
        r"(?:(?:für|auf)\s+)?"
    )[0],
    watching=patterns(
        r"(?:erinner[en]?|sag|benachrichtige?|melde?|warne?|weck[e]?)\s(?:mich|uns|mir|dich)\b"
        r"[^?]{0,100}?\b(?:wenn|sobald|falls)\b(?!\s(?:ich|wir|du)\b)\s\S"
    )[0],
    mistimed=patterns(rf"(?={_TIME_BEGINS}\b)[^,]{{1,60}},\s+(?:daran[\s,]*)?")[0],
)
