"""German: what people say of what is scheduled, and to have a brief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "WHICH": "((alle|aktive|aktiven|offene|offenen|anstehende|anstehenden|kommende|kommenden|nächste|nächsten|geplante"
    "|geplanten|wiederkehrende|wiederkehrenden|aktuelle|aktuellen|tägliche|täglichen|gespeicherte|gespeicherten)){0,2}",
    # What shall move: by when it is due, by its name, or what was just said.
    "THING": "es|das|ihn|sie|(THE)? (ONE)|(THE)? DUE|((THE)? (ALARMS) (OF))? CALLED",
    "DUE": "(ALARMS) (für|von)? <when:time>", "CALLED": "NOT_ANY (?!<day> <article>|INDEF|<number>? (ALARMS)|<filler>)"
    " <x:words>",
    "EVERY": "alle (THE)?|meine|all meine", "ONE": "erinnerung|(x=<alarm>)",
    "REASON": "(, (hab|habe|hat|bin|ist|sind)|(hab|habe|bin) (?!ich|ihn|es|das)|haben wir|sind wir) (?!<y:few>? (nicht"
              "|nichts|versucht|gesagt|vergessen|gehört|verschlafen|verpennt)) <y:few>",
    "LITERAL": "(mach|mache|stell|stelle|änder|ändere) PLEASE (?!es|das (?!<unknown>)|ihn|sie|(<y:few>)? (ALARMS"
    "|reminder)|(THE)? (<event>|<appointment>|DUE|uhrzeit|zeit))",
    "NOT_SET": "(?!LITERAL|<setting> ((<y:few>)? für|PLEASE (THE)? <alarm> (<day>|am|<singleday>)))",
    "FROM": "von (<y:hour>|<when:time>)",
    # To what surely is a time: that of an alarm or a reminder may be an hour alone.
    "NEW_TIME": "PLEASE (FROM)? (auf|um auf|zu) (<hour:hour>|<to:time>) (um|vor)?",
    "SWITCH_OFF": "aus|stop|stopp|ausschalten|abbrechen|abstellen|stoppen|beenden|ausmachen|<dropping>",
    "STILL": "(,? die (WE)? (noch|alle|gerade|jetzt|schon){0,2} (HAVE|kommen|anstehen|laufen|(offen|aktiv|gestellt"
    "|gespeichert|geplant) sind))?",
    # Without it all that is due on a day would go with an alarm.
    "AN_HOUR": "(?=<y:time>? (um|<clock>))",
    "SUMMARY": "(eine|einen|die|den|meine|meinen|ne|nen|mein|das|ein)? (kurze|kurzen|tägliche|täglichen)? <brief>",
}  # fmt: skip
ROWS: Mapping[str, Sequence[str]] = {
    "tasks": (
        "(list|liste|listest du|zähl|zähle|zählst du) ME PLEASE (alle|sämtliche)? (THE)? WHICH <alarms> auf PLEASE"
        " STILL|PLEASE SHOW (alle|sämtliche)? (THE)? WHICH <alarms> (an|auf|vor)? PLEASE STILL|(alle|<mine>|alle"
        " <mine>) WHICH <alarms> PLEASE|ME PLEASE (alle)? (THE)? WHICH <alarms> PLEASE <showing> PLEASE|WHICH"
        " (erinnerungen|alarme) PLEASE|(THE)? (nächste|nächster) (ALARMS)",
        "(welche|welcher|welchen|was für|irgendwelche|wie viele|wieviele) WHICH (ALARMS) ((HAVE) (WE)|sind|gibt es"
        "|gibts|laufen|stehen|kommen|kommt|klingelt)? SURELY (als nächstes|als nächste|als erstes|gestellt|aktiv|an"
        "|offen|eingestellt|gesetzt|geplant|drin|laufen)? ((für|am|an)? <when:time>)? (an|gestellt)?",
        "(HAVE|gibt es|gibts|läuft|laufen|ist|sind|steht) (WE)? SURELY (bei (mir|uns))? SURELY (für <when:time>)?"
        " SURELY ANY WHICH (ALARMS) SURELY (für <when:time>)? SURELY (gestellt|aktiv|an|offen|eingestellt|gesetzt"
        "|geplant|drin|laufen)?|woran (erinnerst|wirst|willst|wolltest|sollst|solltest) du (mich|uns) SURELY (noch)?"
        " (erinnern)? SURELY|an was (erinnerst|wolltest|willst|sollst) du (mich|uns) SURELY (erinnern)?",
        "was (ist|sind) (?!INDEF) (THE) WHICH (ALARMS)|wann (ist|war (?=nochmal|noch mal|denn)|klingelt|kommt|geht|HAVE"
        " WE) SURELY (THE) WHICH (ALARMS) ((an|ans|für|wegen|zum|zur) NOT_IT <y:some>)? SURELY (los|dran|gestellt"
        "|gesetzt|eingestellt)?|was hast du (für mich|für uns)? an erinnerungen (gespeichert|da|drin)"
        "|was (HAVE) (WE) SURELY (für|an) WHICH (ALARMS) SURELY (gestellt|drin|laufen)?",
        # Of one of them all are shown.
        "(HAVE|gibt es|gibts) (WE)? SURELY ANY (ALARMS) (OF) NOT_IT <y:some> (gestellt|gesetzt|drin|eingestellt)?",
        "(wann|um (wie viel|wieviel) uhr) erinnerst du (mich|uns) SURELY (an|ans|daran) <y:some>",
        "(ist|is|läuft|geht) (THE) (ALARMS) SURELY (für|auf)? (um <y:hour>|<when:time>)? SURELY (an|aktiv|gestellt)?",
        "(auf|für)? (wann|um? (wie viel|wieviel) uhr) (ist|steht|klingelt|geht) ((THE) <alarm> SURELY <when:time>?"
        "|<when:time> SURELY (THE) <alarm>) SURELY (los|gestellt|eingestellt)?|((gib|zeig|zeige) ME PLEASE (INDEF))?"
        " (übersicht|überblick|liste) (über|von|mit|aller|meiner) (alle|allen)? (THE)? WHICH <alarms> PLEASE|(ist|is)"
        " (ein|der|mein) <alarm> SURELY (gestellt|gesetzt|an) (für|um)? <when:time>|hast du (mir)? (meine|die|den"
        "|meinen) (ALARMS) (an|ans|für|wegen|zum|um)? <y:some>? SURELY (drin|gespeichert|notiert|eingestellt|gesetzt)"
        "|hast du NOT_IT <y:some> als (erinnerung|reminder) SURELY (drin|gespeichert|notiert|eingetragen)|wofür (HAVE)"
        " (WE) (mir|uns)? SURELY <alarms> (gestellt|gesetzt)|(THE|alle) (ALARMS) (verwalten|bearbeiten|ändern)|wie"
        " (lang|lange) (läuft|geht|dauert) (THE) <alarm> SURELY",
        "SHOW (THE) (ALARMS) (OF) NOT_IT (?!<y:few> ab ($|,)) <y:some>|(bearbeite|verwalte|ändere) (alle|meine)"
        " (ALARMS)",
    ),
    # Only where something is scheduled that is called so.
    "when": (
        "(wann|um (wie viel|wieviel) uhr|an welchem tag) (ist|war|sind|waren|hab|habe|haben|hatte|hatten) (WE)? SURELY"
        " (denn|noch mal|nochmal|wieder)? <mine> <x:words>|(wann|um (wie viel|wieviel) uhr|an welchem tag) (ist SURELY"
        " (der|die|das)|(hab|habe|haben) WE SURELY (den|die)) NOT_IT (?!nächste|nächsten|erste|ersten|letzte|ALARMS)"
        " <x:word>|(wann|um (wie viel|wieviel) uhr|an welchem tag) (muss|müssen|soll|sollen|sollte|sollten|wollte"
        "|wollten) (WE) SURELY (denn|noch mal|nochmal|wieder)? <x:words>",
    ),
    "brief.off": (
        "(stopp|beende|lösch|lösche) (THE) <brief>|(kein|keine|keinen) <brief> mehr",
        "<brief> (aus|abstellen|ausschalten|beenden)|(schalt|schalte|stell|stelle) (THE) <brief> (aus|ab)",
    ),
    "brief": (
        "(schick|schicke|gib|sende|mach) (mir|uns) PLEASE (<when:time> (SUMMARY)|(SUMMARY) <when:time>)",
        "(SUMMARY) <when:time>|(?=um|<each>|täglich|morgens) <when:time> (SUMMARY)",
    ),
    "cancel.due": (
        "(<ending> PLEASE (THE) <event> (für|von)? AN_HOUR <when:time> PLEASE|<ending> PLEASE (THE|alle|alle meine)?"
        " DUE PLEASE|<switching> PLEASE (THE|alle|alle meine)? DUE PLEASE OUT)",
        "(THE|alle)? (ALARMS) PLEASE aus (für|am) <when:time> (REASON)?|(THE|alle)? DUE (CAN_YOU)? PLEASE (SWITCH_OFF"
        "|absagen|weg|wieder aus|rausnehmen|kann (bitte|wieder)? weg|doch (nicht|ned|net|nimmer)) (REASON)?",
        "(THE) (ALARMS) (für|von|um|am)? <when:time> ((hat|haben) sich erledigt|<needing> (WE) nicht mehr) (, (nimm"
        "|lösch|lösche|streich) (sie|ihn) PLEASE (raus|weg)?)?",
        "(WE)? <needing> (THE) DUE PLEASE (nicht mehr|doch nicht) PLEASE (, (mach|stell|schalt|lösch|nimm) (ihn|sie)"
        " PLEASE (aus|ab|raus|wieder aus)?)?|(sag|sage) PLEASE alles (für|von)? <when:time> PLEASE ab|<ending> PLEASE"
        " alles (für|von)? <when:time> PLEASE|alles für <when:time> PLEASE (löschen|streichen|absagen)",
        "(<ending>|<switching>) PLEASE (für|von) <when:time> (alle|alles|THE|alle meine) (ALARMS) OUT",
        "(weck|wecke) (mich|uns) AN_HOUR <when:time> (doch nicht|nicht|nicht mehr)|(kein|keine|keinen) (<alarm>"
        "|erinnerung) mehr? für? AN_HOUR <when:time> PLEASE|((WE)? <needing>)? (?!<needing>) AN_HOUR <when:time> PLEASE"
        " (kein|keine|keinen) erinnerung mehr? PLEASE",
    ),
    "cancel.all": (
        "erinnerungen (löschen|streichen)|<ending> PLEASE (EVERY) (ALARMS) PLEASE|<switching> PLEASE (EVERY) (ALARMS)"
        " PLEASE (OUT)|(EVERY) (ALARMS) PLEASE (SWITCH_OFF) PLEASE|(alle (THE)?|all meine) (ALARMS) bitte (weg|raus)",
    ),
    "cancel.which": (
        "<ending> PLEASE (THE)? (letzte|letzten)? (ONE) PLEASE|<switching> PLEASE (THE)? (ONE) PLEASE (OUT)",
        "(ich|wir)? (hab|habe|bin|sind|haben) (?!<y:few>? (nicht|kein|keine|keinen|verschlafen|verpennt)) <y:few> (,|."
        "|!) (THE)? (x=<alarm>) PLEASE (aus|ausschalten|ausmachen|abstellen) PLEASE",
        "(THE)? (ONE) (CAN_YOU)? PLEASE (SWITCH_OFF) PLEASE (REASON)?|(THE) (ONE) (<needing> (WE) nicht mehr|kann"
        " PLEASE weg)|(WE)? <needing> (THE) (ONE) nicht mehr",
    ),
    "move": (
        # "Stell den Wecker für morgen auf 7" sets one.
        "NOT_SET <moving> PLEASE (THE)? DUE NEW_TIME",
        "<moving> PLEASE (THE)? erinnerung (OF) NOT_ANY <x:words> PLEASE auf <hour:hour> (um|vor)?",
        "<shifting> PLEASE (es|das|ihn|sie|die? (uhrzeit|zeit)) PLEASE auf <to:time> (um|vor)?|(mach|mache) PLEASE"
        " (daraus|draus) PLEASE <to:time>|<shifting> PLEASE (THE)? (ONE) NEW_TIME",
        "<moving> PLEASE (THE)? (ONE) (?=von) NEW_TIME|(THE)? (ONE) (NEW_TIME (verschieben|verlegen|umstellen|ändern)"
        "|(?=von) NEW_TIME stellen?)|(stell|stelle) PLEASE (THE)? (ONE) PLEASE auf (<hour:hour>|<to:time>) um",
        "NOT_SET <moving> PLEASE (?!INDEF) (THE)? NOT_ANY (?!<number>|<filler>) <x:words> (ALARMS) auf <to:time> (um"
        "|vor)?",
        "NOT_SET <moving> PLEASE ((THE)? ((ALARMS) (OF)|erinnerung (?!<timed>|<edges>)|(uhrzeit|zeit) (von|vom|für)"
        " (THE)?))? CALLED (ALARMS)? (FROM)? (auf) <to:time> (um|vor)?",
        "(THE)? DUE NEW_TIME (verschieben|verlegen|umstellen|legen|ändern)|(THE)? erinnerung (für|von)? <when:time>"
        " NEW_TIME stellen|(es|das|ihn|sie) NEW_TIME (verschieben|verlegen|umstellen|schieben)|NOT_ANY (?!ALARMS"
        "|INDEF) <x:words> PLEASE (FROM)? auf <to:time> PLEASE (verschieben|verlegen|umstellen|vorziehen|schieben"
        "|legen)|(THE)? (x=<appointment>) PLEASE auf <to:time> PLEASE ändern",
        "(?!INDEF) (THE)? (ALARMS) (OF) NOT_ANY <x:words> auf <to:time> (verschieben|verlegen|schieben|legen|ändern"
        "|stellen"
        "|umstellen)|(erinner|erinnere) (mich|uns) (?=in) <to:time> (nochmal|noch mal|noch einmal) ((daran|dran)"
        " (REASON)?|REASON)",
        "((nein|nee|sorry) ,?)? (doch|erst)? (lieber|besser) (doch|erst)? auf? <to:time>|(nein|nee|sorry|quatsch"
        "|ach)? ,? ich meinte <to:time>|(THE)? DUE (?=<number>|<length>) <by:time> (später|(earlier=früher)) PLEASE",
        "(an|ans) NOT_ANY <x:words> (<reminding>) (mich|uns) (lieber|besser|erst){1,2} <to:time>|(THE)? CALLED _-?"
        " (erinnerung|reminder) soll (ab|jetzt|künftig|doch|lieber|erst|immer){0,3} <to:time> (kommen|sein|klingeln)",
        "(<reminding>|nerv|nerve|ping|stups) (mich|uns) (damit|daran|dran|da)? ,? doch? (lieber|besser|erst){1,2}"
        " <to:time> (nochmal|wieder|dran|daran|damit|an){0,3}|(THE)? (?!<timing> <y:some> <hour> $) (x=<alarm>) PLEASE"
        " ((lieber|besser) (erst|schon|doch)?|doch (erst|schon|lieber|besser)) (auf|um)? (<hour:hour>|<to:time>)",
        "(?=in|um) <to:time> (nochmal|noch mal|noch einmal) (daran|dran)? erinnern PLEASE|(THE)? NOT_ANY (?!ALARMS"
        "|INDEF) <x:words> ((wurde|ist|wird) (jetzt|doch)? auf <to:time> (verlegt|verschoben|vorverlegt|geändert)|ist"
        " (jetzt|nun|doch|erst){1,2} <to:time>) (,|.|;|-|!){1,2} PLEASE (ändern|anpassen|aktualisieren|umtragen|(THE)?"
        " erinnerung PLEASE (ändern|anpassen|verschieben)|(änder|ändere|aktualisier|aktualisiere|verschieb|verschiebe)"
        " PLEASE (es|das|ihn|sie|(THE) (erinnerung|<event>))|pass (es|das|ihn|sie|(THE) (erinnerung|<event>))? an)"
        " PLEASE|<by:time> (schlummern|snoozen)|lass (mich|uns) PLEASE <by:time> PLEASE schlafen|(schlummer|schlummern"
        "|snooze) (noch|,)? <by:time>",
        "(THE)? (ONE) PLEASE <by:time> (später|nach hinten|(earlier=früher|vorziehen|vorverlegen))|(THE)? (ONE) PLEASE"
        " um <by:time> verlängern|(verlänger|verlängere) PLEASE (THE)? (ONE) PLEASE um <by:time>|<moving> PLEASE (THE)?"
        " CALLED _-? (ALARMS|reminder) PLEASE <by:time> (nach hinten|später|(earlier=vor|nach vorne|früher))",
        "<moving> PLEASE (THE)? DUE PLEASE um? (?=<number>|<length>) <by:time> (später|nach hinten|(earlier=vor|früher"
        "|nach vorne))|(NOT_ANY (?!ALARMS|INDEF) <x:words> (:|_-)? (ALARMS)|(THE)? ((ALARMS) (OF)|erinnerung"
        " (?!<timed>|<edges>|<mild>)) NOT_ANY <x:words>) PLEASE ((lieber|besser|doch) MILD (auf|(?=um))|(lieber|besser"
        "|doch)? erst (auf)?) <to:time>",
        "NOT_SET (<moving> PLEASE (THING) PLEASE (um? <by:time> (nach hinten|später|(earlier=vor|nach vorne|früher))|um"
        " <by:time>)|(mach|mache) PLEASE (THING) PLEASE <by:time> (später|länger|(earlier=früher)))",
        "(THE)? (ALARMS) (OF) NOT_ANY <x:words> heute? <by:time> (später|nach hinten|(earlier=früher))|(?!<moving>)"
        " (THE)? CALLED _-? (ALARMS|reminder) PLEASE um? <by:time> (nach hinten|nach hinten (schieben|verschieben)"
        "|später|(earlier=vorziehen|vorverlegen|früher))|(THING) PLEASE (um <by:time>|<by:time> (?=nach)) (nach hinten"
        "|(earlier=nach vorne|nach vorn))? (verschieben|schieben|(earlier=vorziehen))",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
