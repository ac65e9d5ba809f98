"""Sprachnachrichten, auf Deutsch."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "voice_failed": "Ich konnte das nicht anhören: {why}",
    "voice_unset": (
        "Sprachnachrichten kann ich noch nicht anhören. Wer mich betreibt, kann das einrichten: mit voice.provider in "
        "config.yaml, über einen Anbieter oder auf diesem Rechner (make voice). Bis dahin schreib mir bitte."
    ),
    "voice_long": "Es ist mir zu lang. Kürzere gehen.",
    "voice_limit": (
        "Deine Sprachnachrichten für diese Stunde sind aufgebraucht. Versuch es in der nächsten, oder schreib mir."
    ),
    "voice_key": "Der Dienst, der es aufschreibt, lehnt meinen Schlüssel ab. Mein Betreiber kann voice.api_key prüfen.",
    "voice_setup": "Was es aufschreibt, ist nicht richtig eingerichtet. Mein Betreiber kann `teller doctor` fragen.",
    "voice_busy": "Der Dienst, der es aufschreibt, nimmt gerade nichts mehr an. Versuch es später, oder schreib mir.",
    "voice_down": "Der Dienst, der es aufschreibt, antwortet nicht. Versuch es später noch einmal, oder schreib mir.",
    "voice_refused": "Der Dienst, der es aufschreibt, nimmt diese Aufnahme nicht.",
    "voice_format": "Der Dienst, der es aufschreibt, hat etwas geantwortet, das ich nicht lesen kann.",
    "voice_nothing": "Ich habe darin keine Worte gehört.",
    "voice_slow": "Es dauert zu lange. Kürzere gehen.",
    "voice_damaged": "Die Aufnahme lässt sich nicht lesen.",
    "voice_lost": "Die Aufnahme ist nicht mehr da.",
    "voice_broken": "Hier ist etwas schiefgegangen.",
}
