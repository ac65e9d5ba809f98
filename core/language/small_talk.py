"""Understands greetings, thanks and small questions without a model: whole messages, or nothing of them.

"Hi! What time is it in Tokyo?" are two intents, a greeting and "time" with the zone "Asia/Tokyo".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.kernel.timing.zones import known_zone
from core.language import Language
from core.language.engine.tokens import MAX_LENGTH
from core.language.zone_search import zone_of

MAX_PARTS = 4
# One character for one, so that a match tells where the words stand in the original.
_FOLD = str.maketrans("？！，。：；、’‘　", "?!,.:;,'' ")
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")
_BREAK = re.compile(r"[.!?;,\n]+\s*")
_ZONE = re.compile(r"[A-Za-z_]+(?:/[A-Za-z_+\-0-9]+)+")


@dataclass(frozen=True, slots=True)
class Intent:
    """Says what somebody wants: `text` is what to echo, or the place as it was written, and `zone` its time zone."""

    name: str
    text: str = ""
    zone: str = ""


def understand(text: str, languages: Iterable[Language]) -> tuple[Intent, ...]:
    """Return what the whole message asks for, part by part; nothing when any of it is not understood."""
    known = tuple(languages)
    if len(text) > MAX_LENGTH:
        return ()
    if intent := _one(text, known):
        return (intent,)
    parts = [part for part in _BREAK.split(text.translate(_FOLD)) if _EDGE.sub("", part)]
    if not 1 < len(parts) <= MAX_PARTS:
        return ()
    intents = [_one(part, known) for part in parts]
    return tuple(intent for intent in intents if intent) if all(intents) else ()


def _one(text: str, languages: tuple[Language, ...]) -> Intent | None:
    """Return the one intent that a text is, perhaps behind what may stand before a question."""
    text = text.strip()
    for language in languages:
        # A nod may be but a sign.
        if intent := _match(text, language, "echo") or _match(text, language, "nod"):
            return intent
    core = _EDGE.sub("", text)
    for language in languages:
        led = language.lead.match(core.translate(_FOLD))
        for words in (core, core[led.end() :]) if led else (core,):
            for name in language.intents:
                if name != "echo" and (intent := _match(words, language, name)):
                    return intent
    return None


def _match(words: str, language: Language, name: str) -> Intent | None:
    """Return the intent of this name if one of its patterns is all of the words."""
    folded = words.translate(_FOLD)
    for pattern in language.intents[name]:
        match = pattern.fullmatch(folded)
        if match and (intent := _intent(words, match, language, name)):
            return intent
    return None


def _intent(words: str, match: re.Match[str], language: Language, name: str) -> Intent | None:
    """Return an intent with what its pattern has matched; None where that is a place we don't know."""
    groups = match.groupdict()
    if "text" in groups:
        return Intent(name, words[match.start("text") : match.end("text")].strip())
    if "place" not in groups:
        return Intent(name)
    place = words[match.start("place") : match.end("place")].strip()
    zone = _zone(place, language)
    # "The time in the story" is no question for a clock.
    return Intent(name, place, zone) if zone else None


def _zone(place: str, language: Language) -> str:
    """Return the zone of a place that the language names, or of the name of a zone; empty for any other."""
    name, comma, _ = place.translate(_FOLD).lower().partition(",")
    # Behind a comma stands where a town lies: "Tokio, wenn es hier 18 Uhr ist" asks for something else.
    if comma and not zone_of(place.rstrip(",")):
        return ""
    name = name.strip()
    if name in language.places or not _ZONE.fullmatch(place):
        return language.places.get(name, "")
    return known_zone(place)
