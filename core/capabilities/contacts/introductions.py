"""Colleagues who have never written to the bot: noted with their private chat, so that something can come there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from core.capabilities.contacts import unmet
from core.kernel.access import may
from core.kernel.ports import Database, PeopleDirectory, Row, Tx
from core.kernel.types import Message, Sender, Standing
from core.store.conversation import lanes
from core.store.people import chats, people
from core.store.people.chats import Place
from core.store.people.standing import Standings, known_as
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.tool import ToolContext

MOST = 10
TOOL = "meet_person"


def meet(tx: Tx, context: ToolContext, sender: Sender, chat: str) -> bool:
    """Note somebody, and the private `chat` that the platform has opened for them; False unless both may be members.

    Only a full member of the tenant, or who is on the list, has access without having been let in.
    """
    tenant_id, now = context.lane.tenant_id, context.clock.now()
    row = people.known(tx, tenant_id, sender.address)
    theirs = Standings(context.access).of(tx, tenant_id, sender, _known_as(row, sender))
    if not (may(context.standing, Standing.MEMBER) and may(theirs, Standing.MEMBER)):
        return False
    met = people.meet(tx, tenant_id, sender, now) if row is None else (row["id"], row["scope_id"])
    chats.lane(tx, tenant_id, Place(chat=chat), met[1], now)
    return True


def _known_as(row: Row | None, sender: Sender) -> str:
    """What is known of somebody whom the platform was just asked for: what it says now outweighs what it said once."""
    told = row is not None and row["standing"] == row["kin"]
    return known_as(None if told and not sender.unknown else row, sender)


class Introductions:
    """Meets whom somebody names to a model in private, before it works: its tools reach only who has been met.

    By the rule of `/remind`: contacts of that chat, named by the person's own message. So no model chooses whom: what
    was forwarded or quoted, what a tool found, and what a model says or notes names nobody.
    """

    def __init__(self, adapters: Mapping[str, PeopleDirectory], db: Database, ledger: Ledger) -> None:
        self._adapters, self._db, self._ledger = adapters, db, ledger

    async def begin(self, context: ToolContext, messages: Sequence[Message]) -> None:
        """Meet the people named in what the principal said. Raises `LeaseLost`."""
        adapter = self._adapters.get(context.participant.platform)
        begins = adapter is not None and adapter.opens and not context.participant.group
        if adapter is None or not begins or not may(context.standing, Standing.MEMBER):
            return
        words = "\n".join(unmet.own_words(message.text) for message in messages if not message.forwarded)
        strangers = await self._db.read(lambda tx: unmet.named(tx, context.lane, words)) if words else {}
        place, asked = context.participant.place, list(strangers)[:MOST]
        chats_of = await asyncio.gather(*(adapter.direct(place, address) for address in asked))
        for address, found in zip(asked, chats_of, strict=True):
            if found is not None and (strangers[address] or found[0].unknown or unmet.calls(words, found[0])):
                await self._note(context, *found)

    async def _note(self, context: ToolContext, sender: Sender, chat: str) -> None:
        def note_met(tx: Tx) -> None:
            lanes.fence(tx, context.lease)
            now, met = context.clock.now(), meet(tx, context, sender, chat)
            self._ledger.append(
                tx,
                Record(
                    lane=context.lane,
                    run_id=context.run_id,
                    trace_id=context.trace_id,
                    person_id=context.principal.person_id,
                    role=context.role.value,
                    tool=TOOL,
                    at=now,
                    arguments={"address": sender.address, "chat": chat},
                    result={"met": met},
                ),
            )

        await self._db.write(note_met)
