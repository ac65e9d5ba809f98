"""German: what commands say, and their menu."""

from __future__ import annotations

TEXTS = {
    "undo": "Rückgängig",
    "undone": "↩ Zurückgenommen: {what}.",
    "undone_shared": "Was du hier geteilt hast, bleibt, wie es gesagt wurde.",
    "undo_nothing": ("Es gibt nichts zurückzunehmen: Ich weiß nur, was du hier in den letzten 24 Stunden getan hast."),
    "undo_ask": "Davon wird nichts zurückgenommen. Das Letzte hier war: {what}.",
    "undo_not_yours": (
        "Das bleibt: Nur wer es getan hat, kann es zurücknehmen, am selben Ort und innerhalb von 24 Stunden."
    ),
    "posted_stays_done": "„{text}“ bleibt erledigt. Ein Knopf bringt es wieder.",
    "posted_stays_off": "„{text}“ kommt wieder: {moment}. Ein Knopf beendet es.",
    "today_usage": (
        "Ich kann sagen, was an einem Tag ansteht: /today, /today morgen, /today Freitag. Alle Erinnerungen: /tasks"
    ),
    "undo_done": "Das ist schon zurückgenommen.",
    "undo_outdated": "Das wurde inzwischen noch einmal geändert, also lasse ich es, wie es jetzt ist.",
    "undo_late": "Das ist mehr als 24 Stunden her; es lässt sich nicht mehr zurücknehmen.",
    "undo_language": "die Wahl der Sprache",
    "undo_timezone": "die Wahl der Zeitzone",
    "undo_readalong": "die Änderung am Mitlesen",
    "undo_new": "der neue Anfang; ich weiß wieder, worüber wir geredet haben",
    "undo_remove": "das Entfernen",
    "undo_restore": "der wiedergegebene Zugang",
    "undo_pair": "der neue Zugang",
    "not_here": (
        "Ich bin nicht mehr in diesem Chat, also sähe es niemand. Füge mich wieder hinzu und frag dann noch einmal."
    ),
    "refused_owner": "Das darf nur mein Besitzer.",
    "refused_admin": "Das darf nur ein Administrator dieser Gruppe.",
    "ask_anonymous": (
        "Du schreibst als Gruppe, da erkenne ich deine Antwort nicht: Schreib alles noch einmal, in einer Nachricht."
    ),
    "refused_anonymous": (
        "Ich kann nicht sehen, wer du bist. Schalte in deinen Rechten „Anonym bleiben“ aus und versuch es noch einmal."
    ),
    "refused_guest": (
        "Du hast keinen Zugang mehr zu mir. In Gruppen gehen für dich nur /privacy, /optout und /forget."
    ),
    "refused_member": "Das dürfen nur Administratoren dieser Gruppe und wen mein Besitzer hereingelassen hat.",
    "failed": "Das hat nicht geklappt.",
    "failed_invalid": (
        "Das hat nicht geklappt: Ich verstehe nicht, was hinter dem Befehl steht. /help zeigt, was geht."
    ),
    "failed_not_permitted": "Das darfst du hier nicht mehr.",
    "failed_too_many": "Das hat nicht geklappt: Es gibt schon so viele davon, wie es geben darf.",
    "failed_disabled": "Das hat mein Betreiber ausgeschaltet.",
    "help_owner": (
        "Weil ich dir gehöre:\n\n"
        "- /invite gibt dir einen Link für eine Person, die dann mit mir reden darf.\n"
        "- /people zeigt, wer mit mir reden darf, und nimmt Zugang weg."
    ),
    "help_threads": (
        "Befehle mit Schrägstrich gehen in Threads nicht. Erwähne mich dort und schreib den Befehl dahinter: {example}"
    ),
    "history_usage": (
        "/history zeigt die letzten Nachrichten, /history 5 die letzten fünf, /history Kuchen, was zu einem Kuchen "
        "gesagt wurde."
    ),
    "history_me": "Teller",
    "history_you": "Du",
    "time_unknown": "Den Ort {place} kenne ich nicht. Beispiele: /time Berlin, /time Europe/Berlin",
    "private_only": "Nicht hier: Schreib es mir in unserem privaten Chat.",
    "groups_only": "Das geht nur in einer Gruppe.",
    "automatic": "automatisch",
    "language_now": "Sprache: {language}. Wähle eine andere:",
    "language_set": "Sprache: {language}.",
    "language_unknown": "Die Sprache {language} kenne ich nicht. Ich kenne: {known}. Beispiel: /language de",
    "timezone_now": ("Zeitzone: {zone}. Wo bist du? Eine Stadt genügt, zum Beispiel Wien, später mit /timezone Wien"),
    "timezone_offers": "Berlin|Wien|Zürich|London",
    "timezone_set": "Zeitzone: {zone}.",
    "profile_zone": (
        "🌍 In deinem Profil steht jetzt {zone}, also richte ich mich bei Uhrzeiten danach. Jetzt zu anderen Zeiten:"
    ),
    "profile_zone_keep": "Bei {zone} bleiben",
    "timezone_automatic": "Es gilt wieder die Zeitzone, mit der ich eingerichtet wurde.",
    # What people say around the name of the place where they are; and what shows that a text names none.
    "place_leads": (
        "ich bin in|ich bin gerade in|ich bin jetzt in|bin in|bin gerade in|bin jetzt in|wir sind in|ich wohne in"
        "|wir wohnen in|ich lebe in|wir leben in|wohne in|lebe in|ich komme aus|bei|in der nähe von|hier in"
    ),
    "place_ends": "jetzt|gerade|grad|zurzeit|momentan|zeit|zeitzone|bitte|hier",
    "not_places": (
        "arbeit|hause|daheim|zuhause|bett|schule|büro|besprechung|bus|zug|auto|weg|eile|vielleicht|okay|ja|nein|danke"
        "|hallo"
        "|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|heute|abend|nacht|mittag|frühstück"
        "|abendessen"
    ),
    "timezone_unknown": "Den Ort {place} kenne ich nicht. Beispiele: /timezone Berlin, /timezone Europe/Berlin",
    "new_usage": "Es hat sich nichts geändert. /new allein lässt ruhen, worüber wir geredet haben.",
    "new_done": "✨ Ein neuer Anfang. Worüber wir geredet haben, lasse ich ruhen; was ich mir gemerkt habe, bleibt.",
    "id_person": "Du: {id}",
    "id_chat": "Dieser Chat: {id}",
    "id_thread": "Dieses Thema: {id}",
    "standing_owner": "Besitzer",
    "standing_admin": "Administrator",
    "standing_member": "Mitglied",
    "standing_guest": "Gast",
    "standing_stranger": "kein Zugang",
    "standing_removed": "entfernt",
    "status_standing": "Du hier: {standing}.",
    "status_reads_along": "Ich lese in dieser Gruppe mit.",
    "status_reads_not": "Ich lese in dieser Gruppe nicht mit.",
    "status_reads_blind": (
        "Mitlesen ist eingeschaltet, aber ich bekomme nur, was mir gesagt wird. /readalong on sagt, was hilft."
    ),
    "status_language": "Sprache: {language}.",
    "status_timezone": "Zeitzone: {zone}.",
    "readalong_usage": "Schreib /readalong on oder /readalong off.",
    "readalong_on": (
        "👀 Von jetzt an lese ich mit: Ich sehe, was ihr hier einander sagt, und hebe es {days} Tage auf, damit ich "
        "weiß, worüber ihr redet. Wer das nicht will, schreibt /optout, und /forget löscht die eigenen Worte."
    ),
    "readalong_blind": (
        "Hier kann ich nicht mitlesen: Ich bekomme nur, was mich erwähnt, mir antwortet oder ein Befehl ist. Macht "
        "mich "
        "zum Administrator dieser Gruppe. Oder mein Besitzer schaltet den Privacy Mode aus (@BotFather, /setprivacy, "
        "Disable), entfernt mich hier und holt mich wieder dazu. Schreib danach noch einmal /readalong on."
    ),
    "readalong_off": (
        "Von jetzt an lese ich nicht mit: Ich sehe nur, was mir gesagt wird. Was ich vorher gelesen habe, lösche ich "
        "nach {days} Tagen, mit /forget sofort."
    ),
    "readalong_already_on": "Ich lese hier schon mit.",
    "readalong_already_off": "Ich lese hier nicht mit.",
    "retry_usage": "Schreib /retry und die Nummer der Nachricht, zum Beispiel /retry m12ab34.",
    "dropped_kept": "Verworfen: Darauf antworte ich nicht mehr.",
    "dropped_none": "Es ist nichts mehr aufgehoben.",
    "retry_again": "Ich versuche es noch einmal.",
    "retry_at_work": "Ich bin schon dabei.",
    "retry_answered": "Die ist schon beantwortet.",
    "retry_not_yours": "Das darf nur, wer sie geschrieben hat, oder mein Besitzer.",
    "retry_gone": "Den Text habe ich nicht mehr. Bitte schreib ihn noch einmal.",
    "retry_unknown": "In diesem Chat kenne ich keine solche Nachricht.",
    "invite_nobody": "Auf dieser Konsole kann sonst niemand mit mir reden. Lade aus einem Chat ein, etwa Telegram.",
    "invite_usage": "Schreib nur /invite: Es gibt einen Link für eine Person.",
    "invite_link": (
        "Schick diesen Link einer Person; wer ihn innerhalb von 24 Stunden zuerst öffnet, darf mit mir reden:\n\n{link}"
    ),
    "invite_word": (
        "Lass eine Person mir das schreiben; wer es innerhalb von 24 Stunden zuerst tut, darf mit mir reden:\n\n"
        "`/start {word}`"
    ),
    "people_title": "Wer mit mir reden darf:",
    "people_line": "- {address} · {standing} · {name}",
    "people_unseen": "- {address} · hat noch nicht geschrieben",
    "people_whole": "- alle in diesem Workspace (volle Mitglieder; Gäste nur mit Namen)",
    "people_none": "Auf dieser Seite niemand.",
    "people_groups": "Meine Gruppen:",
    "people_remove": "{name} entfernen",
    "people_restore": "{name} wieder zulassen",
    "people_usage": (
        "Schreib /people, /people 2, /people remove und eine Kennung wie p12ab34 oder eine Adresse wie tg:1002, oder "
        "/people restore."
    ),
    "more": "Mehr",
    "person_removed": "{name} ({address}) hat keinen Zugang mehr.",
    "person_restored": "{name} ({address}) hat wieder Zugang.",
    "person_already": "{name} ({address}): nichts zu ändern.",
    "person_owner": (
        "{name} ({address}) ist ein Besitzer. Besitzer stehen in der Konfiguration und lassen sich hier nicht "
        "entfernen."
    ),
    "person_unknown": "So jemanden kenne ich nicht. /people zeigt alle.",
    "pair_usage": "Schreib /pair und den Code, oder /pair deny und den Code.",
    "pair_allowed": "✅ {name} ({address}) darf jetzt mit mir reden.",
    "pair_denied": "{name} ({address}) bleibt draußen. Ich sage der Person nichts davon.",
    "pair_used": "Dieser Code ist schon verbraucht.",
    "pair_old": "Dieser Code ist zu alt; man kann noch einmal fragen.",
    "pair_unknown": "Diesen Code kenne ich nicht.",
    "pairing_welcome": "Du darfst jetzt mit mir reden. /help zeigt, was geht.",
    "privacy_private": "**Was ich sehe:** was du mir hier schreibst, mit den Dateien, die du schickst.",
    "privacy_group": (
        "**Was ich sehe:** Ich bekomme hier alle Nachrichten, lese aber nicht mit: Was ihr einander sagt, hebe ich "
        "weder auf noch verwende ich es."
    ),
    "privacy_group_blind": (
        "**Was ich sehe:** was mich erwähnt, mir antwortet oder ein Befehl ist. Was ihr einander sagt, bekomme ich "
        "nicht."
    ),
    "privacy_reads_along_blind": (
        "**Was ich sehe:** was mich erwähnt, mir antwortet oder ein Befehl ist. Mitlesen ist eingeschaltet, aber ich "
        "bekomme nicht, was ihr einander sagt. Sobald ich es bekomme, hebe ich es {days} Tage auf."
    ),
    "privacy_reads_along": (
        "**Was ich sehe:** alles, was hier gesagt wird, denn ein Administrator hat das Mitlesen eingeschaltet. Was "
        "nicht mir gesagt wird, hebe ich {days} Tage auf."
    ),
    "privacy_kept": (
        "**Was ich aufhebe:** den Verlauf dieses Chats, bis er vergessen wird. Wie es hereinkam: {inbox} Tage; wie es "
        "hinausging: {outbox} Tage; die Schritte meiner Antworten: {journal} Tage; Dateien: {files} Tage. Ein Nachweis "
        "dessen, was ich getan habe, bleibt; seine Texte lassen sich löschen."
    ),
    "privacy_readers": (
        "**Wer es lesen kann:** wer diesen Bot betreibt. Wenn ein Modell antwortet, sieht sein Anbieter, was die "
        "Antwort "
        "braucht."
    ),
    "privacy_ways": "/forget löscht, was ich von dir aufhebe. In Gruppen beachte ich dich mit /optout nicht.",
    "privacy_ways_group": (
        "Mit /optout beachte ich dich hier nicht, /forget löscht deine eigenen Worte in dieser Gruppe."
    ),
    "optout_on": (
        "🙈 Von jetzt an beachte ich nicht, was du hier schreibst, und hebe nichts davon auf. Was ich aufgehoben "
        "hatte, löscht /forget."
    ),
    "optout_off": "Ich höre dir hier wieder zu.",
    "optout_private": (
        "Hier höre ich nur, was du mir schreibst. Wenn du das nicht willst, schreib nicht. /forget löscht, was ich "
        "habe. "
        "In einer Gruppe beachte ich dich mit /optout nicht."
    ),
    "optout_usage": "Schreib /optout, oder /optout off, damit ich dir wieder zuhöre.",
    "listen_again": "Hör mir wieder zu",
    "forget_ask": (
        "Soll ich alles aus diesem Chat vergessen? Das ist sein Verlauf ({what}), mit Fragen, Sprache und Zeitzone. Es "
        "lässt sich nicht zurücknehmen. Dein Zugang bleibt."
    ),
    "forget_ask_group": (
        "Soll ich vergessen, was du in dieser Gruppe gesagt hast und was ich dir geantwortet habe? Das sind: {what}. "
        "Es "
        "lässt sich nicht zurücknehmen. Was andere gesagt haben, bleibt, und was ich ihnen geantwortet habe. Wenn ja, "
        "schreib /forget me"
    ),
    "forget_none": "keine Nachrichten",
    # How many there are of something, in the forms of the language; and the signs of a list of such.
    "count_messages": "{n} Nachricht|{n} Nachrichten",
    "count_files": "{n} Datei|{n} Dateien",
    "count_triggers": "{n} Erinnerung oder anderes Geplantes|{n} Erinnerungen und anderes Geplantes",
    "count_todos": "{n} offene Aufgabe|{n} offene Aufgaben",
    "count_people": "{n} Kontakt|{n} Kontakte",
    "count_own_triggers": "{n} Erinnerung von dir|{n} Erinnerungen von dir",
    "count_own_todos": "{n} Aufgabe von dir|{n} Aufgaben von dir",
    "count_own_people": "was ich als Kontakt von dir weiß",
    "list_more": "{before}, {last}",
    "list_last": "{before} und {last}",
    "list_also": "{before}, {last}",
    "named": "{name}: {text}",
    "aside": "{text} ({aside})",
    "forget_everything": "Alles vergessen",
    "forget_me": "Meine Worte vergessen",
    "keep": "Behalten",
    "forget_usage": (
        "Es wurde nichts vergessen. /forget allein fragt, ob ich alles vergessen soll; /memory zeigt, was ich mir "
        "gemerkt habe, und dort geht es einzeln."
    ),
    "forget_kept": "Es wurde nichts vergessen.",
    "forgotten": "🧹 Vergessen. Wir beginnen von vorn.",
    "forgotten_group": (
        "🧹 Vergessen: was du hier gesagt hast und was ich dir geantwortet habe. Was andere von dir gesagt haben, und "
        "meine Antworten an sie, bleiben; ebenso die Nachrichten im Chat selbst."
    ),
    "page_todos": "Zu tun",
    "page_no_todos": "Nichts zu tun.",
    "page_done": "☑ Erledigt",
    "page_reminders": "Erinnerungen",
    "page_no_reminders": "Nichts geplant.",
    "page_reminder": "⏰ {when}: {text}",
    "page_hour_later": "+1 Std.",
    "page_cancel": "Streichen",
    "page_settings": "Einstellungen",
    "hush_done": "🤫 Erwähne mich, wenn du mich brauchst.",
    "hush_nothing": (
        "Hier bin ich schon still: Ich antworte nur, wenn man mich erwähnt. Wo ich in einem Thread weitermache, "
        "schreib "
        "es dort."
    ),
    # What is said in private for /help.
    "help_words": "hilfe|hilf mir|befehle",
    # What makes the bot stop answering in a thread.
    "hush_words": (
        "ruhe|ruhe jetzt|pst|psst|sei still|sei ruhig|still jetzt|hör auf zu reden|hör auf zu antworten|halt den mund"
        "|nicht mehr antworten"
    ),
    "shared_by_you": "↪ Geteilt",
    "shared": "{answer}\n\n↪ Geteilt von {name}",
    "share_usage": "Das zeigt allen eine Antwort, die nur du siehst: Der Knopf unter einer solchen Antwort tut es.",
    "menu_start": "Hallo sagen",
    "menu_help": "Was ich kann",
    "menu_stop": "Anhalten, was ich tue",
    "menu_new": "Ein neues Gespräch beginnen",
    "menu_status": "Wie es mir geht",
    "menu_undo": "Die letzte Änderung zurücknehmen",
    "menu_language": "Die Sprache wählen",
    "menu_timezone": "Die Zeitzone wählen",
    "menu_privacy": "Was ich sehe und aufhebe",
    "menu_optout": "Dich hier nicht mehr beachten",
    "menu_forget": "Löschen, was ich von dir aufhebe",
    "menu_time": "Wie spät es ist",
    "menu_history": "Was hier gesagt wurde, auch zu etwas",
    "menu_id": "Die Kennungen von dir und diesem Chat",
    "menu_readalong": "Mich mitlesen lassen, oder nicht",
}
