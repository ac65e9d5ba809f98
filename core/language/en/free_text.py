"""English: wishes in free text, and the grammar of the language."""

from __future__ import annotations

import re

from core.language.en.addressees import MANY
from core.language.en.format import say
from core.language.en.phrases import MACROS, ROWS, VAGUE
from core.language.en.remainder import content, is_question, one_wish, times
from core.language.en.requests import UNTIL_NEXT, request
from core.language.en.times import READER, trimmed, when
from core.language.en.watching import WATCHING
from core.language.en.words import GAP, NEAR, NEWS
from core.language.engine.phrases import Phrases
from core.language.engine.said import STRONG, Said
from core.language.engine.templates import compiled
from core.language.engine.tokens import FOLD, MAX_LENGTH
from core.language.grammar import ME, Grammar, Request, Wish

_LEAD = re.compile(
    rf"[^\w@/☑✅✔]*(?:(?:hi|hey|hello|ok|okay|so|and|now|then|please|pls|teller|(?:can|could|would|will){GAP}(?:you|u|ya)"
    rf"(?:{GAP}please)?|i(?:'d{GAP}like|{GAP}would{GAP}like|{GAP}want|{GAP}need){GAP}you{GAP}to|you{GAP}(?:must|should)|just)"
    r"\b[\s,:!]{0,5}){0,5}",
    re.IGNORECASE,
)
_REMIND = re.compile(
    rf"(?:please{GAP})?(?P<keep>keep{GAP})?(?:remind(?P<ing>ing)?|(?P<tell>alert|notify)|nudge)\b[\s,:]{{0,3}}",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|u|ya)\b", re.IGNORECASE)
# "Notify me about new mails every hour" wants news, not a reminder that says "new mails".
_NEWS = re.compile(r"(?=.*\b(?:every|each|hourly|daily|weekly|monthly)\b).*\b(?:of|about)\b", re.IGNORECASE | re.DOTALL)
_TIDINGS = re.compile(rf".*?\b(?:of|about|on|with){GAP}(?:\S{{1,30}}{GAP}){{0,4}}?{NEWS}\b", re.IGNORECASE | re.DOTALL)
_FORGET = re.compile(rf"(?:don't|do{GAP}not|dont){GAP}let{GAP}(?P<who>me|us){GAP}forget{GAP}", re.IGNORECASE)
_SET = re.compile(
    rf"(?:(?:set|create|make|add|schedule|put|give|new)(?:{GAP}up)?{GAP}(?:(?:me|us){GAP})?(?:(?:a|an|another|the){GAP})?"
    rf"(?:new{GAP})?reminder\b[\s,:]{{0,3}}|reminder(?:{NEAR}:{NEAR}|{GAP}(?=to|for|about|that|at|on|in)))(?:for{GAP})?",
    re.IGNORECASE,
)
_SET_OF = re.compile(r"(?:to|for|about|that|of)\b", re.IGNORECASE)
_WAKE = re.compile(rf"wake{GAP}(?P<who>me|us)(?:{GAP}up)?\b[\s,]{{0,3}}", re.IGNORECASE)
_OTHERS = re.compile(
    rf"(?P<who>me{GAP}and{GAP}(?:@\w[\w.]{{0,63}}|[^\W\d_][\w'-]{{0,39}})|me|myself|us(?:{GAP}all)?|all{GAP}of{GAP}us|{MANY}|@\w[\w.]{{0,63}}"
    rf"|[^\W\d_][\w'-]{{0,39}}(?:{GAP}and{GAP}[^\W\d_][\w'-]{{0,39}})?)\b[\s,:]{{0,3}}",
    re.IGNORECASE,
)
_TO = re.compile(r"(?:to|that|about|of)\b", re.IGNORECASE)
_WITHOUT_TO = re.compile(r"^to\s", re.IGNORECASE)
# Without a time: it is asked for then.
_SOME_TIME = re.compile(rf"me{GAP}to{GAP}(?P<text>[^?]{{1,300}})", re.IGNORECASE)
# Stands where a text would, to see what is left without it.
_BLANK = "zzz"
_PRONOUN = re.compile(rf"(?:me|myself|us|@|{MANY})", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:(?:again|please|pls|once (?:again|more)|quickly|briefly|just|to|of|about)\b[\s,:]{1,3}){0,4}"
    r"(?:(?:what|who|whom|whose|where|when|why|how|which|whether|if)\b"
    r"|(?:is|are|was|were|does|did)\s|do (?:i|we|you|they)\b|the (?:time|day|moment) (?:i|you|we|he|she|they|when)\b)",
    re.IGNORECASE,
)
_LOWER_NAME = re.compile(rf"(?P<name>[a-z][\w'-]{{0,39}}(?:{GAP}and{GAP}[a-z][\w'-]{{0,39}})?){GAP}(?:to|that|about)\b")

# What is quoted is spoken about: "“remind me tomorrow” is an annoying button".
_QUOTED_ORDER = re.compile(
    r"""\s*["“”„«](?:please |pls )?(?:remind|wake|alert|nudge)\b[^"“”«»]*["“”»]\s*\w""", re.IGNORECASE
)


def wish(text: str) -> Wish | None:
    """Return what a text wishes; None when it is no wish, or more than one."""
    if len(text) > MAX_LENGTH:
        return None
    folded = text.translate(FOLD)
    if _QUOTED_ORDER.match(folded):
        return None
    lead, end = _LEAD.match(folded), trimmed(folded)
    start = lead.end() if lead else 0
    if _YOU.search(folded, 0, start):  # "Can you …?" ends with a mark that is not part of what is wished
        text, folded = text[:end], folded[:end]
    # "Remind me at 9 to call Oma?" may ask whether that is set.
    found = None if "?" in folded[end:] else _reminder(text, folded, start, end)
    return found or _PHRASES.read(folded, text, start, end)


def _reminder(text: str, folded: str, start: int, end: int) -> Wish | None:
    if match := _REMIND.match(folded, start, end):
        until = " until done" if match["keep"] else ""
        odd = bool(match["keep"]) != bool(match["ing"]) or _news(match, folded, start)
        return None if odd else _reminding(text[match.end() :], until)
    if match := _FORGET.match(folded, start, end):
        return _for(match["who"], text[match.end() :])
    if match := _SET.match(folded, start, end):
        return _set(text, folded, match, end)
    return _waking(text, folded, start, end) or _timed(text, folded, start, end)


def _news(match: re.Match[str], folded: str, start: int) -> bool:
    return match["tell"] is not None and any(one.match(folded, start) for one in (_NEWS, _TIDINGS))


def _reminding(rest: str, until: str) -> Wish | None:
    """Behind "remind": for whom, and the rest in any order."""
    rest = _capital(rest.strip(" .!") + until if until else rest)
    folded = rest.translate(FOLD)
    found = request(rest)
    first = READER.scan(folded, 0, len(folded))
    timed = first is not None and first.said.strength == STRONG
    if found is None:
        some_time = _SOME_TIME.fullmatch(folded.rstrip(" .!"))
        return _without_time(rest[some_time.start("text") : some_time.end("text")]) if some_time else None
    if not (found.who or timed or _PRONOUN.match(folded) or _TO.match(folded)):
        return None
    who = _OTHERS.match(folded)
    if who and _ASKED.match(folded, who.end()):
        return None
    own = folded[:3].lower() == "me " and ME not in found.who
    # "Remind me Bob and me to go" is for both.
    return _remind(rest[3:].strip()) if own else _remind(rest.strip(), found)


def _remind(text: str, found: Request | None = None) -> Wish:
    """A wish to be reminded, of which a request is read."""
    found = found or request(text)
    names = _names(text, found) if found and text.startswith(found.text) and not found.who else ()
    return Wish(name="remind", text=text, request=found, names=names)


def _names(text: str, found: Request) -> tuple[str, ...]:
    """Whom a text names that says nothing beside its time; a name that begins with a small letter is one here, too."""
    for line in dict.fromkeys((text, text[:1].upper() + text[1:])):
        named = request(f"{line} {_BLANK}")
        if named and named.who and (named.text, named.when) == (_BLANK, found.when):
            return named.who
    return ()


def _set(text: str, folded: str, match: re.Match[str], end: int) -> Wish | None:
    """Behind "set a reminder" stands when, or of what: "a reminder app" is no reminder."""
    first = READER.scan(folded, match.end(), end)
    timed = first is not None and first.said.strength == STRONG
    named = match[0].rstrip().lower().endswith((":", "for")) or _SET_OF.match(folded, match.end(), end)
    return _for("", text[match.end() :]) if timed or named else None


def _capital(rest: str) -> str:
    """Behind "remind" a word before "to" is a name; by itself only one with a capital is."""
    match = _LOWER_NAME.match(rest.translate(FOLD))
    if match is None or _PRONOUN.match(rest):
        return rest
    names = rest[: match.end("name")]
    return (
        " ".join(one if one in {"and", ME} else one[:1].upper() + one[1:] for one in names.split()) + rest[len(names) :]
    )


def _for(who: str, rest: str) -> Wish | None:
    """For whom, "me" left out, and the rest, where that is read as one request."""
    text = f"{'' if who.lower() in {'me', 'myself'} else who} {rest}".strip()
    found = request(text)
    # "A reminder every day at 9 with the weather" has nothing to say yet.
    return _remind(text, found) if found and not found.text.lower().startswith("with ") else None


def _waking(text: str, folded: str, start: int, end: int) -> Wish | None:
    match = _WAKE.match(folded, start, end)
    if match is None or READER.whole(folded, match.end(), end) is None:
        return None
    return _for(match["who"], f"{text[match.end() : end]} wake up")


def _timed(text: str, folded: str, start: int, end: int) -> Wish | None:
    """A time, then the wish: "every weekday at 9 remind us to stand up", "at 7 wake me"."""
    first = READER.scan(folded, start, end)
    if first is None or first.said.strength != STRONG:
        return None
    until = UNTIL_NEXT.match(folded, first.end, end)
    begin, done = (until.end(), " until done") if until else (first.end, "")
    at = begin + len(folded[begin:end]) - len(folded[begin:end].lstrip(" ,"))
    time = text[start : first.end]
    if (match := _WAKE.match(folded, at, end)) and match.end() >= end:
        return None if until else _for(match["who"], f"{time} wake up")
    if not (match := _REMIND.match(folded, at, end)) or match["keep"] or match["ing"] or _news(match, folded, start):
        return None
    if not (who := _OTHERS.match(folded, match.end(), end)) or _ASKED.match(folded, who.end(), end):
        return None
    names, rest = (
        text[who.start("who") : who.end("who")],
        f"{text[who.end() : end] if until else text[who.end() :]}{done}",
    )
    if _PRONOUN.match(names) and "and" not in names.lower().split():
        return _for(names, f"{time} {_WITHOUT_TO.sub('', rest)}")
    return _for(names, f"{time} {rest}") if _TO.match(folded, who.end(), end) else None


def _without_time(text: str) -> Wish | None:
    """A wish to be reminded that says no time, which is asked for; None where one may be left over in its text."""
    folded = text.translate(FOLD).strip()
    # "To sell when the price drops" is not asked for a time: nobody knows it.
    waits = WATCHING.match(f"remind me to {folded}")
    whole = folded and not waits and not _ASKED.match(folded) and content(folded, Said())
    return Wish(name="remind", text=text.strip()) if whole else None


def _ordered(time: str, text: str) -> Wish | None:
    """A wish of a phrase: its time, empty where there is none but in the text, and what it is about."""
    if not time:
        folded = text.translate(FOLD)
        unread = any(times(folded)) or _UNREAD.search(READER.alphabet.read(folded).codes)
        return _for("", text) or (None if unread else _without_time(text))
    for said in (f"in {time}", time, f"at {time}"):
        folded = said.translate(FOLD)
        if READER.whole(folded, 0, len(folded)) is not None:
            return _for("", f"{said} to {text}")
    return None


def _fits(text: str, marked: bool) -> bool:
    return not is_question(text, marked=marked) and one_wish(text)


# What says something of a time that is not read.
_UNREAD = compiled("<edges> (<any>|<nth>|<weekday>|<part>)", READER.alphabet).pattern
_PHRASES = Phrases(READER, ROWS, MACROS, vague=VAGUE, fits=_fits, remind=_ordered)
GRAMMAR = Grammar(when=when, request=request, wish=wish, say=say)
