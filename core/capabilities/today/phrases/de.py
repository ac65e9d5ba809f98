"""German: what people say to ask what is on at a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "SPAN": "(in|an|für|<mine>)? <week:weekof>|(in)? (der|dieser|die|meine|unsere) (thisweek=woche)|(am|dieses|das)?"
    " (weekend=<weekend>)|(am)? (nächstes|nächsten|kommendes|kommenden) (nextweekend=<weekend>)",
    "ON_DAY": "((SPAN)|(für|zum|an|von|vom)? (den|der|mein|unser)? <when:time>)",
    "EVENT": "<event>|<plans>",
    "PLANNED": "((vor|geplant|los|an|fällig|auf dem plan|auf dem programm|im kalender|drin|zu tun|zu erledigen"
    "|eingetragen|verplant|dran|anstehen|offen|übrig|auf dem zettel|aufm zettel) (bei (mir|uns))? ((im|laut|in <mine>)"
    " kalender)?)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "today": (
        "heute|heut|(<mine>|der|das)? (nächster|nächstes) <event>|<mine> tag|(<mine>)? (agenda|tagesplan|tagesüberblick"
        "|tagesübersicht|termine)|<mine> kalender|(THE)? <day:daysof> (EVENT)|(welche|irgendwelche|was für|wie viele"
        "|wieviele) (EVENT) ((HAVE) (WE)|gibt es|gibts|stehen|sind|liegen)? SURELY ON_DAY? SURELY PLANNED?|wie (sieht"
        "|schaut|sieht's|siehts|schauts|sieht es|schaut es|ist) (<mine> (tag|plan|woche|<calendar>))? SURELY ON_DAY"
        " SURELY (bei mir|bei uns)? (aus)?",
        "was (steht|liegt|ist|is|geht|fällt|kommt|gibt es|gibts|wird) SURELY PLANNED? ON_DAY SURELY PLANNED? (bei mir"
        "|bei uns)? PLANNED?",
        "was (steht|ist) SURELY (((an|in|auf) (THE)|im|am|aufm) (plan|programm|<calendar>) (ON_DAY)?|ON_DAY SURELY ((in"
        "|auf) <mine>|im) <calendar>)|was steht SURELY an|was (HAVE|muss|müssen|mach|mache|machen|wollte) (WE) (mir"
        "|uns)? SURELY ON_DAY SURELY ((für)? (EVENT))? PLANNED? (machen|tun|erledigen|vorgenommen)?",
        "was (HAVE) (WE) SURELY PLANNED ON_DAY|(was)? noch ON_DAY|was ON_DAY SURELY (ansteht|anliegt|los ist|geplant"
        " ist|an ist)|(SHOW|weißt du) PLEASE ,? was ON_DAY SURELY (bei (mir|uns))? SURELY (ansteht|anliegt|los ist"
        "|geplant ist|(auf dem (plan|programm)|im kalender) steht)|welche (EVENT) (WE) SURELY ON_DAY SURELY (HAVE)",
        "(HAVE) (WE) SURELY ON_DAY SURELY (ANY SURELY (EVENT)? PLANNED?)?(schon)? PLANNED?",
        "(wann)? (HAVE) (WE) SURELY ON_DAY SURELY ((ANY|<mine> (ersten|nächsten|letzten)) (EVENT)|zeit|frei|luft|keine"
        " termine) (im kalender)?|(HAVE) (WE) SURELY ANY (EVENT) SURELY ON_DAY|was (ist|sind) (THE) (EVENT) ON_DAY",
        "(HAVE) (WE) SURELY ANY SURELY PLANNED? ON_DAY PLANNED?|((bin|sind) (WE) SURELY ON_DAY|ist ON_DAY bei (mir|uns)"
        "|ist bei (mir|uns) SURELY ON_DAY) SURELY (frei|luft|platz|verplant|beschäftigt|verfügbar|ausgebucht|busy"
        "|verabredet)",
        "(?!(ist|is) <y:time> $) (steht|ist|is|liegt|gibt es|gibts|gibt's|geht) SURELY ON_DAY SURELY (ANY SURELY"
        " (EVENT)?) SURELY PLANNED?|(muss|müssen) (WE) SURELY ON_DAY SURELY ((was|etwas|irgendwas) SURELY (machen|tun"
        "|erledigen)|irgendwohin|irgendwo (hin|sein))|(sind|stehen) SURELY ON_DAY SURELY (EVENT) SURELY PLANNED?|(?!ist"
        " <y:time> $) (steht|ist|liegt|gibt es|gibts) SURELY ANY SURELY (EVENT)? ON_DAY SURELY PLANNED?",
        "wie (sieht|schaut) <mine> (tag|plan|kalender|(thisweek=woche)) SURELY aus|wie voll ist (<mine> tag|ON_DAY)",
        "(SHOW)? (THE)? (EVENT|plan|<calendar>|tagesplan|überblick|übersicht|programm) ON_DAY (vor|an|auf)?",
        "(woran|an was) (erinnerst|wirst) du (mich|uns) ON_DAY SURELY (erinnern)?|was erinnert mich SURELY ON_DAY",
        "ON_DAY (was|etwas|irgendwas) (vor|los|geplant)|(SHOW)? (THE) <day:daysof> (EVENT|tag|plan|programm|<calendar>)"
        " (an)?|SHOW ON_DAY (an)?|was ist (THE) plan ON_DAY|SHOW (THE) (kalender|agenda|tag|tagesplan|termine) (an)?",
        "wann (ist|beginnt|startet|fängt) ON_DAY <mine> (erster|nächster|letzter) <event> an?|(wann|was) (ist|beginnt"
        "|startet|fängt) <mine> (erster|nächster|letzter) <event> ON_DAY? an?|(liegt|steht) (heute|noch|denn){0,2}"
        " (was|etwas) an|was erwartet (mich|uns) SURELY ON_DAY|was (kommt|steht|ist|(HAVE) (WE)) SURELY als nächstes"
        " (an|dran|vor|zu tun|(im|in <mine>) kalender)?|geh (mal)? ON_DAY (mal)? mit mir durch|was ist (schon)?"
        " überfällig|(SHOW)? nur? (THE)? (überfällige|überfälligen) (aufgaben|<todos>|sachen)",
        "(gib|zeig) ME PLEASE (einen|nen) überblick (über|übers|für|fürs) (den tag|(THE) <day:daysof>? tag|ON_DAY)",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
