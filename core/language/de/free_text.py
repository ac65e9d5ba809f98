"""German: wishes in free text, and the grammar of the language."""

from __future__ import annotations

import re

from core.language.de import requests
from core.language.de.format import say
from core.language.de.lexicon import CLASSES
from core.language.de.phrases import MACROS, ROWS, VAGUE
from core.language.de.times import READER
from core.language.engine.phrases import Phrases
from core.language.engine.said import STRONG
from core.language.engine.tokens import FOLD, MAX_LENGTH
from core.language.grammar import Grammar, Wish

_LEAD = re.compile(
    r"[^\w@/☑✅✔\"'„“]*(?:(?:hey|hi|hallo|ok|okay|also|so|und|teller|bitte|mal|doch|dann|jetzt|ach|ja|sag mal|du"
    r"|(?:kannst|könntest|koenntest|würdest|wuerdest|magst)\s{1,3}du"
    r"(?:\s{1,3}(?:mir|uns|bitte|mal|kurz)){0,3}(?:\s{1,3}(?:sagen|verraten))?)\b[\s,:!]{0,5}){0,5}",
    re.IGNORECASE,
)
# "Kannst du …?" ends with a mark that is not part of what is wished, and with what shall be done.
_CAN = re.compile(r"t\s{1,3}du\b(?!.*\b(?:sagen|verraten)\b)", re.IGNORECASE)
# What waits for something to happen, is a question, or wishes something else beside.
_UNSURE = re.compile(
    r"\b(?:wenn|sobald|falls|bevor|nachdem|sofern|solange|ob|weil|damit|warum|wieso)\b|\?"
    r"|[.!?;]\s+\S|\b(?:und|dann)\s+(?:erinner\w*|weck\w*|sag|zeig\w*|schick\w*|lösch\w*|streich\w*|schreib)\b"
    r"|^(?:was|wer|wo|wann|wie|woran|welche[rsn]?|kein\w*|nicht|nie)\b",
    re.IGNORECASE,
)


def wish(text: str) -> Wish | None:
    """Return what a text wishes; None when it is no wish, or more than one."""
    found = requests.wish(text)
    if found is not None or len(text) > MAX_LENGTH:
        return found
    folded = text.translate(FOLD)
    lead, end = _LEAD.match(folded), READER.trimmed(folded)
    start = lead.end() if lead and lead.end() < end else 0
    if _CAN.search(folded, 0, start):
        text, folded = text[:end], folded[:end]
        if not _INFINITIVE.search(READER.alphabet.read(folded).codes):
            return None
    return _PHRASES.read(folded, text, start, end)


def _ordered(time: str, text: str) -> Wish | None:
    """A wish of a phrase to be reminded: its time, empty where none is said, and what it is about."""
    if text in CLASSES["alarm"]:
        text = text.capitalize()
    if not time and (found := requests.request(text)):
        return Wish(name="remind", text=text, request=found)
    folded = text.translate(FOLD)
    tokens = READER.alphabet.read(folded)
    places = (match.start() for match in re.finditer(r"(?<!\S)\S", folded))
    times = (READER.scan(folded, at, len(folded)) for at in places)
    if READER.borders(tokens, 0, len(tokens.codes)) or any(one and one.said.strength == STRONG for one in times):
        return None
    if not time:
        return Wish(name="remind", text=text)
    for said in (time, f"um {time}", f"in {time}"):
        plain, whole = said.translate(FOLD), f"{said}: {text}"
        found = requests.request(whole) if READER.whole(plain, 0, len(plain)) is not None else None
        if found is not None:
            return Wish(name="remind", text=whole, request=found)
    return None


_INFINITIVE = re.compile(f"{READER.alphabet.one_of('infinitive')[0]}$")
_PHRASES = Phrases(
    READER,
    ROWS,
    MACROS,
    vague=VAGUE,
    fits=lambda text, marked: not marked and _UNSURE.search(text) is None,
    remind=_ordered,
)
GRAMMAR = Grammar(when=READER.when, request=requests.request, wish=wish, say=say)
