"""How strangers join: by an owner's invitation, or by a pairing code that an owner allows."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from core.delivery.composer import Composer
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Tx
from core.kernel.types import DAY, Inbound, LaneKey, Millis, Standing
from core.pipeline.intake.conversations import Conversations
from core.store.people import invitations, people
from core.store.people.people import Standings, known_as
from core.toolkit import intents

PAIRING_LASTS: Millis = DAY
PAIRINGS_A_DAY = 20
SHOWN_NAME = 64
INVITED = re.compile(r"/start(?:@\w+)?\s+([A-Za-z0-9_-]{8,64})")


class Joining:
    """Lets strangers in who were invited, and asks the owners about others where `pairing` is on. `let_in` is told of a
    person who has access now."""

    def __init__(
        self,
        standings: Standings,
        composer: Composer,
        clock: Clock,
        conversations: Conversations,
        *,
        pairing: bool,
        let_in: Callable[[Tx, int, int], None],
    ) -> None:
        self._standings, self._composer, self._clock = standings, composer, clock
        self._conversations, self._pairing, self._let_in = conversations, pairing, let_in

    def invited(self, tx: Tx, tenant_id: int, message: Inbound) -> bool:
        """Let a stranger in by an open invitation of an owner, if the message has one; the owner who gave it is
        told."""
        word = None if message.forwarded else INVITED.fullmatch(message.text.strip())
        now = self._clock.now()
        found = invitations.find(tx, tenant_id, invitations.INVITE, word[1], now) if word is not None else None
        if found is None or not self._standings.owns(tx, tenant_id, found["person_id"]):
            return False
        host, name = people.private_lane(tx, tenant_id, found["person_id"]), literal(message.sender.name[:SHOWN_NAME])
        if known_as(people.known(tx, tenant_id, message.sender.address), message.sender) == "removed":
            self._report(tx, host, f"not-invited:{found['id']}", "invite_refused", name)
            return False
        person_id, _ = people.meet(tx, tenant_id, message.sender, now)
        if not invitations.use(tx, found["id"], person_id, now):
            return False
        people.set_standing(tx, tenant_id, person_id, "member")
        self._let_in(tx, tenant_id, person_id)
        self._report(tx, host, f"invited:{found['id']}", "invite_used", name)
        return True

    def _report(self, tx: Tx, lane: LaneKey | None, key: str, text: str, name: str) -> None:
        """Tell the owner who invited somebody what became of it."""
        if lane is not None:
            self._composer.tell(tx, lane, key, self._composer.texts(tx, lane, "").say(text, name=name))

    def pairs(self, tx: Tx, tenant_id: int, message: Inbound) -> bool:
        """Give a stranger a code and ask the owners; False where pairing is off, too many wait, or they have a code."""
        now = self._clock.now()
        if not self._pairing or message.edits:
            return False
        if invitations.waiting(tx, tenant_id, now - PAIRING_LASTS, now) >= PAIRINGS_A_DAY:
            return False
        row = people.known(tx, tenant_id, message.sender.address)
        if row is not None and (
            row["standing"] == "removed" or invitations.waiting(tx, tenant_id, now - PAIRING_LASTS, now, row["id"])
        ):
            return False
        admitted = self._conversations.settle(tx, tenant_id, message, None, Standing.STRANGER)
        code = "".join(secrets.choice(invitations.CODE_LETTERS) for _ in range(8))
        lane, kind = admitted.lane, invitations.PAIRING
        n = invitations.insert(tx, lane, kind, code, admitted.person_id, now=now, lasts=PAIRING_LASTS)
        words = self._composer.texts(tx, lane, message.sender.language).say("pairing_code", code=code)
        self._composer.tell(tx, lane, f"pairing:{n}", words)
        self._composer.owners.tell(
            tx,
            lane,
            f"pairing:{n}",
            "pairing_owner",
            [("allow", intents.pair(code, allow=True)), ("deny", intents.pair(code, allow=False))],
            name=literal(message.sender.name[:SHOWN_NAME]),
            address=message.sender.address,
            code=code,
        )
        return True
