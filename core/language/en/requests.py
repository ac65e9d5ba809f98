"""English: what is said of a reminder beside its time, as templates by what they are for (engine/requests.py)."""

from __future__ import annotations

from collections.abc import Mapping

# Before a wish; "can you …?" ends with a mark that is not part of it.
LEAD = (
    "((please (you|u|to) (?=remind|remember|wake|set|<adding>)|(hey|hi|yo|hello) (buddy|mate|there|assistant)"
    "|<greeting>|(yeah|well|right|alright|hmm) ,? (?=so|remind|<adding>|set|wake)|(also|actually) (?=remind|<adding>"
    "|<making>|<removing>|cancel|move|wake)|(quick|small|gentle) (one|ask|request|favor|favour) (,|:|-)?|(i changed my"
    " mind|we changed our mind|oops|whoops|my bad|wait|hang on|no) (,|(?=make|change|cancel))|do (me a (favor|favour"
    "|solid) (and|,)|(the needful|one thing) and|(?=remind))|be a (dear|love|star|darling|doll|sweetheart|champ|pal)"
    " and|sorry (to (bother|disturb|trouble) you)? (,|but)|(if possible|if you (can|could|don't mind)|(when|if) (you|u)"
    " (get|have|got) a (sec|second|minute|min|moment|chance)) ,?|(you=(are|would) you be? able to|(can|could|would|will"
    "|might|won't) (you|u|ya) (please|possibly|maybe|kindly|just|be so kind as to)?|(is it|would it be) possible to|(i"
    " was|i'm)? wondering if you (could|can|would)|i wonder if you (could|can|would)|((do you)? think|any chance)"
    " (that)? you (could|can|would)|(i'd like|WE ((would|should) like|want|need)) (that|for)? you to?|(i'd|i would)"
    " (like|love) it if you (could|would)|((don't|do not) forget|remember|(make|be) sure) to (?=remind)|you (must"
    "|should|may|gotta|(can|could) (?=remind)|(need|have) to)|be (good|kind|so good|so kind) (enough|as) to|(i'd|i"
    " (would|should)) (be <y:word>? (grateful|obliged)|appreciate it) if you (could|would)|it would be <y:word>{1,3}"
    " (if you (could|would)|of you to)|(can|could|may|might) (i (ask|trouble) you to|i get you to|i (?=be reminded))))"
    " (,|:|!|.){0,3}){1,5}"
)
_MACROS: Mapping[str, str] = {
    "UNIT": "<unit>|fortnight", "SOME": "the (next|rest)|(<number>|<any>|few|a few|several|some) more? full? (UNIT)",
    "DAYS_LONG": "the (next|rest)|(<number>|<any>|few|a few|several|some) more? (day|days|week|weeks|month|months|year"
    "|years)",
    "SUBJECT": "(it|i|we|he|she|they|that|this) (is|am|are|has|have)?|it's|that's|he's|she's|i'm|we're|they're|i've",
    "TILL_DONE": "(until|till|til) (SUBJECT)? (say|tell you)? (SUBJECT)? ((done|finished|do|did|does|confirm|confirmed"
    "|acknowledge) (it|that|this)?|(tick|check|mark|ticked|checked|marked) (it|that|this)? (off|as? done))",
    "KEEP": "and? keep on? reminding (me|us|him|her|them|everyone|everybody)?",
    "REPEAT": "and? (keep repeating|repeat (it|this|that)?|(don't|do not) stop|keep on? (at|nagging|bugging) me)",
    "WHEN_IF": "if|unless|when|whenever|in case|as soon as|provided|except|excluding|but not|not on|starting|until"
    "|till",
    "BE": "is|are|was|were|do|does|did|can|will|should", "ONES": "i|you|we|he|she|it|they|there|the|this|that|my",
    "MONTHS": "<plainmonth>|march", "WH": "what|who|whom|whose|where|(?!AT_THEN) when|why|how|which",
    "AT_THEN": "when (it's|it is) ((<any>|<hour>) ((_:|_.) <any>)? (<half>|<oclock>)|(<any>|<by>|<number>) <minutes>?"
    " (to|past) <hour>|<noon>|(<any>|<hour>) ((_:|_.) <any>)? (?=$|,|:|to (?!<any>|<hour>)))",
    "ASK": "(WH) (?=<word>)|what's|who's|when's|how's|(BE|could|would) (ONES)",
    "CLOCK_OF": "(?!one|two) <hour> (<spelled>|(_:|_.|h) <minute:minute>)?|<minute:hands> <half>?|<hour> (<half>"
    "|<letterhalf>|h)",
    "A_THING": "(something|sth|smth|(a|an|some|one|another)? (important|new)? (thing|stuff|things)) important?",
    "NO_TEXT": "excluding|besides|apart from|other than|unless|if|when|whenever|while|only|once|twice|thrice|but",
    "AND_SO": "((and|so|but|btw|oh|ok|then|please|pls|ps|by the way) (,|:)?){0,4}",
    "ORDERS": "remind|notify|alert|nudge|wake", "UM": "um|uh|er|erm|uhm", "TELL_ME": "(tell|show|give|send) (me|us)",
    "OTHER_WISH": "(<adding>|<removing>) <y:some> (to|on|onto|from|off) <z:few>? (<list>|<calendar>)|(<making>|cancel"
    "|delete|stop|turn off) (an|a|the|my|another)? <y:word>{0,3} (<alarm>|reminder)",
}  # fmt: skip
RULES: Mapping[str, str] = {
    "lead": "(please|pls|,|:){1,4}", "leads": "(,|:|UM){1,2}",
    "connect": "(,|;|.|-){0,3} (UM)? ((sure=to|of|so that? (i|we) ((don't|do not|won't) (forget (to|about)?|miss)|can"
    "|may|could))|(theirs=that)|(apart=:)|(about=about|abt|bout|re|regarding|concerning)|for)? (:|-){0,2} (UM)?",
    "weak": "(?!<two> h) <any> ((_.|_,) <any>)? <unit> (<any> <unit>)?",
    "until": ",? ((KEEP) ,? (TILL_DONE)?|(REPEAT)? and? (TILL_DONE))",
    # For whom.
    "me": "for? (me|myself) (?!(and|or|&)|,? <link>)", "self": "me|myself", "for": "for (?=<name>|<link>)",
    "us": "for? (us all?|all of us)",
    "many": "for? ((everyone|everybody|all) (here|in (this|the|our) (group|team|chat|channel|thread))?|(the|our) (whole"
    "|entire)? (group|team|family|chat|channel))",
    "and": ", and?|&|and", "unnamed": "<deed>|<noname>|<timed>|<edges>|<special>|<greeting>",
    "tells": "(,|:)? (UM)? (that|about|abt|bout|to (?!<article>|<name>))", "after": ",? (to|that|about|for|:)",
    "plain": ",? (?!with|for|and|or|,|.|:|-|<edges>|<name>|<any>) <word>",
    # The borders of a text: what it does not begin with behind a time, nor end with before one.
    "begins": "<edges>|<any>|and|or|not|with|NO_TEXT|SAYS_TIME|(?!a|an) <number>|a? (UNIT)|@|end|yesterday|STRAY|about"
    " (<any>|half|<hour>|<noon>)|as (soon|long|they)|[(] that is|(minus|less|plus) (<length>|(<any>|<number>) <unit>)"
    "|strike that|come (a|<length>)|over in|all being|the day from|kg|kilos|grams|lbs|ml|litres|liters|a? <word> times"
    "|for (SOME|a while|now)|the? <nth>|tomorrow's|the? (this|next) <unit>|is|are|was|were|has|will|would|so|please|pls"
    "|cause|because|i mean",
    "ends": "<bound>|<near>|<tying>|ago|and|or|but|not|SAYS_TIME|at|<nth>|morning|afternoon|the (latest|earliest)|of"
    "|for|about|to|turn|(a|an|<number>|<any>) (day|days|month|months|year|years)|in <any> _: <any>|in (MONTHS|<any>"
    "|<number>)|(at|around|by) <teatime>|<hour> oh|mid (_-)? (MONTHS)|<unit> (minus|less|plus)|<weekday> i mean|, er"
    "|same day|once and only once|half past (?!<hour>) <number>|<any> zulu|HUNDRED|now and (again|then)|(?!<article>"
    "|for|by|on|of|about|black|good) <word> <weekday>|<any> _/ <any>",
    "hangs": "<hanging>|at (around|about|roughly) <hour>", "otherday": "on <weekday>?|this very|<weekday> (after|before"
    "|nearest) <word>{0,2}|<special>|<holiday>|<season>|<year>",
    "hour": "(thing=<numbered>|#|<any>)? (CLOCK_OF|(?!one|two) <hour>|<number> <spelled>) ((_-)? ish)?",
    "owned": "(<bound>|at|for|of|is|are|to|than|about) (CLOCKISH|<word>)",
    # Of times within a text: the Friday meeting, it starts at 5, for Friday, by Friday.
    "owns": "(of=<whose>|for|of|about)|<article>|<being>|by", "on": "on", "more": "and|or|then|not|,",
    # Behind some verbs "if" means whether: what is to be checked then.
    "clause": "(?!(check|see|verify|confirm|sure|out|know|decide) if) <word> (if|unless|when|whenever|once|as soon as)"
    " (SUBJECT)", "ofday": "tomorrow's",
    "owntime": "that|about|for|if|whether|tell|ask|book|reserve|order|plan|prepare|arrange|schedule|discuss|confirm"
    "|cancel|check|(inform|message|text|write|email|invite) <few> to",
    "trails": "for <number>? <unit>|until|till|til",
    "holds": "is|are|wait|stay|hold|keep|postpone|push|delay|put off|reserve|book|extend|days|weeks|long|left",
    "unsure": "(UNIT|<length>|<part>|nights|evenings|mornings) (and a half)? (before|after|prior|earlier|later|ahead|in"
    " advance)|(at|from|between) (CLOCKISH|<hour>|<noon>) ,? (and|or|to|till|until) (<word> at)? (<any>|<hour>|<noon>)"
    "|(until|till|before|after) CLOCKISH (?=$|,|.|;|!)|(,|;|.) (WHEN_IF)|(until|till|til) i (say|confirm|tell|tick"
    "|check|mark|acknowledge|answer|reply|respond)|on <weekday> and (?!on? <weekday>)|(on|at the top of) the (hour|half"
    " hour)",
    "odd": "(<any>|<number>|half|to|about|or|_-){0,4} <unit> (or|and|<any>|<number>){0,2} (before|after|prior)|<noon>"
    "|<one> <deed>|((<any>|<number>) <unit> and?){1,2} (:|to|about)|on <weekday>|actually|make it <any>|(<any>"
    "|<number>) times|WHEN_IF|<bound>|around|roughly|approximately|in advance|beforehand",
    "rarely": "<bound>|WHEN_IF|NO_TEXT|with the exception|for (DAYS_LONG)|<word> times",
    "doubtful": "in <month> <year>?", "dated": "birthday|bday|birthdays|anniversary",
    "edge": "in <month>|at? (the? (end|beginning|start) of (<month>|<monthof>)|<yearend>)",
    "dayish": "yesterday <part>?|<monthof>|<weekof>|last night|(<name>|<whose>|<holiday>|next <word>) (day|eve|night)"
    "|bank holiday|on the <nthword>|<holiday>|<season>|MONTHS|in may|<every> <word>{1,4} (_/ <word>)?|(first|last|end)"
    " <word>{0,3} of (the|this|next)? (MONTHS|<unit>)|(next|last|this|coming) (week|month|year)|<nth>|<any> (_-|_.|_/)"
    " <any> (_-|_.|_/) <any>|<any> _. <any> .?|<any> . <word>",
    "second": "(.|!|[?]|;) AND_SO (also|actually|no|wait|make (it|that)|ASK|ORDERS|set|add|put|cancel|delete|remove"
    "|search|find|translate|look up|TELL_ME)|<list> ,? and|(and|then|,|;) (also|and|then|please){0,3} ((ORDERS|ping)"
    " <word>|TELL_ME|OTHER_WISH)|, ((WH) (BE)|what's|who's|how's)|(no ,? (wait|make|at|on|<near>|<weekday>)|(wait|sorry"
    "|actually|make (it|that)) ,? (at|on)? (<any>|<near>|<weekday>))",
    "asked": "((again|please|pls|once (again|more)|quickly|briefly|just|to|of|about) (,|:)?){0,4} (WH|whether|if|what's"
    "|who's|how's|when's|(is|are|was|were|does|did) <word>|do (i|we|you|they)|the (time|day|moment) (ONES|when))",
    "asks": "(WH) (BE)|what's|who's|how's|when's|(<y:text>)? [?]", "question": "WH|ASK",
    "waits": "(?!AT_THEN) when|whenever|if|once (?!more|again|a|an|per|every)|as soon as|in case",
    "unread": "<edges> (<any>|<nth>|<weekday>|<part>)", "closes": "to|about|say|<exact>|(,|;|-|.) it's",
    "again": "once? (again|more)|instead|too|also|as well|(to? do)? (A_THING)", "wakes": "(wake|get) up|alarm",
}  # fmt: skip
# What says something of a time at either end of a text. What is none begins no text, but ends what was said of a time:
# "4pm CET to call", "at 9 Berlin time to call".
MACROS = {
    **_MACROS,
    "SAYS_TIME": "sharp|ish|<noon>|<zone>|<half>|<dotted>|<oclock>|(<name>{1,3}|<gathering>|local|my|their) time",
    "HUNDRED": "(oh|zero) (_-)? <number>? (_-)? hundred|<number> hundred hours",
    "CLOCKISH": "<any> ((_:|_.) <any>)? <half>?",
    # A single word before "to" may be of the time, misspelt ("mornin to"); of several one says it, or none does.
    "STRAY": "(?!<deed>|<ing>|,|:|.|;|-) (<word>|(<word>|,|_.){0,5} (<any>|<part>|<weekday>|time) (<word>|<any>|,"
    "|_.){0,5}) to",
}
