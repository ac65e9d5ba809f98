"""German: wishes for reminders, in free text and behind a command: when, of what, and for whom."""

from __future__ import annotations

import re
from bisect import bisect_left

from core.language.de.times import READER
from core.language.engine.said import STRONG, Scan, to_wake
from core.language.engine.tokens import FOLD, MAX_LENGTH
from core.language.grammar import Request, Wish

# Gaps are bounded, so that a run of spaces is not gone through again and again.
_POLITE = r"(?:(?:bitte|mal|doch|kurz|dann|nochmal|noch mal|nochmals|noch|wieder|erst|auch|jemand)\b[\s,]{0,3}){0,4}"
_LEAD = re.compile(
    r"(?:(?:hey|hi|hallo|moin|servus|grüezi|guten (?:morgen|tag|abend)|ok|okay|also|und|so|bot|teller)\b[\s,:!]{0,4})"
    rf"{{0,4}}{_POLITE}",
    re.IGNORECASE,
)
_WHOM = r"(?P<who>mich|mi|uns(?:\s{1,3}alle)?|alle|@\w[\w.]{0,63}|(?-i:[A-ZÄÖÜ])[\wäöüß-]{1,39})"
# As an order or a question, also as it is typed in a hurry: "erinnre mich", "erinnerst du mich".
_ORDER = r"eri(?:nn?e?re?|nn?er[nt]|nnerst(?:\s+du)?)"
_REMIND = re.compile(rf"{_ORDER}\s+{_WHOM}\b[\s,:]*{_POLITE}", re.IGNORECASE)
# "Kannst du mich morgen um 9 daran erinnern, Oma anzurufen": the verb stands behind what the time or the text is.
_CAN = re.compile(
    r"(?:(?:kannst|könntest|koenntest|würdest|wuerdest|magst)\s+du|(?:es\s+)?w(?:ä|ae)re?\s+"
    rf"(?:super|toll|nett|lieb|schön|gut|klasse)\s*,?\s+wenn\s+du)\s+{_WHOM}\s+{_POLITE}"
    r"(?P<before>\S.{0,200}?)[\s,]+erinnern(?:\s+(?:könntest|koenntest|würdest|wuerdest|kannst))?\b[\s,:]*(?P<behind>.*)",
    re.IGNORECASE | re.DOTALL,
)
# "Morgen um 9 Oma anrufen, erinner mich bitte daran".
_AFTER = re.compile(
    rf"(?P<rest>.+?)[\s,;:.–-]{{1,4}}{_POLITE}(?:{_ORDER}\s+{_WHOM}\b|(?:kannst|könntest|koenntest)\s+(?:du\s+)?"
    rf"(?P<whom>mich|uns)\s+{_POLITE}(?:(?:da|daran|dran)\s+)?erinnern)\s*{_POLITE}(?:(?:daran|dran)\b)?[\s!.?]*",
    re.IGNORECASE | re.DOTALL,
)
# "Jeden Montag um 18 Uhr ans Yoga erinnern", "bitte mich morgen an die Reifen erinnern".
_LAST = re.compile(
    rf"{_POLITE}(?:(?P<who>mich|uns)\s+)?(?P<rest>\S.{{0,200}}?)\s+erinnern(?:\s+(?:bitte|danke|ok|okay))?[\s!.?]*",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT = re.compile(r"\bans?\s+\S", re.IGNORECASE)
# A note behind or before what it is about: "morgen um 9 Oma anrufen, bitte erinnern", "Freitag 13 Uhr Reminder: Oma".
_NOTED = re.compile(
    r"(?P<rest>.+?)(?:[\s,.;:(–-]*(?:[,;:(–-]|(?<!\d)\.)|\s+bitte)\s*(?:(?:bitte|um|eine|ne|als)\s+){0,3}"
    r"(?:erinnern|erinnerung|reminder)(?:\s+(?:bitte|pls|danke|setzen|stellen|einstellen))*[\s.!?)]*",
    re.IGNORECASE | re.DOTALL,
)
_HEADED = re.compile(
    r"(?P<when>\S.{0,80}?)\s+(?:bitte\s+)?(?:erinnern|erinnerung|reminder)(?:\s+(?:bitte|pls))?\s*:\s*(?P<text>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
# "Kalender: 10. Januar 19 Uhr Ball".
_CALENDAR = re.compile(
    r"(?:kalender|(?:neuer\s+)?termin(?:\s+(?:anlegen|eintragen|notieren))?)\s*:\s*(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
# "Heute um neun will ich an den Tatort erinnert werden".
_WANTED = re.compile(
    r"(?P<when>\S.{0,80}?)\s+(?:will|möchte|moechte|muss|soll|würde|wuerde)\s+(?P<who>ich|wir)\s+(?:gerne?\s+)?"
    r"(?P<rest>ans?\s+\S.{0,200}?)\s+erinnert\s+werden[\s.!]*",
    re.IGNORECASE | re.DOTALL,
)
_WAKING = re.compile(rf"{_POLITE}(?P<when>\S.{{0,80}}?)\s+{_POLITE}(?:auf)?wecken[\s.!]*", re.IGNORECASE)
# The verb of a sentence is no part of what is to be done: "muss ich die Miete zahlen", "dass ich die Miete zahlen soll"
_MODAL = r"(?:muss|müssen|muessen|soll|sollen|sollte|sollten|will|wollen|möchte|darf)"
_SECOND = re.compile(rf"{_MODAL}\s+(?:(?:ich|wir)\s+)?", re.IGNORECASE)
_FINAL = re.compile(rf"\s+{_MODAL}$", re.IGNORECASE)
_WAKE = re.compile(rf"weck[e]?\s+(?P<who>mich|uns)\b[\s,]*{_POLITE}", re.IGNORECASE)
# Before a text, between it and a time, and behind it; behind a command "an" belongs to the text.
_CONNECT = re.compile(
    rf"[\s,:;–—-]*{_POLITE}(?:(?:daran|dran)\b[\s,:]*)?(?:(?:dass(?:\s+(?:ich|wir))?|ans?)\b\s*)?", re.IGNORECASE
)
_GAP = re.compile(r"[\s,:;–—-]*(?:bitte\b[\s,]*)?", re.IGNORECASE)
_BEHIND = re.compile(r"[\s,]+(?:daran|dran)$", re.IGNORECASE)
# What a text must say to be asked for its time: "erinnere mich daran, Oma anzurufen".
_OF = re.compile(
    r"(?:(?:daran|dran)\b[\s,:]*(?:dass\s+(?:ich|wir)\s+)?|an\s+)(?P<text>\S.*)", re.IGNORECASE | re.DOTALL
)
# It waits for something to happen, or is a question: nobody can tell when that is.
_UNSURE = re.compile(
    r"\b(?:wenn|sobald|falls|bevor|nachdem|sofern|solange|ob|nicht|nie|kein\w*)\b|\?|^(?:was|wer|wo|wann|warum|wie|woran)\b",
    re.IGNORECASE,
)
# Words of time that are also English, or nobody's: a text beside nothing else may be of another language, which has not
# read it for a reason.
_SHARED = frozenset({
    "in", "am", "so", "do", "min", "h", "s", "t", "p", "m", "pm", "jan", "feb", "apr", "april", "aug", "august", "sep",
    "sept", "september", "nov", "november", "jun", "jul",
})  # fmt: skip
_ARTICLE = re.compile(r"(?:der|die|das|den|dem|eine[nmr]?)\s", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_NAMED = re.compile(r"(?P<who>@\w[\w.]{0,63}|uns(?:\s{1,3}alle)?|alle|mich)\b[\s,:]*", re.IGNORECASE)
_ALL = {"uns", "uns alle", "alle"}
_UNTIL = re.compile(
    r"[\s,]+bis\s+(?:ich\s+)?(?:es\s+|das\s+)?(?:erledigt|fertig|getan|gemacht)(?:\s+(?:ist|habe|bin))?$", re.IGNORECASE
)
_WAKE_UP = "aufwachen"
# What each of these wishes says somewhere.
_SAYS = re.compile(r"erin|weck|reminder|kalender|termin", re.IGNORECASE)


def wish(text: str) -> Wish | None:
    """Return what a text wishes; None when it is no wish for a reminder, or not wholly read."""
    if len(text) > MAX_LENGTH:
        return None
    lead = _LEAD.match(text)
    rest = text[lead.end() if lead else 0 :].strip()
    if waking := _WAKE.match(rest):
        return _woken(rest, waking.end(), len(rest), everybody=waking["who"] != "mich")
    if reminding := _REMIND.match(rest):
        return _wished(reminding["who"], rest[reminding.end() :].rstrip(" ?"))
    if asking := _CAN.fullmatch(rest.rstrip(" ?")):
        return _wished(asking["who"], f"{asking['before']}, {asking['behind']}".rstrip(", "))
    return _noted(rest) if _SAYS.search(rest) else None


def _woken(text: str, start: int, end: int, *, everybody: bool) -> Wish | None:
    """A wish to be woken at the time that a stretch of a text is."""
    folded = text.translate(FOLD)
    when = READER.whole(folded, start, min(end, READER.trimmed(folded)))
    if when is None:
        return None
    return Wish(name="remind", text=text, request=Request(text=_WAKE_UP, when=to_wake(when), everybody=everybody))


def _noted(rest: str) -> Wish | None:
    """A wish that says at its end, or between its time and its text, that it is one."""
    found = None
    if after := _AFTER.fullmatch(rest):
        found = _request(after["who"] or after["whom"], after["rest"], _GAP)
    elif waking := _WAKING.fullmatch(rest):
        return _woken(rest, waking.start("when"), waking.end("when"), everybody=False)
    elif (headed := _HEADED.fullmatch(rest)) and READER.when(headed["when"]) is not None:
        found = _request("mich", f"{headed['when']}: {headed['text']}", _GAP)
    elif wanted := _WANTED.fullmatch(rest):
        found = _request("mich" if wanted["who"] == "ich" else "uns", f"{wanted['when']} {wanted['rest']}", _CONNECT)
    elif calendar := _CALENDAR.fullmatch(rest):
        found = _request("mich", calendar["rest"], _GAP)
        return None if found is None else Wish(name="remind", text=rest, request=found, calendar=True)
    if found is None and (last := _LAST.fullmatch(rest)) and (about := _ABOUT.search(last["rest"])):
        # Who reminds whom is said otherwise: nothing but a time, or nothing, stands before what it is about.
        folded = last["rest"].translate(FOLD)
        if about.start() and _strong(folded, 0, about.start()) is not None:
            found = _request(last["who"] or "mich", last["rest"], _CONNECT)
    if found is None and (noted := _NOTED.fullmatch(rest)):
        found = _request("mich", noted["rest"], _GAP)
    return None if found is None else Wish(name="remind", text=rest, request=found)


def request(text: str) -> Request | None:
    """Read a time and a text, in either order, whole; None without one of them, or when something is left unclear."""
    if len(text) > MAX_LENGTH:
        return None
    named = _NAMED.match(text)
    found = _request(named["who"] if named else "mich", text[named.end() if named else 0 :], _GAP)
    if found is None:
        return None
    # What is said beside the text must be German, since no verb shows it.
    beside = [word for word in _LETTERS.findall(text.replace(found.text, " ", 1).lower()) if word not in _SHARED]
    return found if beside or _ARTICLE.match(found.text) else None


def _wished(who: str, rest: str) -> Wish | None:
    found = _request(who, rest, _CONNECT)
    if found is not None:
        return Wish(name="remind", text=rest.strip(), request=found)
    # Without a time it is asked when, where it is clear that there is none.
    of = _OF.fullmatch(rest.strip(" .!")) if who.lower() == "mich" else None
    text = of["text"] if of and not _UNSURE.search(rest) else ""
    return Wish(name="remind", text=text) if text and not _is_timed(text) else None


def _request(who: str, rest: str, connects: re.Pattern[str]) -> Request | None:
    """For whom, and the rest in either order; what `connects` is part of neither."""
    folded = rest.translate(FOLD)
    end = READER.trimmed(folded)
    until = _UNTIL.search(folded, 0, end)
    end = until.start() if until else end
    start = len(folded) - len(folded.lstrip(" ,:"))
    if _UNSURE.search(folded[start:end]):
        return None
    connect = connects.match(folded, start, end)
    begin = connect.end() if connect else start
    # "Daran, morgen um 9 Oma anzurufen" has the time behind the connecting word.
    front = next((found for at in dict.fromkeys((start, begin)) if (found := _strong(folded, at, end))), None)
    if front is not None:
        gap = connects.match(folded, front.end, end)
        text, when = rest[gap.end() if gap else front.end : end], front.when
        text = _FINAL.sub("", text) if gap and "dass" in gap[0].lower() else text
    else:
        starts = (match.start() for match in re.finditer(r"(?<=[\s,])\S", folded[:end]))
        tail = READER.tail(folded, starts, end)
        if tail is None:
            return None
        text, when = _BEHIND.sub("", rest[begin : tail[0]].rstrip(" ,")), tail[1].when
    second = _SECOND.match(text)
    text = text[second.end() if second else 0 :].strip(" ,:;.!")
    if not text or _is_timed(text):
        return None
    name = who.lower()
    whom = () if name in {"mich", "mi"} or name in _ALL else (who,)
    return Request(text=text, when=when, who=whom, everybody=name in _ALL, until_done=bool(until))


def _strong(folded: str, start: int, end: int) -> Scan | None:
    found = READER.scan(folded, start, end)
    return found if found and found.said.strength == STRONG else None


def _is_timed(text: str) -> bool:
    """Whether a text has another time in it, or a word of time at its edge: then nobody knows which is meant."""
    folded = text.translate(FOLD)
    tokens = READER.alphabet.read(folded)
    if READER.borders(tokens, 0, len(tokens.codes)):
        return True
    starts = (match.start() for match in re.finditer(r"(?<!\S)\S", folded))
    return any(_strong(folded, tokens.starts[bisect_left(tokens.starts, at)], len(folded)) for at in starts)
