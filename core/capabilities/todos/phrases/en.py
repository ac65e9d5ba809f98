"""English: what people say of lists and of what is on them, and of what shall not come any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "TODOS": "todos|to (-|_-)? (dos|do's)|TODO",
    "NAME": "(list=<kind>{1,2})|<list:title>",
    "LIST": "MY (current)? (TODO|NAME)? <list>|MY <list:title> (TODOS|TODO)|TODO <list>|(list=<kind>{1,2}) <list>|MY"
    " (TODOS|TODO|tasks)|MY? (list=<onelist>)|OF_TASKS|WISHES",
    "WISHES": "MY (list=<word>{1,2} (wishlist|watchlist|backlog))",
    "OF_TASKS": "MY <list> of (tasks|TODOS|things to (do|BUY))",
    "LIST_FOR": "(the|my|our) <list> for (the|our|my)? (?!<timed>) <list:title>|(my|our) <list> of (?!all|things|stuff"
    "|items|tasks) <list:title>",
    # "A list" is any, and "tasks" are also what is scheduled.
    "OWN_LIST": "MY (open)? (TODO|NAME)? <list>|TODO <list>|(list=<kind>{1,2}) <list>|MY TODOS|OF_TASKS|WISHES",
    "OFF": "from|off|off of|out of|on|in",
    "SHALL_BE": "needs to be|need to be|should be|must be|has to be|have to be|ought to be|(is|are) to be",
    "TAIL": "(please|pls|plz)? (,? (for me|for us|too|as well|also|again|now|right now|asap|(real|super|very)? (quick"
    "|quickly)|while you're at it|would you mind|instead|thank you|when (you|u) (can|get|have) (a|the)? (sec|second"
    "|chance|minute|min|moment|time)?)|REASON)?",
    "REASON": "(,|-|;|.) already? (seen|read|watched|got|bought|had|tried) (it|them|that) already?|(,|-|;|.)? (WE|i've"
    "|we've)? (already|still)? (don't|do not|no longer)? (need|have|got|bought) (it|them|any|some|enough|plenty|more"
    "|loads|lots|tons) (left|anymore|any more|already)?|(,|-|;|.) (?!<adding>|<removing>) <word>{1,2} (already|still)?"
    " (has|have|had|got|bought|found|is getting|is bringing) (it|them|some|one|enough|plenty|loads|those)|(,|-|;|."
    "|cause|because|cos|cuz|as|since)? ((we're|i'm|WE are|WE am) (nearly|almost|all|completely|running)? (out|low) (of"
    " it|of them|again)?|(it's|that's)? (not happening|sold out|off)|we (ran|run|have run) out)",
    "NEW": "(<adding>|create|make|new) (me)? (an|a)? new?",
    "TASK": "(TODO|task) item?",
    "GET": "buy|get|purchase|pick up|shop for",
    "BUY": "(list=GET)",
    "NOT_ALL": "(?!<any>|<number>|all|some|the|what|whatever|<many>? (ingredients|ideas|recipes|things|items|stuff"
    "|everything|options|meals|books|prices|quantities|columns|checkboxes|priorities|deadlines|categories|sections"
    "|details|dates|cheap|healthy|work|tasks|for|under|below))",
    "STATED": "<order>|got|later|thanks|still|no|on my way|<name> turn|<any> (dollars|euros|pounds)|too|almost|nearly"
    "|so|empty|full|nothing|[$]|done|none|nobody|yes|cancelled|finished|the following|<y:text> or <z:text>",
    "NO_STUFF": "idea|way|clue|room|here|time|luck|ideas|patience|words|office|town|stock|order|money|the|curiosity"
    "|interest|breath|memory|scope|battery|energy|space|date|control|bounds|sync|options|budget|disk space",
    "STORE": "(at|from|in) the (grocery|corner)? (store|shop|stores|shops|supermarket|market|mall)",
    "AT_STORE": "((i'm|we're) (now)? (STORE|at (?!the|a|my|home|work) <word>) (now|again)? ,?)",
    "THROW": "(clear|remove|delete|take|erase|wipe|drop|trash|nuke|throw away|throw out)",
    "TICK": "((WE|you|u) can (also|now|just)?)? (please|pls|plz|kindly|do|so)? (tick|cross|check|strike|mark)",
    "TICK_IT": "(TICK) (it|them|em|that|those|these) (off ((on|from|of)? LIST)?|(on|from) LIST)|(WE|you|u) can (tick"
    "|cross) (it|them|that|those)|please? (mark|set) (it|them|that|those) (as)? (done|finished|complete|completed)"
    "|please? update (LIST|the? <list>) accordingly?",
    "TAKE_OFF": "please? (take|remove|delete|drop|scratch) (it|them|that|those) (off|from) LIST",
    "GOT": "called|emailed|phoned|rang|texted|watered|walked|submitted|mailed|renewed|got|have|bought|purchased|did"
    "|completed|picked up|grabbed|packed|paid|sent|posted|ordered|booked|cleaned|washed|fixed|collected|returned|(done"
    "|finished) with?",
    "SETTLED": "done|finished|completed|complete|bought|packed|paid|sent|ordered|booked|sorted|ready|taken care of|in"
    " the (cart|basket|trolley|bag|fridge)",
    "ALL_DONE": "(please? ((,|-) (all|everything (is|has)|i'm|i've|we've) (been|back|bought|done|starting) <y:some>?|(,"
    "|-)? WE (wanna|want to) start (over|again|afresh)))?",
    "DID": "((,|-|;|.)? (WE|i've|we've)? (already|just|now)? (did|got|have|bought|done|finished) (it|that|this|them"
    "|some|plenty|loads))?",
    "CLEAR": "PRE (clear|empty|wipe|clean|erase|reset)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "lists": (
        "(SHOW)? (which|what) (kinds of)? lists (do WE have|are there|have WE (got|made|created)?|did WE (make|create)"
        "|i've made|WE have) (so far|going|saved|got|NOW)?",
        "(SHOW|list)? (me|us)? (the? (names|titles) of)? all? of? (my|our|the) lists (that? WE (have|keep|made))?"
        "|(SHOW)? all? lists|name all? of? (my|our|the)? lists",
        "how many lists (do WE have|are there|have WE got)|((do WE have|are there|have WE (got|made|saved)) any|any)"
        " (other)? lists (yet|saved|at all)?|WHAT (my|our) lists (called)? (again)?",
        "((give|show) (me|us)|I_WANT (get|have))? an? overview of (all)? (of)? (my|our|the)? lists (that? WE (have|keep"
        "|made))?|lists",
    ),
    "todo": (
        # What is on it.
        "AT_STORE? (WHAT|what was|what were|what all is|SHOW? what remains) (still|left|there|currently|already|next"
        "|first|(up|coming) next)? (on|in|left on|left in) (LIST|<list:title>? <list>) (NOW|for? today)?|(WHAT) the"
        " (next|first|last|top) (thing|item|task|one) (on|in) LIST",
        "(what's|what|which) (things|stuff|items|groceries|tasks|food|else)? (is|are)? (there)? (still|left|there"
        "|currently)? open? (on|in|left on) LIST (NOW)?|(what|which) (items|things|tasks|groceries|else)? (do WE have"
        "|have WE got|did WE (put|add)|have WE (put|added)) (left)? (on|in|to) LIST (NOW|again)?",
        "does LIST already? (include|have|contain|say (anything|something) about) NOT_IT <y:some>|is LIST still? empty",
        "(check|see|look|SHOW) (if|whether) ((there is|there's|WE have|WE (put|added)|i've got) NOT_IT <y:some> (to|on"
        "|in)|NOT_IT <y:some> (is|are) (already|still)? (on|in)) LIST",
        "what does LIST (say|look like|contain|have on it|have)|how (long is|does) LIST (look)? (like|by now|NOW)?"
        "|how's LIST (looking|doing|going)|how is LIST (looking|doing|going)|(has|does) LIST (got|have) NOT_IT <y:some>"
        " on it|(SHOW|WHAT) (my|our|the) (list=<kind>) (items|things)|(what|which) (list=<onelist>) (have WE (got)?|do"
        " WE have|are) (left|to do|still left|there)? (to do)?",
        "((do WE have|is there|have WE got) (something|much|anything)|anything) (else|left|still|down){0,2} (on|in|for"
        " (?=<y:some> <list>)) LIST NOW?",
        "(is|are) (NOT_IT|there any?) <y:some> (already|still)? (on|in) LIST (NOW)?",
        "((did|have|has) (WE|anyone|anybody|someone|somebody) (already)? (add|added|put|got)|do WE (already|still)?"
        " have (?!to)) NOT_IT <y:some> (to|on) LIST (already|yet)?",
        "how many (things|items|tasks|TODOS) ((are|do WE still? have) (left|there|still)?|left) (on|in) (LIST"
        "|<list:title> <list>) (NOW)?|how many (things|items|tasks) do WE still? have left? to (do|BUY)|how many"
        " (open)? (tasks|TODOS) (do WE have|are) (there|left|open|to do)? (NOW)?",
        # Show it.
        "SHOW (all)? (of)? OWN_LIST (to me|with (me|us)|out loud|aloud|out|back|again)? (NOW)?",
        "(MY (open)? (TODO|(list=<kind>{1,2}))? <list>|TODO <list>|(list=<kind>{1,2}) <list>|MY TODOS) NOW?",
        "(SHOW)? (all)? (open)? TODOS <list>?|WHAT (my|our) ((open)? TODOS|(open|outstanding) (tasks|TODOS))",
        "SHOW MY tasks <list>|(SHOW)? (open)? (TODO|(list=<kind>))? <list>|SHOW (me|us)? (?!<toenjoy>)"
        " (list=<onelist>)",
        "SHOW (what is|what's|what <y:some> is|all the|the|all|everything) (contents of|contents on|items from|(items"
        "|things|stuff|tasks)? (that is|that's|that are)?) (left|still|NOW)? (on|in)? LIST (to me|out loud|aloud)?",
        "(gimme|send|print|give|post|share) (me|us)? LIST|(SHOW|what is on|what's on) LIST_FOR",
        "(what|which) (TODOS|tasks) (do WE have|have WE got|are still? (there|open|left)) (left|open|still)? (to do)?"
        "|(what|which) (TODOS|tasks) are (still)? (not done|undone|unfinished|incomplete|pending|outstanding) (yet)?",
        # What is to be done or bought.
        "(what|anything|is there anything|what's) else? (is)? left to (do|BUY)",
        "AT_STORE? (what|which) (things|stuff|items|groceries|food|else|all)? do WE (still|also|currently)? (have|need)"
        " (left)? to (do|BUY) (else|still|left|again)? (STORE)?",
        "what (was it|is it)? (am|are|do) WE (supposed|have|need) to (BUY) (again)? (STORE)?",
        "(what|which) (things|stuff|items|groceries|food|else)? do WE (still|also)? need (list=STORE)|(i'm|we're) now?"
        " (list=STORE) (now|again)? ,? what do WE (still|all)? need (again)?",
        "WHAT (there)? (still)? to do|what (still)? do WE have to do on LIST|what should WE ((list=buy|purchase|shop"
        " for) (STORE)?|(BUY) (STORE))|(SHOW) (what|everything that?) WE still? (have|need) to (do|BUY) ((on|from)"
        " LIST)?",
        "do WE (still)? (have|need) (anything|something) (left|else|still)? (to (do|BUY)|(list=STORE))",
        "do WE (still)? need to (BUY) anything else? (STORE)?",
        "(SHOW)? (all)? (of)? (my|our) (open)? (items|tasks)|(create|start) (an|a) new? (NAME) <list>",
    ),
    # One that is wished for by a name. "Make a list of ten films" is a model's to write.
    "todo.new": (
        "PRE (<making>|open) (me|us)? (a|another)? new? <list> (called|named|titled|with the name) (my|our|the)?"
        " <list:title>|(PRE (<making>|open) (me|us)? (a|another))? new <list> (called|named) (my|our|the)? <list:title>"
        "|new <list> : <list:word>",
        "PRE (<making>|open) (me|us)? (a new|another|a) <list>",
    ),
    "todo.add": (
        "(?!insert <few> in the list $|add <few> down) ADD (down|in)? (?!away|out) ((an|a|the) new? (item|task|TODO"
        "|entry) (called|named|:|(?=<doing>)))? (?!to|on|for|in|of|(an|a|the) new? (item|task|TODO|entry)) <x:text>"
        " (back|down)? (ONTO) LIST TAIL",
        "PRE (write|enter|place|record|make a note of) (down)? (?!a|an|your|the|it) <x:text> (down)? (ONTO|among)"
        " (LIST) TAIL",
        "(ADD|(ADD|PRE make) (an|a) new? (note|entry|item|thing)) (ONTO) (LIST|TODO|<list>) (the following)? (:|-)?"
        " (to|called|named)? (?!of|for) <x:text>|ADD (the following|these) (things|items)? (ONTO) LIST :? <x:text>|ADD"
        " <x:text> (ONTO) LIST_FOR|ADD (some|<number>|a (few|bunch) of?|the following|these)? new? (things|items"
        "|stuff) (ONTO) LIST : (?!see) <x:text>",
        "((ONTO) LIST (,|:)? (please)? (also)? <adding>|(list=(<kind>|buy){1,2}) <list> (,|:)? add) <x:text>",
        "(can|could)? (?!<deed>|the) <x:plain> ((SHALL_BE) on|(SHALL_BE|please? be)? please? (added to|put (on|onto)"
        "|placed on|entered (on|in)|noted (on|in))|goes on|((should|ought to|needs to|can|could))? go on) LIST TAIL",
        # Without such words only what is enumerated, or goes to a list of a kind: "typo on the list" is none.
        "(?!<deed>) (x=<y:title> (,|and|&) <y:words>) (on|to|onto|on to) LIST TAIL|also (?!<deed>) <x:title> (ONTO)"
        " LIST",
        "(?!<deed>) <x:title> (to|onto|on to) (MY? (list=<kind>{1,2}) <list>|MY? (list=<onelist>)) TAIL",
        "WE (want|need|(would|should) like) (?!more|another|a|the) <x:plain> (added to|put on|on|to be on|to be added"
        " to|to go on) LIST TAIL|(i'd like|(can|could|may) WE (have|get)) (?!more|another|a|the) <x:plain>"
        " (added to|put on|on|to be on|to be added to) LIST TAIL",
        "(x=(<any>|<number>) (?!<unit>|percent|people|guests|of) ((<y:word>)? <z:word> of)? <w:word>) (,|-|.|please"
        "|pls){1,3} <adding> (them|those) (to|on) LIST TAIL",
        "PRE also? get (?!off|rid) <x:plain> (on|onto) MY (list=<kind>{1,2})? <list> TAIL",
        "((WE (have|got)|we've got|i've got|there's|there is)? no more? (?!NO_STUFF) <x:words> left|(the|our)?"
        " (?!<pronoun>|<deed>|<y:some>? (time|money|luck)) <x:words> (is|are|has|have) (run out|ran out|all gone|gone"
        "|all out)) (,|-|;|.|!|so|and){0,3} (please|pls)? ((can|could) you)? <adding> (it|that|them|those|some)? (to"
        "|on) (LIST|<list>) TAIL|(make sure|see|see to it|ensure) (that)? <x:plain> (is|are|gets|get) (added to|put on"
        "|on) LIST TAIL",
        "MY? ((TODO|(list=<kind>)) <list>|(list=<onelist>)) : (?!STATED) <x:text>|to? (list=buy) : (?!STATED) <x:text>",
        "ADD (ONTO) ((list=<kind>) <list>?|<list:title> <list>) : <x:text>",
        "((one more|another) (thing|item)?)? (for|to|on) (MY) (NAME|TODO) <list> : <x:text>",
        # "Task: translate this: …" is one for a model.
        "(new|NEW)? TODO (item)? (:|-) (?!nothing|none|no) <x:text>|(new|NEW)? (TODO|task) item? (for|by|due)?"
        " <when:time> : <x:text>",
        "(jot|note) (this|it)? down (:|-) <x:text>|PRE (jot|note|write) down (that? (i|we) (need|have|must|should) to?"
        " (?=<doing>)|(?=buy|<doing> (the|my|our|a|an))) <x:text>",
        "(new|NEW)? task (item)? : (?!<y:text>? (: |the following)) <x:text>",
        # Without a colon only what surely is to be done: "todo lists are fun" is none.
        "(todo|to _- do) (?=(<doing>|<link>) <y:few>) <x:text>",
        # "A todo app" is none: behind an article it is said to be one, or is surely to be done.
        "(new|NEW) TASK (to (?!MY)|called|named|for (?=<link>)|(?=<doing>|<link>)) <x:text>",
        "(new|<adding>) new? TODO item? (?!<list>|comments|comment) <x:text>|(((WE (are|r|am)|we're|i'm) (all|nearly"
        "|almost)?)? (out of|(running)? (low on|out of))|(i've|we've|WE)? (run|ran) out of|(WE? need (to (GET))?|WE"
        " forgot|MUST (?=<deed> (?!,|-|;|.|!|<adding>|so|and|please|pls|can|could)))) (?!say|to|NO_STUFF) <x:words> (,"
        "|-|;|.|!|so|and){0,3} (please|pls)? ((can|could) you)? <adding> (it|that|them|those|some)? (to|on) (LIST"
        "|<list>) TAIL|(WE (are|r|am)|we're|i'm) (all|nearly|almost)? out of (?!NO_STUFF|my|our) (x=<y:word>{1,2}) (,"
        "|-|;|.|!|so|and){0,3} (please|pls)? <adding> (it|them|some) TAIL|PRE (note|jot|write|put (?!the|your|down the"
        "|down your)) (down <x:plain>|<x:plain> down) (for|on|under) (MY (NAME) <list>|MY? (list=<onelist>)|MY"
        " (list=<word>{0,2} (store|supermarket|shop))) TAIL",
        # Enumerated, or said to be put on it: "a list with ten films" is a model's to write.
        "PRE (<making>|open) (me|us)? (a|an|another|the)? new? (<list> (called|named|titled|for) (the|my|our)?"
        " <list:title>|(NAME) <list>) ((with|:) (x=NOT_ALL <y:many> (,|and|&) <z:words>)|(,|and|n|&){1,2} (add|put)"
        " <x:plain> (on|to|in) it)",
        "PRE make (a|me a|yourself a) note (to|:|that? i (need|have) to) (?=<doing>) <x:text>",
        # With a time behind it, or whom it is for.
        "ADD <x:text> (ONTO) <list:title>? <list> TAIL",
        "ADD <x:text> (ONTO) LIST ,? ((by|due) (on|by)? (?!when) <when:time>|(who=for <link>))",
        # "The guest list for Saturday" is one of several.
        "ADD <x:text> (ONTO) (MY (TODO|(list=<kind>{1,2}))? <list>|TODO <list>|(list=<kind>{1,2}) <list>|MY (TODOS|TODO"
        "|tasks)|MY? (list=<onelist>)) ,? for? (?!when) <when:time>",
    ),
    "todo.done": (
        "done with? : <x:text>|YES (i've|WE am|WE have)? (done|finished) with NOT_IT (?!work|school|you|life) <x:some>",
        "PRE ((tick|cross|strike|mark) (off|out)|check off) NOT_IT <x:some> ((from|on|off) LIST)? DID",
        "PRE TICK NOT_IT <x:some> (off|out) ((of|from|on)? LIST)? now? DID",
        "PRE (mark|set (?!(a|an) (ALARMS))) (?!as|<y:text> (not|un) (done|complete|completed|finished)) (MY? (TASK)"
        " (?!as|off|done))? NOT_IT <x:text> (as|off as|to)? (being)? (done|complete|completed|finished|bought"
        "|purchased) ((on|in) LIST)?|PRE mark as (done|complete|completed|finished) NOT_IT <x:some>",
        "(WE (have|am)?|i've|we've|i'm)? (already|just|all)? (GOT) (?!to) (MY)? <x:words> (,|-|;|.|so|and){0,2}"
        " (TICK_IT|TAKE_OFF)|(WE|i've|we've)? (already|just)? (GOT) (?!to|it|that|this) (MY)? <x:words> [✅✔☑]|complete"
        " (?=MY|TASK|<word> $) (MY? (TASK) (?!<list>))? NOT_IT <x:some>|[✅✔☑] ️? <x:some>|WE (have|just|already)?"
        " (bought|picked up) the <x:title>",
        "NOT_IT <x:words> (is|are) (done|finished) now?|NOT_IT <x:words> (is|are|has been|have been) (all|now|already)?"
        " (SETTLED) now? (from my (side|end))? (,|-|;|.|so|and){0,2} (TICK_IT)",
    ),
    "todo.remove": (
        "PRE (please)? (<removing>|kick (?!off)) (off|both)? <x:text> (OFF) (LIST|<list>|TODOS) (TAIL|anymore)",
        "PRE (please)? <removing> (OFF) LIST :? <x:text>",
        "((OFF) LIST (,|:)? (please)? <removing>|(list=(<kind>|buy){1,2}) <list> (,|:)? (remove|delete)) <x:text>",
        "(?!<pronoun>|<order>) <word>{1,2} (already|just)? (has|have|got|bought) (the|some)? <x:words> (already)? (,|-"
        "|;|.|so|and){1,2} please? (you can)? ((remove|delete|drop|scratch|strike|take) (it|them) (OFF) LIST|(take"
        "|scratch|strike) (it|them) off)|(NO_NEED|no need (?!to)|no (more)? (?=<y:some> (needed|after all|required)))"
        " (the)? <x:words> (anymore|any more|needed|after all|required)? (,|-|;|.|so|and){0,2} ((can|could) you)?"
        " please? (<removing>|TICK) ((it|them|em|that)? (OFF) (LIST|<list>)|(it|them) off)",
        "PRE (remove|delete|drop|get rid of) (MY|that) (?!<nth>|<nthword>|<any>|last|next|previous|other|old|new"
        "|current|whole|wrong|same|entire) <x:words> (TASK)|PRE (get rid of <x:plain> (OFF)|(get|kick|pull) <x:plain>"
        " (off|off of|out of)) LIST TAIL",
        "WE (don't|do not|no longer) (want|need) <x:plain> (on|in) LIST (anymore|any more)?|WE want <x:plain> ((gone"
        "|removed|deleted|taken) (OFF)|off) LIST|(?!<deed>) <x:plain> (can|should|must) (come|go) off LIST TAIL",
        '(<removing>) (TASK|item) : <x:text>|(remove|delete|drop) (MY|that)? TASK (about|to|called|named|(?="))'
        " <x:some>",
    ),
    # It asks first. "Clear the list" of what, where something stands behind it, is a model's to find out.
    "todo.clear": (
        "(((WE|i've|we've)? (got|bought|have|done|did) (everything|it all)|(everything|everything's|all) (is|has been)?"
        " (done|bought|packed|finished)) (,|-|.|;|so|and){1,2})? CLEAR (out|up|off)? (MY (whole|entire|complete) (TODO"
        "|NAME)? <list>|OWN_LIST|(my|our) (list=<onelist>)) (clean|completely|entirely|NOW)? ALL_DONE|CLEAR (out)?"
        " (all)? (of)? MY (TODOS|tasks)",
        "PRE (THROW|get rid of) (everything|all|(all of? the?|<every>) (item|task|entry|thing|items|entries|tasks|TODOS"
        "|things|stuff)) (OFF) (LIST) ALL_DONE",
        "PRE (clear|remove|delete) all (of)? MY (TODOS)",
        "PRE (THROW|get rid of|discard) (MY (whole|entire|complete) (TODO|NAME)? <list>|OWN_LIST) (completely)?"
        " ALL_DONE|NO_NEED (OWN_LIST) (anymore|any more)? (,|;|so|and){0,2} please? (THROW|get rid of) it",
        "start (OWN_LIST) (over|afresh|over? from scratch)",
    ),
    "cancel": (
        "(PRE END (MY|that)?|NO_NEED (MY|that)) NOT_ANY <x:few> (reminders|reminder|<alarms>|<alarm>) (anymore|any"
        " more)? GET_RID",
        "(PRE END (MY|that)?|NO_NEED (MY|that)) (reminders|reminder|<alarms>|<alarm>) ((that? (WE|you))? set (for|to)"
        "|to|for|about|abt|of|re|regarding|concerning|called|named|that says|:|at|on|(?!that? (WE|you) <y:word>|app"
        "|system|sound|tone|manual|<word> app)) NOT_ANY <x:few> (anymore|any more)?",
        "(?!(can|could|should|if|when|unless|tell|ask|did|do|is|are|<asking>) <y:word>|<y:many> (added|wrote|built"
        "|think|thought|hope|said|says|say|told|if|unless|not|don't|didn't|doesn't|isn't|won't|can't) <z:many> so)"
        " (?!<y:word> (said|says|thinks|thought)) <y:many> ,? so (you|u) can (go ahead and|now|just)? (kill|cancel"
        "|delete|drop|remove|scrap|dismiss|(turn|switch) off|get rid of) (MY|that) NOT_ANY <x:some> (reminders"
        "|reminder|<alarms>|<alarm>) (now)?",
        "(stop|quit) reminding (me|us) (to|about|of|that) NOT_ANY <x:few>|(don't|do not) remind (me|us) (to|about|of)"
        " NOT_ANY <x:few> (any more|anymore|again)|((there is|there's)? no need to|(i|you) (don't|do not) (need|have)"
        " to|(i|we) (don't|do not|no longer) need you to) (keep reminding|remind) (me|us) (to|about|of) NOT_ANY <x:few>"
        " (any more|anymore|again)?|(turn|switch|shut) (MY|that) NOT_ANY <x:words> (ALARMS) off",
        "no more reminders (to|about|for|of) NOT_ANY <x:few>|no more <x:words> reminders",
        "WE want (MY|that) NOT_ANY <x:few> (ALARMS) (gone|deleted|cancelled)",
        "PRE (<removing> (?!<y:some> (off (in|on)|or|is|are)) <x:some> (from|off of?|out of)|get <x:some> (off|out of))"
        " MY <calendar>|please? (cancel|delete|scrap|call off) (MY|that) (x=<gathering> (with|about|at) <y:word>{1,3}"
        "|<y:word>{1,2} (appointment|meeting))",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
