"""What the platform says of people, as it changes: in another zone their days go by other clocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from zoneinfo import ZoneInfo

from core.ports import Clock, Tx
from core.store import people
from core.toolkit.scheduling import follow_zone
from core.types import Millis, Sender
from core.voice import Voice
from core.when.zones import is_zone


class Profiles:
    """Keeps profiles. `wake` sees to it that somebody is awake at an instant; `language` is the configured one."""

    def __init__(self, voice: Voice, clock: Clock, wake: Callable[[Millis], None], language: str = "auto") -> None:
        self._voice, self._clock, self._wake, self._language = voice, clock, wake, language

    def meet(self, tx: Tx, tenant_id: int, sender: Sender) -> tuple[int, int]:
        """Return (person id, private scope id) of a sender, as `people.meet` does.

        What is theirs and was set in the zone their profile had goes by the new one, unless they chose one themselves.
        """
        former = people.told_zone(tx, tenant_id, sender.address)
        met = people.meet(tx, tenant_id, sender, self._clock.now())
        if former != sender.timezone and is_zone(former) and is_zone(sender.timezone):
            self._move(tx, tenant_id, met[0], former, sender)
        return met

    def _move(self, tx: Tx, tenant_id: int, person_id: int, former: str, sender: Sender) -> None:
        lane = people.private_lane(tx, tenant_id, person_id)
        if lane is None:
            return
        now = self._clock.now()
        moved = follow_zone(tx, lane, ZoneInfo(sender.timezone), now, former=former)
        for at in moved:
            tx.after_commit(partial(self._wake, at))
        if moved:
            texts = self._voice.texts(tx, lane, sender.language if self._language == "auto" else self._language)
            words = texts.say("profile_zone", zone=sender.timezone, count=len(moved))
            offers = [(texts.say("profile_zone_keep", zone=former), f"/timezone {former}")]
            self._voice.tell(tx, lane, f"zone:{person_id}:{sender.timezone}:{now}", words, offers, person_id=person_id)
