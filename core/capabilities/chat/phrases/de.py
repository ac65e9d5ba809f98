"""German: what people say to ask for the time or the date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "TIME_NOW": "(uhrzeit|zeit|ortszeit)",
    "NOW": "(gerade|grad|grade|jetzt|eigentlich|denn|momentan|aktuell|jetzt gerade|bei mir|hier|nochmal|heuer|nun"
    "|bitte){0,3}",
    "IN_PLACE": "(bei (THE) <y:word> in|in|auf|bei|im) <place:some>",
    "LATE": "(welche ortszeit|wie spät|wie viel uhr|wieviel uhr|wieviele uhr|wv uhr|welche (uhrzeit|zeit))",
    "IS_IT": "(ist es|is es|is's|is|ham wir|ist's|isses|ists|ises|ist|haben wir|haben wir's|haben wirs|hammas)",
    "DATE": "(datum|tag|wochentag|monat|jahr)",
    "WHAT_DATE": "(welches|welcher|welchen|welchem|was für ein|was für einen|was für nen|was fürn|was fürn'n) DATE",
    "THAT_DAY": "<singleday>|(der|den)? (<dayfigure> .?|<nthword>) <month>?",
    "ON_DATE": "(am|an|ist|für|der|den)? <when:time>",
}
ROWS: Mapping[str, Sequence[str]] = {
    "date": (
        "WHAT_DATE (ist|haben wir|is|schreiben wir) NOW (heute|heut|jetzt)? NOW|(was|welchen tag) haben wir (heute"
        "|heut) (für DATE)?",
        "(der|den) wievielte (ist|haben wir|is)? NOW (heute|heut) NOW|den wievielten haben wir (heute|heut)? NOW",
        "was (haben wir|ist|is) (heute|heut) (für (ein|einen|nen)|fürn) DATE|(aktuelles|heutiges|das)? datum (von"
        " heute|heute)?|ME PLEASE das? (heutige|aktuelle)? datum (nennen|sagen|ansagen)|(was ist)? (das)? datum (von"
        "|für)? <when:time>|wann (ist|sind|feiern wir|haben wir|war (?=nochmal)) NOW (dieses jahr)? (when=<holiday>"
        " <nextyear>?) NOW (dieses jahr)?",
        "WHAT_DATE (ist|haben wir|is) ON_DATE|(der|den) (wievielte|wievielten) (ist|haben wir) NOW ON_DATE",
        "(auf)? WHAT_DATE (ist|fällt) ON_DATE (dieses jahr)?|an WHAT_DATE ist ON_DATE|(wie viele|wieviele|wieviel|wie"
        " viel|wie) (tage|nächte|wochen|lange|lang) ((HAVE) (WE)|sind es|sinds|ist es|ists|dauert es|dauerts)? noch?"
        " (bis|zu) (zu|zum|zur)? (<y:some> am)? <when:time>|in wie (vielen|viel) (tagen|wochen) ist ON_DATE",
        "(in)? (welche|welcher|was für eine|die wievielte) (week=kw|kalenderwoche|woche) (ist|haben wir|sind wir)? NOW"
        " (heute|heut|jetzt|diese woche)?|(die|aktuelle)? (week=kw|kalenderwoche) NOW|in welcher (week=kw|kalenderwoche"
        "|woche) (ist|liegt) ON_DATE|(ist|is|haben wir) NOW (schon)? (when=<day>) NOW (schon)? (THAT_DAY) (oder"
        " (schon)? (THAT_DAY))?|(heute|heut) ist (doch)? <y:singleday> (oder)?|(ist|fällt) ON_DATE (auf)? (ein|einen)"
        " <y:singleday>|welches datum NOW|haben wir (schon|jetzt schon|noch) <month>",
        "(was (heute|heut) (für (ein|einen|nen)|fürn) DATE|WHAT_DATE wir? (heute|heut)|(der|den) (wievielte|wievielten)"
        " wir? (heute|heut)|welches datum wir) (ist|is|haben|wir haben)",
    ),
    "time": (
        "LATE (es ist|IS_IT|(haben|ham) (die|sie) (?=NOW (in|auf|bei|im))) NOW (IN_PLACE)? NOW|(wie spät|wieviel uhr"
        "|wie viel uhr) (es|es ist|wir haben)? NOW|(wie spät|wieviel uhr|wie viel uhr) es NOW (IN_PLACE)? NOW (ist)?"
        "|((ist|is) es|haben wir (?=NOW <y:word> (vor|nach|halb|kurz|viertel|<hour> <clock>))) NOW (schon|erst|noch"
        " nicht|bereits) (vor|nach|kurz (vor|nach)|viertel (vor|nach)|halb)? <hour:hour> <clock>? NOW|SHOW (die)?"
        " (aktuelle|genaue)? TIME_NOW (IN_PLACE)?|ME PLEASE die (aktuelle|genaue)? TIME_NOW (ansagen|nennen|sagen)"
        "|(die|kurz die)? (aktuelle|genaue)? (uhrzeit|ortszeit) NOW (IN_PLACE)? NOW PLEASE|(uhrzeit) <place:some>"
        "|aktuelle zeit (IN_PLACE)|(die|aktuelle)? <place:word> _-? (uhrzeit|zeit) NOW|(hast du|haste|haben sie)"
        " PLEASE (die|ne|die genaue) uhrzeit|(hast du|haste) PLEASE die genaue zeit|(was|wie) ist (die)? (uhrzeit"
        "|ortszeit) NOW (IN_PLACE)? NOW",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
