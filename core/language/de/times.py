"""German: the orders in which words say a time, as templates over their classes."""

from __future__ import annotations

import re

from core.language.de.lexicon import CLASSES
from core.language.engine.said import BEHIND, FOLLOWING, STRONG, WEAK
from core.language.engine.times import Manners, Reader, Row
from core.language.engine.tokens import Words

_MACROS = {
    "NUMBER": "n=<number> ((_.|_,) <number>)?", "BUT": "<leaving>", "PART": "<part:partnoun>|<part:partadverb>",
    "DAYS": "days=<weekday> .? ((,|_,|&|und|,? und) (am|jeden)? <weekday> .?){0,6}",
    "ON_IT": "(.|$|(?=:|um|AN))", "ONE_DAY": "<dayfigure> ON_IT|<nthword>|<lastday>",
    "DAY_LIST": "dates=(ONE_DAY) (,? (und|&)? (am|den|dem)? (ONE_DAY)){0,5}",
    "OF_MONTH": "((single=des|im)|(each=eines? <each>)) (monat|monats)",
    "MONTHLY": "<each> (monat)|monatlich|alle <n:count> <months>",
    "NO_MONTH": "(?!<month>|<nthday>|<unknown> (AN|,))", "NTH": "<nth:which>|<nth:dayfigure> .",
    "NAMED_DAY": "<weekday:anyday> .? ,?", "WITH_DAY": "am? (NAMED_DAY)? (am|den|dem|der)?",
    "COMING": "(<which:weekof> ,? am?)? (am? <coming>?)", "BREAK": "(?=:|$|<article>|AN|aufwachen|aufstehen|<deed>)",
    "DAY": "<day:dayfigure> (.|_.|(?=<month> .? <year>))|<day:nthword>",
    "YEARS": "(,? <year:year>(?!_:))? <years:nextyear>?", "AN": "an|ans|daran|dran",
    "EDGE": "(last=ende)|anfang", "DASH": "(_-|_/)", "ONE_CLOCK": "<hour> ((_:|_.) <minute>)? <clock>?",
    "AHEAD": "(<n:number>|(am|den)? (?=tag)) <unit:unit> (vor|(after=nach)) (dem)?",
    "MORE": ".? (,|und)? <n1:number> <unit1:minutes> (?!zu)", "UM": "(<just>|nachher|nacher)? (sure=um? punkt|um)",
    "LONG": "<n:number>? <unit:unit>|<length:length>", "FOR": "(sure=(in|für)? (die|den) (<next>|<coming>))|für",
    "IN": "<just>? (sure=in) (<just>|(ca|circa|etwa|ungefähr|rund) .?)?",
    # Minutes in figures are those of a day of 24 hours: "um 5:30" is not in the afternoon; "18 Uhr 20 Euro" are none.
    "HANDS": "<hour:hour> ((whole=_:|_.) <minute:minute>)?",
    "THINGS": "<unit>|<sent>|<plans>|<alarms>|euro|kilo|liter|leute|kinder|kollegen|kunden|sachen|<unknown> (?!$)",
}  # fmt: skip
_TIMES: tuple[Row, ...] = (
    # What comes again.
    ("every", "(MONTHLY) am (NTH) <weekday:singleday> PART?"),
    ("every", "(MONTHLY) (am|zum) (DAY_LIST)"),
    ("every", "(am|(each=<each>))? (NTH) <weekday:singleday> OF_MONTH PART?"),
    ("every", "(am|zum|(each=<each>|(immer|jeweils) am))? (DAY_LIST) OF_MONTH"),
    ("every", "<each> (DAY) <month:month> .?"),
    # Without a clock it is from one to the other: a holiday, not what comes every week.
    ("every", "(<each>|immer|(?=<plural>)) von? <first:weekday> .? (-|_-|bis) <last:weekday> .?"),
    ("every", "von? <first:weekday> .? (-|_-|bis) <last:weekday> .? (?=,? (um|auf)|<hour> (_:|_.|<clock>))"),
    ("every", "von? <first:weekday> .? (-|_-|bis) <last:weekday> .?", FOLLOWING),
    ("every", "<each> (dates=<dayfigure> .|<nthword>) (?=um|AN|,|$)"),
    ("every", "<each> (<n:twice>|(more=<n:dayfigure> .))? (DAYS) PART?"),
    ("every", "((single=(days=<shortday> und <anyday>))|(?=<shortday> .? (,|_,)) (DAYS)) (?=um|<hour> (_:|<clock>))"),
    ("every", "am? (single=(days=<singleday> (, <singleday>){0,4} (und|&) am? <singleday>)) PART?"),
    ("every", "alle <n:count> <weeks> (am|immer)? (DAYS) PART?"),
    ("every", "(immer? (days=(<plural> (,|&|,? und)?){0,6} <plural>) jeweils?|<cycle:workdays> immer?) PART?"),
    ("every", "<each> (<part:partnoun>|<cycle:cycle>|<cycle:workday> PART?|(?=<part:daypartpart>) <cycle:daypartday>)"),
    ("span", "(zwischen|von) (list=ONE_CLOCK PART? (und|bis|-|_-) ONE_CLOCK PART?)"),
    (
        "every",
        "(<each> (<n:twice>|(more=<n:dayfigure> .))?|alle (<n:count>|NUMBER)) (volle (?=<unit> (von|zwischen)))?"
        " <unit:unit>",
    ),
    ("every", "<cycle:adverb> ((am|immer? (?=<singleday>|<plural>)) (DAYS))?"),
    # Days.
    ("day", "<just>? <near:day> (sure=in <weeks:number> <weeks>)? PART?", STRONG),
    ("day", "((AHEAD|an|am|zu) <holiday:holiday>|(zum)? <holiday:yearend>) PART? (?!um? mitternacht)", STRONG),
    ("day", "<holiday:holiday> PART? (?!um? mitternacht)", WEAK),
    ("day", "am? (NTH) <weekday:singleday> ((im|des) <month:month> .?|(im|des)? <months:monthof>) PART?"),
    ("day", "(AHEAD)? WITH_DAY (DAY) <month:month> .? YEARS", STRONG),
    ("day", "am? <weeks:overnext> <weekday:singleday> PART?", STRONG),
    ("day", "am? (?!mi) <weekday:shortday> .? ,? (?=um|<hour> (_:|_. <two> (?!.)|<clock>))", STRONG),
    ("day", "(sure=am) (?!mi) <weekday:shortday> (?!.? <name>)", STRONG),
    ("day", "am <day:small> _/ <month:small>|(am|am? NAMED_DAY (den|dem)) <day:nthword> (?=um|AN|,|$)", STRONG),
    ("day", "am? <weekday:singleday> ,? (den|dem|der)? <day:dayfigure> (.|$)", STRONG),
    ("day", "WITH_DAY <day:small> _. <month:small> (sure=.|_. <year:year>|_. <year:two>)", STRONG),
    ("day", "WITH_DAY (sure=<day:small> . <month:small> . <year:year>)", STRONG),
    ("day", "(sure=am (NAMED_DAY)?|NAMED_DAY) (den|dem)? <day:small> _. <month:small>", WEAK),
    ("day", "<day:small> _. <month:two>", WEAK),
    ("day", "<year:year> DASH <month:two> DASH <day:two> (t <hour:two> _: <minute:minute> (_: <minute>)?)?", STRONG),
    ("day", "COMING (sure=<weekday:singleday>) (in <weeks:number> <weeks>)? PART? <which:weekof>?"),
    ("day", "am? (next=<next>) <weekday:singleday> PART?", STRONG),
    ("clock", "am? <clock:daypart>|(am|zum|bis|bis zum) <clock:dayend>", STRONG),
    ("day", "(am|dieses|<which:this>|(next=<next>)) (weekend=<weekday:weekend>)", STRONG),
    ("day", "<which:weekof>|<months:monthof>", STRONG),
    ("day", "(sure=am|den|dem) (<day:dayfigure> ON_IT|<day:lastday>) ((des|im)? <months:monthof>)? NO_MONTH", WEAK),
    ("day", "(am|zum)? ((last=ende des monats|monatsende|monatsletzten)|EDGE des? <months:monthof>)", STRONG),
    ("day", "(EDGE|im) <month:month> .? YEARS (?!,? (um|<any>|<hour>))", STRONG),
    # Lengths and clocks.
    ("until", ",? bis <through>? zum?"),
    ("lasting", ",? (FOR) (LONG) lang? (?=$|,|:|AN|um|alle|<each>|<adverb>)|,? (LONG) lang"),
    ("length", "(sure=in) <hour:hour> (h|<hours> .? (?=<minute> (AN|,|:|$))) <minute:minute>(?!<minutes>)"),
    ("length", "(IN) (<n:number>) <unit:days> (,|und)? <n1:number> <unit1:hours>"),
    ("length", "(IN)? (NUMBER) (<unit:hours> (MORE)?|<unit:unit>) .? (sure=später)?"),
    ("length", "(IN)? <length:length> (sure=später)?|(sure=in)? <n:number> <unit:seconds>"),
    ("clocks", "um? (list=ONE_CLOCK ((,|und|&) um? ONE_CLOCK){1,5} <clock>?)"),
    ("clock", "(UM)? <by:by> <hour:hour> <clock>?"),
    ("clock", "(UM)? (<by:quarter>|<n:number> (minutes=<minutes>)?) <side:side> <hour:hour> <clock>?"),
    ("clock", "((UM) <hour:hour> (whole=<minute:minute>)|(UM)? <hour:hour> <clock> (whole=<minute:fives>)) BREAK"),
    ("clock", "(UM)? <hour:hour> (sure=<clock>) ((whole=<minute:minute>) (?!THINGS)|(?!<minute>|<fives> (?!<unit>)))"),
    ("clock", "(UM)? <hour:hour> (whole=_:|_.) <minute:minute> (sure=<clock>)|(UM) HANDS"),
    ("clock", "<hour:hour> ((whole=_:) <minute:minute>|(before=(?=<partadverb>|<night>)))"),
    ("clock", "<hour:two> (whole=_.) <minute:two> (?!.|euro|eur|€|kg|<unit>|<clock>|an|zu|überweisen)", FOLLOWING),
    ("clock", "(UM)? <hour:hour> (h=h) (<minute:minute> (?!<unit>|euro|€|kilo)|(before=(?!<minute>|zu)))"),
    ("clock", "(sure=um|zu)? <clock:noon>", WEAK),
    ("part", "<part:partadverb>|<part:night> (?=um|<hour> <clock>)", STRONG),
    ("part", "<part:night>", FOLLOWING),
    ("zone", "<zone:zone>"),
    ("without", "(BUT) (an|am)? (<free:free>|(but=<weekday> ((,|und|,? und) <weekday>){0,2}))"),
    ("without", "(BUT) (an (gesetzlichen)? feiertagen|feiertags)"),
    ("clock", "(<hour:two>|<hour:one>) (before=(?=:|den|die|das|eine|einen|oma|opa|mama|papa|$))", BEHIND),
)
# Ranges, choices and bounds: not this time, or not only this one.
_AGAINST = (
    "(-|~|_-) (<any>|<nth>)",
    "(bis|und|oder|&|vor|nach) um? (<any>|<hour>)",
    "(-|/|&|,? (bis|und|oder) am?) <anyday>",
    "<clock>|<zone>|vor|nach|<unknown> zeit",
)
_CLOCK = "<hour:hour> ((_:|_.) <minute:minute>)? <clock>? <part:partadverb>?"
READER = Reader(
    Words(CLASSES, spelt={"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}),
    _TIMES,
    _MACROS,
    clock=_CLOCK,
    between=",? erst? (am (?!<dayfigure>|<nthword>)|auf (?=<hour>|halb|viertel))?",
    against=_AGAINST,
    manners=Manners(
        lead=re.compile(  # "Morgen!" is a greeting
            r"\s*(?:(?:bitte|dann|und|erst|wieder|erinnere? mich|noch ?mal)\b[\s,:]*)*(?-i:Morgen\W*$)?", re.IGNORECASE
        ),
        behind=re.compile(r"[ ,]{1,3}(?:noch ?mal|noch einmal|wieder)(?: dran| daran)?$", re.IGNORECASE),
        forms=("in {}", "um {}", "{}"),
        polite=re.compile(
            r"(?<!:)[ ,.!?]{1,5}(?:bitte|pl[sz]|danke(?: dir| euch| ?schön)?|(?:(?:viel|herzlich|lieb|best)en|tausend)"
            r" dank|merci|thx|lol)$",
            re.IGNORECASE,
        ),
        ordinals=True,
    ),
)
