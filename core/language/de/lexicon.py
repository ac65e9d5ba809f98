"""German: the words of time and of phrases by class, each with what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.kernel.timing.expressions import Clock, Date, Delay, Every, Holiday, InDays, NthWeekday, Weekday
from core.language.de.places import CLOCKS_OF
from core.language.engine.said import AFTERNOON, EVENING, MORNING, NIGHT, Part, Said

_WEEK = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
_DAYS = {**{name: n for n, name in enumerate(_WEEK)}, "sonnabend": 5}
# Before a date, or in a row of days, only: by themselves they are other words ("so", "do", "mi").
_SHORT = {"mo": 0, "di": 1, "mi": 2, "do": 3, "fr": 4, "sa": 5, "so": 6}
_PLURALS = {f"{name}s": n for name, n in _DAYS.items()}
_MONTHS = {
    "januar": 1, "jänner": 1, "februar": 2, "feber": 2, "märz": 3, "april": 4, "mai": 5, "juni": 6, "juli": 7,
    "august": 8, "september": 9, "oktober": 10, "november": 11, "dezember": 12, "jan": 1, "jän": 1, "feb": 2, "mär": 3,
    "mrz": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "okt": 10, "nov": 11, "dez": 12,
}  # fmt: skip
_HOURS = {
    "ein": 1, "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
    "zehn": 10, "elf": 11, "zwölf": 12,
}  # fmt: skip
_COMPOUNDS = {
    f"{one}und{ten}": n + tens for one, n in _HOURS.items() if n in range(1, 10)
    for ten, tens in (("zwanzig", 20), ("dreißig", 30), ("vierzig", 40), ("fünfzig", 50))
}  # fmt: skip
_NUMBERS: Mapping[str, float] = {
    **_HOURS,
    "eine": 1, "einer": 1, "einem": 1, "einen": 1, "ner": 1, "nem": 1, "zwo": 2, "dreizehn": 13, "vierzehn": 14,
    "fünfzehn": 15, "sechzehn": 16, "siebzehn": 17, "achtzehn": 18, "neunzehn": 19, "zwanzig": 20, "dreißig": 30,
    "vierzig": 40, "fünfzig": 50, "sechzig": 60, "neunzig": 90, **_COMPOUNDS,
    "anderthalb": 1.5, "eineinhalb": 1.5, "zweieinhalb": 2.5, "dreieinhalb": 3.5,
}  # fmt: skip
# Months, days and seconds.
_PARTS_OF_UNITS = {
    "viertelstunde": (0, 0, 900), "viertel stunde": (0, 0, 900), "halbe stunde": (0, 0, 1_800),
    "halbe std": (0, 0, 1_800), "halben stunde": (0, 0, 1_800), "halben stunden": (0, 0, 1_800),
    "dreiviertelstunde": (0, 0, 2_700), "dreiviertel stunde": (0, 0, 2_700), "halben jahr": (6, 0, 0),
    "halbes jahr": (6, 0, 0), "vierteljahr": (3, 0, 0),
}  # fmt: skip
_STEMS = (
    "erste", "zweite", "dritte", "vierte", "fünfte", "sechste", "siebte", "achte", "neunte", "zehnte", "elfte",
    "zwölfte", "dreizehnte", "vierzehnte", "fünfzehnte", "sechzehnte", "siebzehnte", "achtzehnte", "neunzehnte",
    "zwanzigste", *(f"{one}undzwanzigste" for one in ("ein", *list(_HOURS)[2:10])), "dreißigste", "einunddreißigste",
)  # fmt: skip
_NTH = {f"{stem}{end}": n + 1 for n, stem in enumerate(_STEMS) for end in ("", "n", "r")}
_LAST = dict.fromkeys(("letzte", "letzten", "letzter"), -1)
_LAST_DAY = {f"{word} tag": -1 for word in _LAST}
_MIDDAY, _BEFORE_NOON = Part(12, 11, 14), Part(10, 5, 12)
_PARTS = {
    "früh": MORNING, "morgen": MORNING, "vormittag": _BEFORE_NOON, "mittag": _MIDDAY, "nachmittag": AFTERNOON,
    "abend": EVENING, "nacht": NIGHT,
}  # fmt: skip
_WORKING, _FREE = Every(unit="week", weekdays=frozenset(range(5))), Every(unit="week", weekdays=frozenset({5, 6}))
_UNITS = {
    "min": "minute", "minute": "minute", "minuten": "minute", "h": "hour", "std": "hour", "stunde": "hour",
    "stunden": "hour", "tag": "day", "tage": "day", "tagen": "day", "woche": "week", "wochen": "week", "monat": "month",
    "monate": "month", "monaten": "month", "jahr": "year", "jahre": "year", "jahren": "year",
}  # fmt: skip
_NEXT = ("nächste", "nächsten", "nächster", "nächstes", "naechste", "naechsten", "kommende", "kommenden", "kommender")
_YEAR_END = dict.fromkeys(("jahresende", "ende des jahres"), Date(day=31, month=12))
_THIS = ("diese", "diesen", "dieser", "dieses")

# Of phrases: what people ask for in few words.
_ASKING = ("was", "wer", "wen", "wem", "wo", "wann", "warum", "wieso", "weshalb", "wie", "welche", "welcher", "welches",
    "welchen", "wohin", "woher", "woran", "womit", "ob", "wozu")  # fmt: skip
_PRONOUNS = ("ich", "du", "er", "es", "wir", "ihr", "man", "mich", "dich", "ihn", "sie", "uns", "euch", "mir", "dir",
    "ihm", "ihnen", "das", "dies", "alles", "nichts", "etwas", "jemand", "niemand", "dessen", "sich", "dran", "daran",
    "damit", "davon", "dafür", "hier")  # fmt: skip
_ARTICLES = ("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "nen", "ne", "ner",
    "nem", "n")  # fmt: skip
_MINE = (*(f"{word}{end}" for word in ("mein", "unser") for end in ("", "e", "en", "em", "er")), "unsre")
_SHOP = ("einkaufsliste", "einkaufs liste", "einkaufszettel", "einkauf", "einkaufliste", "shoppingliste")
_PACK = ("packliste", "pack liste", "packzettel")
_LISTS = dict.fromkeys(("liste", "zettel", "todo liste", "to do liste", "aufgabenliste", "todoliste"), "")
_LISTS |= dict.fromkeys(_SHOP, "shopping") | dict.fromkeys(_PACK, "packing")
_ADDING = ("setz", "setze", "setzt", "schreib", "schreibe", "pack", "packe", "tu", "tue", "füg", "füge", "notier",
    "notiere", "leg", "lege", "trag", "trage", "hau", "ergänz", "ergänze", "nimm", "mach", "mache", "schmeiß", "bring",
    "stell", "add", "nehmen sie")  # fmt: skip
_PUTTING = ("setzen", "schreiben", "packen", "tun", "hinzufügen", "aufnehmen", "eintragen", "notieren", "legen",
    "dazuschreiben", "draufsetzen", "draufschreiben", "draufpacken", "hinzu", "hauen", "ergänzen", "nehmen",
    "dazugeben", "hinzugeben", "dazutun", "dazupacken", "raufsetzen", "raufschreiben")  # fmt: skip
_REMOVING = ("streich", "streiche", "streicht", "nimm", "nehmt", "lösch", "lösche", "entfern", "entferne", "schmeiß",
    "schmeiße", "wirf", "hol", "hau", "tu", "mach", "nehmen sie")  # fmt: skip
_DROPPING = ("streichen", "nehmen", "löschen", "entfernen", "runternehmen", "werfen", "rausnehmen", "runterstreichen",
    "wegnehmen", "rauswerfen", "runterlöschen", "wegmachen", "rausstreichen", "schmeißen", "stornieren")  # fmt: skip
_SHOWING = ("zeig", "zeige", "zeigt", "lies", "lese", "les", "gib", "schick", "schicke", "öffne", "nenn", "nenne",
    "sag", "sage", "geben sie")  # fmt: skip
_SHIFTING = ("verschieb", "verschiebe", "verleg", "verlege", "schieb", "schiebe", "änder", "ändere")
_TIMERS = ("timer", "countdown", "eieruhr", "kurzzeitwecker", "kurzzeitmesser", "küchenwecker", "pomodoro")
_DONE = ("erledigt", "gekauft", "besorgt", "geholt", "eingepackt", "abgehakt", "gemacht")
# What never stands in what is only named.
_ORDER = (
    *_ASKING, *(one for one in _PRONOUNS if one != "das"), *_ADDING, *_PUTTING, *_REMOVING, *_DROPPING, *_SHOWING,
    "ist", "is", "sind", "war", "waren", "wäre", "wär", "bin", "bist", "seid", "hat", "habe", "haben", "hab", "hast",
    "hatte", "hatten", "hätte", "hätten", "wird", "werden", "wurde", "wurden", "werd", "kann", "kannst", "können",
    "könnte", "könntest", "konnte", "soll", "sollen", "sollte", "sollten", "muss", "müssen", "musste", "will", "wollen",
    "wollte", "möchte", "darf", "mag", "steht", "stehen", "stand", "standen", "gehört", "gehören", "kommt", "kommen",
    "fehlt", "fehlen", "gibt", "gibts", "geht", "nicht", "kein", "keine", "keinen", "nie", "niemals", "dass", "weil",
    "wenn", "falls", "sobald", "bevor", "nachdem", "denn", "aber", "oder", "liste", "listen", "erinner", "erinnere",
    "erinnern", "erinnert", "gestern", "vorgestern", "letzte", "letzten", "letzter", "immer", "schon", "eigentlich",
    "leider", "statt", "wieder", "endlich", "länger", "würde", "würden", "glaube", "glaub", "finde", "kommst",
    "verschieb", "verschiebe", "verleg", "verlege", "schieb", "schiebe", "bleibt", "bleiben", "entfällt", "nervt",
    "reicht", "kam", "kamen", "begann", "musst", "sollst", "solltest", "fast", "beinahe", "kaum",
)  # fmt: skip
_PHRASES: Mapping[str, Mapping[str, Any]] = {name: dict.fromkeys(words) for name, words in {
    "greeting": ("hey", "ey", "hi", "hallo", "moin", "servus", "grüezi", "ok", "okay", "also", "und", "so", "bot",
        "teller", "jetzt", "ach", "ja", "du", "äh", "ähm", "hm", "hmm", "sorry", "entschuldige", "entschuldigung"),
    # Politeness that is no part of what is to be done.
    "mild": ("bitte", "mal", "doch", "kurz", "dann", "nochmal", "nochmals", "noch", "wieder", "erst", "auch", "jemand",
        "ma", "freundlicherweise", "netterweise", "gern", "gerne", "ruhig", "vielleicht", "unbedingt", "pls", "plz",
        "bidde", "äh", "ähm"),
    "can": ("kannst", "kanns", "darfst", "könntest", "würdest", "magst", "kannste", "könntste"),
    "nice": ("super", "toll", "nett", "lieb", "schön", "gut", "klasse"),
    # Also as it is typed in a hurry.
    "reminding": ("erinner", "erinnere", "erinnre", "erinere", "erinnern", "erinnert", "erinern", "errinere",
        "errinnere", "errinner"),
    # No typing errors, but other words, or those of other languages.
    "lookalike": ("montage", "werktage", "erinnerte", "minutes", "january", "february", "october", "december", "morgan",
        "verschrieb", "darum"), "noting": ("erinnern", "erinnerung", "reminder", "reminden", "remind me"),
    # They say no more than the time behind them.
    "just": ("genau", "exakt", "pünktlich", "direkt", "nur", "schon", "noch", "erst", "gleich", "bereits",
        "bitte"), "stress": ("bitte", "doch", "auch", "wieder", "nochmal", "nochmals", "unbedingt", "auf jeden fall"),
    # At the end of a text they say something of the time behind it, or nobody knows which it is.
    "loose": ("vom", "von", "für", "fürs", "zum", "zur", "wegen", "statt", "aus", "mit", "bei", "beim", "im", "in",
        "ohne", "laut", "über", "per", "trotz", "des", "und", "oder", "sowie", "so", "irgendwann", "vielleicht",
        "eventuell", "evtl", "möglichst", "wahrscheinlich", "hoffentlich", "vermutlich", "notfalls", "lieber", "eher",
        "wohl", "am besten", "sofort", "bald", "demnächst", "sogar", "dann", "zirka", "rund", "mindestens", "höchstens",
        "den ganzen tag", "einmal", "zweimal", "dreimal", "mehrmals", "lang", "anfang", "mitte", "ende", "mitten",
        "späten", "frühen", "allabendlich", "allmorgendlich", "einzelnen"),
    "being": ("ist", "is", "sind", "war", "wird", "werden", "hat", "haben", "habe", "hab", "gibt", "gibts", "kommt",
        "kommen", "fährt", "geht", "fliegt", "beginnt", "startet", "fängt", "findet", "steht", "läuft"),
    "condition": ("wenn", "sobald", "falls", "bevor", "nachdem", "sofern", "solange"),
    "negation": ("nicht", "nie", "kein", "keine", "keinen", "keinem", "keiner"),
    "past": tuple(f"{word}{end}" for word in ("letzt", "vorig", "vergangen") for end in ("e", "en", "er", "es", "em")),
    # What is sent to somebody: "Mail an Anna".
    "sent": ("*mail", "*mails", "*brief", "*nachricht", "*rechnung", "*paket", "*antwort", "*anfrage", "*karte",
        "*bewerbung", "*einladung", "*schreiben", "*geld", "*geschenk", "sms", "*unterlagen", "*überweisung"),
    "modal": ("muss", "müssen", "soll", "sollen", "sollte", "sollten", "will", "wollen", "möchte", "möchten", "darf",
        "müsste", "müssten"),
    # Orders that are another wish behind "and".
    "ordering": ("erinner", "erinnere", "weck", "wecke", "sag", "zeig", "zeige", "schick", "schicke", "lösch", "lösche",
        "streich", "streiche", "schreib"),
    # Words of time that are also English, or nobody's: a text beside nothing else may be of another language, which
    # has not read it for a reason.
    "shared": ("in", "am", "so", "do", "min", "h", "s", "t", "p", "m", "pm", "jan", "feb", "apr", "april", "aug",
        "august", "sep", "sept", "september", "nov", "november", "jun", "jul"),
    "filler": ("bitte", "mal", "ma", "doch", "auch", "noch", "gerade", "grad", "schnell", "kurz", "nochmal",
        "mir bitte", "diesmal", "einfach", "direkt", "gleich", "eben", "pls", "plz", "bidde", "danke", "wieder"),
    "article": _ARTICLES, "mine": _MINE, "asking": _ASKING, "pronoun": _PRONOUNS, "adding": _ADDING,
    "putting": _PUTTING, "removing": _REMOVING, "dropping": _DROPPING, "show": _SHOWING,
    "showing": ("zeigen", "vorlesen", "anzeigen", "schicken", "geben", "öffnen", "nennen", "auflisten"),
    "tail": ("drauf", "rauf", "hinzu", "dazu", "ein", "auf", "setzen", "bitte", "danke", "mit drauf", "noch drauf"),
    "plainlist": ("liste", "zettel"), "yours": ("dein", "deine", "deinen", "deinem", "deiner", "euer", "eure", "euren"),
    # What shall be done, where nothing else says that it is a task.
    "calling": ("*rufen", "*holen"), "deed": (
        "*rufen", "*holen", "*geben", "*buchen", "*stellen", "*putzen", "*waschen", "*schicken", "*bereiten", "*lesen",
        "*räumen", "*schreiben", "*melden", "*bringen", "*kaufen", "*machen", "*gießen", "*nehmen", "*zahlen",
        "schreiben", "machen", "nehmen", "absagen", "erledigen", "*weisen", "verlängern", "*baren", "*tragen", "prüfen",
        "reviewen", "testen", "fixen", "mergen", "ausfüllen", "klären", "*tauen", "*ieren", "*digen", "*reichen",
        "*gucken", "*schauen", "*lüften", "*saugen", "*wischen", "*mähen", "*schalten", "*wechseln", "*füttern"),
    # What shall become of an alarm, or became of it.
    "state": ("pausieren", "gestoppt", "ausgeschaltet", "ignoriert", "abgesagt", "verschoben", "raus", "aus", "ab",
        "deaktivieren", "anhalten", "länger", "kürzer", "mehr", "lauter", "leiser", "unnötig", "überflüssig",
        "rausschicken", "verschicken", "senden", "versenden", "gestellt", "gestartet", "vereinbart", "fix",
        "verschlafen", "gehört", "kaputt", "vorbei", "rum", "weg", "da", "gefunden", "gesehen", "erhalten", "bekommen",
        "verpasst", "vergessen", "unterwegs", "*stellt", "*löst", "*laufen", "*ätigt", "*klingelt", "*schickt", "*iert",
        "*sagt"),
    "bought": (*_DONE, "eingekauft", "mitgebracht", "abgegeben", "abgeschickt", "weggeschickt", "bestellt", "gebucht",
        "bezahlt", "überwiesen", "gelernt", "geputzt", "gewaschen", "angerufen", "abgeholt", "weggebracht", "gegossen",
        "gekündigt", "repariert", "geschrieben", "eingereicht", "verlängert", "gesaugt", "gemäht",
        "beantragt", "ausgefüllt"), "doneness": (*_DONE, "fertig", "geschafft"),
    "ending": ("lösch", "lösche", "löscht", "streich", "streiche", "stop", "stopp", "stoppe", "vergiss", "entfern",
        "entferne", "beende", "storniere", "stornier", "deaktiviere", "kill", "kille", "cancel"),
    # They end something only with another word behind: "mach den Wecker aus".
    "switching": ("schalt", "schalte", "mach", "mache", "stell", "stelle", "sag", "sage", "brich", "breche", "schmeiß",
        "lösch"),
    "infinitive": (*_PUTTING, *_DROPPING, "zeigen", "vorlesen", "anzeigen", "schicken", "geben", "abhaken", "leeren",
        "zurücksetzen", "stellen", "machen", "ausschalten", "abbrechen", "abstellen", "ausmachen", "verschieben",
        "erinnern", "wecken", "verlegen", "umstellen", "ändern", "durchstreichen", "stoppen", "auflisten", "öffnen",
        "sagen", "schieben", "absagen", "canceln", "vormerken", "nennen", "ansagen", "markieren", "anlegen",
        "einrichten", "einstellen", "erstellen"),
    "making": ("stell", "stelle", "mach", "mache", "setz", "setze", "erstell", "erstelle", "starte", "start", "leg",
        "gib", "richte", "trag", "füg", "füge", "notier", "notiere"),
    "shifting": _SHIFTING, "moving": (*_SHIFTING, "leg", "stell", "stelle", "zieh"), "setting": ("stell", "stelle"),
    "ticking": ("hak", "hake"), "emptying": ("leer", "leere", "lösch", "lösche", "entleer", "entleere"),
    "alarms": ("wecker", "timer", "alarme", "erinnerungen", "wiedervorlagen", "reminder", "weckrufe"),
    "plans": ("termine", "pläne", "meetings", "besprechungen", "verabredungen", "aufgaben", "verpflichtungen"),
    "appointment": ("*termin",), "event": ("termin", "meeting", "besprechung", "verabredung", "treffen"),
    "whose": ("*'s",), "calendar": ("kalender", "terminkalender", "agenda", "terminplan"),
    "brief": ("tagesübersicht", "tagesüberblick", "briefing", "morgenbriefing", "übersicht", "überblick",
        "zusammenfassung"),
    # What ends with a point and no sentence with it.
    "short": ("fa", "dr", "prof", "hr", "fr", "st", "nr", "ca", "bzw", "inkl", "z", "b", "u", "a", "tel", "str"),
    "nobody": (*_PRONOUNS, "den", "die", "der", "alle", "bitte", "mal", "chat", "gruppe", "ton", "handy", "musik",
        "wecker", "timer", "radio"), "order": _ORDER,
    # Nor in the name of a list.
    "unnamed": (*_ORDER, *_ARTICLES, *_MINE, "und", "von", "vom", "für", "in", "im", "an", "am", "auf", "aus", "mit",
        "zu", "zum", "zur", "ganze", "ganzen", "komplette", "gesamte", "aktuelle", "aktuellen", "neue", "neuen", "alte",
        "lange", "lang", "erste", "ersten", "nächste", "folgende", "folgenden", "andere", "gleiche", "schwarze",
        "schwarzen", "rote", "roten", "obige", "deine", "deiner", "ihre", "seine", "bitte", "alle"),
    # Days of which nobody here knows when they are.
    "dayname": ("*feiertag", "geburtstag", "namenstag", "jahrestag", "hochzeitstag", "stichtag", "bettag"),
}.items()}  # fmt: skip
# Orders, which may be polite ("setzen Sie").
_FORMAL = "adding removing show ending making moving shifting setting switching ticking emptying"
# What is worth the key of a list. A word that only ends so is a name: "Campingliste".
_KINDS: Mapping[str, Mapping[str, Any]] = {
    "listword": _LISTS | dict.fromkeys(("*liste", "*zettel", "watchlist", "bucketlist", "wishlist", "backlog"))
    | {"wunschzettel": "Wunschzettel"}, "knownlist": _LISTS, "report": {"meld": "Alarm", "melde": "Alarm"},
    "todos": dict.fromkeys(("todo", "todos", "to do", "to dos"), ""),
    "chores": {"aufgaben": "", "einkäufen": "shopping"}, "bed": {"aus dem bett": "aufwachen"},
    "getting": dict.fromkeys(("einkaufen", "kaufen", "besorgen", "holen", "mitbringen", "shoppen"), "shopping"),
    # Whoever wants to be woken is reminded to wake up.
    "wake": dict.fromkeys(("weck", "wecke", "wecken sie"), "aufwachen"), "wakes": {"weckst du": "aufwachen"},
    "alerting": dict.fromkeys(("bescheid", "ping", "pinge", "stups"), "Alarm"),
    "signal": {f"{one} {name}": "Alarm" for one in ("ein", "nen", "einen")
        for name in ("zeichen", "signal", "ping", "stupser", "schubs", "anstoß")},
    "ringing": dict.fromkeys(("klingel", "klingeln", "läuten", "anstupsen", "anpingen", "pingen", "piepen"), "Alarm"),
    "waken": dict.fromkeys(("wecken", "aufwecken", "geweckt werden", "weckst"), "aufwachen"),
    "alarm": {"*timer": None} | {one: one.capitalize() for one in ("wecker", "weckruf", "alarm", *_TIMERS)},
    "needing": dict.fromkeys(("brauche", "brauch", "brauchen", "brauchn", "benötige", "benötigen"), "shopping"),
    "timing": dict.fromkeys((*_TIMERS, "*timer")), "lacking": dict.fromkeys(("fehlt", "fehlt uns"), "shopping"),
    "errand": dict.fromkeys(("einkauf", "supermarkt", "wocheneinkauf"), "shopping"),
}  # fmt: skip

CLASSES: Mapping[str, Mapping[str, Any]] = {
    "number": _NUMBERS, "hour": _HOURS | {word: int(n) for word, n in _NUMBERS.items() if n in range(13, 21)}
    | {"einundzwanzig": 21, "zweiundzwanzig": 22, "dreiundzwanzig": 23},
    "minute": {word: int(n) for word, n in _NUMBERS.items() if n in {15, 30, 45}} | _COMPOUNDS,
    "fives": {word: int(n) for word, n in _NUMBERS.items() if n % 5 == 0},
    "nthword": _NTH, "which": _NTH | _LAST, "monthday": _NTH | _LAST_DAY, "lastday": _LAST_DAY,
    "count": _NUMBERS, "unit": _UNITS, "twice": {word: n for word, n in _NTH.items() if n > 1},
    **{f"{one}s": {word: n for word, n in _UNITS.items() if n == one} for one in dict.fromkeys(_UNITS.values())},
    "seconds": dict.fromkeys(("s", "sek", "sekunde", "sekunden"), "second"), "length": {
        f"{one}{name}": size for name, size in _PARTS_OF_UNITS.items()
        for one in ("", "eine ", "einer ", "einem ", "ein ", "ne ", "ner ", "nem ", "n ")
    }, "weekday": _DAYS | _SHORT | _PLURALS, "singleday": _DAYS, "anyday": _DAYS | _SHORT, "plural": _PLURALS,
    "shortday": {word: n for word, n in _SHORT.items() if word != "so"},
    # "Frau Sonntag" is no day, but "meine Frau Sonntag" may be one.
    "surname": dict.fromkeys(f"{one} {day}" for one in ("frau", "herr", "herrn", "familie") for day in _DAYS),
    "overnext": dict.fromkeys(("übernächsten", "übernächster", "übernächste"), 1), "month": _MONTHS, "partnoun": _PARTS,
    "partadverb": {word: _PARTS[name] for name in ("morgen", "vormittag", "mittag", "nachmittag", "abend")
        for word in (f"{name}s", f"am {name}")} | dict.fromkeys(("früh", "frühmorgens", "in der früh"), MORNING),
    "night": dict.fromkeys(("nachts", "in der nacht"), Part(20, 21, 30)),
    # "Montagabend" is one word.
    "daypart": {f"{day}{name}": Said(day=Weekday(weekday=n), part=part)
        for day, n in _DAYS.items() for name, part in _PARTS.items()},
    "day": {"heute": 0, "heut": 0, "morgen": 1, "mrgn": 1, "übermorgen": 2, "überübermorgen": 3},
    "clock": dict.fromkeys(("uhr",)),
    "by": {"halb": 30, "dreiviertel": 15, "viertel": 45, "fünf vor halb": 35, "fünf nach halb": 25, "zehn vor halb": 40,
        "zehn nach halb": 20}, "quarter": {"viertel": 15}, "side": {"nach": 1, "vor": -1},
    "holiday": {name: Date(day=day, month=month) for name, day, month in (
        ("heiligabend", 24, 12), ("heiligen abend", 24, 12), ("weihnachten", 25, 12), ("stefanstag", 26, 12),
        ("stephanstag", 26, 12), ("silvester", 31, 12), ("neujahr", 1, 1), ("dreikönigstag", 6, 1), ("dreikönig", 6, 1),
        ("valentinstag", 14, 2), ("halloween", 31, 10), ("nikolaus", 6, 12), ("nikolaustag", 6, 12),
        ("tag der arbeit", 1, 5), ("maifeiertag", 1, 5), ("tag der deutschen einheit", 3, 10), ("martinstag", 11, 11),
        ("reformationstag", 31, 10), ("allerheiligen", 1, 11),
    )} | _YEAR_END | {name: Holiday(holiday=holiday) for name, holiday in (
        ("karfreitag", "good friday"), ("ostern", "easter"), ("ostersonntag", "easter"),
        ("ostermontag", "easter monday"), ("christi himmelfahrt", "ascension"), ("pfingsten", "whit sunday"),
        ("pfingstsonntag", "whit sunday"), ("pfingstmontag", "whit monday"), ("vatertag", "ascension"),
        ("fronleichnam", "corpus christi"), ("rosenmontag", "carnival monday"), ("aschermittwoch", "ash wednesday"),
        ("palmsonntag", "palm sunday"), ("gründonnerstag", "maundy thursday"),
    )} | {f"{word} {day}": Date(day=24 + _NTH[word], month=12) for word in ("erster", "ersten", "zweiter", "zweiten")
        for day in ("weihnachtstag", "weihnachtsfeiertag")} | {"muttertag": NthWeekday(weekday=6, nth=2, month=5)},
    "yearend": _YEAR_END,
    # "Am 2. Advent" is none of December.
    "nthday": dict.fromkeys((
        "tag", "schultag", "arbeitstag", "werktag", "feiertag", "urlaubstag", "ferientag", "weihnachtstag",
        "weihnachtsfeiertag", "osterfeiertag", "hochzeitstag", "geburtstag", "advent", "adventssonntag", "stunde",
        "woche", "monat", "quartal", "halbjahr", "semester", "stock", "klasse", "bundesliga", "platz", "mal",
    )), "noon": {"mittag": Clock(hour=12), "mitternacht": Clock(hour=0, certain=False),
        "24 uhr": Clock(hour=24)},
    "dayend": dict.fromkeys(("ende des tages", "tagesende"), Clock(hour=17)),
    "weekof": {f"{word} woche": 1 for word in _NEXT} | {f"{word} woche": 0 for word in _THIS}
    | {f"über{word} woche": 2 for word in ("nächste", "nächster")},
    "monthof": {f"{word} {month}": 1 for word in _NEXT for month in ("monat", "monats")}
    | {f"{word} {month}": 0 for word in _THIS for month in ("monat", "monats")},
    "nextyear": dict.fromkeys(("nächstes jahr", "nächsten jahres"), 1),
    "next": dict.fromkeys(word for word in _NEXT if word[0] == "n"), "through": {"einschließlich": 0},
    "leaving": dict.fromkeys(("außer", "mit ausnahme von", "bis auf", "aber nicht", "nur nicht")),
    "coming": dict.fromkeys([word for word in _NEXT if word.startswith("k")] + list(_THIS)),
    "weekend": {"wochenende": 5}, "free": dict.fromkeys(("wochenende", "wochenenden"), frozenset({5, 6})),
    "this": dict.fromkeys(_THIS, 0), "each": dict.fromkeys(("jeden", "jede", "jedes", "jeder", "jedn")),
    "workday": dict.fromkeys(("werktag", "arbeitstag", "wochentag"), _WORKING) | {"wochenende": _FREE},
    "workdays": {"an wochenenden": _FREE}
    | dict.fromkeys(("werktags", "werktäglich", "wochentags", "unterwochs", "an werktagen", "an wochentagen",
        "unter der woche"), _WORKING),
    "adverb": {"stündlich": Every(unit="hour"), "vierteljährlich": Every(unit="month", n=3),
        "halbjährlich": Every(unit="month", n=6)}
    | dict.fromkeys(("vierzehntägig", "14 tägig", "zweiwöchentlich", "alle 14 tage", "alle vierzehn tage"),
        Every(unit="week", n=2))
    | dict.fromkeys(("täglich", "einmal am tag", "jeden einzelnen tag"), Every(unit="day"))
    | dict.fromkeys(("wöchentlich", "einmal die woche", "einmal pro woche", "einmal in der woche"), Every(unit="week"))
    | dict.fromkeys(("monatlich", "einmal im monat"), Every(unit="month"))
    | dict.fromkeys(("jährlich", "alljährlich", "einmal im jahr"), Every(unit="year")),
    "daysof": {f"{one}{end}": InDays(days=n) for n, one in enumerate(("heutig", "morgig")) for end in ("e", "en")},
    "theday": dict.fromkeys(("tag", "vortag"), Delay(days=1)),
    "zone": CLOCKS_OF,
    "cycle": {"viertelstunde": Every(unit="minute", n=15), "halbe stunde": Every(unit="minute", n=30),
        "dreiviertelstunde": Every(unit="minute", n=45), "halbe jahr": Every(unit="month", n=6)}
    | dict.fromkeys(("quartal", "vierteljahr"), Every(unit="month", n=3)),
    "keys": dict.fromkeys((
        *_DAYS, "übermorgen", "januar", "februar", "september", "oktober", "november", "dezember", "wochenende",
        "werktag", "datum", "verschieb", "verschiebe", "erinnere", "erinnerung", "minuten", "stunden", "einkaufsliste",
        "morgen",
    )), **_PHRASES, **_KINDS,
    **{name: {word: None for one in _PHRASES[name] for word in (one, f"{one}n sie")} for name in _FORMAL.split()},
    # With one of these a day is of a week that is named, as with a weekday.
    "daypartday": {
        f"{day}{name}": Every(unit="week", weekdays=frozenset({n})) for day, n in _DAYS.items() for name in _PARTS
    },
    "daypartpart": {f"{day}{name}": part for day in _DAYS for name, part in _PARTS.items()},
    "edges": dict.fromkeys((
        "um", "am", "gegen", "bis", "ab", "seit", "zwischen", "vor", "nach", "ca", "circa", "etwa", "ungefähr",
        "spätestens", "frühestens", "immer", "früher", "später", "uhr", "jeden", "jede", "jedes", "alle", "nächste",
        "nächsten", "advent", "zur gleichen zeit", "zur selben zeit", "um die gleiche zeit", "um dieselbe zeit",
        "nächster", "letzte", "letzten", "vergangenen", "vorigen", "gestern", "vorgestern", "außer", "während", "halb",
        "viertel", "vorher", "zuvor", "davor", "rechtzeitig", "rum", "herum", "spät", "in aller frühe", "cst", "guten",
        "bst", "msk", "übernächste", "übernächsten", "übernächster", "abig",
    )),
    "glued": dict.fromkeys(("min", "h", "std", "uhr", "t", "sek", "s")),
}  # fmt: skip
