"""Voice notes, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "voice_failed": "I couldn't listen to this: {why}",
    "voice_unset": (
        "I can't listen to voice notes yet. Whoever runs me can set that up: with voice.provider in config.yaml, by a"
        " provider's endpoint or on this machine (make voice). Until then, please write."
    ),
    "voice_long": "it is too long for me. Shorter ones work.",
    "voice_limit": "your voice notes of this hour are used up. Try again in the next hour, or write.",
    "voice_key": "the service that writes it down refuses my key. Whoever runs me has to look at voice.api_key.",
    "voice_setup": "what writes it down is not set up right. Whoever runs me can ask `teller doctor`.",
    "voice_busy": "the service that writes it down takes no more now. Try again in a while, or write.",
    "voice_down": "the service that writes it down doesn't answer. Try again later, or write.",
    "voice_refused": "the service that writes it down doesn't take this recording.",
    "voice_format": "the service that writes it down answered something that I can't read.",
    "voice_nothing": "I heard no words in it.",
    "voice_slow": "it takes too long. Shorter ones work.",
    "voice_damaged": "the recording cannot be read.",
    "voice_lost": "the recording is gone.",
    "voice_broken": "something went wrong here.",
}
