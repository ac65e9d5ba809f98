"""German: what people ask for in few words about lists, plans, reminders, quiet and briefs, as templates."""

from __future__ import annotations

from collections.abc import Mapping

# What names nothing: what is meant stands elsewhere, or nowhere.
VAGUE = (
    "(dies|diese|dieses|diesen|jenes) <y:text>?|<pronoun>|<article>|alles|etwas|was|nichts|beides|sachen|dinge|zeug"
    "|kram"
    "|(<article>|alle|viele|mehr|neue|neuen|neues|neuer) (neue|neuen|neues|neuer)? (sache|sachen|ding|dinge|punkt"
    "|punkte"
    "|eintrag|einträge|aufgabe|aufgaben|todo|todos|termin|termine|erinnerung|erinnerungen|liste|wecker|timer)"
    "|<article>? (hier|da|oben|unten|folgende|folgendes|folgenden) <y:some>?"
)
MACROS: Mapping[str, str] = {
    "PLEASE": "(<filler> ,?){0,4}",
    "WE": "ich|wir|i",
    "ME": "(mir|uns)?",
    "MILD": "(<mild> ,?){0,4}",
    "WHOM": "mich|mi|uns alle?|alle|<link>|<name>",
    "HAVE": "hab|habe|haben|ham|hast du",
    "THE": "<article>|<mine>",
    "LIST": "(THE)? (aktuelle|aktuellen)? (<list:listword>|<list:todos>)|(THE) <list:title> <plainlist>",
    "BY_LIST": "<list:listword>|<list:todos>",
    "ONTO": "auf|aufn|auf'n|in|zu|zur|zum|an|mit auf",
    "ON": "auf|aufm|auf'm|in|im|laut|bei|an",
    "FROM": "von|vom|aus",
    "OFF": "FROM|auf|aufm|auf'm",
    "ACC": "die|den|das|meine|meinen|unsere|unseren",
    "ONTO_LIST": "(ONTO) (LIST)",
    # "Auf der Liste" is where something stands, "auf die Liste" where it shall.
    "ONTO_THE": "(auf|in|an|mit auf) (ACC) (<list:listword>|<list:todos>|<list:title> <plainlist>)|(aufn|auf'n|zur|auf)"
    " (BY_LIST)",
    "DOWN": "runter|raus|weg|wieder runter|wieder raus|wieder weg",
    "SHOW": "<show> ME PLEASE",
    "WANT": "WE (will|wollen|möchte|möchten|würde gern|würde gerne|muss|müssen|sollte|hätte gern|hätte gerne)",
    "MUST": "muss|müssen|soll|sollen|sollte|sollten|musste|mussten|wollte|wollten|wollt",
    "YES": "((ja|ok|okay|so|alles|schon|jetzt|gerade|grad|bereits) ,?){0,3}",
    "READY": "erledigt|fertig|gemacht|abgehakt|geschafft",
    "SURELY": "(schon|noch|bereits|auch|jetzt|doch|wieder|nicht|mal|eigentlich|alles|so|denn|da|alle|grad|gerade"
    "|nochmal"
    "|nochmals|momentan|aktuell|überhaupt|inzwischen){0,3}",
    "SPAN": "(in|an)? <week:weekof>|(in)? (der|dieser|die|meine|unsere) (thisweek=woche)|(am|dieses|das)?"
    " (weekend=<weekend>)|(am)? (nächstes|nächsten|kommendes|kommenden) (nextweekend=<weekend>)",
    "ON_DAY": "((SPAN)|(für|zum|an|von)? (den|der|mein|unser)? <when:time>)",
    "EVENT": "<event>|<plans>",
    "ANY": "(irgendwelche|irgendwas|was|etwas|viel|einen|nen|n|ein|eine|ne|schon was|irgendeinen|viele)?",
    "PLANNED": "(vor|geplant|los|an|fällig|auf dem plan|auf dem programm|im kalender|drin|zu tun|zu erledigen"
    "|eingetragen"
    "|verplant|dran|anstehen|offen|auf dem zettel|aufm zettel)",
    "ALARMS": "<alarm>|<alarms>|erinnerung|erinnerungen",
    "WHICH": "((alle|aktive|aktiven|offene|offenen|anstehende|anstehenden|kommende|kommenden|nächste|nächsten|geplante"
    "|geplanten|wiederkehrende|wiederkehrenden|gestellte|gestellten|aktuelle|aktuellen|weitere|tägliche"
    "|täglichen)){0,2}",
    "OF": "an|für|wegen|mit|zu|zum|zur|ans|vom|von|fürs|namens|:",
    "NOT_IT": "(?!<pronoun>|<asking>|<filler>|folgende|(THE) (satz|text|liste|folgende))",
    "NOT_ANY": "(?!(alle|jede|jeden|beide|meine|diese|diesen|die|den|der|das) ($|ALARMS)|ALARMS|<pronoun>)",
    "OUT": "aus|ab|weg|raus",
    "INDEF": "einen|nen|n|ein|eine|ne",
    "A_NEW": "(INDEF|noch (INDEF)|bitte (INDEF))? (neuen|neue|neuer)?",
    "THE_NEW": "den|meinen|die|A_NEW",
    "NEED": "WE (brauche|brauch|bräuchte|will|möchte)",
    "MAKE": "(PLEASE (<making>|NEED) ME PLEASE A_NEW)",
    "SET": "(PLEASE (<making>|NEED) ME PLEASE (THE_NEW))",
    "AT": "(auf|für|um|in|an|am|von|zu|über|mit)?",
    "TIME_NOW": "(uhrzeit|zeit|ortszeit)",
    "NOW": "(gerade|grad|jetzt|eigentlich|denn|momentan|aktuell|jetzt gerade|bei mir|hier|da|dort|nochmal){0,3}",
    "IN_PLACE": "(in|auf|bei|im) <place:some>",
    "LATE": "(wie spät|wie viel uhr|wieviel uhr|wieviele uhr|welche (uhrzeit|zeit))",
    "IS_IT": "(ist es|ist's|isses|ists|ist|haben wir|haben wir's|haben wirs|hammas)",
    "DATE": "(datum|tag|wochentag|monat|jahr)",
    "WHAT_DATE": "(welches|welcher|welchen|was für ein|was für einen|was für nen|was fürn|was fürn'n) DATE",
    "ON_DATE": "(am|an|ist|für|der|den)? <when:time>",
    "NO_TIME": "(?!<any>|<edges>|<clock>|<unit>|<partnoun>|<partadverb>|<singleday>|<day>)",
    "CALENDAR": "(in|ins|im|auf) (THE)? (calendar=<calendar>)|(calendar=in|ins) <calendar>",
    "SUMMARY": "(eine|einen|die|den|meine|meinen|ne|nen|mein|das|ein)? (kurze|kurzen|tägliche|täglichen)? <brief>",
    "QUIET_WORDS": "(THE)? (ruhe|ruhezeit|ruhezeiten|nachtruhe) (ist|sind|auf|einstellen|setzen)?|nicht stören"
    "|bitte nicht"
    " stören|(stell|stelle|setz|setze) (THE)? (ruhezeit|ruhezeiten|nachtruhe) (auf|ein)?|keine nachrichten|(stör|störe)"
    " (mich|uns) nicht|lass (mich|uns) in ruhe|(schreib|schreibe) (mir|uns) nicht",
}
# Names of wishes and whole texts that say them.
ROWS: Mapping[str, tuple[str, ...]] = {
    "done": (
        "YES (ist|sind|bin)? YES (READY)",
        "(hab|habe|haben) (WE)? (es|das|alles)? YES (READY)|(das)? (hab|habe) ich YES (READY)?",
        "(das|es|alles|is|ist) (ist|is)? YES (READY)",
    ),
    "lists": (
        "welche listen ((HAVE) (WE)?|gibt es|gibt's|gibts|existieren|kennst du) SURELY",
        "(SHOW)? (alle|all)? (THE)? listen (an|anzeigen|zeigen)?|wie viele listen ((HAVE) (WE)|gibt es|gibts) SURELY",
        "(HAVE) (WE) SURELY (irgendwelche)? listen|wie heißen (THE) listen SURELY",
        "(gib ME PLEASE)? (einen|nen)? überblick über (alle)? (THE)? listen",
    ),
    "todo": (
        # What is on it.
        "was (steht|is|ist|sind|stand|fehlt|fehlt uns|fehlt mir|gibt es) SURELY (an sachen)? (ON) LIST SURELY (drauf"
        "|offen|übrig|drin)?",
        "was SURELY (ON) LIST (steht|ist|fehlt)|(welche|was für) (sachen|dinge|punkte|aufgaben|einträge|lebensmittel)"
        " (sind|stehen|fehlen|(HAVE) (WE)) SURELY (ON) LIST SURELY",
        "was (HAVE) (WE) SURELY (ON) LIST SURELY (stehen|gesetzt|geschrieben|drauf)?",
        "was (HAVE|hatte|hatten) (WE) SURELY (aufgeschrieben|draufgeschrieben|notiert) SURELY",
        "was (muss|müssen|soll|sollen) (WE) SURELY (ON) LIST SURELY (machen|tun|erledigen|<list:getting>)",
        "was ist SURELY offen (ON) LIST|was ist (auf|an) (THE) <list:todos> SURELY",
        "(ist|is|sind|steht|stehen|stehn) (da)? SURELY NOT_IT <y:some> SURELY (ON) LIST (drauf)? (oder nicht)?",
        "(HAVE) (WE) SURELY NOT_IT <y:some> SURELY (ON|ONTO) LIST (gesetzt|geschrieben|gepackt|getan|stehen|drauf)?",
        "(ob|obs) NOT_IT <y:some> SURELY (ON) LIST (steht|stehen|ist|sind)",
        "(ist|steht|gibt es|gibts|fehlt|hab ich|haben wir) SURELY (was|etwas|irgendwas|viel) SURELY (ON) LIST SURELY",
        "wie viele (sachen|dinge|punkte|aufgaben|einträge|artikel) (sind|stehen|(HAVE) (WE)) SURELY (ON) LIST SURELY",
        "wie (lang|lange|voll) (ist|is) LIST SURELY|wie (sieht|schaut) LIST SURELY (aus)?",
        # Show it.
        "SHOW (THE (ganze|aktuelle))? LIST (an|her|vor|auf|mal|an bitte)?|PLEASE <list:knownlist> PLEASE",
        "SHOW (alles|was) (ON|FROM|was auf) LIST (an|vor|steht|ist)?|alles (FROM|ON) LIST (anzeigen|zeigen|vorlesen)",
        "(<mine>|die) (<list:knownlist>|<list:todos>|<list:title> <plainlist>) PLEASE|(THE|alle)? <list:todos>",
        "(mach|mache) PLEASE LIST (mal|bitte)? auf|ME PLEASE LIST PLEASE <showing>|(offene|alle) (aufgaben|todos)",
        "(sag|sage|schau|guck|lies) ME PLEASE ,? was (ON) LIST (steht|ist) (vor)?",
        "(schau|guck|sieh|sag) ME PLEASE ,? (ob|obs) NOT_IT <y:some> SURELY (ON) LIST (steht|stehen|ist|sind)",
        # What is to be done or bought.
        "was (MUST|darf) (WE) SURELY (im laden|im supermarkt|vom supermarkt|aus dem supermarkt|für uns)? SURELY"
        " <list:getting>",
        "was <list:needing> (WE)? SURELY (vom|aus dem|im|beim)? (supermarkt|laden|markt|einkaufen|einkauf)? SURELY",
        "was <list:lacking> (uns|mir)? noch|was (gibt es|ist|gibts) SURELY zu <list:getting>",
        "(MUST|brauche|brauchen|brauch) (WE) SURELY (was|etwas|irgendwas) SURELY (aus dem|vom|im)? (supermarkt|laden)?"
        " <list:getting>",
        "<list:needing> (WE) SURELY (was|etwas|irgendwas) SURELY (vom|aus dem) (supermarkt|laden|markt|bäcker)",
        "was (muss|müssen) (WE) noch SURELY (machen|tun|erledigen)|was (HAVE) (WE) noch nicht erledigt",
        "was ist SURELY (noch)? (offen|unerledigt|zu tun|zu erledigen)|was (gibt es|gibts) noch zu (tun|erledigen)",
        "(welche) (aufgaben|todos) (sind|(HAVE) (WE)) SURELY (offen|übrig)?",
    ),
    "todo.add": (
        "<adding> ME PLEASE NOT_IT <x:text> PLEASE ONTO_LIST PLEASE (<tail>)?",
        "<adding> ME PLEASE ONTO_LIST PLEASE (:|,)? PLEASE <x:text>",
        "<adding> PLEASE ((<mine>|der|die|zur|den) (BY_LIST)) PLEASE (:)? <x:text> hinzu",
        "(füge|füg|ergänze|ergänz) PLEASE NOT_IT <x:plain> PLEASE (hinzu|dazu)",
        "(schreib|schreibe|schreibt|notier|notiere) PLEASE (?!<article>|<mine>|mir|uns"
        "|dir) NOT_IT <x:plain> PLEASE auf",
        "(notier|notiere|schreib|schreibe|merk dir) PLEASE NOT_IT <x:plain> für (den|die) (<list:errand>"
        "|BY_LIST) (auf)?",
        "<x:plain> PLEASE ONTO_THE PLEASE (<putting>|<tail>)?",
        "<x:plain> PLEASE ONTO_THE PLEASE für <when:time>",
        "<x:plain> PLEASE ONTO_LIST PLEASE <putting>",
        "<x:plain> (muss|müssen|soll|sollen|sollte|sollten|kommt|kommen|gehört|gehören|kann|können) PLEASE ONTO_THE"
        " PLEASE (<tail>)?",
        "<x:plain> (fehlt|fehlen) noch (ON) LIST PLEASE (<tail>)?|(es fehlen|es fehlt) noch <x:plain> (ON) LIST",
        "(WANT) PLEASE <x:plain> PLEASE (ON|ONTO) LIST (haben|<putting>)?",
        "(vergiss|vergesst) nicht ,? <x:plain> PLEASE ONTO_LIST zu <putting>",
        "PLEASE ONTO_THE (:|,|kommt noch|kommen noch|muss noch|müssen noch|bitte|noch)? PLEASE <x:plain>",
        "(<mine>)? <list:knownlist> : <x:text>|(todo|to do|aufgabe) : (?!<y:text> :) <x:text>",
        "(mach|mache|erstell|erstelle|leg|lege)? (eine|ne)? (neue|neuer|neues|neuen) (punkt|eintrag|aufgabe|todo|to do)"
        " (an)? (auf LIST)? (:|,) <x:text>",
    ),
    "todo.done": (
        "(erledigt|fertig|abgehakt) : <x:text>",
        "(hak|hake) PLEASE NOT_IT <x:some> PLEASE ((OFF) LIST)? (als erledigt)? ab",
        "(streich|streiche) PLEASE NOT_IT <x:some> PLEASE durch",
        "(markier|markiere|setz|setze|mach) PLEASE NOT_IT <x:text> PLEASE ((OFF) LIST)? (als|auf) (erledigt|fertig)",
        "NOT_IT <x:words> (abhaken|als erledigt markieren|durchstreichen|abgehakt)",
        "NOT_IT <x:words> (ON LIST)? (ist|sind|is|wäre|wären) PLEASE <doneness> (, abhaken)?",
        "(hab|habe|haben) (WE)? PLEASE NOT_IT <x:words> PLEASE <bought>",
        "(WE) (hab|habe|haben) PLEASE NOT_IT <x:words> PLEASE <bought>",
        "NOT_IT <x:words> (hab|habe|haben) (WE) PLEASE <bought>",
        "NOT_IT <x:words> PLEASE (erledigt|gekauft|besorgt|geholt|eingepackt|abgehakt)",
    ),
    "todo.remove": (
        "<removing> PLEASE NOT_IT <x:text> PLEASE (OFF) LIST PLEASE (DOWN)?",
        "<removing> PLEASE (FROM) LIST PLEASE :? NOT_IT <x:text>",
        "(nimm|nehmt|tu|hol|mach) PLEASE NOT_IT <x:plain> PLEASE (DOWN)",
        "(FROM) LIST PLEASE NOT_IT <x:plain> <dropping>",
        "<x:plain> PLEASE (OFF) LIST PLEASE (<dropping>|DOWN)|<x:plain> wieder (FROM) LIST",
        "(?!<article>|<mine>) <x:plain> (brauchen|brauch|brauche|wollen) (WE) PLEASE (nicht mehr|doch nicht"
        "|nimmer) ((ON) LIST)?",
        "(WE) (brauchen|brauch|brauche) NOT_IT <x:plain> (nicht mehr|doch nicht) ((ON) LIST)?",
        "<x:plain> (kann|können|muss|müssen|soll|sollen) PLEASE (FROM) LIST (DOWN|<dropping>|gestrichen werden)?",
        "(vergiss|vergesst) NOT_IT <x:plain> (ON) LIST",
    ),
    # It asks first.
    "todo.clear": (
        "(leer|leere|lösch|lösche|entleer|entleere) PLEASE ((THE) (ganze|gesamte|komplette)? (BY_LIST)|<list:listword>)"
        " PLEASE (komplett|ganz|aus)?",
        "PLEASE ((THE) (ganze|gesamte|komplette)? (BY_LIST)|<list:listword>) PLEASE (komplett|ganz)? PLEASE (leeren"
        "|löschen|zurücksetzen|leer machen)",
        "(mach|mache|räum|räume) PLEASE LIST PLEASE (leer|komplett leer)|(setz|setze) LIST (komplett)? zurück",
        "<removing> PLEASE (alles|alle sachen|alle punkte|alle einträge|alle aufgaben) (OFF) LIST (DOWN)?",
        "(alles|alle sachen|alle punkte|alle einträge|alle aufgaben) (OFF) LIST (<dropping>|DOWN)",
        "(fang|fange) LIST (neu|von vorne|von vorn) an|LIST kann (komplett|ganz) weg",
    ),
    "date": (
        "WHAT_DATE (ist|haben wir|is) NOW (heute|heut|jetzt)? NOW|(was|welchen tag) haben wir (heute|heut) (für DATE)?",
        "(der|den) wievielte (ist|haben wir|is)? NOW (heute|heut)|den wievielten haben wir (heute|heut)? NOW",
        "was (haben wir|ist) (heute|heut) für (ein|einen|nen) DATE|(aktuelles|heutiges|das)? datum (von heute|heute)?",
        "WHAT_DATE (ist|haben wir|is) ON_DATE|(der|den) (wievielte|wievielten) (ist|haben wir) ON_DATE",
        "(auf)? WHAT_DATE (ist|fällt) ON_DATE (dieses jahr)?|an WHAT_DATE ist ON_DATE",
        "ist (heute|heut) <y:singleday>|(heute|heut) ist (doch)? <y:singleday> (oder)?|welches datum NOW",
    ),
    "time": (
        "LATE IS_IT NOW (IN_PLACE)? NOW|(wie spät) (es|es ist)? NOW",
        "(sag|sage|nenn|gib|zeig) ME PLEASE (die)? (aktuelle|genaue)? TIME_NOW (IN_PLACE)?",
        "(die|kurz die)? (aktuelle|genaue)? (uhrzeit|ortszeit) NOW (IN_PLACE)? NOW|(uhrzeit) <place:some>",
        "hast du PLEASE (die|ne) uhrzeit|(was|wie) ist (die)? (uhrzeit|ortszeit) NOW (IN_PLACE)? NOW",
    ),
    "today": (
        "heute|heut|<mine> tag|(<mine>)? (agenda|tagesplan|termine)|<mine> kalender|(heutige|meine heutigen) termine",
        "was (steht|liegt|ist|is|geht|fällt|gibt es|gibts|wird) SURELY ON_DAY SURELY PLANNED?",
        "was (steht|liegt|ist|is|kommt|gibt es|gibts) SURELY PLANNED? ON_DAY SURELY PLANNED?",
        "was (steht|ist) SURELY (an|in|auf) (THE) (plan|programm|agenda|kalender) (ON_DAY)?|was steht an",
        "was (HAVE|muss|müssen|mach|mache|machen|wollte) (WE) SURELY ON_DAY SURELY ((für)? (EVENT))? PLANNED? (machen"
        "|tun|erledigen)?",
        "was (HAVE) (WE) SURELY PLANNED ON_DAY|(was)? noch ON_DAY",
        "was ON_DAY SURELY (ansteht|anliegt|los ist|geplant ist|an ist)|(sag|zeig) ME PLEASE ,? was ON_DAY SURELY"
        " (ansteht|anliegt|los ist|geplant ist)",
        "(HAVE) (WE) SURELY ON_DAY SURELY (ANY SURELY (EVENT)? PLANNED?)?(schon)? PLANNED?",
        "(HAVE) (WE) SURELY ON_DAY SURELY (zeit|frei|keine termine)|(HAVE) (WE) SURELY ANY (EVENT) SURELY ON_DAY",
        "(HAVE) (WE) SURELY ANY SURELY PLANNED? ON_DAY PLANNED?",
        "(bin|sind) (WE) SURELY ON_DAY SURELY (frei|verplant|beschäftigt|verfügbar|ausgebucht|busy|verabredet)",
        "(steht|ist|liegt|gibt es|gibts|geht) SURELY ON_DAY SURELY (ANY SURELY (EVENT)?) SURELY PLANNED?",
        "(steht|ist|liegt|gibt es|gibts) SURELY ANY SURELY (EVENT)? ON_DAY SURELY PLANNED?",
        "(welche|irgendwelche|was für) (EVENT) ((HAVE) (WE)|gibt es|gibts|stehen|sind|liegen)? SURELY ON_DAY? SURELY"
        " PLANNED?",
        "wie (sieht|schaut|sieht's|siehts|schauts|ist) (<mine> (tag|plan|kalender"
        "|woche))? SURELY ON_DAY SURELY (bei mir"
        "|bei uns)? (aus)?",
        "wie (sieht|schaut) <mine> (tag|plan|kalender|(thisweek=woche)) SURELY aus|wie voll ist (<mine> tag|ON_DAY)",
        "(SHOW)? (THE)? (EVENT|plan|agenda|kalender|tagesplan|überblick|übersicht|programm) ON_DAY",
        "ON_DAY (was|etwas|irgendwas) (vor|los|geplant)|(SHOW)? (THE) (heutigen|heutige) (termine|plan|aufgaben)",
        "SHOW ON_DAY (an)?|was ist (THE) plan ON_DAY|SHOW (THE) (kalender|agenda|tag|tagesplan|termine) (an)?",
        "wann ist ON_DAY <mine> (erster|nächster|letzter) termin|wann ist <mine> (erster|nächster"
        "|letzter) termin ON_DAY?",
        "geh (mal)? ON_DAY (mal)? mit mir durch|was ist (schon)? überfällig",
    ),
    "tasks": (
        "PLEASE SHOW (alle)? (THE)? WHICH <alarms> (an|auf)? PLEASE|(alle|<mine>|alle <mine>) WHICH <alarms> PLEASE",
        "(alle)? (THE)? WHICH <alarms> (anzeigen|zeigen|auflisten) PLEASE|WHICH (erinnerungen|alarme) PLEASE",
        "(welche|was für|irgendwelche|wie viele) WHICH (ALARMS) ((HAVE) (WE)|sind|gibt es|gibts|laufen|stehen|kommen)?"
        " SURELY (gestellt|aktiv|an|offen|eingestellt|gesetzt|geplant)? ((für|am|an)? <when:time>)? (an|gestellt)?",
        "(HAVE|gibt es|gibts|läuft|laufen|ist|sind|steht) (WE)? SURELY (für <when:time>)? SURELY ANY WHICH"
        " (ALARMS) SURELY (für <when:time>)? SURELY (gestellt|aktiv|an|offen|eingestellt|gesetzt|geplant|drin)?",
        "woran (erinnerst|wirst|willst|wolltest|sollst|solltest) du (mich|uns) SURELY (noch)? (erinnern)? SURELY",
        "an was (erinnerst|wolltest|willst|sollst) du (mich|uns) SURELY (erinnern)?",
        "was (ist|sind) (THE) WHICH (ALARMS)|wann (ist|klingelt|kommt|geht) (THE) WHICH (ALARMS) SURELY (los|dran)?",
        "was hast du (für mich|für uns)? an erinnerungen (gespeichert|da|drin)",
        # Of one of them all are shown.
        "(HAVE|gibt es|gibts) (WE)? SURELY ANY (ALARMS) (OF) NOT_IT <y:some> (gestellt|gesetzt|drin|eingestellt)?",
        "wann erinnerst du (mich|uns) SURELY (an|ans|daran) <y:some>",
        "(ist|läuft|geht) (THE) (ALARMS) (um|für|auf|am)? (<when:time>)? SURELY (an|aktiv|gestellt)?",
        "wie lang (läuft|geht|dauert) (THE) <alarm> SURELY|wie lange (läuft|geht|dauert) (THE) <alarm> SURELY",
        "SHOW (THE) (ALARMS) (OF) NOT_IT <y:some>|(bearbeite|verwalte|ändere) (alle|meine) (ALARMS)",
        "(THE|alle) (ALARMS) (verwalten|bearbeiten|ändern)",
    ),
    "contacts": (
        "(wen|welche leute) kennst du SURELY|wer (ist|steht) (in|unter|auf) (<mine>|deinen) (kontakten|adressbuch)",
        "(SHOW)? (alle)? (THE)? kontakte (an|anzeigen|zeigen)?|welche kontakte (HAVE) (WE)",
    ),
    "brief.off": (
        "(stopp|beende|lösch|lösche) (THE) <brief>|kein <brief> mehr|keine <brief> mehr|keinen <brief> mehr",
        "<brief> (aus|abstellen|ausschalten|beenden)|(schalt|schalte|stell|stelle) (THE) <brief> (aus|ab)",
    ),
    "brief": (
        "(schick|schicke|gib|sende|mach) (mir|uns) PLEASE <when:time> (SUMMARY)",
        "(schick|schicke|gib|sende|mach) (mir|uns) PLEASE (SUMMARY) <when:time>|(SUMMARY) <when:time>",
        "(?=um|<each>|täglich|morgens) <when:time> (SUMMARY)",
    ),
    "quiet": (
        "keine (ruhezeit|ruhezeiten|nachtruhe) (mehr)?|(ruhezeit|ruhezeiten|nachtruhe) (aus|ausschalten|aufheben"
        "|löschen)"
        "|(schalt|schalte) (THE) (ruhezeit|ruhezeiten|nachtruhe) aus",
        "(QUIET_WORDS) :? (von|zwischen)? <begin:time> <clock>? (bis|und|-|_-) <until:time> <clock>?",
    ),
    "undo": (
        "(ups ,?)? (PLEASE rückgängig (machen)?|(mach|mache) (das|es|die letzte änderung|letztes) PLEASE rückgängig)",
        "nimm das (wieder)? zurück|(das|es) (bitte)? rückgängig machen",
    ),
    "cancel.due": (
        "(<ending> PLEASE (THE|alle|alle meine)? (ALARMS) (für|von)? <when:time>|<switching> PLEASE (THE|alle"
        "|alle meine)? (ALARMS) (für|von)? <when:time> OUT)",
        "(THE|alle)? (ALARMS) (für|von)? <when:time> (aus|ausschalten|löschen|streichen|abbrechen|abstellen"
        "|absagen|weg|ausmachen)",
        "(<ending>|<switching>) PLEASE (für|von) <when:time> (alle|alles|THE|alle meine) (ALARMS) OUT",
        "(weck|wecke) (mich|uns) <when:time> (doch nicht|nicht|nicht mehr)|kein <alarm> mehr (für)? <when:time>",
    ),
    "cancel": (
        "<ending> PLEASE (THE)? (ALARMS) (OF|um|am)? NOT_ANY <x:few>|<ending> PLEASE (THE)? NOT_ANY <x:words> (ALARMS)",
        "<switching> PLEASE (THE)? (ALARMS) (OF|um|am)? NOT_ANY <x:few> OUT",
        "<switching> PLEASE (THE)? NOT_ANY <x:words> (ALARMS) OUT",
        "(THE)? (ALARMS) (OF|dass) NOT_ANY <x:words> (aus|ausschalten|löschen|streichen|abbrechen|abstellen|entfernen)",
        "(?!<making>) <x:words> (ALARMS) (ausschalten|löschen|streichen|abbrechen|abstellen|entfernen|stoppen)",
        "(kein|keine|keinen) (ALARMS) (an|für|wegen) NOT_ANY <x:words> mehr|(kein|keine) <x:words> (ALARMS) mehr",
        "(erinner|erinnere) (mich|uns) (nicht mehr|nie mehr|nie wieder) (an|ans|daran ,?) NOT_ANY <x:few>",
        "(erinner|erinnere) (mich|uns) (an|ans) NOT_ANY <x:words> nicht mehr",
        "du (musst|brauchst) (mich|uns) nicht (mehr|länger) (an|ans) NOT_ANY <x:words> (zu)? erinnern",
        "(hör|höre) auf ,? (mich|uns) (an|ans|daran) NOT_ANY <x:words> zu erinnern",
    ),
    "move": (
        "<moving> PLEASE (THE)? (ALARMS) (für|von)? <when:time> (auf|um auf|zu) <to:time> (um|vor)?",
        "<moving> PLEASE ((THE)? (ALARMS) (OF))? NOT_ANY (?!INDEF|ALARMS|<filler>) <x:words> (ALARMS)? (auf) <to:time>"
        " (um|vor)?",
        "(THE)? (ALARMS) (für|von)? <when:time> auf <to:time> (verschieben|verlegen|umstellen|stellen|legen)",
        "(?!ALARMS|INDEF) <x:words> auf <to:time> (verschieben|verlegen|umstellen|vorziehen|schieben)",
    ),
    "mute": (
        "(schalt|schalte|stell|stelle) (?!<nobody>) <x:some> (stumm|auf stumm)|(?!<nobody>) <x:words> stummschalten",
    ),
    "unmute": (
        "(schalt|schalte|stell|stelle|heb|hebe) (?!<nobody>) <x:some> (wieder laut|laut|nicht mehr stumm)",
        "stummschaltung (von|für) (?!<nobody>) <x:some> (aufheben|aus|beenden)",
    ),
    "timezone": (
        "(was|wie|welche)? (ist|lautet)? (<mine>) zeitzone|welche zeitzone (HAVE) (WE)|(SHOW) (<mine>|die) zeitzone",
        "(änder|ändere|stell|stelle|setz|setze|wechsel|wechsle) (THE) zeitzone",
        "(stell|stelle|setz|setze|änder|ändere|wechsel|wechsle) PLEASE (THE)? zeitzone PLEASE (auf|zu|nach"
        "|in)? <x:some>",
        "(THE)? zeitzone (?!in|von|für) (auf|:|ist|ist jetzt|zu|=|nach)? <x:some>|<mine> (wohnort"
        "|standort) ist (jetzt)?"
        " <x:some>",
        "(ich|wir) (wohne|wohnen|lebe|leben|leb|wohn) (jetzt|übrigens|nun)? (in|im) (?!THE) <x:some>",
        "(ich|wir) (bin|sind) (jetzt|gerade|nun)? nach <x:some> (gezogen|umgezogen)",
    ),
    "remind": (
        # What stands behind its verb, before it, and around it.
        "(<reminding>|(you=erinnerst) du) (who=WHOM) ,? MILD <rest:text>",
        "<wakes:wake> (who=mich|uns) ,? MILD <when:time>|MILD (who=mich|uns)? <when:time> MILD <wakes:waken>",
        "(who=mich|mi|uns|<link>) MILD <rest:many>? ,? erinnern (könntest|würdest|kannst|bitte|danke|ok|okay)?"
        " (,|:)? <more:text>?",
        "MILD (rest=<y:time> MILD (an|ans) <z:few>) (you=erinnern) (bitte|danke|ok|okay)?",
        "<line:text> (,|;|:|.|-)? MILD (<reminding> (who=WHOM)"
        "|(you=erinnerst) du (who=mich|uns)"
        "|(you=<can>) du? (who=mich|uns) MILD (da|daran|dran)? erinnern)"
        " MILD (daran|dran)? MILD",
        "<line:text> ((,|;|:|[(]|-) bitte?|bitte) (bitte|um|eine|ne|als){0,3} <noting> (bitte|pls|danke|setzen|stellen"
        "|einstellen){0,3} (.|[)])?",
        "(line=<y:text> (?!<any>) <z:word>) . (bitte|um|eine|ne|als){0,3} <noting> (bitte|pls|danke){0,3}",
        "<when:time> bitte? <noting> (bitte|pls)? : <line:text>",
        "(calendar=kalender|neuer? termin (anlegen|eintragen|notieren)?) : <line:text>",
        "<when:time> <modal> (who=ich|wir) (gern|gerne)? (rest=(an|ans) <y:few>) erinnert werden",
        # No time is said.
        "(mich|mi) MILD ((daran|dran)? erinnern ,? (dass (ich|wir))? <x:text>|an <x:many> erinnern)",
        "<reminding> (mich|mi) MILD ((daran|dran) (,|:)? (dass (ich|wir))?|an) <x:text>",
        "PLEASE <making> ME PLEASE A_NEW <noun:alarm> PLEASE|(einen|nen) <noun:alarm>",
        "(SET|A_NEW) <noun:alarm> AT <when:time> (ein|an|bitte)?",
        "(MAKE) (für|auf|um)? <when:time> (einen|nen|n|ein)? <noun:alarm>|<when:time> <noun:alarm>",
        "<noun:alarm> : <when:time>",
        "(MAKE)? A_NEW <noun:alarm> AT <when:time> (für|zum|namens|mit|:|wegen) <x:text>",
        "(MAKE)? <when:time> <noun:alarm> (für|zum|namens|mit|wegen) <x:text>",
        "(MAKE)? A_NEW <noun:alarm> (?!<any> (?!<timed>)) <when:time> (?!<timed>|<edges>|<filler>|aus|weg|für)"
        " <x:words>",
        "(MAKE)? A_NEW (neue)? erinnerung (für|am|an|um|auf)? <when:time> (:|,|-|an|ans|dass ich|für)? (?!<timed>"
        "|<edges>)"
        " <x:plain>",
        "PLEASE (<making>|WE (brauche|brauch|bräuchte)) ME PLEASE A_NEW erinnerung (:|an|ans|für|daran ,|dass ich|,"
        "|wegen)? <x:text>",
        "((eine|ne)? neue)? erinnerung : <x:text>|((eine|ne)? neue) erinnerung (an|ans|für) <x:text>",
        "(?!<edges>) <x:plain> <when:time> (als)? erinnerung (bitte)?",
        "(ich|wir) (will|wollen|möchte|möchten|muss|würde gern|würde gerne) <when:time> (daran|dran|an"
        "|ans) (,)? (dass ich)?"
        " <x:plain> erinnert werden",
        "(ich|wir) (will|wollen|möchte|möchten|muss|würde gern|würde gerne) (daran|dran) erinnert werden ,? (dass ich"
        "|dass wir)? <x:text>",
        "(ich|wir) (will|wollen|möchte|möchten|muss|würde gern|würde gerne) <when:time> (daran|dran) erinnert werden ,?"
        " (dass ich|dass)? <x:text>",
        "(ich|wir) (will|möchte|muss|wollen|möchten) (an|ans) <x:plain> erinnert werden",
        "lass (mich|uns) <when:time> NO_TIME <x:plain> nicht vergessen|lass (mich|uns) nicht vergessen ,? (dass ich"
        "|dass)? <x:text>",
        "lass (mich|uns) <x:plain> nicht vergessen",
        "(vergiss|denk) (nicht|dran|daran) ,? (mich|uns) <when:time> (an|ans|daran ,) <x:plain> zu erinnern",
        "<adding> PLEASE <x:plain> (für|am|um|auf)? <when:time> PLEASE (CALENDAR) (ein|hinzu)?",
        "<adding> PLEASE <when:time> NO_TIME <x:plain> PLEASE (CALENDAR) (ein|hinzu)?",
        "<adding> PLEASE (CALENDAR) (ein)? (:)? <x:plain> (?!ein $) <when:time> (ein)?",
        "<adding> PLEASE <x:plain> (CALENDAR) (für|am|um|auf)? (?!ein $) <when:time> (ein|hinzu)?",
        "<x:plain> (für|am|um)? <when:time> PLEASE (CALENDAR) (eintragen|setzen|schreiben)?",
        "<adding> PLEASE <x:plain> PLEASE (CALENDAR) (ein|hinzu)?",
    ),
}
