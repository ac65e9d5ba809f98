"""German: what is said of a reminder beside its time, as templates by what they are for (engine/requests.py)."""

from __future__ import annotations

from collections.abc import Mapping

# Before a wish; "kannst du …?" ends with a mark that is not part of it.
LEAD = (
    "((WAKE_WORD|<greeting>|(liebe|lieber) (bot|teller)|guten (morgen|tag|abend)|[👋🙂😊☀🙏] \ufe0f?|(?!KEPT) <mild>"
    "|sag mal|weißt du (eigentlich|noch)?|(CAN_YOU) (mir|uns|<filler>){0,3} (sagen|verraten|auflisten|vorlesen)"
    "|(you=(CAN_YOU) (?!du? MILD <y:time>? (die|den)? (<name>|KIN) <y:few>? (AN) <y:few>? erinnern)|(es? (wäre|wär)"
    " <nice>|ich wäre (dir|ihnen) (sehr|echt)? dankbar) ,? wenn (du|sie)|(sei|seien sie|wärst du|wären sie) so <nice>"
    " (und|,)|(ich|wir) (möchte|will|wollen|möchten|hätte gern|hätte gerne) ,? dass (du|sie)) MILD) (,|:|!){0,3}){0,6}"
)
RULES: Mapping[str, str] = {
    "lead": "MILD",
    # "That there is a meeting at 5" says when it is.
    "leads": "(daran|dran)? (,|:)? ((theirs=dass|das) (ich|wir))?",
    "connect": "(,|:|;|-){0,3} (bitte ,?)? ((daran|dran) denken? ,)? ((theirs=dass) (own=ich|wir)?)?",
    "told": "(,|:|;|-){0,3} (?!(wieder|kurz) (?!AN|$)) MILD ((SOFT){1,3} (?=an|ans|daran|dran))? ((daran|dran) (denken"
    " ,)? (,|:)?)? ((theirs=dass|das (?=ich|wir)) (own=ich|wir)?|an|ans)?",
    "until": ",? (bis (ich? (es|das)?|ichs|ich's) (erledigt|fertig|getan|gemacht|ok|okay) (ist|hab|habe|bin|sage)?"
    "|bis ich (es|das)? bestätige|bis ich (es|das|sie|ihn) <word> (habe|hab)|immer wieder (?=AN|um|,|$))",
    "me": "mich|mi|mir", "self": "mich|mi|mir|ich", "us": "(uns|wir) alle?|alle (?!<name>|<unknown>)",
    "and": "und|&|,", "unnamed": "<timed>|<edges>|<article>|<pronoun>|<mild>",
    "after": ",? (AN|dass|:)", "plain": "(<article>|<mine>|<name>) <word>",
    # Words of time at the edges of a text, and what nobody can tell the time of.
    "begins": "und|irgendwann|<any> oder|<shortday>|<zone>|meiner zeit|ortszeit|über <hour> <modal>|ASTRAY|STRAY"
    "|<being>|zu denken|des (jahres|monats|quartals|tages)|<year>|ur|auf <hour>|<hour> (h|<clock>|<article>|<mine>"
    "|<number>|oma|opa|mama|papa)",
    "ends": "(<edges>|<loose>|mi|ist|sind) .?|auf|<can> du|am <word> <partnoun>|<zone>|<holiday>|PAST|LEFT_OVER",
    "dated": "<dayname>",
    "doubtful": "im <month> <year>?",
    "edge": "(im|ende|anfang) <month>|(am|zum)? <yearend>|(ende|anfang) des? <monthof>",
    "dayish": "<month> .? <year>?|<year>|<any> (_-|_.|_/|.) <any> ((_-|_.|_/|.) <any>|.)",
    "hangs": "(?!ab|vor|nach|um) <edges>|(so|<infinitive>) gegen <hour>|und|oder|sowie",
    "odd": "ASTRAY|<y:word>{0,4} (<unit>|<partnoun>|<partadverb>) <any>? (vor|nach)", "asked": "<asking>",
    "trails": "für? <number>? <unit> lang?",
    "unsure": "<reminding> (mich|uns)|(<article>|<mine>) <surname>|<condition>|<negation>|ob|[?]|bis ich <y:few>? (sage"
    "|sag|hab)|um <hands>",
    "second": "(und|dann|.|;|!) (<ordering>|OTHER_WISH|<name> (an|ans)|(<switching>) (THE))|(nein|nee|quatsch|sorry"
    "|doch) ,? (lieber|besser)? (um|auf|am|in|<any>|<hour>|<day>|<anyday>)",
    "asks": "(<y:text>)? (<condition>|ob|weil|damit|[?]|(!|;) <z:word>|(?!<short>|<any>) <v:word> . <z:word>|(und|dann)"
    " MILD (?!pack) (<ordering>|<adding>|<making>|<switching>|(INDEF) $)|(ONTO) (THE)? <listword> (und|,))|<asking>"
    "|<negation>",
    "question": "<y:word>",
    "verb": "<modal> (ich|wir)?",
    "final": "<modal>",
    "closes": "daran|dran|und zwar|sagen wir|(<just>|<stress>){1,2}",
    "wakes": "aufwachen|wecker|weckruf",
    "again": "was|etwas|irgendwas|sowas|es|<article>|alles",
    "shared": "<shared>",
}  # fmt: skip
