"""English: what people say to ask what is on at a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "PLANNED": "(due|for|on|up|planned|scheduled|happening|going on|coming up|lined up|left|to do|there|booked)",
    "THINGS": "(agenda|schedule|calendar|plan|plans|program|appointments|meetings|tasks)",
    "PLAN": "plan|calendar|agenda|schedule|planner|diary|program",
    "PLANS": "<plans>",
    "EVENT": "<plans>|meeting|appointment|event",
    "SPAN": "<week:weekof>|(the|my|our) (thisweek=week)|(the|this|this coming)? (weekend=<weekend>)|next"
    " (nextweekend=<weekend>)",
    "HOUR": "(<hour>|<any>) (_: <any>)? <half>?",
    "ON_DAY": "((on|for|in|over|during|at)? (SPAN)|(on|for)? <when:time>)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "today": (
        "today|my (day|today)|(my|our)? agenda|<day:daysof> THINGS",
        "(WHAT|SHOW|(what's|what is) left? on) <day:daysof> THINGS|(fill (me|us) in on|(run|walk|take|talk) (me|us)"
        " through) <day:daysof> THINGS",
        "(WHAT|what else is?) (still|else|left)? PLANNED (else|left)? (for|on)? (me|us)? ON_DAY (for (me|us))?",
        "SHOW (what is|what's|what (i'm|we're) (doing|supposed to do)|everything (that is|that's)?|what WE (have|have"
        " got|need to do)) (still|else)? PLANNED? (for me|for us)? ON_DAY",
        "(WHAT|is? anything|is there anything|what do WE have|have WE got anything|do WE have anything|what have WE got"
        "|SHOW (what is|what's)) (planned|scheduled|coming up|next)? (on|in) MY (PLAN|plate) ON_DAY?",
        "(WHAT|SHOW) MY (PLAN|PLANS|day) ON_DAY",
        "(SHOW|(share|send|read out|list|give)(me|us)?) (all (of)?)? MY? (PLAN|PLANS|day) ON_DAY|(my|our) (PLAN|PLANS"
        "|day) ON_DAY|(PLANS|agenda|schedule|calendar) ON_DAY",
        "(WHAT) (my|our) (agenda|calendar|plans)|SHOW (my|our) (agenda|calendar|day|planner|PLANS)",
        "(show|display|view) (me|us)? ON_DAY|SHOW (a|an|the|my)? (rundown|overview|summary) (of|for) (the rest of)? (my"
        " day|ON_DAY)",
        "(run|walk|take|talk) (me|us) through (my|our)? (day)? ON_DAY|fill (me|us) in on ON_DAY",
        "how many (PLANS) (do WE have|are there|have WE got) PLANNED? ON_DAY",
        "((what|which) (things|stuff|PLANS)? (do WE have|are there|have WE got)|what've WE got) (else|still|left)?"
        " PLANNED? ON_DAY",
        "what do WE (need|have) to do ON_DAY|do WE (need|have) to be (anywhere|somewhere) ON_DAY|what (am|are) WE"
        " (doing|up to) ON_DAY|what WE am up to ON_DAY",
        "(do WE have|have WE got?|are there|is there) (any|a|anything|something|much|lots|a lot)? (EVENT)? (else)?"
        " PLANNED? (for me|for us)? ON_DAY ((in|on) MY (PLAN))? (already|yet)?",
        "got? any (EVENT) PLANNED? ON_DAY|(WHAT|SHOW) MY (tasks|chores|TODO) ON_DAY",
        "(got|anything|got anything|something) (else)? PLANNED? (for me|for us)? ON_DAY (already|yet)?",
        "(am|are) WE (free|busy|available|booked) ((between|from) HOUR (and|to|till|until|-) HOUR)? ON_DAY|is (my|our)"
        " (PLAN|day) (free|clear|empty|full) ON_DAY|how (busy|free) (am|are) WE ON_DAY",
        "(how does|how is|how's|what does|what's|what is) (my|the|our) (day|PLAN) (look|looking|lookin|shaping up|like)"
        " (like)? ON_DAY?",
        "(how does|how is|how's|what does|what's|what is) (ON_DAY|my <when:time>) (look|looking) (like)? (for me|for"
        " us)?",
        "(when|when's|what time) (is)? my (first thing|(first|next|last) (thing|EVENT)) ON_DAY",
        "(how's|how is) (my day|SPAN) (looking)?",
        "(WHAT) (coming up|up next|next up) (for (me|us))?|(check|see) (if|whether) (i'm|we're|WE (am|are)) (free|busy"
        "|available) ON_DAY|(anything|is there anything|what) (that|else)? WE (need|have|'ve got) to do ON_DAY|(run"
        "|walk|talk) (me|us) through (my|our|the) day|what does (my|the) day hold|(tell|talk) (me|us) (about|through)"
        " (my|our) day|WHAT still? (overdue|late|outstanding)|SHOW (everything|anything|all (tasks|TODO)?|the? tasks)?"
        " (that is|that's|that are|what is|what's)? overdue tasks?|(what|which) tasks are (overdue|late)",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
