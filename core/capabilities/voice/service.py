"""Writes down what is spoken, within what a person may have in an hour."""

from __future__ import annotations

import asyncio
import logging
import math
import unicodedata

from core.capabilities.voice import endpoint, local
from core.capabilities.voice.lengths import played
from core.capabilities.voice.settings import VoiceSettings
from core.kernel.errors import Unheard
from core.kernel.ports import Clock
from core.kernel.types import Attachment
from core.toolkit.fetch.allowance import PersonAllowance
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.values import FetchError, Whose

log = logging.getLogger(__name__)

# Between one try and the next, in seconds; after the last one it is said that it did not work.
PAUSES = (1.0, 5.0)
# Voice notes have at least so many bytes a second; sounds have at most so many (an mp3 of 320 kbit/s), and films.
LEAST_RATE, MOST_RATE, MOST_FILM_RATE = 1_000, 40_000, 200_000
MOST_WORDS = 20_000
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class Transcriber:
    """Gives the words of sounds. `ready` where there is somebody to write them down."""

    def __init__(self, settings: VoiceSettings, fetcher: Fetcher, allowance: PersonAllowance, clock: Clock) -> None:
        self._settings, self._fetcher = settings, fetcher
        self._allowance, self._clock = allowance, clock
        self.ready = settings.provider != "off"
        # A model on this machine takes much of its memory.
        self._here = asyncio.Semaphore(1)

    async def words(self, sound: bytes, sent: Attachment, whose: Whose) -> str:
        """Return what is said in a sound that somebody sent; raises `core.kernel.errors.Unheard`.

        What it takes is counted once, before it is asked for.
        """
        settings = self._settings
        # The length that comes with a note is what its sender says: it counts where what is there says no more.
        heard = await asyncio.to_thread(played, sound, settings.most_seconds)
        said = sent.seconds or heard or min(len(sound) // LEAST_RATE + 1, settings.most_seconds)
        seconds = max(said, heard, len(sound) // (MOST_FILM_RATE if sent.kind == "video_note" else MOST_RATE), 1)
        if seconds > settings.most_seconds:
            raise Unheard("long")
        try:
            cost = math.ceil(settings.price * seconds / 60)
            await self._allowance.take_sound(whose, seconds=seconds, cost=cost)
        except FetchError as error:
            raise Unheard("limit") from error
        words = _plain(await self._written_down(sound, sent))
        if not words:
            raise Unheard("nothing")
        return words

    async def _written_down(self, sound: bytes, sent: Attachment) -> str:
        for pause in (*PAUSES, None):
            try:
                if self._settings.provider == "local":
                    async with self._here:
                        return await local.transcribe(self._settings, sound)
                return await endpoint.transcribe(self._settings, self._fetcher, sound, kind=sent.kind, name=sent.name)
            except Unheard as error:
                log.warning("a sound was not written down: %s", error)
                if pause is None or not error.later:
                    raise
                await self._clock.sleep(max(pause, error.retry_after))
        raise AssertionError("the last try raises or returns")


def _plain(text: str) -> str:
    """Return words as one line without anything unseen, and never as a command: nobody speaks a slash."""
    seen = (" " if unicodedata.category(one) in _UNSEEN else one for one in text[: 2 * MOST_WORDS])
    return " ".join("".join(seen).split())[:MOST_WORDS].lstrip("/ ")
