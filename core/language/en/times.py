"""English: the orders in which words say a time, as templates over their classes."""

from __future__ import annotations

import re

from core.language.en.lexicon import CLASSES
from core.language.engine.said import BEHIND, FOLLOWING, STRONG, WEAK
from core.language.engine.times import Manners, Reader, Row
from core.language.engine.tokens import Words

_MACROS = {
    "HALF": "<half:half>|<half:letterhalf>|<half:dotted> .?", "AT": "(<exact>|right)? (sure=at|@) (<exact>|like)?",
    "THEN": "when (it's|it is)", "A_NEAR": "on? (<near:day>|<weekday:singleday>)",
    "WEEKS": "<weeks:number> (week|weeks)|<weeks:fortnight>",
    "WEEKS_ON": "(WEEKS) (from|on)|in <which:number> (week|weeks) on",
    "ONE_CLOCK": "<hour> ((_:|_.) <minute>)? HALF?|<noon>", "AND_MINUTES": "(and|,)? <n1:number> <unit1:minutes>",
    "FROM_NOW": "sure=from (now|today)|'? time|later", "NUMBER": "n=<number> ((_.|_,) <number>)?",
    "DAYS": "days=<weekday> ((,|_,|&|/|_/|,? and)? <weekday>){0,6}",
    "SINGLES": "(<singleday> (,|_,|&|/|_/|,? and) on?){0,5} <singleday> ,? (and|&|/|_/) on? <singleday>",
    "BUT": "except for?|excluding|but not?|not|apart from|other than|bar|with the exception of",
    "SURE_CLOCK": "<hour> (_:|_.) <minute> HALF?|<hour> (HALF)|<noon>", "DAY_AND": "on? (the|(each=<every>))?",
    "A_DAY": "((sure=<weekday:sureday>)|<weekday:singleday>) .? (sure=<part:part>)?",
    "ON_GOES": "[,.:;-]|to|that|about|and|but|for|the|please|<deed>|<edges>|<day>|<weekday>|<tonight>",
    "MORE_DAYS": "((,|,? and|&) (on? the)? ONE_DAY){0,5}", "ONE_DAY": "<nth>|<nthword>|<edgeday>",
    "MONTHLY": "(<every> <n:count>? (month|months)|monthly) on the?",
    "OF_MONTH": "((of|in) ((single=the)|<every>)|<every>) month", "WITH_DAY": "on? (WEEKDAY)? the?",
    "WEEKDAY": "<weekday:singleday> .? ,?", "FROM_WITH_CLOCK": "from (?=<y:few> (at|<hour>|<noon>))",
    "YEARS": "(,? <year:year>(?!_:))? <years:nextyear>?", "ISO_CLOCK": "<hour:two> _: <minute:minute> (_: <minute>)?",
    "AHEAD": "(sure=(<n:number>|on? the (?=day)) <unit:unit>) (before|(after=after))",
    "NO_HOUR": "(?!,? (at|@|<any>|<hour>|<noon>|to may))", "NTH_DAY": "(<nth:which>|<nth:nth>) <weekday:singleday>",
    "IN": "(sure=(in|after (?!(NUMBER) <unit> of|<length> of)) (about|like|around)?)?",
    "NO_RANGE": "(?!the? (<nthword>|<edgeday>|last|final|end))",
    "UP_TO": "and|to|until|till|-|_-", "DASH": "(_-|_/|_.)", "EDGE": "(last=end)|<day:edgeday>|beginning|start|first"
    " (?=of <monthof>)",
}  # fmt: skip
_TIMES: tuple[Row, ...] = (
    # What comes again.
    ("every", "(MONTHLY NTH_DAY|DAY_AND NTH_DAY OF_MONTH|on? <every> <nth:fourth> <weekday:singleday>) <part:part>?"),
    ("every", "MONTHLY (dates=ONE_DAY MORE_DAYS)|DAY_AND (dates=ONE_DAY MORE_DAYS) OF_MONTH"),
    ("every", "on? <every> (<day:dayfigure> of? <month:month> .?|<month:month> .? <day:dayfigure>)"),
    ("every", "(<every>|on|FROM_WITH_CLOCK)? <first:singleday> (-|_-|to|through|thru) <last:singleday>"),
    ("every", "on? (single=(?=<singleday>)) (days=SINGLES) <part:part>? (?!<pronoun>|that|i|i'm|we|we're)"),
    ("every", "<every> (<n:twice>|<n:nth>)? on? (DAYS) <part:part>?"),
    ("every", "on? (days=(<weekday> (,|&|/|_/|,? and)?){0,6} <plural>) <part:part>?"),
    ("every", "(<every> <cycle:workday>|on? <cycle:workdays>) <part:part>?|<every> (<part:part>|<cycle:cycle>)"),
    # "Every 15th" is one of the month; "every 2nd person" is none.
    ("every", "on? <every> (dates=<nth> MORE_DAYS)(?=$|,|(at|to|that|about))|at? the? (dates=end) of <every> month"),
    ("span", "(between|from) (list=(ONE_CLOCK) <oclock>? (UP_TO) (ONE_CLOCK) <oclock>?)"),
    ("every", "<every> (<n:count>|NUMBER)? <unit:unit> (on (DAYS))?"),
    ("every", "twice (a|per) (?=day ,? at <hour> ((_:|_.) <minute>)? (<half>|<dotted>)? .? (and|&)) <unit:unit>"),
    ("every", "<cycle:adverb> (on? (DAYS) <part:part>?)?|once (a|an|per|every) <unit:unit>"),
    # Days.
    ("day", "<part:early> A_NEAR morning?", STRONG),
    ("day", "A_NEAR <weeks:aweek>(?=$|,|at|to|that|about|:)", STRONG),
    ("day", "(sure=(WEEKS) from?)? <near:day> <part:part>?", STRONG),
    ("day", "<part:tonight>|this <part:part>", STRONG),
    ("day", "on? the? NTH_DAY (of|in) (<month:month> .?|<months:monthof>) <part:part>?"),
    ("day", "((AHEAD)? (sure=on|at)? <holiday:holiday>|(AHEAD) <holiday:feast>) <years:nextyear>? <part:part>?", WEAK),
    ("day", "(AHEAD)? WITH_DAY (<day:dayfigure> of?|<day:nthword> of) <month:month> .? YEARS", STRONG),
    ("day", "(AHEAD)? WITH_DAY <month:month> .? the? <day:dayfigure> YEARS", STRONG),
    ("day", "WITH_DAY <day:dayfigure> _- <month:month> (_- <year:year>)?", STRONG),
    ("day", "WITH_DAY <year:year> DASH <month:small> DASH <day:small> (t ISO_CLOCK)?", STRONG),
    ("day", "(sure=on|on? WEEKDAY)? <one:small> _/ <two:small> (_/ (sure=<year:year>|<year:two>))?", WEAK),
    # "Bob may first call" is no date.
    ("day", "WITH_DAY (<month:plainmonth> .?|<month:month> .?(?=the)) the? <day:nthword> YEARS", STRONG),
    ("day", "on? <weekday:singleday> .? ,? (the? <day:nth>|the <day:nthword> (?=$|,|at|to|that|about))(?!of)", STRONG),
    ("day", "on? <weekday:singleday> in (WEEKS)", STRONG),
    ("day", "(sure=<which:weekof> ,? on?)? (sure=on|this coming?|the? coming)? A_DAY (sure=of? <which:weekof>)?", WEAK),
    ("day", "(WEEKS_ON|(next=on? next)) <weekday:singleday> .? <part:part>?", STRONG),
    ("day", "(sure=on)? <day:small> _. <month:small> ((sure=.|_. <year:year>)|_. <year:two>|(?=<small> _:))", WEAK),
    ("day", "(sure=on) <day:small> _. <month:small>|<day:small> _. <month:two>", WEAK),
    ("day", "(sure=on)? the (<day:nth>|<day:edgeday>) (sure=of <months:monthof>)?(?!of)", WEAK),
    ("day", "(sure=on) <day:nth>(?=$|[,:]|at|to|that|about)", WEAK),
    # Behind a text it may be no day: "bet on the third", "work on the second".
    ("day", "(sure=on) the <day:nthword> (?=(at (ONE_CLOCK) HALF?)? (:|that|about|to NO_RANGE))"),
    ("day", "(at|on)? the? (EDGE) of (<months:monthof>|<month:month> YEARS)|<which:weekof>", STRONG),
    ("day", "(AHEAD)? at? <holiday:yearend> (?=$|,|:|to|that|about|for|at)", STRONG),
    ("day", "at? the? (last=end of) (the|this)? month|<months:nextmonth>|in <month:month> YEARS NO_HOUR", STRONG),
    ("day", "(<which:this>|(next=next)|(sure=(on|at|over) the)) (weekend=<weekday:weekend>)", WEAK),
    # Lengths and clocks.
    ("until", ",? until|till|til|through|(up to)"),
    ("lasting", ",? for (sure=the? (next|coming))? (<n:number>? <unit:unit>|<length:length>)(?!of|long|old|<unknown>)"),
    ("clock", "AT? <hands:year> (sure=hours|hrs)|AT <hands:year>(?!<unknown>)"),
    ("length", "IN <n:number> <unit:unit> (,|and|, and)? <n1:number> <unit1:unit> FROM_NOW?"),
    ("length", "IN <hour:hour> (hour|hours|hr|hrs) and? <minute:minute>(?=$|for|to|,)"),
    ("length", "IN (NUMBER) (half=and a half)? more? <unit:unit> (half=and a half)? AND_MINUTES? FROM_NOW?"),
    ("length", "(sure=in) <hour:hour> h <minute:minute>|(sure=<length:sametime>)"),
    ("length", "IN (<length:length>|<n:number> <unit:seconds>) FROM_NOW?"),
    ("clock", "(AT)? <hour:hour>? <clock:noon>", WEAK),
    # "At 9, 6 apples" is one clock.
    ("clocks", "at (list=(ONE_CLOCK) ((,? and|&) at? (ONE_CLOCK)|, at? (SURE_CLOCK|<hour>(?=$|ON_GOES))){1,5})"),
    ("clock", "(AT|THEN)? (?!half to) (<by:by>|<n:number> (minutes=<minutes>)?) <side:side> <hour:hour> HALF?"),
    ("clock", "((AT) <by:by>|<n:number> (minutes=<minutes>)) <side:otherside> <hour:hour> HALF? (?!<unit>)"),
    ("clock", "AT? <hour:hour> <minute:spelled> (sure=HALF)?", FOLLOWING),
    ("clock", "AT <hour:hour> <minute:minute> (sure=HALF)"),
    ("clock", "AT <hour:hour> <minute:minutewords> ((sure=HALF)|(?=$|to|that|about|<deed>))"),
    ("clock", "AT? <fraction:halfpast> <hour:hour> (sure=HALF|(?=<day>|<tonight>|this|in the <part>))?"),
    ("clock", "AT <hour:hour> ((_:|_.) <minute:minute>)? ((_-)? ish)? (HALF|<oclock> (HALF)?)? <sharp>?"),
    ("clock", "(THEN)? <hour:hour> ((_:|_.) <minute:minute>)? ((_-)? ish)? (sure=HALF) <sharp>?"),
    ("clock", "(THEN)? <hour:hour> (_: <minute:minute>)? (sure=<oclock> (HALF)?|(_-)? ish) <sharp>?"),
    ("clock", "(sure=THEN) <hour:hour> ((_:|_.) <minute:minute>)? (?=$|,|:|to (?!<any>|<hour>))"),
    ("clock", "AT? <hands:hands> HALF|at <clock:lunch>"),
    ("clock", "(before=at) <hands:hands>(?!<unknown>)", BEHIND),
    ("clock", "<hour:hour> _: <minute:minute> <sharp>?|AT? <hour:hour> (h=h) <minute:minute>"),
    ("clock", "<hour:hour> (before=(?=in the <part>|at night))"),
    ("clock", "(AT|by)? the? (sure=<clock:dayend>)|(AT|by) <clock:cob>|<clock:cob>(?=on? <weekday>|<day>)"),
    ("part", "(in the?|at) <part:part>|<part:early> in the morning", STRONG),
    ("zone", "<zone:zone>(?=$|,|:|;|-|to|that|about|for|on|<day>|<singleday>)"),
    ("without", "(BUT) (on|for)? (<free:free>|(public|bank)? holidays)|no (but=<plural> ((,|,? and|&) <plural>){0,2})"),
    ("without", "(BUT) on? (but=<weekday> ((,|,? and|&) <weekday>){0,2}) (?!,? (and|on))"),
    ("clock", "(<hour:two>|<hour:one>)(before=(?=$|:|, (?!<any>)|(to|that|about) (?!<any>)|<deed>))", BEHIND),
)
_AGAINST = (
    # Ranges, choices, more days or clocks than are understood, and clocks of other places.
    "(-|~|_-|(to|till|until|and|or|&|past) at?) (<any>|<nth>)",
    "(-|/|&|,? (to|and|or|till|until|through|thru) on?) (<weekday>|<plainmonth>)",
    "<zone>|<oclock>|ago|before|after|earlier|<name> time",
    "floor|<word>? (street|avenue|road|lane)|grade|anniversary|birthday",
    "of ((<every>|the|next|this|last) (week|month|year|quarter)|<weekof>|<monthof>|<nextyear>|(week|quarter) <any>)",
)
READER = Reader(
    Words(CLASSES, spelt={"'": ""}),
    _TIMES,
    _MACROS,
    clock="<hour:hour> ((_:|_.) <minute:minute>)? (HALF)?|<clock:noon>",
    between=",",
    against=_AGAINST,
    manners=Manners(
        lead=re.compile(r"\s*(?:(?:please|pls|ok(?:ay)?|then|and|remind me(?: again)?)\b[\s,:]*)*", re.IGNORECASE),
        forms=("in {}", "{}", "at {}"),
        polite=re.compile(
            # "To say thank you" and "to write a thank you" are no politeness.
            r"(?=[\s,.!?])(?<!say)(?<!write)(?<!send)(?<!reply)(?<!reply:)(?<! hi)(?<!hi and)(?<! a)(?<!the)(?<! my)"
            r"(?:(?:(?:[ ,.!?]{1,5}| - )(?:(?:pretty )?ple+a*s+e+|pl[sz]+|(?:(?:many|k|ok) ?)?(?:thanks|thank ?(?:you"
            r"|u)|th(?:n|an)?x|tks|tnx)(?: a (?:lot|million|bunch|ton)| heaps| (?:so|very) much| in advance| again"
            r"| kindly)?|(?:and|n|&) (?:thank ?(?:you|s)|thx)|t[yh]vm|tysm|lo+l|lmf?ao|(?:ha){2,4}|cheers|(?-i:ta)"
            r"|(?<!check )(?<!see )(?<!ask )if (?:you|u) (?:please|would|could|can|don\'t mind)"
            r"|so (?:that )?i(?: don\'?t (?:forget|oversleep)|\'?m not late)|when (?:you|u) (?:can|(?:have"
            r"|get) a (?:sec|min|minute|moment|chance))|in case i forget|xoxo|(?:would|will|could|can|won\'t) (?:you"
            r"|ya|u)|before i forget(?: it| again)?|(?<!her )(?<!him )(?<!them )that(?:\'?d| would) be (?:great"
            r"|lovely)|(?:be)?(?:cause|cos|cuz) i(?:\'?ll| will| always| keep)? forget(?:ting)?|(?:or(?: else)?"
            r"|otherwise) i(?:\'?ll| will| might)? forget|(?<=[,.!?] )(?:ok(?:ay)?|mate|ta|ty|tia|xx+|yeah|alright"
            r"|(?:much )?appreciated|(?:i\'?d )?appreciate it|much obliged|(?:kind|best) regards|good bot"
            r"|don\'?t (?:let me )?forget(?: it)?|i (?:always|keep) forget(?:ting)?|if possible|(?:thank ?you|thanks"
            r"|cheers|regards),? (?-i:[A-Z])[a-z]+))(?:,? (?:mate|bud|buddy|teller|bot|dear|love|luv|hun|hon|darling"
            r"|bro|pal))?){1,2}|\s+(?:[:;=]-?[()DP]|<3))(?:\s*[:;=]-?[()DP]"
            r"|\s*<3)?[\s\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]{0,9}$",
            re.IGNORECASE,
        ),
    ),
)
