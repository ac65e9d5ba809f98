"""English: what people ask for in few words about lists, plans, reminders, quiet and briefs, as templates."""

from __future__ import annotations

from collections.abc import Mapping

from core.language.en.requests import MACROS as OF_REQUESTS

# What names nothing: what is meant stands elsewhere, or nowhere.
VAGUE = (
    "(this|that|these|those) <y:text>?|it|them|me|us|you|him|her|myself|yourself|something|anything|everything|nothing"
    "|everyone|everybody|nobody|someone|somebody|anyone|all|items|item|the (following|rest|others|same)"
    "|(everything|anything|what|whatever) <y:some>"
    "|(things|thing|stuff)|some (more)? (stuff|things)|(an|a|the|some|all|one|two|another|every|each|any|new|more)"
    " (new)? (items|item|tasks|task|things|thing|stuff|entry|entries|TODO|todos|elements|element|words|word|numbers"
    "|number|reminder|event|list)"
)
MACROS: Mapping[str, str] = {
    **OF_REQUESTS,
    "MY": "my|our|the",
    "WE": "i|we",
    "TODO": "todo|to (-|_-)? do",
    "TODOS": "todos|to (-|_-)? dos|TODO",
    "NAME": "(list=<kind>{1,2})|<list:title>",
    "LIST": "MY (current)? (TODO|NAME)? <list>|TODO <list>|(list=<kind>{1,2}) <list>|MY (TODOS|tasks)"
    "|MY? (list=<onelist>)",
    "LIST_FOR": "the <list> for (the|our|my)? <list:title>",
    # "A list" is any, and "tasks" are also what is scheduled.
    "OWN_LIST": "MY (open)? (TODO|NAME)? <list>|TODO <list>|(list=<kind>{1,2}) <list>|MY TODOS",
    "WHAT": "<whats>|what (is|are)",
    "ONTO": "to|on|onto|in|into",
    "OFF": "from|off|off of|out of|on|in",
    "NOW": "now|rn|right this minute|at this moment|right now|currently|so far|at the moment|already|these days",
    "DATE": "date|day|weekday|day of the (week|month)|calendar day|day and date|month|year",
    "IS_IT": "is it|it is|is it again|will it be|would it be|is it going to be|are we|do we have",
    "DAY_AT": "(on|in|for|of)? <when:time>",
    "OCLOCK": "(current|exact|local)? (time|hour)",
    "IN_PLACE": "(over|out|there)? (in|at) <place:some>",
    "SHOW": "(<show>|list|read) (me|us|off|out|back|over|to me|up|aloud)?|(let|lets) (me|us)? (see|hear|have)"
    "|I_WANT (see|hear|check|view|read|look at|have|know|go over)|<pull> up",
    "I_WANT": "WE (want|need|have|wish|would like) to|<id> like to|(can|could|may) WE (please)?",
    "PRE": "(I_WANT|let us|<lets>|make sure to|make sure you|be sure to|go ahead and|(<dont>|do not) forget to)?",
    "ADD": "PRE (please)? (also)? <adding>",
    "SHALL_BE": "needs to be|need to be|should be|must be|has to be|have to be",
    "TAIL": "(,? (for me|for us|too|as well|also|again|now|right now|asap|thank you))?",
    "NEW": "(<adding>|create|make|new) (me)? (an|a)? new?",
    "TASK": "(TODO|task) item?",
    "IT": "<its>|it is|that is|this is|<ive>|WE have|WE am|we are",
    "YES": "((<yes>|all|already|just|now) ,?){0,3}",
    "END": "<ending>|(turn|switch) off|get rid of|call off",
    "MOVE": "(<moving> (back|out|forward|forwards|up|ahead)?|put off|put back|bring (forward|forwards)?)",
    "ONTO_TIME": "to|till|until|forward to|back to|ahead to",
    "ALARMS": "<alarm>|<alarms>|reminder|reminders",
    "ABOUT_IT": "(about|for|to|on|at|of) NOT_IT <y:some>",
    "WHICH": "(open|active|current|upcoming|pending|future|next|recurring|repeating|daily|weekly|scheduled|other|more)",
    "CALLED": "(an|a|the|my|another|new)? <x:words>",
    "MANY": "(scheduled)? (reminders|schedules|schedule|messages)|scheduled things|<alarms>",
    "PLANNED": "(due|for|on|up|planned|scheduled|happening|going on|coming up|lined up|left|to do|there|booked)",
    "THINGS": "(agenda|schedule|calendar|plan|plans|program|appointments|meetings|tasks)",
    # "Dinner for six" is for six people.
    "AT_TIME": "(on|at|for (?!<number>))? <when:time>",
    "PLANNING": "(schedule|book|arrange|plan|set up) (a|an|my|the|another)?",
    "PLAN": "plan|calendar|agenda|schedule|planner|diary|program",
    "PLANS": "<plans>",
    "EVENT": "<plans>|meeting|appointment|event",
    "SPAN": "<week:weekof>|(the|my|our) (thisweek=week)|(the|this|this coming)? (weekend=<weekend>)"
    "|next (nextweekend=<weekend>)",
    "ON_DAY": "((on|for|in|over|during|at)? (SPAN)|(on|for)? <when:time>)",
    "MAKE": "PRE (<making>|give me|give us) (me|us)? (up)? (an|a|another|the|my)? new?",
    "BRIEF": "(a|the|my|our)? (daily|morning|evening|short)? <brief>",
    "SEND": "(send|give|post|write) (me|us)? BRIEF|brief (me|us)|BRIEF",
    "ABOUT": "to|about|of|that|for",
    "VERB": "<reminding>|<alerting> (?!NEWSY)",
    "NEWSY": "(<text>)? (of|about|on|with) <words>? (<news>|new <word>? <post>)"
    "|(?=(<text>)? (every|each|hourly|daily|weekly|monthly)) (<text>)? (of|about)",
    "NAMES": "ONE_NAME ((,|and|&|, and) ONE_NAME){0,3}",
    "ONE_NAME": "<unknown>{1,3}|<link>|me|myself",
    "MANY_OF": "(everyone|everybody|all) (here|in (this|the|our) (group|team|chat|channel|thread))?"
    "|(the|our) (whole|entire)? (group|team|family|chat|channel)",
    "SETS": "(<making>|new) up? (me|us)? (a|an|another|the)? new? reminder",
    "NOT_IT": "(?!<pronoun>|the (following|sentence|text|story|<list>))",
    "NOT_ANY": "(?!<any_of> ($|of|other|others|more|one|ones|ALARMS)|ALARMS)",
    "GET": "<getting>|pick up|shop for",
    "BUY": "(list=GET)",
    "STORE": "(at|from|in) the (store|shop|supermarket|market|mall)",
    "QUIET_WORDS": "(set|make)? MY? quiet (hours|time)?|be quiet|no messages|leave (me|us) (alone|in peace)"
    "|(<dont>|do not) (disturb|bother|message|write|write to|ping) (me|us)?",
    "THROW": "(clear|remove|delete|take|erase|wipe|throw away|throw out)",
    "CLEAR": "PRE (clear|empty|wipe|clean|erase|reset)",
}
# Names of wishes and whole texts that say them.
ROWS: Mapping[str, tuple[str, ...]] = {
    "done": (
        "YES (IT)? (all|already|just|now)? (done|finished|completed) (it|that|this|now)?",
        "YES WE? (just|already)? did (it|that) already?",
        "[✅✔☑] \ufe0f?",
    ),
    "lists": (
        "(which|what) lists (do WE have|are there|have WE got|have WE)",
        "(SHOW|list)? (me|us)? (all)? (of)? (my|our|the) lists (that WE have|WE have)?|(SHOW) (all)? lists",
        "how many lists (do WE have|are there|have WE got)|(do WE have|are there|have WE got) any lists (yet)?",
        "WHAT (my|our) lists (called)? (again)?|(an)? overview of (my|our|the) lists (WE have)?",
        "(give|show) (me|us) an overview of (my|our|the) lists (WE have)?",
    ),
    "todo": (
        # What is on it.
        "WHAT (still|left|there|currently|already)? (on|in|left on|left in) LIST (NOW)?",
        "(<whats>|what) (things|stuff|items|groceries|tasks|food|else)? (is|are)? (there)?"
        " (still|left|there|currently)?"
        " (on|in|left on) LIST (NOW)?",
        "(what|which) (items|things|tasks|groceries|else)? (do WE have|have WE got|did WE (put|add)|have WE"
        " (put|added))"
        " (left)? (on|in|to) LIST (NOW)?",
        "what does LIST (say|look like|contain|have on it|have)|how (long is|does) LIST (look)? (like)?",
        "(do WE have|is there|have WE got) (anything|something|much) (else|left|still)? (on|in|left on) LIST (NOW)?",
        "anything (else|left|still)? (on|in) LIST (NOW)?",
        "is NOT_IT <y:some> (already|still)? (on|in) LIST (NOW)?",
        "are NOT_IT <y:some> (already|still)? (on|in) LIST (NOW)?",
        "did WE (already)? (add|put) NOT_IT <y:some> (to|on) LIST (already|yet)?",
        "have WE (already)? (added|put|got) NOT_IT <y:some> (to|on) LIST (already|yet)?",
        "do WE (already|still)? have (?!to) NOT_IT <y:some> on LIST (already|yet)?",
        "how many (things|items|tasks|TODOS) (are|do WE have) (left|there|still)? (on|in) LIST (NOW)?",
        # Show it.
        "SHOW (all)? (of)? OWN_LIST (to me|out loud|aloud|out)? (NOW)?",
        "(MY (open)? (TODO|(list=<kind>{1,2}))? <list>|TODO <list>|(list=<kind>{1,2}) <list>|MY TODOS) NOW?",
        "(SHOW)? (all)? (open)? TODOS <list>?",
        "SHOW MY tasks <list>|(SHOW)? (open)? (TODO|(list=<kind>))? <list>|SHOW (me|us)? (list=<onelist>)",
        "(<whats>|what is) in (MY) NAME <list>",
        "SHOW (what is|<whats>|what <y:some> is|all the|the|all|everything) (contents of|contents on|items on|items in"
        "|things on|stuff on|tasks on|items from|that is)? (left|still)? (on|in)? LIST (to me|out loud|aloud)?",
        "(<show>|give|tell) (me|us)? (everything|all) (on|in) LIST",
        "(check|see|go over|go through|run through|run down|read through) (OWN_LIST)",
        "WHAT (my|our) (open)? (TODOS|outstanding (tasks|TODOS))",
        "(gimme|send|print|give) (me|us)? LIST|(is there any|are there any) <y:some> on LIST",
        "have WE got <y:some> on LIST|(SHOW|what is on|<whats> on) LIST_FOR",
        "(what|which) (TODOS|tasks) (do WE have|are (there|open|left)) (left|open|still)? (to do)?",
        # What is to be done or bought.
        "(what|anything|is there anything|<whats>) else? (is)? left to (do|BUY)",
        "(what|which) (things|stuff|items|groceries|food|else|all)? do WE (still|also|currently)? (have|need)"
        " (left)? to (do|BUY) (else|still|left|again)? (STORE)?",
        "what (was it|is it)? (am|are|do) WE (supposed|have|need) to (BUY) (again)? (STORE)?",
        "(what|which) (things|stuff|items|groceries|food|else)? do WE (still|also)? need (list=STORE)",
        "WHAT (there)? (still)? to do|what (still)? do WE have to do on LIST",
        "do WE (still)? (have|need) (anything|something) (left|else|still)? (to (do|BUY)|(list=STORE))",
        "do WE (still)? need to (BUY) anything else? (STORE)?",
        "my open (items|tasks)",
    ),
    "todo.add": (
        "ADD (down|in)? (?!away|out) <x:text> (ONTO) LIST TAIL",
        "PRE write (down)? (?!a|an|your|the) <x:text> (ONTO) LIST TAIL",
        "ADD (ONTO) LIST (the following)? :? <x:text>|ADD <x:text> (ONTO) LIST_FOR",
        "(ONTO) LIST (,|:)? (please)? (also)? <adding> <x:text>",
        "(?!<deed>) <x:plain> (SHALL_BE on|SHALL_BE? (added to|put on)|goes on|go on|should go on|needs to go on) LIST"
        " TAIL",
        # Without such words only what is enumerated, or goes to a list of a kind: "typo on the list" is none.
        "(?!<deed>) (x=<y:title> (,|and) <y:words>) (on|to|onto|on to) LIST TAIL",
        "(?!<deed>) <x:title> (to|onto|on to) (MY? (list=<kind>{1,2}) <list>|MY? (list=<onelist>)) TAIL",
        "WE (want|need|would like) <x:plain> (added to|put on|on|to be on|to be added to|to go on) LIST TAIL",
        "<id> like <x:plain> (added to|put on|on|to be on|to be added to) LIST TAIL",
        "make sure (that)? <x:plain> (is|are|gets|get) (added to|put on|on) LIST TAIL",
        "(MY)? (TODO|(list=<kind>)) <list> : <x:text>",
        "ADD (ONTO) (list=<kind>|<list:title>) (<list>)? : <x:text>",
        "(for|to|on) (MY) NAME <list> : <x:text>",
        # "Task: translate this: …" is one for a model.
        "(new|NEW)? TODO (item)? : <x:text>",
        "(new|NEW)? task (item)? : (?!<y:text>? (: |the following)) <x:text>",
        # Without a colon only what surely is to be done: "todo lists are fun" is none.
        "(todo|to _- do) (?=(<doing>|<link>) <y:few>) <x:text>",
        # "A todo app" is none: behind an article it is said to be one, or is surely to be done.
        "(new|NEW) TASK (to|called|named|for (?=<link>)|(?=<doing>|<link>)) <x:text>",
        "(new|<adding>) new? TODO item? (?!<list>) <x:text>",
        # With a time behind it, or whom it is for.
        "ADD <x:text> (ONTO) LIST ,? (for|by)? <when:time>",
        "ADD <x:text> (ONTO) LIST ,? (who=for <link>)",
    ),
    "todo.done": (
        "done with? : <x:text>",
        "YES (<ive>|WE am|WE have)? (done|finished) with NOT_IT <x:some>",
        "PRE ((tick|cross|strike|mark) (off|out)|check off) NOT_IT <x:some> ((from|on|off) LIST)?",
        "PRE (tick|check|cross|strike|mark) NOT_IT <x:some> (off|out) ((of|from|on)? LIST)?",
        "PRE (mark|set) NOT_IT <x:text> (as|off as|to)? (being)? <doneness> ((on|in) LIST)?",
        "complete NOT_IT <x:some>",
        "NOT_IT <x:words> (is|are) done now?",
    ),
    "todo.remove": (
        "PRE (please)? <removing> (off)? <x:text> (OFF) LIST (TAIL|anymore)",
        "PRE (please)? <removing> (OFF) LIST :? <x:text>",
        "(OFF) LIST (,|:)? (please)? <removing> <x:text>",
        "PRE get rid of <x:plain> (OFF) LIST TAIL|PRE get <x:plain> (off|off of|out of) LIST TAIL",
        "WE (<dont>|do not|no longer) (want|need) <x:plain> (on|in) LIST (anymore|any more)?",
        "(<removing>) (TASK|item) : <x:text>",
    ),
    # It asks first. "Clear the list" of what, where something stands behind it, is a model's to find out.
    "todo.clear": (
        "CLEAR (out|up|off)? (MY (whole|entire|complete) (TODO|NAME)? <list>|LIST) (clean|completely|NOW)?",
        "CLEAR (out)? (all)? (of)? MY (TODOS|tasks)",
        "PRE THROW (everything|all|all (the)? (items|entries|tasks|TODOS|things|stuff)) (OFF) (LIST)",
        "PRE (clear|remove|delete) all (of)? MY (TODOS)",
        "PRE (THROW|get rid of|discard) (MY (whole|entire|complete) (TODO|NAME)? <list>|LIST)",
        "start (OWN_LIST) (over|afresh|from scratch)",
    ),
    "date": (
        "(what|which) DATE IS_IT (today|NOW|today NOW)?",
        "(WHAT) (the|MY)? (current|exact)? DATE (today|of today|NOW|today NOW)?",
        "(WHAT) (<day:daysof>) DATE (NOW)?",
        "(the|current|the current)? (<day:daysof>)? date (today|please)?|(WHAT) today",
        "what (today is|the date is|day it is) (today|NOW)?|is it <y:daynames> (today)?|is today <y:daynames>",
        "(what|which) DATE IS_IT DAY_AT",
        "(WHAT) (the)? DATE DAY_AT",
        "(on)? (what|which) DATE (is|was|will|does|do|is going to be) DAY_AT (be|fall|land|come)? (on)?",
        "(when|<whens>) (is|be)? DAY_AT (this year|again)?",
    ),
    "time": (
        "(what|which) (time|hour) (is it|it is) (here)? NOW? (IN_PLACE)? NOW?",
        "(WHAT|SHOW) (the|MY)? OCLOCK (is)? (here)? NOW? (IN_PLACE)? NOW?",
        "(the)? (current|exact|local)? time (please|NOW)?|(the)? OCLOCK NOW? IN_PLACE NOW?",
        "how late is it NOW? (IN_PLACE)? NOW?",
        "(do you|you|do u|have you) (have|know|got) (the|what) (time|hour) (is it|it is)? NOW? (IN_PLACE)? NOW?",
        "(tell|give) (me)? (the|what) OCLOCK (is it|it is)? NOW? (IN_PLACE)? NOW?",
        "what time (do you have|have you got|would it be|will it be) NOW? (IN_PLACE)? NOW?",
        "what time (is it|would it be) for (me|us) NOW?",
    ),
    "today": (
        "today|my (day|today)",
        "(my|our)? agenda|<day:daysof> THINGS",
        "(WHAT|SHOW|<whats> on|what is on) <day:daysof> THINGS|(fill (me|us) in on) <day:daysof> THINGS",
        "WHAT (still|else|left)? PLANNED (else|left)? (for|on)? (me|us)? ON_DAY",
        "SHOW (what is|<whats>) (still|else)? PLANNED (for me|for us)? ON_DAY",
        "(WHAT|anything|is there anything|what do WE have|have WE got anything|do WE have anything|what have WE"
        " got|SHOW (what is|<whats>)) (planned|scheduled|coming up)? (on|in) MY (PLAN|plate) ON_DAY?",
        "(WHAT|SHOW) MY (PLAN|PLANS|day) ON_DAY",
        "(SHOW) MY? (PLAN|PLANS|day) ON_DAY|(my|our) (PLAN|PLANS) ON_DAY|(PLANS|agenda|schedule|calendar) ON_DAY",
        "(my|our) day ON_DAY",
        "(WHAT) (my|our) (agenda|calendar|plans)|SHOW (my|our) (agenda|calendar|day|planner)",
        "(<show>|give) (me|us)? ON_DAY|SHOW (a|the|my)? (rundown|overview|summary) (of|for) ON_DAY",
        "(run|walk|take|talk) (me|us) through (my|our)? ON_DAY|fill (me|us) in on ON_DAY",
        "what do WE have (else|still|left)? PLANNED? ON_DAY|what have WE got (else|still|left)? PLANNED? ON_DAY",
        "(what|which) (things|stuff|PLANS) do WE have PLANNED? ON_DAY",
        "what do WE (need|have) to do ON_DAY|what (am|are) WE (doing|up to) ON_DAY|what WE am up to ON_DAY",
        "(do WE have|have WE got|are there|is there) (any|a|anything|something|much|lots|a lot)? (EVENT)? (else)?"
        " PLANNED? (for me|for us)? ON_DAY (already|yet)?",
        "(got|anything|got anything|something) (else)? PLANNED? (for me|for us)? ON_DAY (already|yet)?",
        "(am|are) WE (free|busy|available|booked) ON_DAY|how (busy|free) (am|are) WE ON_DAY",
        "(how does|how is|<hows>|what does|<whats>|what is) (my|the|our) (day|PLAN) (look|looking) (like)? ON_DAY?",
        "(how does|how is|<hows>|what does|<whats>|what is) (ON_DAY) (look|looking) (like)? (for me|for us)?",
        "what else (is)? PLANNED (for me|for us)? ON_DAY",
        "(when|<whens>) (is)? my (first thing|(first|next|last) (thing|EVENT)) ON_DAY",
        "(<hows>|how is) (my day|SPAN) (looking)?",
        "what does (my|the) day hold|WHAT still? (overdue|late)",
    ),
    "tasks": (
        "(SHOW)? (all)? (of)? (MY)? WHICH? (MANY)",
        "SHOW (all)? (of)? (what|the)? (MY)? (set|saved)? (MANY) (WE have|i have set)? (for <when:time>)?",
        "(list|show) (me)? (my|all|our)? tasks|my tasks|tasks",
        "(what|which) WHICH? (ALARMS) (do WE (currently|still)? have|are (there|set|active|open|on|pending|coming up"
        "|left|running)|have WE (set|got)|did WE set|am i getting) (set|up|on|active|scheduled|coming up|left|running)?"
        " ((for|on)? <when:time>)?",
        "(do WE have|are there|have WE (set|got)|did WE set|is there|have WE) (any|an|a|my|some)? WHICH? (ALARMS)"
        " (set|up|on|active|scheduled|coming up|left|running)? ((for|on)? <when:time>)?",
        "any WHICH? (ALARMS) (set|left|coming up|running)? ((for|on)? <when:time>)?",
        "WHAT (scheduled|(MY|all MY) WHICH? (ALARMS))",
        "what (did|have) i (ask|asked|tell|told) you to remind me (of|about|to do)?"
        "|what (are you going to|are you|will you) (remind|reminding) me (of|about|to do)?",
        "how many WHICH? (ALARMS) (do WE have|are there|are|have i set) (set|left|active|open)?",
        "(when|what time) is my (next)? (ALARMS) (set for|set|due|for|going off)?",
        # Of one of them all are shown.
        "(did|have|do) (WE|you) (already|still)? (set|got|have|save|saved|make|made) (up)? (an|a|any|the|my)? (ALARMS)"
        " ABOUT_IT (yet|already|set|saved)?",
        "(are|is) there (any|an|a) (ALARMS) ABOUT_IT|(list|show) (me)? (all)? (MY)? (ALARMS) ABOUT_IT",
        "is (my|the|an)? (<when:time>)? (ALARMS) (still)? (set|on|active|running) (for <when:time>)?",
        "when (are you|will you) (going to|gonna)? (remind|reminding) me (ABOUT) <y:some>",
        "(when|what time) is (my|the) (ALARMS) ABOUT_IT",
        "(END|change|edit|manage) (all of|all)? (a|all|MY) (ALARMS)",
    ),
    "contacts": (
        "(who|whom) do you know|(who|<whos>) (is|are)? (in|among|on) (MY|your) (contacts|contact <list>|address book)",
        "((show|list|open) (me)?)? (all)? (MY|your) contacts|(show|list)? contacts",
    ),
    "brief.off": ("(stop|cancel|no more?|turn off|switch off) (the|my)? (daily|morning)? (<brief>|briefs|briefings)",),
    "brief": (
        "SEND daily? <when:time>",
        "(?=at|<every>|daily|in) <when:time> ,? (SEND)",
    ),
    "quiet": (
        "no (more)? quiet hours|quiet hours off|(turn|switch) off (the)? quiet hours",
        "(QUIET_WORDS) :? (from|between)? <begin:time> (to|till|until|and|-|_-) <until:time> (<oclock>)?",
    ),
    "undo": ("(oops ,?)? (undo (that|this|it|the last (one|thing|change))?|take (that|it) back)",),
    "cancel.due": (
        "PRE END (MY)? (<day:daysof>|<when:time>) (ALARMS)",
        "PRE END ((all (of)?)? (MY)? (ALARMS)|everything|all) (scheduled|set|planned)? (on|for|from|of)? <when:time>",
        "(<dont>|do not) wake (me|us) up? <when:time> (after all|anymore)?",
    ),
    "cancel": (
        "PRE (END) (MY|that)? NOT_ANY <x:few> (reminders|reminder|<alarms>|<alarm>)",
        "PRE (END) (MY|that)? (reminders|reminder|<alarms>|<alarm>) (to|for|about|of|called|named|that"
        " says|:|at|on|set for)?"
        " NOT_ANY <x:few>",
        "(stop|quit) reminding (me|us) (to|about|of|that) NOT_ANY <x:few>",
        "(<dont>|do not) remind (me|us) (to|about|of) NOT_ANY <x:few> (any more|anymore|again)",
        "no more reminders (to|about|for|of) NOT_ANY <x:few>",
    ),
    "move": (
        "PRE MOVE (MY|that)? (<day:daysof>|<when:time>) (ALARMS) (ONTO_TIME) <to:time> (instead)?",
        "PRE MOVE (MY|that)? NOT_ANY <x:few> (ALARMS)? (ONTO_TIME) <to:time> (instead)?",
    ),
    "mute": ("mute (?!<nobody>) <x:some>",),
    "unmute": ("unmute (?!<nobody>) <x:some>",),
    "timezone": (
        "(<whats>|what is|show|which is)? my (timezone|time zone)|(change|set) MY (timezone|time zone)",
        "(set|change|switch) (MY)? (timezone|time zone) (to|as|:|=) <x:some>",
        # "Time zone in France" is a question.
        "(set|change|switch)? (MY)? (timezone|time zone) (?!in|of|for|at) (to|is|as|:|=)? <place:some>",
        "i (live|am living|moved|have moved) (now)? (in|to) <x:some>|(<im>|<ive>) (living|moved) (now)? (in|to)"
        " <x:some>",
    ),
    "remind": (
        # What stands behind its verb, before it, and around it.
        "(VERB) <rest:text>|(until=keep) on? reminding <rest:text>",
        "<when:time> (until=,? TILL_DONE)? ,? please? (VERB) (who=(me|myself)(?!and|&)|us all?|all of us|MANY_OF)"
        " <rest:text>",
        "<when:time> (until=,? TILL_DONE)? ,? please? (VERB) (who=NAMES) (?=(,|:)? (to|that|about)) <rest:text>",
        "(<dont>|do not) let (who=me|us) forget <rest:text>",
        "<wakes:wake> (who=me|us) up? ,? <when:time>|<when:time> ,? please? <wakes:wake> (who=me|us) up?",
        "(SETS|reminder) (:|,|for|to|about|that|of) <line:text>|(SETS|reminder) <rest:text>",
        # No time is said.
        "remind me to <x:text>",
        "MAKE <noun:alarm>",
        "MAKE? <noun:alarm> (for|at|to|of)? <when:time>",
        "MAKE? <noun:alarm> (for|at)? <when:time> (to|for|called|named|labeled|that says) <x:text>",
        "MAKE? <when:time> <noun:alarm>|(MAKE)? <noun:alarm> , <when:time>",
        "MAKE? <when:time> <noun:alarm> (for|to|called|named) <x:text>",
        "MAKE? <noun:alarm> (?!<any> (?!<timed>)) <when:time>"
        " (?!<timed>|<edges>|is|was|are|were|has|had|did|does) <x:some>",
        "MAKE CALLED <noun:alarm> (for|at|of|in)? <when:time>",
        "MAKE <noun:alarm> (to|that|named|called) <x:text>",
        "MAKE reminder (ABOUT|:|,) <x:text>|new reminder (ABOUT|:|,|-) <x:text>",
        "(WE need|WE want|<id> like|WE would like|give me|get me) (to)? (get|have)? (a|an|another) reminder"
        " (ABOUT|at|on) <x:text>|PRE (a|another) reminder to <x:text>",
        "(<dont>|do not|never) let (me|us) forget (ABOUT)? <x:text>|help me (to)? remember (to|that|about) <x:text>",
        "(make sure|ensure) (that)? i (<dont>|do not) forget (to|about) <x:text>",
        "(make sure|be sure) to remind me (to|about|of|that)? <x:text>",
        "(WE (want|need|wish|would like|have)|<id> (like|love)) to be reminded (ABOUT)? <x:text>",
        "remind me about (?!<asking>) <x:text>",
        "ADD <x:text> (ONTO) MY (calendar=<calendar>) (for|on|at)? <when:time>",
        "ADD <x:text> (ONTO) MY (calendar=<calendar>)",
        "PRE (calendar=PLANNING) (x=<gathering>) AT_TIME",
        "PRE (calendar=PLANNING) (x=<gathering> (with|about|at|in|to|for) (?!<timed>) <y:some>) AT_TIME",
        "ADD (ONTO) MY (calendar=<calendar>) (:|,)? <x:text>",
    ),
}
