"""English: what stands in phrases of several capabilities, and how people say that something is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language import phrase_tables
from core.language.en.requests import MACROS as OF_REQUESTS
from core.language.grammar import PhraseTable

# What names nothing: what is meant stands elsewhere, or nowhere.
VAGUE = (
    "(this|that|these|those) <y:text>?|it|them|me|us|you|him|her|myself|yourself|do? (A_THING)|anything|everything"
    "|nothing|everyone|everybody|nobody|someone|somebody|anyone|all|items|item|the (following|rest|others|same)"
    "|(everything|anything|what|whatever) <y:some>|some more (stuff|things)|(an|a|a few|(all of?)? the|some|all"
    "|<number>|<any>|another|<every>|any|new|more) (new)? (items|item|tasks|task|things|thing|stuff|entry|entries|TODO"
    "|todos|elements|element|words|word|numbers|number|reminder|event|list)"
)
MACROS: Mapping[str, str] = {
    **OF_REQUESTS,
    "MY": "my|our|the", "WE": "i|we", "TODO": "todo|to (-|_-)? do", "ONTO": "to|on|onto|in|into",
    "WHAT": "what's|what (is|are)|wats|wat's|what're",
    "NOW": "now|atm|rn|right this minute|at this moment|right now|currently|so far|at the moment|already|these days"
    "|presently|at present",
    "SHOW": "remind (me|us) (of|about)? (?=what|what's|which)|(<show>|list|read) (me|us|off|out|back|over|to me|up"
    "|aloud)? please?|(let|lets) (me|us)? (see|hear|have)|I_WANT (see|hear|check|view|read|look (at|over|through)|have"
    "|know|go over)|(pull|bring|look) up|(check|run through|go (over|through))",
    "I_WANT": "WE? (need|gotta|got to) to?|WE? wanna|WE (want|need|have|wish|(would|should) like) to|i'd like to|(can"
    "|could|may|might) WE (please)?",
    "PRE": "(I_WANT|let us|let's|make sure to|make sure you|be sure to|go ahead and|((don't|do not) forget|remember)"
    " to)?",
    "ADD": "PRE (please)? (also)? <adding>",
    "MUST": "i've to|(i|we|i've) (have to|need to|got to|gotta|must|should|am to|am supposed to)|need to|have to|gotta"
    "|i'm (supposed to|meant to|gonna)|((i|we) (must|should) not|i mustn't|i can't) forget (to|about)",
    "NO_NEED": "WE (don't|do not|no longer|won't|(will|shall) not) (need|want|require|be needing)|(no longer|don't"
    "|won't) need|(there's|there is)? no need for",
    "IT": "it's|that's|he's|she's|i'm|we're|they're|it is|that is|this is|i've|WE have|WE am|we are",
    "YES": "((ok|okay|yes|yep|yeah|all|already|just|now) ,?){0,3}",
    "END": "((you|WE) can)? (drop|kill|delete|cancel|remove)|bin (?=MY|that)|ditch|never mind about?|you can forget"
    "|forget about|del|discontinue|scrap|unset|clear|stop|drop|end|disable|deactivate|dismiss|forget|get rid of|(turn"
    "|switch|call) off",
    "GET_RID": "((,|;|.|so|and){0,2} please? (delete|cancel|remove|stop|drop|kill|get rid of|turn off) (it|that|them)"
    "|(,|-|;|.) (the? <word>{1,2} (is|was|got|isn't)|IT) (not|been)? (off|cancelled|canceled|over|done|happening|gone"
    "|finished|sorted|postponed) (now|anymore|anyway|already)?)?",
    "ALARMS": "<alarm>|<alarms>|reminder|reminders", "ABOUT": "to|about|abt|of|that|for",
    "NOT_IT": "(?!<pronoun>|the? (<nthword>|last) (line|paragraph|page|sentence|word)|the (following|sentence|text"
    "|story|<list>))",
    "NOT_ANY": "(?!by|for|of|about|in (<any>|<number>)|anymore|any more|sending|MY? (last|next|latest|previous|new"
    "|<nthword>|<siren>) (ALARMS)|MY? (time|date|mind|name|password) to|it (is|was)|<any_of> ($|of|other|others|more"
    "|one|ones|ALARMS)|ALARMS)",
}  # fmt: skip
# What is done is said by what it is about: to a reminder, or of the list.
ROWS: Mapping[str, Sequence[str]] = {
    "done": (
        "([✅✔☑] \ufe0f?)? YES (IT)? (all|already|just|now)? (done|finished|completed) (it|that|this|now)?",
        "YES WE? (just|already)? did (it|that) already?",
        "[✅✔☑] \ufe0f?",
    ),
}
TABLES = (PhraseTable(rows=ROWS), *phrase_tables("en"))
