"""English: what people say to ask for the time or the date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "DATE": "date|day|weekday|day of the (week|month)|calendar day|day and date|month|year",
    "IS_IT": "is it|it is|is it again|will it be|would it be|is it going to be|are we|do we have",
    "DAY_AT": "(on|in|for|of)? <when:time>",
    "FEAST": "<day:feast>|DAY_AT",
    "OCLOCK": "(current|exact|local|correct|right)? (time|hour)",
    "IN_PLACE": "(over|out|there)? (in|at) <place:some>",
}
ROWS: Mapping[str, Sequence[str]] = {
    "date": (
        "(what|which) DATE IS_IT in? (today|NOW|today NOW)?",
        "(WHAT) (the|MY)? (current|exact)? DATE (today|of today|NOW|today NOW)?",
        "(WHAT) (<day:daysof>) DATE (NOW)?",
        "(the|current|the current)? (<day:daysof>)? date (today|please)?|(WHAT) today",
        "what (today is|the date is|day it is) (today|NOW|DAY_AT)?|(do you know|SHOW|confirm|check) (what|which) DATE"
        " (IS_IT|WE have) (today|NOW)?",
        "is (today|it) <y:daynames> (or <z:daynames>)? (today)? (yet|already)?|is <when:time> (on)? a? <y:daynames>",
        "((what|which) DATE IS_IT|(WHAT|SHOW) (the)? DATE (gonna be|going to be)?) DAY_AT|(when|when's) (is|be)?"
        " (FEAST) (this year|again)?",
        "(FEAST) (falls|is|lands|fall|will be) (on)? (what|which) DATE (this year)?|(on)? (what|which) DATE (is|was"
        "|will|does|do|is going to be) (FEAST) (be|fall|land|come)? (on)? (this year)?",
        "(how (many (days|nights|sleeps|weeks)|long|far)|days) (is it|are there|are left|do WE have)? (left|to go"
        "|still)? (until|till|til|before|to) (FEAST)|(how far|how many (days|weeks)) (off|away) is <when:time>|how many"
        " (days|nights|sleeps|weeks) (are|is)? (there|it)? (between|from) (now|today) (and|to|till|until) (FEAST)",
        "(what|which) (week=calendar? week) (number|of the year)? (IS_IT|is this|are we in) (in)? (today|NOW)?",
        "(what is|what's)? (the|this)? (current)? (week=week) number (today|NOW|of the year)?",
        "(what|which) (week=calendar? week) (number)? (is|will be) DAY_AT (in)?|(week=week) number of DAY_AT",
    ),
    "time": (
        "is it (?=already|<y:some> (yet|already)) already? ((past|after)? (<any>|<hour>) (_: <any>)? (<oclock>|<half>)"
        "|(past|after) (<any>|<hour>|<noon>)) (yet|already)?",
        "(what|which|wat) (time|hour) (is it|it is|is (?=now)|do they have) (here)? NOW? (for (the|my|our)? <word>)?"
        " (IN_PLACE)? NOW?",
        "(WHAT|SHOW) (the|MY)? OCLOCK (is)? (here)? NOW? (IN_PLACE)? NOW?",
        "(the)? (current|exact|local)? time (please|NOW)?|(the)? OCLOCK NOW? IN_PLACE NOW?",
        "(SHOW)? how late (is it|it is) NOW? (IN_PLACE)? NOW?|(what|which) (timezone|time zone) is <place:some> in"
        "|local time <place:some>",
        "((do you|you|do u|have you) (have|know|got)|(tell|give) me?|(can|could|may|might) i (have|get|trouble you"
        " for)) (the|what) OCLOCK (is it|it is)? NOW? (IN_PLACE)? NOW?",
        "what time (do you have|have you got|would it be|will it be) NOW? (IN_PLACE)? NOW?",
        "what time (is it|would it be) for (me|us) NOW?|(got|have you) the (correct|right|exact)? time (on (you|ya))?"
        " (mate|please|,)?",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
