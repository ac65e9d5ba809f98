"""English: what people say to be reminded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "CALLED": "(an|a|the|my|another|new)? (?!recurring|repeating|(an|a|the|my|another)? (<workday>|<workdays>|<adverb>)"
    "|<few> reminder|(an|a|the|my|another)? new? <alarm>|off|out|back|the? <siren>) <x:words>",
    # "Dinner for six" is for six people.
    "AT_TIME": "(on|at|for (?!<number>))? <when:time>",
    "PLANNING": "(WE (want|would like) to|i'd like to)? (schedule|book|arrange|plan|set up|(add|create) (?!<word>{0,3}"
    " review)|pencil in|put down) (me|us)? (a|an|my|the|another)? new?",
    "MAKE": "PRE (?!(give|make) (the|my)) (<making>|(turn|switch|put) on|give me|give us) (me|us)? (up)?"
    " (an|a|another|the|my)? new?",
    "VERB": "remind|nudge|nag|poke|prompt|hassle|(alert|notify|ping|buzz|bug) (?!NEWSY)",
    "NEWSY": "(<text>)? (of|about|on|with) <words>? (<news>|new <word>)|(?=(<text>)? (every|each|hourly|daily|weekly"
    "|monthly)) (<text>)? (of|about)",
    "BEFORE_IT": "(the <ahead:theday>|<before:time>) (before|earlier|beforehand|prior|ahead|in advance|ahead of time)"
    " (it|that|then|hand)?",
    "NAMES": "ONE_NAME ((,|and|&|, and) ONE_NAME){0,3}",
    "ONE_NAME": "<unknown>{1,3}|<link>|me|myself",
    "MANY_OF": "(everyone|everybody|all) (here|in (this|the|our) (group|team|chat|channel|thread))?|(the|our) (whole"
    "|entire)? (group|team|family|chat|channel)",
    # A timer of 5, or of 1:15, may be one of minutes: that is asked about.
    "NO_LENGTH": "(?!(timer|countdown) (for|at|of|in|to|on)? <any> (_: <any>)? $|<alarm> in <any> $)",
    "SETS": "(?!(send|give|do) (a|an|the) <word> to (?!<deed>)) (<making>|mind (setting|creating)|arrange|new|shoot"
    "|drop|stick|pop|chuck|gimme|any chance of|(you=(can|could|may|might) i (get|have|set|trouble you for|ask for))|WE?"
    " (need|want|require|(would|should) (like|love|appreciate|be <y:word>? grateful for)|(will|shall) (need|be"
    " needing))|i'd (like|love|appreciate|be <y:word>? grateful for)|i'll need) (up|in|to (get|have|set))? (me|us)? (a"
    "|an|another|the)? (new|recurring|repeating|quick)? (reminder|nudge|shout|ping|buzz|heads (_-|-)? up) (?!app|bot"
    "|system|tool|service|email|mail|text|message|letter|sms) ((in|on) (?=for|to))?",
    # What surely is to be done: "alarm 7am stop" is none.
    "DEED": "(?!make it) <doing>|<gathering>|(?!<pronoun>|<making>|<show>|me|myself|us|back|be|cancel|stop|have|need"
    "|try|work|keep|turn|move|please|want|wish|look|come|help|thank|welcome|start|talk|speak|meet|discuss|confirm|shut"
    "|wake (?!up)) <deed>",
    "OF_IT": "(:|,|-) (?!no|there|there's|IT|<few> (is|are|was|were|will))|about|abt|of|that|for (?!<unknown>{1,2} :"
    "|MANY_OF|(<any>|<hour>) ((and|or) <any>)? $)|to (?!<unknown>{1,2} :|<article>|<name>|<link>|self|everyone"
    "|everybody|<unknown> <doing>)",
    # What is done to a reminder, or said of one, calls none.
    "NO_NAME": "<adverb>|sent|loud|fire|friendly|final|email|another|off|<siren>|gentle|quick|kind|new|old|late|change"
    "|update|edit|move|pause|skip|snooze|mute|keep|silence|missed|got|get|reset|resume|delay|push|postpone|reschedule"
    "|shift|repeat|call|turn",
    "REMINDS": "(,|;|-|.|!){0,2} (and|so)? PLS ((VERB) (who=me|us) (ABOUT (it|this|that))? (ok|okay|again)?|(set|create"
    "|WE? need) (a|an) reminder (for (it|this|that|me))?|(keep|start) reminding (who=me|us)|you remind (who=me|us) (ok"
    "|okay)?|a reminder would be <z:word>{1,2})",
    "TO_DO": "(?!get|find) (?=(<doing>|take|water) (the|my) (?!same|best|latest)|take out)",
    "PLS": "((you=(can|could|will|would) (you|u))|please|pls|plz|kindly|also|WE (want|need) you to|you (gotta|(need"
    "|have) to|should|must)){0,2}",
    "WANT_TO": "WE (want|wish|(would|should) (like|love)|have) to|WE? need to|WE wanna|i'd (like|love) to",
    "NAMED": "called|named|labeled|labelled|titled|entitled|saying|(that|and|which) says|(,|and){0,2} (call|name|label"
    "|title) (it|this|that) (?!a day|quits|off|even|in|whatever)|with (the|a)? (label|name|title|message|note) (?!of"
    "|for)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "remind": (
        # What stands behind its verb, before it, and around it.
        "(remind|rmd|rmnd|nudge (?!me|us)) <rest:text>|(until=keep) on? (reminding|bugging|nagging|pestering|pinging)"
        " <rest:text>",
        "(alert|notify) (?=me|us|<name>|<link>|MANY_OF) (?!NEWSY) <rest:text>|(ping|buzz|nag|poke|bug|nudge|prompt"
        "|hassle|(message|msg|text|dm) (?=me <timed>) (?!<y:some> :|<y:many> your|<y:some> to <word> $)) (rest=(me|us"
        "|<link>|MANY_OF) (<y:time>)? (so that? i (don't|do not) forget to|to (?=DEED|<unknown>|put|make|move)|:|,"
        " (?=<doing> (?!me|us))|(about|abt|re) (?!<pronoun>|NEWSY)) <z:text>)|(ping|nudge|tell (?=<y:some> to))"
        " (rest=(?!me|us|myself|<noname>) ONE_NAME (?=<timed>) <y:time> ,? (to (?=DEED|<unknown>|put|make|move)|that"
        " (?!<word> $)|(about|abt) (?!<pronoun>)) <z:text>)|(give|send|set|drop|shoot) (rest=(?!<noname>) ONE_NAME) (a"
        "|an|another) (quick|gentle|friendly|little)? (reminder|nudge|ping|heads (_-|-)? up) (more=<y:time>? ,? (to"
        " (?=DEED|<unknown>|put|make)|that|about|abt) <z:text>)|(send|drop|shoot) (rest=me|us) (a|another) (message"
        "|text|dm|note|msg|notification|alert) (more=<y:time> to (?=DEED|<unknown>) (?!<word> $|<y:some> your)"
        " <z:text>)",
        "(noun=ping|nudge|buzz|poke|beep) me (?=in (?!the)|at|AT_THEN) <when:time>|(noun=count down) (for|from"
        " (?=(<any>|<number>) (<unit>|<seconds>)))? <when:time>",
        "(tell|remember (?=me ((?!to) <timed>|to <doing>))) (?=me|us) (rest=(me|us) (<y:time>)? (to (?=DEED|<unknown>)"
        "|that (?=(it's|it is) time|MUST)) <z:text>)",
        "((mind|WE? need) reminding|be reminded|(i|we) need to be (prompted|nudged|told (?=to|<timed>))) <rest:text>"
        "|(see to it|see|ensure|make sure) that? (i'm|i am|i get|we are) reminded <rest:text>|(PRE <making>)? up? (me"
        "|us)? (a|an|my)? (rest=<adverb>) reminder (for (?=<timed>))? (?!that (you|<name>)) (more=<y:text>)",
        "(make sure|be sure) that? (i|we) (remember to?)? (?!have (fun|a)|get (paid|some|enough)|<y:word> you)"
        " (?=<deed>) <line:text>",
        "(help me to? remember (?!to|that|about|<asking>|<pronoun>)|(i|we) (must|(need|have|want) to|gotta|should)"
        " remember to (?=<deed>) (?!thank)) <line:text>",
        "let (rest=(?!<noname>|me|us) ONE_NAME) know (more=<y:time> (that|to (?=<deed>|<unknown>)) <z:text>)",
        "let (rest=me|us) know (more=<y:time> (that (?=(it's|it is) time|MUST)|to (?=DEED) (?!schedule)) <z:text>)",
        "<when:time> ,? ((WANT_TO) be (reminded|prompted|nudged|pinged|told)|WE? need reminding|(SETS) (?=to|for|about"
        "|of)) <rest:text>",
        "<when:time> (until=,? TILL_DONE)? (,|:|-|.){0,2} PLS (VERB) (who=(me|myself)(?!and|&)|us all?|all of us"
        "|MANY_OF) <rest:text>",
        "<when:time> (,|:|-)? reminder (:|-|to) (?!<timed>) <x:text>|(?!<y:many> (remind|reminder|reminders))"
        " (?!<y:many> (is|was|were|are|said|says|that|that's|they|i)) ((?=<every>) <when:time> (:|-|,)? (TO_DO|(?=call"
        " <unknown> $)) <x:text>|(?=tomorrow|<singleday>) <when:time> : TO_DO <x:text>)",
        "<when:time> (,|:)? PLS tell (who=me|us) (rest=to (?!<article>|<name>) <y:text>)",
        "<when:time> (until=,? TILL_DONE)? ,? PLS (VERB) (who=NAMES) (?=(,|:)? (to|that|about)) <rest:text>",
        # What it is about, then the verb: "call mom, remind me at 8".
        "(MUST (?!<pronoun>|be|not|know|say)|(?!<pronoun>|i|<y:some> (is|are) <z:some> remind (me|us) <every>)"
        " (?=<deed>|<gathering>)) <x:text> (,|.|;|-) (and|so)? PLS ((VERB) (who=me|us) (ABOUT <pronoun>)?|((set|create"
        "|make) (me)? a)? reminder for?) <when:time>",
        "(MUST (?!<pronoun>|be|not)|(?!<pronoun>|i) (?=<deed>|<gathering>)) <line:text> REMINDS",
        "<when:time> ,? MUST (rest=(?!<pronoun>|be|not|know|say) <y:text>) REMINDS",
        "(?=<timed>) <line:text> (,|;|-|.|!|please|pls) REMINDS|(?=<timed>) (line=<y:time> (:|-) <z:text>) REMINDS"
        "|(?=<timed>) (line=<y:time> (?!<making>|NO_NAME) <z:title>) reminder",
        "((i have|i've got|there's|WE have) (?!to) (a|an|my|the|our)?)? (?!<noname>|<edges>|<timed>) (<line:plain>"
        " REMINDS|<x:words> (is|are) due? (on|at)? (?=<every>|<weekday>) <when:time> REMINDS)",
        "(WE|i'm|we're) (always|keep|constantly|usually|often|tend to) (forget|forgetting|missing|miss) (to|about)?"
        " (?!<pronoun>) <x:text> (,|.|;|-|so|and){1,2} PLS (VERB) (who=me|us) (ABOUT <pronoun>)? (at|for)? <when:time>",
        "(?!<noname>|<edges>|<timed>|set|create|make|add|schedule|<y:some> (sent|got|missed|ignored|deleted|set)"
        " <z:many>? (remind|reminder)) <line:plain> (,|;|-|.|please|pls){1,2} (remind|a? reminder) (for me)?",
        "to (?!be) (?=<deed>) <x:text> ,? please? (VERB) (who=me|us) <when:time>",
        "(don't|do not) let (who=me|us) (forget|miss (?!out|<pronoun>|him|her|us)) <rest:text>|(don't|do not|never)"
        " (?!up|awake) <noun:rising> <when:time>|(make|be) sure (that)? (i'm|i am|we're|we are) (already)?"
        " <noun:rising> (by|(?=at|<day>)) <when:time>|(WANT_TO) be? <wakes:wake> up? <when:time>",
        "(<noun:rouse>|<noun:wake> (me|us) up?) (for (?!(<any>|<number>) <unit>)|by) <when:time>|(<wakes:rouse>|WE?"
        " need <wakes:wake> up?) <when:time>|(WANT_TO|MUST) be (up|awake) by? <when:time> (,|so|and){0,2} please? set"
        " (an|my|the) <noun:alarm> (for then)?|<when:time> ,? please? <wakes:rouse>|(MAKE|(can|could|may) i (get|have)"
        " (an|a)?)? <wakes:wake> (_-|-)? up call ,? (for|on)? <when:time>|(WANT_TO) (line=get up <y:time>)",
        "(WANT_TO|i'm (having|taking|gonna|going to)|WE will|i'll|gonna|taking) <y:some> (,|-|.|so|and){1,2} please?"
        " <wakes:wake> (who=me|us) up? <when:time>",
        "(mind|(?!waking)) <wakes:wake> up? (who=me|us) up? ,? <when:time> ((,|-)? (i'm (having|taking|going)|i've got"
        "|i have|i need) <y:some>|for (the|my|a|our)? ((?!<timed>|<number>|<any>|<whose>|<daysof>|<edges>|most"
        "|mornings|him|her|them|you|me|us|good|free|real|sale) <y:word>){1,2})?|<when:time> ,? please? <wakes:wake>"
        " up? (who=me|us) up? (more=<y:time>)?",
        "(SETS) ((for|on|at)? <when:time> ,? (NAMED|to (?!<any>|<hour>|be)) <x:text>|(NAMED) <x:words> (for|on|at)?"
        " <when:time>)",
        '(SETS|reminder) (?=") <line:text>',
        "(SETS|reminder) (OF_IT) <line:text>|(SETS|reminder|a reminder (?=for <timed>)) (?!on (?!<timed>)|to (everyone"
        "|everybody|all|you|self|the)|for (the|my) <word> to|to <unknown> (<doing>|:)) <rest:text>",
        "(SETS) (?=<deed>) <line:text>|reminder (?=call|pick|buy|pay|get|bring|book|order|take) <line:text>|(?!the|a|an"
        "|no) (line=(?=<timed>) <y:time> <noun:alarm> <z:time>)",
        "(new|add|create|make) (an|a)? new? (calendar=event|appointment|calendar (entry|event|item|appointment)) (:|,"
        "|called|named|for (?=(the|my|a)? (?!<timed>)))? (?!with|to|of|on|in|at|from|about|driven|based|reminder"
        "|listener|listeners|handler|field|page|type|id|tracking|<few> (called|named|titled)) <line:text>",
        # Why it is wanted stands before it; a day there would be that of the reminder.
        "(?!<y:many>? (<day>|<weekday>|<tonight>|<part>|<month>|<nth>|<unit>|next) <z:many>? so) <y:many> (,|;|.|-)? so"
        " PLS remind (rest=(me|us) (<z:time>)? to (?!<word> (some|it|one|them|that|him|her|more)) <w:text>)",
        # How long before its time.
        "(i have|i've got|there's|WE have)? (a|an|my|the|our)? (?!<order>) <x:text> (,|.|;|-)? (and|so)? PLS (VERB|tell"
        "|warn|wake) (who=me|us) (up|ABOUT (it|that|this))? BEFORE_IT|MUST (?=<deed>) <x:text> (,|.|;|-){0,2} (and|so)?"
        " PLS (VERB|tell|warn) (who=me|us) (ABOUT (it|that|this))? BEFORE_IT",
        "(the|my|our)? (?!<order>) <x:words> ((is|are|starts|begins|leaves) due?|due) <when:time> (,|.|;|-)? (and|so)?"
        " please? (VERB) (who=me|us) (ABOUT (it|that|this))? BEFORE_IT",
        "(VERB) (who=me|us) <before:time> (before|ahead of|prior to) (the|my|our)? <when:time> (?!<timed>) <x:title>",
        "(VERB) (who=me|us) on? (the|a) <ahead:theday> (before|ahead of) (the|a|an|my|our)? (?!<timed>|<few> to <deed>)"
        " <x:text>|((VERB|warn|tell) (who=me|us)|(give|send) (who=me|us) (a|an)? (?=<y:time> '? (warning|heads|notice"
        "|reminder|nudge))) <before:time> ('? (warning|heads (_-|-)? up|notice|reminder|nudge))? (before|ahead of|prior"
        " to) (the|a|an)? (?!<timed>|<few> to <deed>) <x:text>",
        # No time is said.
        "MUST (?=<deed>) <x:text> (?=,|;|-|.|!|and|so|please|pls|can|could) REMINDS|remind me (to|about (?!<asking>))"
        " <x:text>|MAKE <noun:alarm> (for (me|us))?|<noun:wake> (me|us) up",
        "(MAKE|new|have an|another|(WE? (need|want|require|(would|should) like)|i'd like|(can|could|may) i (have|get))"
        " (an|a|another))? (recurring|repeating)? (?!countdown to) NO_LENGTH <noun:alarm> (that? (goes|go) off|that?"
        " (rings|ring|sounds|sound)|on|:|from (?=<any> <unit>|<number> <unit>))? (for|at|to|of|in)? <when:time>|(MAKE"
        "|(have|i want|i'd like|WE (need|want|would like)|(can|could|may) i (have|get)) (a|an|another)|need (a|an"
        "|another)|another)? (recurring|repeating)? (noun=<alarm>|reminder) (that? (go|goes) off)? (for|at|of)?"
        " <when:time> (to (?!<any>|<hour>|be)|for (?!<number>? <unit>|the? (next|rest)|now|good)|NAMED) <x:text>",
        "(MAKE)? (when=(<number>|<any>) (_-|-)? (<minutes>|<hours>|<seconds>)) (?!<noname>|<making>|<edges>|countdown"
        "|kitchen|app) <x:title> (timer|countdown)|(?!waking|woken) <noun:wake> (me|us) up? <when:time>|(<making>|give"
        " (me|us)) (me|us)? (when=(a|an) (hour|minute|half|quarter|<length>|couple) <y:time>?) <noun:alarm>|MAKE?"
        " (?!<any> (timer|countdown)) <when:time> <noun:alarm> (go|now)?|(MAKE)? <noun:alarm> , <when:time>"
        "|<when:time> ,? ((?!start|begin|run) MAKE|WE? (need|want) (an|a|another)) <noun:alarm> (for (me|us))?",
        "MAKE? <when:time> <noun:alarm> (for|to|NAMED) (?!<y:many> <alarm>) <x:text>",
        "MAKE? <noun:alarm> for (the|my)? (?!<timed>) <x:title> <when:time>|MAKE? <noun:alarm> (?!<any> (?!<timed>))"
        " <when:time> (?!<timed>|<edges>) (: <x:some>|(?=DEED) <x:some>)|MAKE? (noun=timer"
        "|pomodoro|countdown timer?) <when:time> (?!länger|mehr|fertig|vorbei|abgelaufen) <x:unknown>",
        "MAKE CALLED NO_LENGTH <noun:alarm> (for|at|of|in|to)? <when:time>|MAKE? (?!<noname>|<edges>|<timed>|<which>"
        "|<making>|NO_NAME) <x:title> (<alarm> (?!at)|reminder (for|at)?) (?!on) <when:time>",
        "(MAKE|WE (need|want) (an|a|another)) <noun:alarm> (called|named|to (?=wake up)) <x:words> (for|at)"
        " <when:time>",
        "(?!<making> (the|my)? <alarm> to <word> $) (MAKE|WE (need|want) (an|a|another)) <noun:alarm> (to (?!<any>)"
        "|that (?!goes|rings)|named|called) (?!<few> for <any>) <x:text>",
        "PRE (SETS) (OF_IT|called|named|-) <x:text>|PRE (get me)? (a|another) reminder to <x:text>",
        "((don't|do not|never) let (me|us) (forget|miss (?!out|<pronoun>|him|her|us))|mind reminding (me|us)|WE? need"
        " reminding|(WANT_TO) be (reminded|prompted|nudged|told (?=to))) (ABOUT)? (?!<asking>) <x:text>",
        "(help me to? remember (to|that|about)|((make sure|ensure) that? i (don't|do not)|(i|we) (must not|mustn't))"
        " forget (to|about)) <x:text>",
        "ADD <x:text> (ONTO) MY (calendar=<calendar>) ,? (for|on|at)? <when:time>",
        "ADD <x:text> (ONTO) MY (calendar=<calendar>)",
        "(calendar=PLANNING) (x=(?!<timed>|<alarm>|reminder) (<y:word>{1,2})? <gathering>) AT_TIME|(mark|put (?=in)"
        "|put (?=on)) (in|on)? MY (calendar=<calendar>) (for|down for)? (?!<edges>|with|down) <x:plain> AT_TIME"
        "|(calendar=(new|add|create|make)) (an|a)? new? (calendar)? (event|appointment|entry) (on|for|at)? <when:time>"
        " (called|named|titled|for (?!<timed>|free|all|everyone)) <x:text>",
        "(calendar=PLANNING) (?!event (to|for)) (x=(<gathering>|coffee|beers|dinner|brunch|drinks|catch up|zoom"
        "|facetime) (with|about|at|in|to|for) (?!<word>{0,2} (<calendar>|<list>)) the? (?!<timed>) <y:some>) AT_TIME",
        "(ADD (ONTO) MY (calendar=<calendar>) (:|,)?|(calendar=<calendar>) (:|,)? add (?!on|in)) <x:text>",
        "(calendar=(book|put|pencil) me (in|down)) for (a|an|the)? <x:plain> AT_TIME",
        "((i have|i've got|i've|there's) (a|an|my)?)? (?!<pronoun>|<edges>) <line:plain> (,|;|-|.)? (and|so)? please?"
        " (calendar=<adding> (it|that|this) (ONTO) MY <calendar>)",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
