"""German: the orders in which words say a time, as templates over their classes."""

from __future__ import annotations

import re
from itertools import chain

from core.language.de import phrases, requests
from core.language.de.lexicon import CLASSES, GLUED
from core.language.engine.said import STRONG, WEAK
from core.language.engine.templates import literals, words_in
from core.language.engine.times import Manners, Reader, Row, expanded_rows
from core.language.engine.tokens import Words

_MACROS = {
    "NUMBER": "n=<number> ((_.|_,) <number>)?",
    "PART": "<part:partnoun>|<part:partadverb>",
    "DAYS": "days=<weekday> .? ((,|_,|&|und|,? und) (am|jeden)? <weekday> .?){0,6}",
    "ONE_DAY": "<dayfigure> (.|$)|<nthword>|<lastday>",
    "DAY_LIST": "days=(ONE_DAY) (,? (und|&)? (am|den|dem)? (ONE_DAY)){0,5}",
    "OF_MONTH": "(<each>|des|im|eines <each>) (monat|monats)",
    "MONTHLY": "<each> (monat)|monatlich|alle <n:count> <months>",
    "YEARLY": "<each> (jahr)|jährlich|alle <n:count> <years>",
    "NTH": "<nth:which>|<nth:dayfigure> .",
    "WITH_DAY": "am? (<weekday:anyday> .? ,?)? (am|den|dem|der)?",
    "DAY": "<day:dayfigure> .|<day:nthword>",
    "YEARS": "(,? <year:year>(?!_:))? <years:nextyear>?",
    "UM": "sure=um|punkt",
    # Minutes in figures are those of a day of 24 hours: "um 5:30" is not in the afternoon.
    "HANDS": "<hour:hour> ((whole=_:|_.) <minute:minute>)?",
}
_TIMES: tuple[Row, ...] = (
    # What comes again.
    ("nth_weekday", "(MONTHLY) am (NTH) <weekday:singleday> PART?"),
    ("month_days", "(MONTHLY) am (DAY_LIST)"),
    ("nth_weekday", "(am|<each>)? (NTH) <weekday:singleday> OF_MONTH PART?"),
    ("month_days", "(am|<each>)? (DAY_LIST) OF_MONTH"),
    ("yearly", "(YEARLY) am (DAY) <month:month> .?"),
    ("yearly", "<each> (DAY) <month:month> .?"),
    ("span", "(von|<each>)? <first:anyday> .? (-|_-|bis) <last:anyday> .?"),
    ("weekdays", "<each> (<n:twice>)? (DAYS) PART?"),
    ("weekdays", "alle <n:count> <weeks> (am|immer)? (DAYS) PART?"),
    ("weekdays", "immer? (days=(<plural> (,|&|und|,? und)){0,6} <plural>) PART?"),
    ("cycle", "(<each> <cycle:workday>|<cycle:workdays>) PART?"),
    ("each_part", "<each> <part:partnoun>"),
    ("cycle", "<each> <cycle:cycle>"),
    (
        "window",
        "(<each>|alle) <n:number>? (<unit:hours>) (zwischen|von) <from:hour> <clock>?"
        " (und|bis|-|_-) <to:hour> <clock>?",
    ),
    ("window", "stündlich (zwischen|von) <from:hour> <clock>? (und|bis|-|_-) <to:hour> <clock>?"),
    ("unit", "<each> <n:twice>? <unit:unit>"),
    ("unit", "alle (<n:count>|NUMBER) <unit:unit>"),
    ("cycle", "<cycle:adverb> (am (DAYS))?"),
    # Days.
    ("today", "<day:day> (sure=in <weeks:number> <weeks>) PART?", STRONG),
    ("today", "<day:day> PART?", STRONG),
    ("holiday", "(an|am|zu) <holiday:holiday> PART?", STRONG),
    ("holiday", "<holiday:holiday> PART?", WEAK),
    ("nth_day", "am? (NTH) <weekday:singleday> (im|des) (<month:month> .?|<months:monthof>) PART?"),
    ("nth_day", "am? (NTH) <weekday:singleday> <months:monthof> PART?"),
    ("date", "WITH_DAY (DAY) <month:month> .? YEARS", STRONG),
    ("date", "am? <weekday:singleday> ,? (den|dem|der)? <day:dayfigure> (.|$)", STRONG),
    ("date", "WITH_DAY <day:small> _. <month:small> (sure=.|_. <year:year>|_. <year:two>)", STRONG),
    (
        "date",
        "(sure=am (<weekday:anyday> .? ,?)?|<weekday:anyday> .? ,?) (den|dem)? <day:small> _. <month:small>",
        WEAK,
    ),
    ("date", "<day:small> _. <month:two>", WEAK),
    ("date", "<year:year> _- <month:two> _- <day:two> (t <hour:two> _: <minute:minute> (_: <minute>)?)?", STRONG),
    (
        "weekday",
        "(<which:weekof> ,? am?)? (am? <coming>?) (sure=<day:singleday>) (in <weeks:number> <weeks>)? PART?"
        " <which:weekof>?",
    ),
    ("weekday", "am? (next=<next>) <day:singleday> PART?", STRONG),
    ("named", "am? <clock:daypart>", STRONG),
    ("weekday", "(am|dieses|<which:this>|(next=<next>)) <day:weekend>", STRONG),
    ("week", "<which:weekof>", STRONG),
    (
        "month_day",
        "(sure=am|den|dem) (<day:dayfigure> (.|$)|<day:lastday>) ((des|im)? <months:monthof>)?(?!<month>)",
        WEAK,
    ),
    ("month_day", "(am|zum)? (last=ende (des|dieses|diesen) monats|monatsende)", STRONG),
    ("month_day", "am? (last=ende) (des)? <months:monthof>", STRONG),
    ("month_day", "<months:monthof>", STRONG),
    # Lengths and clocks.
    ("delay", "(sure=in) (<n:number>) <unit:unit> (,|und)? <n1:number> <unit1:hours>"),
    ("delay", "(sure=in)? (NUMBER) <unit:unit> ((,|und)? <n1:number> <unit1:minutes>)? (sure=später)?"),
    ("hours", "in <hour:hour> h <minute:minute>"),
    ("delay", "(sure=in)? <length:length> (sure=später)?"),
    ("delay", "(sure=in)? <n:number> <unit:seconds>"),
    ("clocks", "um? (list=ONE_CLOCK ((,|und|&) um? ONE_CLOCK){1,5} <clock>?)"),
    ("beside", "(UM)? <by:by> <hour:hour> <clock>?"),
    ("beside", "(UM)? (<by:quarter>|<n:number> (minutes=<minutes>)?) <side:side> <hour:hour> <clock>?"),
    ("clock", "(UM) HANDS (<clock> ((whole=<minute:minute>) (things=(?=<unknown>))?)?)?"),
    ("clock", "HANDS (sure=<clock>) ((whole=<minute:minute>) (things=(?=<unknown>))?)?"),
    ("clock", "<hour:hour> (whole=_:|(dot=_.)) <minute:minute>"),
    ("clock", "<hour:hour> (before=(?=<partadverb>))"),
    ("evening_clock", "(UM)? <hour:hour> h <minute:minute>"),
    ("named", "(sure=um|zu)? <clock:noon>"),
    ("part", "<part:partadverb>", STRONG),
    ("bare", "<hour:two>$|<hour:one>$"),
)
_MACROS["ONE_CLOCK"] = "<hour> ((_:|_.) <minute>)? <clock>?"
# Ranges, choices and bounds: not this time, or not only this one.
_AGAINST = (
    "(-|~|_-) (<any>|<nth>)",
    "(bis|und|oder|&|vor|nach) um? (<any>|<hour>)",
    "(-|/|&|,? (bis|und|oder) am?) <anyday>",
    "<clock>|vor|nach|<name> zeit",
)
_CLOCK = "<hour:hour> ((_:|_.) <minute:minute>)?"
_ROWS = expanded_rows(_TIMES, _MACROS)
_PHRASES = (
    requests.LEAD,
    *requests.RULES.values(),
    phrases.VAGUE,
    *phrases.MACROS.values(),
    *chain.from_iterable(table.templates() for table in phrases.TABLES),
)
_LITERALS = {word for text in (*(row[1] for row in _ROWS), *_AGAINST, _CLOCK, *_PHRASES) for word in literals(text)}
_TIMED = dict.fromkeys(words_in((row[1] for row in _ROWS), CLASSES))
READER = Reader(
    Words({**CLASSES, "timed": _TIMED}, literals=_LITERALS, glued=GLUED, spelt=(("ä", "ae"), ("ö", "oe"), ("ü", "ue"))),
    _ROWS,
    clock=_CLOCK,
    between=",? erst? am?",
    against=_AGAINST,
    manners=Manners(
        lead=re.compile(r"\s*(?:(?:bitte|dann|und|erst|wieder)\b[\s,:]*)*", re.IGNORECASE),
        polite=re.compile(r"[ ,]{1,5}(?:bitte|danke)$", re.IGNORECASE),
        ordinals=True,
        greeting="Morgen",
    ),
)
