"""What the platform says of people, as it changes: in another zone their days go by other clocks."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from core.delivery.composer import Composer
from core.kernel.ports import Clock, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import is_zone, to_local
from core.kernel.types import Sender
from core.language import Language
from core.language.lines import cut, shortened
from core.scheduling.repository import Deliver
from core.scheduling.service import follow_zone
from core.store.people import people


class Profiles:
    """Keeps profiles. `moved` hears of what is due at another time."""

    def __init__(self, composer: Composer, clock: Clock, moved: Callable[[Tx, Trigger], None]) -> None:
        self._composer, self._clock, self._moved = composer, clock, moved

    def keep(self, tx: Tx, tenant_id: int, sender: Sender) -> None:
        """Keep what the platform says of somebody whom the bot has met."""
        if people.known(tx, tenant_id, sender.address) is not None:
            self.meet(tx, tenant_id, sender)

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
        now, zone = self._clock.now(), ZoneInfo(sender.timezone)
        moved = follow_zone(tx, lane, zone, now, former=former)
        for one in moved:
            self._moved(tx, one)
        if moved:
            texts = self._composer.texts(tx, lane, sender.language)
            lines = shortened(texts, [_line(texts, one, zone) for one in moved])
            words = "\n".join([texts.say("profile_zone", zone=texts.town(zone.key)), *lines])
            offers = [(texts.say("profile_zone_keep", zone=texts.town(former)), f"/timezone {former}")]
            self._composer.tell(
                tx, lane, f"zone:{person_id}:{sender.timezone}:{now}", words, offers, person_id=person_id
            )


def _line(language: Language, trigger: Trigger, zone: ZoneInfo) -> str:
    """What it is, and when it is due next."""
    text = language["brief_name"] if trigger.deliver == Deliver.BRIEF else cut(trigger.text)
    at = language.moment(to_local(trigger.next_at, zone))
    return language.say("task_line", when=at, text=text)
