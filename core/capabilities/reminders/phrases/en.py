"""English: what people say to be reminded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "CALLED": "(an|a|the|my|another|new)? (?!(an|a|the|my|another)? new? <alarm>) <x:words>",
    # "Dinner for six" is for six people.
    "AT_TIME": "(on|at|for (?!<number>))? <when:time>",
    "PLANNING": "(schedule|book|arrange|plan|set up|add|create) (a|an|my|the|another)? new?",
    "MAKE": "PRE (<making>|(turn|switch) on|give me|give us) (me|us)? (up)? (an|a|another|the|my)? new?",
    "VERB": "remind|nudge|(alert|notify) (?!NEWSY)",
    "NEWSY": "(<text>)? (of|about|on|with) <words>? (<news>|new <word>)|(?=(<text>)? (every|each|hourly|daily|weekly"
    "|monthly)) (<text>)? (of|about)",
    "BEFORE_IT": "(the <ahead:theday>|<before:time>) (before|earlier|beforehand|prior|ahead|in advance|ahead of time)"
    " (it|that|then|hand)?",
    "NAMES": "ONE_NAME ((,|and|&|, and) ONE_NAME){0,3}",
    "ONE_NAME": "<unknown>{1,3}|<link>|me|myself",
    "MANY_OF": "(everyone|everybody|all) (here|in (this|the|our) (group|team|chat|channel|thread))?|(the|our) (whole"
    "|entire)? (group|team|family|chat|channel)",
    # A timer of 5, or of 1:15, may be one of minutes: that is asked about.
    "THAT_RINGS": "that (goes off|rings|sounds)",
    "NO_LENGTH": "(?!(timer|countdown) (for|at|of|in)? <hour> (_: <minute>)? $)",
    "SETS": "(<making>|new|shoot|(can|could|may) i (get|have)) (up|in)? (me|us)? (a|an|another|the)? new? reminder",
}
ROWS: Mapping[str, Sequence[str]] = {
    "remind": (
        # What stands behind its verb, before it, and around it.
        "(remind|nudge) <rest:text>|(until=keep) on? reminding <rest:text>",
        "(alert|notify) (?=me|us|<name>|<link>|MANY_OF) (?!NEWSY) <rest:text>|(ping|buzz) (?=me|us) <rest:text>",
        "(noun=ping|nudge|buzz|poke|ring|beep) me <when:time>",
        "give (?=me|us) (rest=(me|us)) a (shout|ping|buzz|nudge|heads up) (more=<y:text>)",
        "(tell|message|text|dm) (?=me|us) (rest=(me|us) (<y:time>)? (:|to) (?!<asking>|MY? <asking>|<any>) <z:text>)",
        "mind reminding <rest:text>|(PRE <making>)? (me|us)? (a|an|my)? (rest=<adverb>) reminder (for (?=<timed>))?"
        " (more=<y:text>)",
        "(make sure|be sure) that? (i|we) (remember to)? (?=<deed>|<doing>) <line:text>",
        "let (rest=me|us) know (more=<y:time> (that (?=it's|it is)|(to|:) (?!<asking>|MY? <asking>|MY? <news>|<any>"
        "|is|are|does)) <z:text>)",
        "<when:time> ,? (WE (want|need)|i'd like) to be reminded <rest:text>",
        "<when:time> (until=,? TILL_DONE)? ,? please? (VERB) (who=(me|myself)(?!and|&)|us all?|all of us|MANY_OF)"
        " <rest:text>",
        "<when:time> ,? please? tell (who=me|us) (rest=to <y:text>)",
        "<when:time> (until=,? TILL_DONE)? ,? please? (VERB) (who=NAMES) (?=(,|:)? (to|that|about)) <rest:text>",
        # What it is about, then the verb: "call mom, remind me at 8".
        "(?!<pronoun>|i) (?=<deed>|<gathering>) <x:text> (,|.|;|-) please? (VERB) (who=me|us) (ABOUT <pronoun>)?"
        " <when:time>",
        "(?!<pronoun>|i) (?=<deed>|<gathering>) <line:text> (,|;|-)? please? (VERB) (who=me|us)",
        "(?=<timed>) <line:text> (,|;|-|please|pls) (please|pls)? (VERB) (who=me|us)",
        "(don't|do not) let (who=me|us) forget <rest:text>",
        "(WE (need|have|want)|i'd (like|love)) to be? <wakes:wake> up? <when:time>",
        "<wakes:rouse> <when:time>|(WE (want|need|have)|i'd like) to (line=get up <y:time>)",
        "<wakes:wake> (who=me|us) up? ,? <when:time>|<when:time> ,? please? <wakes:wake> (who=me|us) up?",
        "(SETS|reminder) (:|,|for|to|about|that|of) <line:text>|(SETS|reminder) <rest:text>",
        "(SETS) (?=<deed>|<doing>) <line:text>",
        "(new|add|create|make) (an|a)? new? (calendar=event|appointment|calendar entry) (:|,|called|named)?"
        " (?!with|to|of|on|in|at|from|about|driven|based|reminder) <line:text>",
        # How long before its time.
        "(i have|i've got|there's|WE have)? (a|an|my|the|our)? (?!<order>) <x:text> (,|.|;|-)? (and|so)? please? (VERB)"
        " (who=me|us) (ABOUT (it|that|this))? BEFORE_IT",
        "(the|my|our)? (?!<order>) <x:words> ((is|are|starts|begins) due?|due) <when:time> (,|.|;|-)? (and|so)? please?"
        " (VERB) (who=me|us) (ABOUT (it|that|this))? BEFORE_IT",
        "(VERB) (who=me|us) <before:time> (before|ahead of|prior to) (the|my|our)? <when:time> (?!<timed>) <x:title>",
        "(VERB) (who=me|us) <before:time> (before|ahead of|prior to) (?!<timed>|<few> to <deed>) <x:text>",
        # No time is said.
        "remind me to <x:text>",
        "MAKE <noun:alarm>",
        "(MAKE|new|another|WE? (need|want) (an|a|another))? (?!countdown to) NO_LENGTH <noun:alarm> (THAT_RINGS|on|:)?"
        " (for|at|to|of|in)? <when:time>",
        "MAKE? <noun:alarm> (for|at|of)? <when:time> (to|for|called|named|labeled|that says) <x:text>",
        "MAKE? <when:time> <noun:alarm> (go|now)?|(MAKE)? <noun:alarm> , <when:time>",
        "MAKE? <when:time> <noun:alarm> (for|to|called|named) <x:text>",
        "MAKE? <noun:alarm> (?!<any> (?!<timed>)) <when:time> (?!<timed>|<edges>|is|was|are|were|has|had|did|does)"
        " <x:some>",
        "MAKE CALLED NO_LENGTH <noun:alarm> (for|at|of|in|to)? <when:time>",
        "(MAKE|WE (need|want) (an|a|another)) <noun:alarm> (to|that (?!goes|rings)|named|called) <x:text>",
        "(MAKE|let's make a) reminder (ABOUT|called|named|:|,) <x:text>|new reminder (ABOUT|:|,|-) <x:text>",
        "(WE need|WE want|i'd like|WE would like|give me|get me) (to)? (get|have)? (a|an|another) reminder (ABOUT|at"
        "|on) <x:text>|PRE (a|another) reminder to <x:text>",
        "(don't|do not|never) let (me|us) forget (ABOUT)? <x:text>|help me (to)? remember (to|that|about) <x:text>",
        "((make sure|ensure) (that)? i (don't|do not)|(i|we) (must not|mustn't)) forget (to|about) <x:text>",
        "mind reminding (me|us) (ABOUT) <x:text>|WE need reminding (ABOUT) <x:text>",
        "(make sure|be sure) to remind me (to|about|of|that)? <x:text>",
        "(WE (want|need|wish|would like|have)|i'd (like|love)) to be reminded (ABOUT)? <x:text>",
        "remind me about (?!<asking>) <x:text>",
        "ADD <x:text> (ONTO) MY (calendar=<calendar>) ,? (for|on|at)? <when:time>",
        "ADD <x:text> (ONTO) MY (calendar=<calendar>)",
        "PRE (calendar=PLANNING) (x=(?!<timed>|<alarm>|reminder) (<y:word>{1,2})? <gathering>) AT_TIME",
        "PRE (calendar=PLANNING) (x=<gathering> (with|about|at|in|to|for) (?!MY? (<calendar>|<list>)) the? (?!<timed>)"
        " <y:some>) AT_TIME",
        "ADD (ONTO) MY (calendar=<calendar>) (:|,)? <x:text>",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
