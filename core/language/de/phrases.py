"""German: what stands in phrases of several capabilities, and how people say that something is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language import phrase_tables
from core.language.grammar import PhraseTable

# What names nothing: what is meant stands elsewhere, or nowhere.
VAGUE = (
    "(<yours>|dies|diese|dieses|diesen|jenes) <y:text>?|<pronoun>|<article>|alles (,? was <z:some>)?|etwas|was|nichts"
    "|beides|sachen|dinge|zeug|kram|(<article>|<number>|alle|sämtliche|viele|mehr|neue|neuen|neues|neuer) (neue|neuen"
    "|neues|neuer)? (sache|sachen|ding|dinge|punkt|punkte|eintrag|einträge|aufgabe|aufgaben|todo|todos|termin|termine"
    "|erinnerung|erinnerungen|liste|wecker|timer)|<article>? (hier|da|oben|unten|folgende|folgendes|folgenden)"
    " <y:some>?"
)
MACROS: Mapping[str, str] = {
    "PLEASE": "(<filler> ,?){0,4}", "WE": "ich|wir|i", "ME": "(mir|uns)?", "MILD": "((?!KEPT) <mild> ,?){0,4}",
    "KEPT": "kurz (?!<name>) <unknown>|(kurz|wieder) (zu|zum|zur|ins)",
    "KIN": "mama|papa|mutti|vati|oma|opa", "CAN_YOU": "<can> du?|(können|könnten|würden) sie|sie (können|dürfen)",
    # A name that other assistants are called by may also be a person's, so an order follows it.
    "WAKE_WORD": "(hey|hi|hallo|ok|okay) ,? (alexa|siri|google|magenta|computer)|computer (?=,? MILD (<reminding>"
    "|<wake>) (mich|uns))|(alexa|siri) (?=,? <mild>? ((?!erinnert) <reminding>|<adding>|<removing>|<show>|<making>"
    "|<ending>|<wake>|<can>|<alarm>|<y:some>? <listword>|uhrzeit|<asking>))",
    "HAVE": "hab|habe|haben|ham|hast du", "THE": "<article>|<mine>", "AN": "an|ans|daran|dran",
    "SHOW": "<show> ME PLEASE", "YES": "((ja|ok|okay|so|alles|schon|jetzt|gerade|grad|bereits) ,?){0,3}",
    "READY": "erledigt|fertig|gemacht|abgehakt|geschafft",
    "SURELY": "(schon|noch|bereits|auch|jetzt|doch|wieder|nicht|mal|eigentlich|alles|so|denn|da|alle|grad|gerade|nochma"
    "|nochmal|nochmals|momentan|aktuell|überhaupt|inzwischen|eig|hier){0,3}",
    "ANY": "(irgendwelche|irgendwas|was (wichtiges|besonderes|interessantes)?|etwas|viel|einen|nen|n|ein|eine|ne|schon"
    " was|irgendeinen|viele)?",
    "ALARMS": "<alarm>|<alarms>|erinnerung|erinnerungen|reminder|weckruf",
    "OF": "an|für|wegen|mit|zu|zum|zur|ans|vom|von|fürs|namens|:",
    "NOT_IT": "(?!<pronoun>|<asking>|<filler>|folgende|markier|markiere|(THE) (satz|text|liste|folgende))",
    "NOT_ANY": "(?!,|und|um|noch|nicht|app|funktion|ton|in <number>|<y:some> sondern|das? mit|besser|lieber|am besten"
    "|bitte|dein|deine|deinen|deinem|(alle|jede|jeden|beide|meine|diese|diesen|die|den|der|das) ($|ALARMS)|ALARMS"
    "|(?!das (?!um|auf) <word>) <pronoun>)",
    "OUT": "aus|ab|weg|raus", "ONTO": "auf|aufn|auf'n|in|zu|zur|zum|an|bei|mit auf",
    # What was not understood of a time stands between it and "an", or is left at the end of a text.
    "SOFT": "<stress>|<filler>|<just>|einmal",
    "ASTRAY": "WEEK_NUMBER|(der|des|in|im|per|mit|zusammen|bei|beim|auf|aus|von) <y:word>{1,4} (AN)|<edges>|(<number>"
    " <unit>|<length>) <edges>|(im|des) (<month>|<dayfigure>)|(?!<mild>|(SOFT) (daran|dran)|da) <y:word>{1,4} (daran"
    "|dran) (?!zu|denken)|(?!(<article>|<mine>) (?!<unit>|<partnoun>)|(SOFT){1,3} (an|ans)) ((?!<unknown>|<mild>"
    "|<event>|<sent>|ALARMS|AN) <y:word>){1,4} (an|ans)",
    # Between the time and what it is about stands what was not understood of the time, but for letters to somebody.
    "STRAY": "(?!AN|<mild> (?!vor|nach)|(SOFT) AN|((?!AN) <y:word>){0,5} (<sent>|<event>|ALARMS)|<y:some> (zu erinnern"
    "|verteilen|schicken|verschicken|senden|weitergeben|weiterleiten|liefern|verschenken|überweisen) $) ((?!,|:|zu"
    "|dass) <y:word>){1,7} ((an (?!der|dem|ihn|sie|dich)|ans) <y:word>|(daran|dran) ,? (?!zu|denken|gedacht|erinnert"
    "|dass? (du|er|sie|es)))",
    "PAST": "(gestern|vorgestern) <partnoun>?|<past> (<unit>|<weekday>|<month>|sommer|herbst|winter|frühling"
    "|wochenende)|<night> auf|nacht auf",
    "LEFT_OVER": "<each> ((?!<unknown>) <y:word>){1,3}|am (<dayfigure> .|<nthword>|vortag|nächsten|selben) <y:word>?"
    "|bis (zu|zum)? <timed>{1,3}|(einmal|zweimal|dreimal|die ganze|das ganze) (die|in der|am|im|pro)?"
    " <unit>|(im|seit|ab) (<month>|sommer|herbst|winter|frühling)|<nextyear>|alle (paar)? <unit>|an jedem <y:word>|am"
    " <dayname>|rest der woche|WEEK_NUMBER",
    "WEEK_NUMBER": "(in|von|ab)? der? (kw|kalenderwoche|woche) .? <number>|der? <number> . (kw|kalenderwoche|woche)",
    "INDEF": "(einen|nen|n|ein|eine|ne) (kurze|kurzen|kleine|kleinen)?",
    "OTHER_WISH": "MILD (<adding>|<removing>) <y:some> (<listword>|<todos>|<calendar>)|MILD (<making>|<ending>"
    "|<switching>) <y:word>{0,3} (ALARMS)",
}  # fmt: skip
# What is done is said by what it is about: to a reminder, or of the list.
ROWS: Mapping[str, Sequence[str]] = {
    "done": (
        "YES (ist|sind|bin)? YES (READY)",
        "(hab|habe|haben) (WE)? (es|das|alles)? YES (READY)|(das)? (hab|habe) ich YES (READY)?",
        "(das|es|alles|is|ist) (ist|is)? YES (READY)",
        "(hak|hake) PLEASE (das|es) PLEASE ab|(markier|markiere) PLEASE (das|es) PLEASE als (READY)",
    ),
}
TABLES = (PhraseTable(rows=ROWS), *phrase_tables("de"))
