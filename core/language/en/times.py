"""English: the orders in which words say a time, as templates over their classes."""

from __future__ import annotations

import re
from itertools import chain

from core.language.en import phrases, requests
from core.language.en.lexicon import CLASSES, GLUED
from core.language.engine.said import STRONG, WEAK
from core.language.engine.templates import literals, words_in
from core.language.engine.times import Manners, Reader, Row, expanded_rows
from core.language.engine.tokens import Words

_MACROS = {
    "HALF": "<half:half>|<half:letterhalf>|<half:dotted> .?",
    "AT": "(sure=at|@)",
    "ONE_CLOCK": "<hour> ((_:|_.) <minute>)? HALF?",
    "AND_MINUTES": "(and|,)? <n1:number> <unit1:minutes>",
    "FROM_NOW": "sure=from now|'? time|later",
    "NUMBER": "n=<number> ((_.|_,) <number>)?",
    "DAYS": "days=<weekday> ((,|_,|&|/|_/|,? and) <weekday>){0,6}",
    "MORE_DAYS": "((,|,? and|&) (on? the)? ONE_DAY){0,5}",
    "ONE_DAY": "<nth>|<nthword>|<edgeday>",
    "MONTHLY": "(<every> <n:count>? (month|months)|monthly) on the?",
    "OF_MONTH": "((of|in) (the|<every>)|<every>) month",
    "WITH_DAY": "on? (<weekday:singleday> .? ,?)? the?",
    "YEARS": "(,? <year:year>(?!_:))? <years:nextyear>?",
    "DAY_AND": "on? (the|<every>)?",
}
_TIMES: tuple[Row, ...] = (
    # What comes again.
    ("nth_weekday", "MONTHLY <nth:which> <weekday:singleday> <part:part>?"),
    ("nth_weekday", "MONTHLY <nth:nth> <weekday:singleday> <part:part>?"),
    ("month_days", "MONTHLY (days=ONE_DAY MORE_DAYS)"),
    ("nth_weekday", "DAY_AND (<nth:which>|<nth:nth>) <weekday:singleday> OF_MONTH <part:part>?"),
    ("nth_weekday", "on? <every> <nth:fourth> <weekday:singleday> <part:part>?"),
    ("month_days", "DAY_AND (days=ONE_DAY MORE_DAYS) OF_MONTH"),
    ("yearly", "on? <every> <day:dayfigure> of? <month:month> .?"),
    ("yearly", "on? <every> <month:month> .? <day:dayfigure>"),
    ("span", "(<every>|on|from)? <first:singleday> (-|_-|to|through) <last:singleday>"),
    ("weekdays", "<every> (<n:twice>|<n:nth>)? on? (DAYS) <part:part>?"),
    ("weekdays", "on? (days=(<weekday> (,|&|/|_/|,? and)){0,6} <plural>) <part:part>?"),
    ("cycle", "(<every> <cycle:workday>|on? <cycle:workdays>) <part:part>?"),
    ("each_part", "<every> <part:part>"),
    ("cycle", "<every> <cycle:cycle>"),
    # "Every 15th" is one of the month; "every 2nd person" is none.
    ("month_days", "on? <every> (days=<nth> MORE_DAYS)(?=$|,|(at|to|that|about))"),
    (
        "window",
        "<every> <n:number>? (<unit:hours>) (between|from) <from:hour> (and|to|until|till|-|_-) <to:hour>"
        " (<half>|<oclock>)?",
    ),
    ("unit", "<every> (<n:count>|NUMBER) <unit:unit> (on (DAYS))?"),
    ("unit", "<every> <unit:unit> (on (DAYS))?"),
    ("cycle", "<cycle:adverb> (on (DAYS))?"),
    ("unit", "once (a|an|per|every) <unit:unit>"),
    # Days.
    ("today", "(sure=<weeks:number> (week|weeks) from)? <day:day> <part:part>?", STRONG),
    ("today", "<part:tonight>|this <part:part>", STRONG),
    (
        "nth_day",
        "on? the? (<nth:which>|<nth:nth>) <weekday:singleday> (of|in) (<month:month> .?|<months:monthof>) <part:part>?",
    ),
    ("holiday", "(on|at) <holiday:holiday> <part:part>?", STRONG),
    ("holiday", "<holiday:holiday> <part:part>?", WEAK),
    ("date", "WITH_DAY <day:dayfigure> of? <month:month> .? YEARS", STRONG),
    ("date", "WITH_DAY <day:nthword> of <month:month> .? YEARS", STRONG),
    ("date", "WITH_DAY <month:month> .? the? <day:dayfigure> YEARS", STRONG),
    # "Bob may first call" is no date.
    ("date", "WITH_DAY (<month:plainmonth> .?|<month:month> .?(?=the)) the? <day:nthword> YEARS", STRONG),
    ("date", "on? <weekday:singleday> .? ,? the? <day:nth>(?!of)", STRONG),
    (
        "weekday",
        "(<which:weekof> ,? on?)? (sure=on|this coming?|the? coming)? ((sure=<day:sureday>)|<day:singleday>) .?"
        " <part:part>? (of? <which:weekof>)?",
    ),
    ("weekday", "(<weeks:number> (week|weeks) from|(next=on? next)) <day:singleday> .? <part:part>?", STRONG),
    (
        "date",
        "on? <year:year> (_-|_/|_.) <month:small> (_-|_/|_.) <day:small>"
        " (t <hour:two> _: <minute:minute> (_: <minute>)?)?",
        STRONG,
    ),
    ("date", "(sure=on)? <day:small> _. <month:small> (sure=.|_. <year:year>)", WEAK),
    ("date", "(sure=on) <day:small> _. <month:small>|<day:small> _. <month:two>", WEAK),
    ("date", "(sure=on)? <day:small> _. <month:small> (_. <year:two>|(?=<small> _:))", WEAK),
    ("slashed", "(sure=on)? <one:small> _/ <two:small> (_/ (sure=<year:year>|<year:two>))?", WEAK),
    ("month_day", "(sure=on)? the (<day:nth>|<day:edgeday>) (sure=of <months:monthof>)?(?!of)", WEAK),
    ("month_day", "at? the? (last=end of (the|this)? month)", STRONG),
    ("month_day", "at? the? (last=end of) <months:monthof>", STRONG),
    ("month_day", "<months:monthof>", STRONG),
    ("week", "<which:weekof>", STRONG),
    ("weekday", "(<which:this>|(next=next)|(sure=(on|at|over) the)) <day:weekend>", WEAK),
    # Lengths and clocks.
    ("delay", "(sure=in about?)? <n:number> <unit:unit> and? <n1:number> <unit1:hours> FROM_NOW?"),
    (
        "delay",
        "(sure=in about?)? (NUMBER) (half=and a half)? more? <unit:unit> (half=and a half)? AND_MINUTES? FROM_NOW?",
    ),
    ("hours", "in <hour:hour> h <minute:minute>"),
    ("delay", "(sure=in about?)? <length:length> FROM_NOW?"),
    ("delay", "(sure=in about?)? <n:number> <unit:seconds> FROM_NOW?"),
    ("clocks", "at (list=ONE_CLOCK ((,|,? and|&) at? ONE_CLOCK){1,5})"),
    ("beside", "AT? (<by:by>|<n:number> (minutes=<minutes>)?) <side:side> <hour:hour> HALF?"),
    ("spelled", "AT? <hour:hour> <minute:spelled> HALF?"),
    ("clock", "AT <hour:hour> ((_:|_.) <minute:minute>)? ((_-)? ish)? HALF? <oclock>? sharp?"),
    ("clock", "<hour:hour> ((_:|(dot=_.)) <minute:minute>)? ((_-)? ish)? (sure=HALF) sharp?"),
    ("clock", "<hour:hour> (_: <minute:minute>)? (sure=<oclock>|(_-)? ish) sharp?"),
    ("clock", "AT <hands:year>(?!<unknown>)"),
    ("clock", "AT? <hands:hands> HALF"),
    ("clock", "<hour:hour> (_:|(dot=_.)) <minute:minute> sharp?"),
    ("clock", "<hour:hour> (before=(?=in the <part>|at night))"),
    ("evening_clock", "AT? <hour:hour> h <minute:minute>"),
    ("named", "(AT)? <clock:noon>"),
    ("named", "(AT|by)? (sure=<clock:dayend>)"),
    ("part", "(in the|at) <part:part>", STRONG),
    ("bare", "<hour:two>(?=$|:|, (?!<any>)|(to|that|about) (?!<any>)|<deed>)"),
    ("bare", "<hour:one>(?=$|:|, (?!<any>)|(to|that|about) (?!<any>)|<deed>)"),
)
_AGAINST = (
    # Ranges, choices, more days or clocks than are understood, and clocks of other places.
    "(-|~|_-) (<any>|<nth>)",
    "(to|till|until|and|or|&|past) at? (<any>|<nth>)",
    "(-|/|&|,? (to|and|or|till|until|through) on?) <weekday>",
    "<zone>|<oclock>|ago|before|after|earlier|<name> time",
    "floor|street|avenue|grade|anniversary|birthday",
    "of ((<every>|the|next|this|last) (week|month|year|quarter)|<weekof>|<monthof>|<nextyear>)",
)
_CLOCK = "<hour:hour> ((_:|_.) <minute:minute>)? <half:half>?"
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
    Words({**CLASSES, "timed": _TIMED}, literals=_LITERALS, glued=GLUED),
    _ROWS,
    clock=_CLOCK,
    between=",",
    against=_AGAINST,
    manners=Manners(
        lead=re.compile(r"\s*(?:(?:please|pls|ok(?:ay)?|then|and|remind me(?: again)?)\b[\s,:]*)*", re.IGNORECASE),
        polite=re.compile(r"[ ,]{0,5}\b(?:please|pls|thanks|thank you|thx)$", re.IGNORECASE),
    ),
)
