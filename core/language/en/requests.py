"""English: what is said of a reminder beside its time, as templates by what they are for (engine/requests.py)."""

from __future__ import annotations

from collections.abc import Mapping

# Before a wish; "can you …?" ends with a mark that is not part of it.
LEAD = (
    "((<greeting>|(you=(can|could|would|will) (you|u|ya) (please)?|(<id> like|WE would like|WE want|WE need) you to"
    "|you (must|should))) (,|:|!){0,3}){1,5}"
)
_MACROS: Mapping[str, str] = {
    "UNIT": "<unit>|fortnight",
    "SOME": "the (next|rest)|(<number>|<any>|few|a few|several|some) more? full? (UNIT)",
    "DAYS_LONG": "the (next|rest)|(<number>|<any>|few|a few|several|some) more? (day|days|week|weeks|month|months|year"
    "|years)",
    "SUBJECT": "(it|i|we|he|she|they|that|this) (is|am|are|has|have)?|<its>|<ive>",
    "TILL_DONE": "(until|till|til) (SUBJECT)? (done|finished|do|did|does) (it|that|this)?",
    "KEEP": "and? keep on? reminding (me|us|him|her|them|everyone|everybody)?",
    "REPEAT": "and? (keep repeating|repeat (it|this|that)?)",
    "WHEN_IF": "if|unless|when|whenever|in case|as soon as|provided|except|excluding|but not|not on|starting|until"
    "|till",
    "BE": "is|are|was|were|do|does|did|can|will|should",
    "ONES": "i|you|we|he|she|it|they|there|the|this|that|my",
    "WH": "what|who|whom|whose|where|when|why|how|which",
    "ASK": "(WH) (?=<word>)|<whats>|<whos>|<whens>|<hows>|(BE|could|would) (ONES)",
    "CLOCK_OF": "(?!one|two) <hour> ((_:|_.|h) <minute:minute>)?|<minute:hands> <half>?|<hour> (<half>|<letterhalf>|h)",
    "MONTHS": "<plainmonth>|march",
    "NO_TEXT": "excluding|besides|apart from|other than|unless|if|when|whenever|while|only|once|twice|thrice|with",
    "AND_SO": "((and|so|but|btw|oh|ok|then|please|pls|ps|by the way) (,|:)?){0,4}",
    "ORDERS": "remind|notify|alert|nudge|wake",
    "TELL_ME": "(tell|show|give|send) (me|us)",
}
RULES: Mapping[str, str] = {
    "lead": "(please|pls|,|:){1,4}",
    "leads": "(,|:){1,2}",
    "connect": "(,|;|.|-){0,3} ((sure=to|of)|(theirs=that)|(apart=:)|(about=about)|for)? (:|-){0,2}",
    "weak": "<any> ((_.|_,) <any>)? <unit> (<any> <unit>)?",
    "comma": "(,|:){1,2}",
    "pause": "(,|;|:|-){1,4}",
    "until": ",? ((KEEP) ,? (TILL_DONE)?|(REPEAT)? and? (TILL_DONE))",
    # For whom.
    "me": "for? (me|myself) (?!(and|or|&)|,? <link>)",
    "self": "me|myself",
    "us": "for? (us all?|all of us)",
    "many": "for? ((everyone|everybody|all) (here|in (this|the|our) (group|team|chat|channel|thread))?"
    "|(the|our) (whole|entire)? (group|team|family|chat|channel))",
    "and": ", and?|&|and",
    "unnamed": "<deed>|<noname>|<timed>|<edges>",
    "tells": "(,|:)? (that|about|to (?!<article>|<name>))",
    "after": ",? (to|that|about|for|:)",
    "plain": ",? (?!with|for|and|or|,|.|:|-|<edges>|<name>|<any>) <word>",
    # The borders of a text: what it does not begin with behind a time, nor end with before one.
    "begins": "<bound>|<near>|and|or|but|not|NO_TEXT|sharp|ish|<noon>|<zone>|a? (UNIT)|<half>|<dotted>|<oclock>"
    "|(at|@|from|between|until|till|by|before|after|about)? <any>|about (half|<hour>|<noon>)|as (soon|long) as"
    "|a? <word> times|for (SOME|a while|now)|yesterday|(on|in|at|over) (<holiday>|<season>|<month>)|on? the? <nth>"
    "|at <meal>|<ofday>|the? (this|next) (week|month|year)|<name>{1,3} time|STRAY",
    "count": "(?!a|an) <number>",
    "ends": "<bound>|<near>|<tying>|and|or|but|not|<noon>|morning|afternoon|the (latest|earliest)"
    "|(some|any) (point|time)|<nth>|<zone>|<half>|<dotted>|<oclock>|at|of|for|about|to",
    "adverb": "(<going>|get up) up? (early|earlier|late|later)|<any> ((_:|_.) <any>)? (<half>|<dotted>)",
    "bounds": "<bound>|around|roughly|approximately",
    "hangs": "<hanging>",
    "otherday": "on|<special>|<holiday>|<season>",
    "hour": "(thing=<numbered> .?|#|<any>)? (CLOCK_OF|(?!one|two) <hour>) ((_-)? ish)?",
    "owned": "(<bound>|at|for|of|is|are|to|than|about) (<any> ((_:|_.) <any>)? <half>?|<word>)",
    # Of times within a text: the Friday meeting, it starts at 5, for Friday, by Friday.
    "owns": "(of=<whose>|for|of|about)|<article>|<being>|by",
    "on": "on",
    "more": "and|or|then|not|,",
    "ofday": "<ofday>",
    "parts": "that|(tell|ask|inform|message|text|write|email|invite) <few> (to|if|whether)",
    "ownday": "about|for|if|whether|tell|ask|book|reserve|order|plan|prepare|arrange|schedule|discuss|confirm|cancel"
    "|check",
    "unsure": "(UNIT|night|nights|evening|evenings|morning|mornings) (before|after|prior|earlier|later|ahead"
    "|in advance)"
    "|at <any> ((_:|_.) <any>)? <half>? ,? (and|or) (<word> at)? <any>"
    "|(from|between) <any> ((_:|_.) <any>)? <half>? (to|and|till|until) <any>"
    "|(until|till|before|after) <any> ((_:|_.) <any>)? <half>? (?=$|,|.|;|!)|(,|;|.) (WHEN_IF)",
    "odd": "WHEN_IF",
    "rarely": "until|till|til|except|excluding|unless|if|but (not|only|never)|not on|only (on|if|when)|apart from"
    "|other than|starting|beginning|ending|through|for (DAYS_LONG)|<word> times",
    "dayish": "yesterday|<holiday>|<season>|MONTHS|in may|<every> <word>{1,2}"
    "|(next|last|this|coming) (week|month|year)|<nth>|<any> (_-|_.|_/) <any> (_-|_.|_/) <any>|<any> _. <any> .?"
    "|<any> . <word>",
    "second": "(.|!|[?]|;) AND_SO (also|ASK|ORDERS|set|add|put|cancel|delete|remove|search|find|translate"
    "|look up|TELL_ME)"
    "|(and|then|,|;) (also|and|then|please){0,3} ((ORDERS|ping) <word>|TELL_ME)|, ((WH) (BE)|<whats>|<whos>|<hows>)",
    # Questions.
    "asked": "((again|please|pls|once (again|more)|quickly|briefly|just|to|of|about) (,|:)?){0,4}"
    " (WH|whether|if|<whats>|<whos>|<hows>|<whens>|(is|are|was|were|does|did) <word>|do (i|we|you|they)"
    "|the (time|day|moment) (i|you|we|he|she|they|when))",
    "asks": "(what|who|where|when|why|how|which) (BE)|<whats>|<whos>|<hows>|<whens>",
    "question": "WH|ASK",
    "waits": "when|whenever|if|once (?!more|again|a|an|per|every)|as soon as|in case",
    "unread": "<edges> (<any>|<nth>|<weekday>|<part>)",
    # Texts.
    "closes": "to|about",
    "again": "once? (again|more)|instead|too|also|as well",
    "wakes": "(wake|get) up",
}
# Neither begins a text, but ends what was said of the time: "4pm CET to call", "at 9 Berlin time to call".
MACROS = {
    **_MACROS,
    "STRAY": "(?!<deed>|trip|introduction|<ing>|,|:|.|;|-) (<word>){0,2} (?!<tied>|,|:|.|;|-) <word> to",
}
