"""In which conversation, a lane, somebody who was let in speaks; and what is learnt of them by the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.kernel.access import may
from core.kernel.ports import Clock, Tx
from core.kernel.types import Inbound, LaneKey, Sender, Standing
from core.pipeline.intake.profiles import Profiles
from core.store.people import chats, people
from core.store.people.chats import Place
from core.store.people.people import Seen
from core.toolkit.capability import Capability


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Somebody who got in. `overheard` when they did not speak to the bot, in a group that wants it to read along."""

    person_id: int
    lane: LaneKey
    standing: Standing
    overheard: bool = False


class Conversations:
    """Finds or makes the lane of what somebody says; `capabilities` learn from it."""

    def __init__(self, profiles: Profiles, clock: Clock, capabilities: Sequence[Capability]) -> None:
        self._profiles, self._clock, self._capabilities = profiles, clock, capabilities

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
        admitted = Admitted(person_id=person_id, lane=lane, standing=standing, overheard=overheard)
        if may(standing, Standing.GUEST) and not (
            seen.opted_out if seen else people.opted_out_of(tx, tenant_id, lane.scope_id, person_id)
        ):
            for capability in self._capabilities:
                capability.understands.learns(tx, lane, person_id, message, now, noted=noted)
        return admitted

    def with_somebody(self, tx: Tx, tenant_id: int, sender: Sender, chat: str, standing: Standing) -> Admitted:
        """Return somebody's private conversation, in the chat they have, or will have, with the bot."""
        person_id, private_scope = self._profiles.meet(tx, tenant_id, sender)
        lane = chats.lane(tx, tenant_id, Place(chat=chat), private_scope, self._clock.now())
        return Admitted(person_id=person_id, lane=lane, standing=standing)
