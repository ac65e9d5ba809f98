"""English: what people say of what is scheduled, and to have a brief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "MOVE": "((move|snooze|reschedule|resched|postpone|push|shift|change|delay|bump) (back|out|forward|forwards|up"
    "|ahead)?|put off|put back|bring (forward|forwards)?) ((the|my) (time|date|day) (of|for))?",
    # What shall move: by when it is due, by its name, or what was just said.
    "THING": "it|that|this|(MY|that|this)? (reminder|(x=<alarm>))|(MY|that)? (<day:daysof>|<when:time>) (ALARMS)|(MY"
    "|that) (ALARMS) (ABOUT|called|named) NOT_ANY <x:few>|(MY|that)? NOT_ANY (?!(back|off|out) (MY)) <x:few> (ALARMS)?",
    "LATER": "shift|bump|set back|(push (?!yourself)|put (?=<y:some>? (back|off|out))) (back|off|out)?|postpone|delay"
    "|snooze",
    "ONTO_TIME": "to|till|until|til|forward to|back to|ahead to",
    "FROM": "from (<y:hour>|<when:time>)",
    # To what surely is a time: that of an alarm or a reminder may be an hour alone.
    "HOUR_ON": "(hour=<hour> (<day>|<tonight>|on? <singleday>|in the <part>))",
    "NEW_TIME": "(FROM)? (ONTO_TIME) ((hour=<hour> (_. <minute>)?)|HOUR_ON|<to:time>) (instead)?",
    "ABOUT_IT": "(about|for|to|on|at|of) NOT_IT <y:some>",
    "WHICH": "(open|active|current|upcoming|pending|future|next|recurring|repeating|daily|weekly|scheduled|other|more)",
    "MANY": "(scheduled)? (reminders|schedules|schedule)|scheduled (messages|things)|<alarms>",
    "BRIEF": "(a|the|my|our)? (daily|morning|evening|short)? <brief>",
    "SEND": "(send|give|post|write) (me|us)? BRIEF|brief (me|us)|BRIEF",
}
ROWS: Mapping[str, Sequence[str]] = {
    "tasks": (
        "(SHOW)? (all)? (of)? (MY)? WHICH? (MANY) (with me|for me|to me|aloud|out loud)?|(MY|all (of)? MY)? (MANY) (for"
        "|on)? <when:time>",
        "SHOW (a|an|the)? (rundown|overview|list|summary) of (all)? (of)? (MY|<day:daysof>)? (ALARMS)",
        "SHOW (all)? (of)? (what|the)? (MY)? (set|saved)? (MANY) (that? (WE have|i've) set?|that (are|is) (running|set"
        "|active))? (for <when:time>)?|tasks|(list|show) (me)? all? tasks",
        "(SHOW)? (what|which) WHICH? (ALARMS) (do? WE (currently|still)? have|are still? (there|set|active|open|on"
        "|outstanding|pending|coming up|left|running)|have WE (set|got)|did WE set|am i getting) (set|up|on|active"
        "|scheduled|coming up|left|running)? (for me|NOW)? ((for|on)? <when:time>)?",
        "(do WE have|are there|have WE (set|got)|did WE set|is there|have WE) (any|an|a|my|some)? WHICH? (ALARMS) (set"
        "|up|on|active|scheduled|coming up|left|running)? ((for|on)? <when:time>)?",
        "any WHICH? (ALARMS) (set|left|coming up|running|pending|scheduled)? ((for|on)? <when:time>)?",
        "WHAT (scheduled|(MY|all MY) WHICH? (ALARMS) ((for|on)? <when:time>)?)",
        "what do you (have|need) to remind me (of|about)? (<when:time>)?|what (did|have) i (ask|asked|tell|told) you to"
        " remind me (of|about|to do)?|SHOW (everything|anything|what|all) ((you're|you are) (going to|gonna)? (remind"
        "|reminding)|(you'll|you (will|have to|should)) remind) (me|us) (of|about|to do)? (<when:time>)?|what (are you"
        " going to|are you|will you) (remind|reminding) me (of|about|to do)?",
        "what reminds (me|us) (<when:time>)?|how many WHICH? (ALARMS) (do WE have|are there|are|have WE (set|got)) (set"
        "|left|active|open|running)? NOW?|are there WHICH? (ALARMS) (pending|open|left|running)?|(when's|(when|at? what"
        " (time|hour)) (is|does|will)) my (next)? (ALARMS) (set for|set (to (ring|go off))?|due|for|going off|go off"
        "|ring)? (<when:time>)?",
        # Of one of them all are shown.
        "(did|have|do) (WE|you) (already|still)? (set|got|have|save|saved|make|made) (up)? (an|a|any|the|my)? (ALARMS)"
        " ABOUT_IT (yet|already|set|saved)?",
        "(are|is) there (any|an|a) (ALARMS) ABOUT_IT|(list|show) (me)? (all)? (MY)? (ALARMS) ABOUT_IT",
        "(is|are) (a|my|the|an|any)? (<when:time>)? (ALARMS) (still|already)? (set|on|active|running) (for"
        " <when:time>)?",
        "(check|how's|how is) (on)? MY <word>{0,1} <alarm> (doing|going|looking)?|<alarm> (status"
        "|left)|(time|how long) left (on|for) MY? <word>{0,1} <alarm>",
        "when (are you|will you) (going to|gonna)? (remind|reminding) me (ABOUT) <y:some>|(when's|(when|what time) (is"
        "|does|will)) (my|the) ((ALARMS) ABOUT_IT|(?!next) <y:word>{1,3} (ALARMS) (due|set|going off|go off|ring)? (for"
        "|to (fire|go off))?)|(when|at? what time) ((are you|will you) (waking|wake) me|(am i|are we) (waking|getting))"
        " (up)? <when:time>?|(when|at? what time) (does|will|is) MY <word>{0,2} <alarm> (going to)? (end|ends|finish"
        "|stop|go off|ring|up|over|done)",
        "how (long|much longer) (until|till|til|before) MY <word>{0,2} <alarm> (goes"
        " off|ends|rings|is (up|done|over|finished))",
        "how (long|much time|many minutes|much (?=<few> <alarm>)) (longer)? (is|are|do WE have|have WE got|(does|will)"
        " MY <word>{0,2} <alarm>)? (there)? (left|remaining|to go|have left) ((on|for|in|until) (MY)? <word>{0,2}"
        " <alarm>)?|what time did (i|we|you|u) set (up)? (MY)? <word>{0,2} (ALARMS) (for|to|ABOUT_IT)?",
        "(change|edit|manage) (all of|all)? (a|all|MY) (ALARMS)",
    ),
    # Only where something is scheduled that is called so.
    "when": (
        "(WHAT)? (my|our) next (x=(?!alarm) <gathering>)|next (x=meeting|appointment)|(when's|(when|what time) is) the"
        " (x=(?!date|event) <gathering>|dentist|doctor|vet|hairdresser) (again)?|(when|what (time|day)) do WE have (the"
        "|my|our|a)? (x=<word>? <gathering>|dentist|doctor|doctors|vet|hairdresser) (again)?",
        "(when's|(when|(at|on|for)? what (time|day)) (is|was|are|were)) (my|our) (next|upcoming)? (?!first|last"
        "|<early>) <x:words> (again|due|happening|scheduled|set for|on|at)?",
        "(when|(at|on)? what (time|day)) ((am|are|was|were) WE (supposed|meant|scheduled) to|(do|did) WE (have|need) to"
        "|have WE got to|(should|must) WE) (?!<pronoun>|be) <x:words> (again)?",
    ),
    "brief.off": ("(stop|cancel|no more?|turn off|switch off) (the|my)? (daily|morning)? (<brief>|briefs|briefings)",),
    "brief": ("SEND daily? <when:time>|(?=at|<every>|daily|in) <when:time> ,? (SEND)",),
    "cancel.due": (
        "PRE END (MY)? (<day:daysof>|<when:time>) (ALARMS) ((,|-|.|;)? (i'm|we're|it's) (?!<y:some>? (not|if|unless|but"
        "|broken|loud|annoying|too)) <y:some>)?|NO_NEED MY? (<day:daysof>|<when:time>) (ALARMS) (anymore|after all)?"
        " GET_RID|((PRE END (all (of)?)?|NO_NEED) (MY)? (ALARMS|wake (_-|-)? up call?)|PRE (cancel|delete|remove|clear)"
        " (everything|all)) (scheduled|planned|(that? (WE|you))? set)? (on|for|from|of)? <when:time>",
        "(don't|do not|no need to|(i|you) (don't|do not) (have|need) to) wake (me|us) up? <when:time> (after all"
        "|anymore)?|(NO_NEED) (waking|to be woken|a wake up call|an alarm) up? <when:time> (after all|anymore)?|no"
        " (<alarm>|<alarms>) (for|on)? (?!today|<unit>) (?=<day>|<singleday>) <when:time> (after all)?",
        "(turn|switch|shut) (MY)? (<day:daysof>|<when:time>) (ALARMS) off|(turn|switch|shut) (all (of)?)? (MY)?"
        " (ALARMS) off (for|on)? <when:time>",
    ),
    "cancel.all": (
        "(turn|switch|shut) (all (of)? (MY)?|MY (?=alarms|timers|reminders)) (ALARMS) off",
        "PRE END (all (of)? (MY)? (ALARMS)|(every|every single) (ALARMS)|MY? (reminders|<alarms>)) (that? (WE|i've)"
        " (have|set|made) (set|made)?)?",
    ),
    "cancel.which": (
        "(turn|switch|shut) (MY|that) (x=<alarm>) off",
        "PRE END (a|an|MY|that|this|one of MY)? (reminder|(x=<alarm>)) (that? (WE|you) just? (set|made))?",
        "NO_NEED (MY|that|this) (reminder|(x=<alarm>)) (anymore|any more)?",
    ),
    "move": (
        "(postpone|delay|snooze) (by|for)? <by:time>|(PRE add <by:time> to|give it <by:time> on) (MY)? (<x:words>"
        " <alarm>|(x=<alarm>))|(extend|lengthen) (MY) (<x:words> <alarm>|(x=<alarm>)) (by|for) <by:time>|give (MY)"
        " (x=<alarm>) another? <by:time>|(MY)? (x=<alarm>) <by:time> (longer|later|more|extra)",
        "PRE (MOVE|set|make|update|edit|adjust) (MY|that)? (<day:daysof>|<when:time>) (ALARMS|one) NEW_TIME|PRE (MOVE"
        "|update|edit|adjust) MY (<when:time>) NEW_TIME|PRE (MOVE|update|edit|adjust) MY (ALARMS) (for|on|at)"
        " <when:time> NEW_TIME|PRE (make|set) MY <when:time> (ALARMS) (for|to|at)? (<hour:hour>|<to:time>) instead",
        "PRE (make|set) (MY|that) (NOT_ANY <x:few> (ALARMS)|NOT_ANY (?!<nthword>|<which>|other|next|<any>|<singleday>"
        "|<word> one (<any>|<hour>) (?!<half>|_:|_.|<minutes>|<hours>)) <x:words> one|reminder|(x=<alarm>)) (for|to"
        "|at)? (<hour:hour>|<to:time>) (instead|<near> (<hour>|<any>))|(can|could) (MY|that) NOT_ANY <x:few> (ALARMS)"
        " be (moved|postponed|pushed|shifted|rescheduled|changed|delayed) NEW_TIME",
        "PRE MOVE (MY|that)? (ALARMS) (ABOUT|called|named) NOT_ANY <x:few> NEW_TIME",
        "PRE (MOVE|update|edit|adjust) (MY|that|this)? last? (reminder|(x=(?!(timer|countdown) to <any> $) <alarm>))"
        " NEW_TIME",
        "(move|push|postpone|reschedule|shift|delay|snooze) (it|that|this) back? (ONTO_TIME|for (?=<day>|<singleday>"
        "|at)) (HOUR_ON|<to:time>) (instead)?|(snooze|delay|postpone) (it|that|this) (ONTO_TIME) (hour=<hour>)|make (it"
        "|that) (for|at)? (?=<hour> ((_:|_.) <minute>)? (<half>|<oclock>)|<noon>) <to:time> instead?",
        "PRE (MOVE|update|edit) (MY|that)? NOT_ANY <x:few> (ALARMS) NEW_TIME|snooze (until|till|til|to) ((hour=<hour>)"
        "|<to:time>)|PRE reschedule (MY|that)? ((ALARMS) (ABOUT))? NOT_ANY <x:few> (ALARMS)? for <to:time> (instead)?",
        "PRE (?!(shift|move) (change|in|out)) MOVE (MY|that)? NOT_ANY <x:few> (FROM)? (ONTO_TIME) (HOUR_ON|<to:time>)"
        " (instead)?",
        # A slider or a thermostat is moved to a number, too.
        "PRE (reschedule|postpone|move|push) (MY|that)? (x=<y:word>{0,2} (<gathering>|dentist|doctor|gym|yoga|class"
        "|lesson|training)) (back|forward)? (from <y:hour>)? to <hour:hour>",
        "PRE (LATER) (THING) (back|off|out)? (by|for|another)? <by:time> (in MY <calendar>)?",
        "PRE (MOVE|make|set (?=MY (ALARMS))) (THING) (by)? <by:time> (later|longer|(earlier=earlier))",
        "give (me|it) (another <by:time>|<by:time> more) (please|pls)?|give (me|it) (by=(<number>|<any>) more <unit>)"
        "|(by=(<number>|<any>) more <minutes>)|another (by=(<number>|<any>) <minutes>)",
        "PRE (earlier=bring forward?) (THING) forward? (by)? <by:time>",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
