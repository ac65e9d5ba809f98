"""Who speaks, and in which conversation: the profile of a person, and the lane of what they say.

When the time zone of a profile changes, what is scheduled for its person moves with it.
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
    """A person whose message was let in. `overheard` when they spoke to others, in a group where the bot reads along;
    `awaited` when they did not address the bot, and a question waits for their answer."""

    person_id: int
    lane: LaneKey
    standing: Standing
    overheard: bool = False
    awaited: bool = False


class Profiles:
    """Keeps profiles. `moved` is told of a trigger that is due at another time, `let_in` of a person who may have
    access now, `release_held` of a lane in which quiet hours may have ended, `renamed` of a person who has another
    name."""

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
        """Keep the profile of somebody, if the bot has met them."""
        if people.known(tx, tenant_id, sender.address) is not None:
            self.meet(tx, tenant_id, sender)

    def meet(self, tx: Tx, tenant_id: int, sender: Sender) -> tuple[int, int]:
        """Return (person id, private scope id) of a sender, as `people.meet` does.

        Where the zone of their profile is another one now, what they scheduled by the former one and their quiet hours
        go by the new one, unless they have chosen a zone themselves. Where their role in the workspace has changed,
        what was paused since they had no access may go on. Where they have another name, `renamed` is told.
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
        for trigger in moved:
            self._moved(tx, trigger)
        self._release_held(tx, lane)
        if moved:
            texts = self._composer.texts(tx, lane, sender.language)
            lines = []
            for trigger in moved:
                name = texts["brief_name"] if trigger.deliver == Deliver.BRIEF else cut(trigger.text)
                lines.append(texts.say("task_line", when=texts.moment(to_local(trigger.next_at, zone)), text=name))
            words = "\n".join([texts.say("profile_zone", zone=texts.town(zone.key)), *shortened(texts, lines)])
            offers = [(texts.say("profile_zone_keep", zone=texts.town(former)), intents.zone(former))]
            self._composer.tell(
                tx, lane, f"zone:{person_id}:{sender.timezone}:{now}", words, offers, person_id=person_id
            )


class Conversations:
    """Finds or makes the lane of a message; `capabilities` learn from what it says by the way."""

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
        """Return who wrote a message, and in which lane. Person, chat and lane are made or brought up to date."""
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
        # There is nothing to learn from somebody who is known here and names nobody.
        news = not noted or message.mentioned
        if (
            news
            and may(standing, Standing.GUEST)
            and not (seen.opted_out if seen else people.opted_out_of(tx, tenant_id, lane.scope_id, person_id))
        ):
            for learns in self._learners:
                learns(tx, lane, person_id, message, now, noted=noted)
        return admitted

    def in_private(self, tx: Tx, tenant_id: int, sender: Sender, chat: str, standing: Standing) -> Admitted:
        """Return the private conversation of a person, which is made if it is missing."""
        person_id, private_scope = self._profiles.meet(tx, tenant_id, sender)
        lane = chats.lane(tx, tenant_id, Place(chat=chat), private_scope, self._clock.now())
        return Admitted(person_id=person_id, lane=lane, standing=standing)
