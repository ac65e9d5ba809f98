"""Who speaks, and in which conversation: their profile, as the platform tells it, and the lane of what they say.

In another zone their days go by other clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from core.delivery.composer import Composer
from core.kernel.access import may
from core.kernel.ports import Clock, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import is_zone, to_local
from core.kernel.types import Inbound, LaneKey, Sender, Standing
from core.language.lines import cut, shortened
from core.scheduling.repository import Deliver
from core.scheduling.service import follow_zone
from core.store.people import chats, people
from core.store.people.chats import Place
from core.store.people.people import Seen
from core.toolkit import intents
from core.toolkit.capability import Capability, Renamed


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Somebody who got in. `overheard` when they did not speak to the bot, in a group that wants it to read along;
    `awaited` when they did not either, and a question waited for what they say."""

    person_id: int
    lane: LaneKey
    standing: Standing
    overheard: bool = False
    awaited: bool = False


class Profiles:
    """Keeps profiles. `moved` hears of what is due at another time, `let_in` that a person may have access now,
    `release_held` that quiet hours may have ended in a lane, `renamed` that somebody has another name."""

    def __init__(
        self,
        composer: Composer,
        clock: Clock,
        moved: Callable[[Tx, Trigger], None],
        let_in: Callable[[Tx, int, int], None],
        release_held: Callable[[Tx, LaneKey], None],
        renamed: Sequence[Renamed] = (),
    ) -> None:
        self._composer, self._clock, self._moved, self.let_in = composer, clock, moved, let_in
        self._release_held, self._renamed = release_held, renamed

    def keep(self, tx: Tx, tenant_id: int, sender: Sender) -> None:
        """Keep what the platform says of somebody whom the bot has met."""
        if people.known(tx, tenant_id, sender.address) is not None:
            self.meet(tx, tenant_id, sender)

    def meet(self, tx: Tx, tenant_id: int, sender: Sender) -> tuple[int, int]:
        """Return (person id, private scope id) of a sender, as `people.meet` does.

        What is theirs and was set in the zone their profile had goes by the new one, and so do their quiet hours,
        unless they chose one themselves; where they are something else to their workspace now, what rested since they
        had no access may go on. Where they have another name, whoever keeps names hears of it.
        """
        name, former, kin = people.profile(tx, tenant_id, sender.address)
        now = self._clock.now()
        met = people.meet(tx, tenant_id, sender, now)
        for renamed in self._renamed if name != sender.name and not sender.unknown else ():
            renamed(tx, tenant_id, met[0], sender.name, now)
        if former != sender.timezone and is_zone(former) and is_zone(sender.timezone):
            self._move(tx, tenant_id, met[0], former, sender)
        if kin != sender.kin:
            self.let_in(tx, tenant_id, met[0])
        return met

    def _move(self, tx: Tx, tenant_id: int, person_id: int, former: str, sender: Sender) -> None:
        lane = people.private_lane(tx, tenant_id, person_id)
        if lane is None:
            return
        now, zone = self._clock.now(), ZoneInfo(sender.timezone)
        moved = follow_zone(tx, lane, zone, now, former=former)
        for one in moved:
            self._moved(tx, one)
        self._release_held(tx, lane)
        if moved:
            texts = self._composer.texts(tx, lane, sender.language)
            lines = []
            for one in moved:
                name = texts["brief_name"] if one.deliver == Deliver.BRIEF else cut(one.text)
                lines.append(texts.say("task_line", when=texts.moment(to_local(one.next_at, zone)), text=name))
            words = "\n".join([texts.say("profile_zone", zone=texts.town(zone.key)), *shortened(texts, lines)])
            offers = [(texts.say("profile_zone_keep", zone=texts.town(former)), intents.zone(former))]
            self._composer.tell(
                tx, lane, f"zone:{person_id}:{sender.timezone}:{now}", words, offers, person_id=person_id
            )


class Conversations:
    """Finds or makes the lane of what somebody says; `capabilities` learn from it."""

    def __init__(self, profiles: Profiles, clock: Clock, capabilities: Sequence[Capability]) -> None:
        self._profiles, self._clock = profiles, clock
        hooks = (capability.understands.learns for capability in capabilities)
        self._learners = [learns for learns in hooks if learns is not None]

    def settle(
        self,
        tx: Tx,
        tenant_id: int,
        message: Inbound,
        seen: Seen | None,
        standing: Standing,
        *,
        overheard: bool = False,
    ) -> Admitted:
        """Return who wrote a message, and in which lane; what is new is made, what has changed is noted."""
        now = self._clock.now()
        if seen is not None and not seen.changed:
            person_id, lane, noted = seen.person_id, seen.lane, seen.noted
        else:
            person_id, private_scope = self._profiles.meet(tx, tenant_id, message.sender)
            place = Place(chat=message.chat, thread=message.thread, kind=message.chat_kind, title=message.title)
            lane, noted = chats.lane(tx, tenant_id, place, private_scope, now), False
        if seen is None or seen.title != message.title:
            chats.rename(tx, lane, message.title)
        admitted = Admitted(person_id=person_id, lane=lane, standing=standing, overheard=overheard)
        # Whoever is known here, and names nobody, teaches nothing.
        news = not noted or message.mentioned
        if (
            news
            and may(standing, Standing.GUEST)
            and not (seen.opted_out if seen else people.opted_out_of(tx, tenant_id, lane.scope_id, person_id))
        ):
            for learns in self._learners:
                learns(tx, lane, person_id, message, now, noted=noted)
        return admitted

    def with_somebody(self, tx: Tx, tenant_id: int, sender: Sender, chat: str, standing: Standing) -> Admitted:
        """Return somebody's private conversation, in the chat they have, or will have, with the bot."""
        person_id, private_scope = self._profiles.meet(tx, tenant_id, sender)
        lane = chats.lane(tx, tenant_id, Place(chat=chat), private_scope, self._clock.now())
        return Admitted(person_id=person_id, lane=lane, standing=standing)
