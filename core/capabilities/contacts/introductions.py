"""Colleagues who have never written to the bot: noted with their private chat, so that something can come there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from core.capabilities.contacts import unmet
from core.capabilities.contacts.actions import meet_person
from core.kernel.access import may
from core.kernel.own_words import own_words
from core.kernel.ports import Database, PeopleDirectory, Tx
from core.kernel.types import Message, Standing
from core.store.conversation import lanes
from core.toolkit.action import Actions
from core.toolkit.tool import ToolContext

MOST = 10


class Introductions:
    """Meets whom somebody names to a model in private, before it works: its tools reach only who has been met.

    By the rule of `/remind`: contacts of that chat, named by the person's own message. So no model chooses whom: what
    was forwarded or quoted, what a tool found, and what a model says or notes names nobody.
    """

    def __init__(self, adapters: Mapping[str, PeopleDirectory], db: Database, actions: Actions) -> None:
        self._adapters, self._db, self._actions = adapters, db, actions

    async def begin(self, context: ToolContext, messages: Sequence[Message]) -> None:
        """Meet the people named in what the principal said. Raises `LeaseLost`."""
        adapter = self._adapters.get(context.participant.platform)
        begins = adapter is not None and adapter.opens and not context.participant.group
        if adapter is None or not begins or not may(context.standing, Standing.MEMBER):
            return
        words = "\n".join(own_words(message.text) for message in messages if not message.forwarded)
        strangers = await self._db.read(lambda tx: unmet.named(tx, context.lane, words)) if words else {}
        place, asked = context.participant.place, list(strangers)[:MOST]
        chats_of = await asyncio.gather(*(adapter.direct(place, address) for address in asked))
        met = [
            found
            for address, found in zip(asked, chats_of, strict=True)
            if found is not None and (strangers[address] or found[0].unknown or unmet.calls(words, found[0]))
        ]

        def note_met(tx: Tx) -> None:
            lanes.fence(tx, context.lease)
            for sender, chat in met:
                self._actions.perform(tx, context, meet_person, sender, chat)

        if met:
            await self._db.write(note_met)
