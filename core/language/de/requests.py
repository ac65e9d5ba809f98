"""German: wishes for reminders, in free text and behind a command: when, of what, and for whom."""

from __future__ import annotations

import re
from bisect import bisect_left

from core.language.de.times import READER
from core.language.engine.said import STRONG, Scan, to_wake
from core.language.engine.tokens import FOLD, MAX_LENGTH
from core.language.grammar import Request, Wish

# Gaps are bounded, so that a run of spaces is not gone through again and again.
_POLITE = r"(?:(?:bitte|mal|doch|kurz|dann|nochmal|noch mal|nochmals|wieder)\b[\s,]{0,3}){0,4}"
_LEAD = re.compile(rf"(?:(?:hey|hi|hallo|ok|okay|also|teller)\b[\s,:!]{{0,4}}){{0,4}}{_POLITE}", re.IGNORECASE)
_WHOM = r"(?P<who>mich|uns(?:\s{1,3}alle)?|alle|@\w[\w.]{0,63}|(?-i:[A-ZÄÖÜ])[\wäöüß-]{1,39})"
_REMIND = re.compile(rf"erinner[en]?\s+{_WHOM}\b[\s,:]*{_POLITE}", re.IGNORECASE)
# "Kannst du mich morgen um 9 daran erinnern, Oma anzurufen": the verb stands behind what the time or the text is.
_CAN = re.compile(
    rf"(?:kannst|könntest|koenntest|würdest|wuerdest|magst)\s+du\s+{_WHOM}\s+{_POLITE}"
    r"(?P<before>\S.{0,200}?)[\s,]+erinnern\b[\s,:]*(?P<behind>.*)",
    re.IGNORECASE | re.DOTALL,
)
# "Morgen um 9 Oma anrufen, erinner mich bitte daran".
_AFTER = re.compile(
    rf"(?P<rest>.+?)[\s,;:–-]{{1,4}}{_POLITE}erinner[e]?\s+{_WHOM}\b\s*{_POLITE}(?:(?:daran|dran)\b)?[\s!.]*",
    re.IGNORECASE | re.DOTALL,
)
_WAKE = re.compile(rf"weck[e]?\s+(?P<who>mich|uns)\b[\s,]*{_POLITE}", re.IGNORECASE)
# Before a text, between it and a time, and behind it; behind a command "an" belongs to the text.
_CONNECT = re.compile(
    r"[\s,:;–—-]*(?:(?:daran|dran)\b[\s,:]*)?(?:(?:dass(?:\s+(?:ich|wir))?|ans?)\b\s*)?", re.IGNORECASE
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
_LETTERS = re.compile(r"[^\W\d_]+")
_NAMED = re.compile(r"(?P<who>@\w[\w.]{0,63}|uns(?:\s{1,3}alle)?|alle|mich)\b[\s,:]*", re.IGNORECASE)
_ALL = {"uns", "uns alle", "alle"}
_UNTIL = re.compile(
    r"[\s,]+bis\s+(?:ich\s+)?(?:es\s+|das\s+)?(?:erledigt|fertig|getan|gemacht)(?:\s+(?:ist|habe|bin))?$", re.IGNORECASE
)
_WAKE_UP = "aufwachen"


def wish(text: str) -> Wish | None:
    """Return what a text wishes; None when it is no wish for a reminder, or not wholly read."""
    if len(text) > MAX_LENGTH:
        return None
    lead = _LEAD.match(text)
    rest = text[lead.end() if lead else 0 :].strip()
    if waking := _WAKE.match(rest):
        folded = rest.translate(FOLD)
        when = READER.whole(folded, waking.end(), READER.trimmed(folded))
        request = (
            None if when is None else Request(text=_WAKE_UP, when=to_wake(when), everybody=waking["who"] != "mich")
        )
        return None if request is None else Wish(name="remind", text=rest, request=request)
    if reminding := _REMIND.match(rest):
        return _wished(reminding["who"], rest[reminding.end() :])
    if asking := _CAN.fullmatch(rest.rstrip(" ?")):
        return _wished(asking["who"], f"{asking['before']}, {asking['behind']}".rstrip(", "))
    if after := _AFTER.fullmatch(rest):
        found = _request(after["who"], after["rest"], _GAP)
        return None if found is None else Wish(name="remind", text=after["rest"], request=found)
    return None


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
    return found if beside else None


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
    else:
        starts = (match.start() for match in re.finditer(r"(?<=[\s,])\S", folded[:end]))
        tail = READER.tail(folded, starts, end)
        if tail is None:
            return None
        text, when = _BEHIND.sub("", rest[begin : tail[0]].rstrip(" ,")), tail[1].when
    text = text.strip(" ,:;.!")
    if not text or _is_timed(text):
        return None
    name = who.lower()
    whom = () if name == "mich" or name in _ALL else (who,)
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
