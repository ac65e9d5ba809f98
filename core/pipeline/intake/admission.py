"""Admission decides who gets in, and what happens to those who don't (STATES: Admission)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from core.delivery.composer import Composer
from core.kernel.access import may, order
from core.kernel.ports import Clock, Tx
from core.kernel.types import Inbound, Millis, Press, Sender, Standing
from core.kernel.updates import Opened
from core.language import pick
from core.pipeline.intake.addressed import Addressing, Reading
from core.pipeline.intake.conversations import Admitted, Conversations
from core.pipeline.intake.joining import Joining
from core.pipeline.intake.presence import BotPresence
from core.store.people import chats, people, strangers
from core.store.people.chats import ChatState, Place
from core.store.people.people import Seen
from core.store.people.standing import Standings, known_as

TOLD_AGAIN: Millis = 24 * 3_600_000


class Admission:
    """Looks at whoever comes; whom it turns away is counted by the caller (`away`, by address)."""

    def __init__(
        self,
        standings: Standings,
        composer: Composer,
        clock: Clock,
        *,
        addressing: Addressing,
        conversations: Conversations,
        joining: Joining,
        presence: BotPresence,
    ) -> None:
        self._standings, self._composer, self._clock = standings, composer, clock
        self.addressing, self._conversations, self._joining = addressing, conversations, joining
        self.presence, self.capabilities, self.commands = presence, addressing.capabilities, addressing.commands

    def message(
        self, tx: Tx, tenant_id: int, message: Inbound, reading: Reading, away: Counter[str]
    ) -> Admitted | None:
        """Let a message in, or None: then its sender was turned away at most."""
        seen = people.find(tx, tenant_id, message.sender, message.chat, message.thread)
        private = message.chat_kind == "private"
        found = (
            self._private(tx, tenant_id, message, seen)
            if private
            else self._group(tx, tenant_id, message, reading, seen)
        )
        if isinstance(found, Standing):
            self._turn_away(tx, tenant_id, message.sender, away)
            return None
        if found is None or not message.response_url or private:
            return found
        return self._privately(tx, tenant_id, message, reading, found)

    def refusal(self, tx: Tx, tenant_id: int, message: Inbound, away: Counter[str]) -> str:
        """What to tell the sender of a polite message that was not let in: that they have no access, once a day."""
        address = message.sender.address
        asked = message.polite and address in away
        first = asked and strangers.tell(tx, tenant_id, address, self._clock.now(), TOLD_AGAIN)
        if not first and not message.insists:
            return ""
        texts = pick(self._composer.configured or message.sender.language)
        lead = self._composer.owners.lead(tx, tenant_id, address)
        return texts.say("not_set_up", lead=lead) if lead else texts["not_set_up_alone"]

    def presser(self, tx: Tx, tenant_id: int, press: Press, away: Counter[str]) -> tuple[Standing, bool]:
        """What somebody is who presses a button, and whether they don't want to be heard in this chat; a stranger is
        turned away."""
        row, chat = people.known(tx, tenant_id, press.sender.address), chats.find(tx, tenant_id, press.chat)
        allowed = chat is not None and chat["state"] == ChatState.ALLOWED
        known = known_as(row, press.sender)
        standing = self._standings.of(tx, tenant_id, press.sender, known, in_allowed_group=allowed)
        if not may(standing, Standing.GUEST):
            self._turn_away(tx, tenant_id, press.sender, away)
        return standing, people.opted_out(tx, tenant_id, row, chat)

    def known(self, tx: Tx, tenant_id: int, sender: Sender) -> tuple[int, Standing]:
        """The number of somebody, 0 of whom the bot has not met, and what they are."""
        row = people.known(tx, tenant_id, sender.address)
        standing = self._standings.of(tx, tenant_id, sender, known_as(row, sender))
        return 0 if row is None else int(row["id"]), standing

    def visitor(self, tx: Tx, tenant_id: int, opened: Opened) -> Admitted | None:
        """Somebody with access who looks at their page, in the chat they have, or will have, with the bot."""
        _, standing = self.known(tx, tenant_id, opened.sender)
        if not may(standing, Standing.MEMBER):
            return None
        return self._conversations.with_somebody(tx, tenant_id, opened.sender, opened.chat, standing)

    def _private(self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None) -> Admitted | Standing | None:
        """Let a message of a private chat in; its sender's standing where they are to be turned away."""
        known = (
            seen.standing
            if seen is not None
            else known_as(people.known(tx, tenant_id, message.sender.address), message.sender)
        )
        standing = self._standings.of(tx, tenant_id, message.sender, known)
        if may(standing, Standing.MEMBER) or self._joining.invited(tx, tenant_id, message):
            admitted = self._conversations.settle(tx, tenant_id, message, seen, standing)
            if seen is not None and seen.chat_state == ChatState.GONE:
                chats.set_state(tx, admitted.lane, ChatState.NONE, "")
                self.presence.back(tx, admitted.lane)
            return admitted
        self._standings.be_sure(tx, tenant_id, message.sender)
        if self._joining.pairs(tx, tenant_id, message):
            return None
        return standing

    def _group(
        self, tx: Tx, tenant_id: int, message: Inbound, reading: Reading, seen: Seen | None
    ) -> Admitted | Standing | None:
        chat = None if seen is not None else chats.find(tx, tenant_id, message.chat)
        state = seen.chat_state if seen is not None else "" if chat is None else chat["state"]
        allowed = state == ChatState.ALLOWED
        row = None if seen is not None else people.known(tx, tenant_id, message.sender.address)
        known = seen.standing if seen is not None else known_as(row, message.sender)
        standing = self._standings.of(tx, tenant_id, message.sender, known, in_allowed_group=allowed)
        if not allowed:
            listed = self._standings.invited(tx, tenant_id, message.sender, message.chat)
            if listed:
                standing = self._standings.of(tx, tenant_id, message.sender, known, in_allowed_group=True)
            return self._newcome(tx, tenant_id, message, seen, standing, listed=listed)
        opted_out = seen.opted_out if seen is not None else people.opted_out(tx, tenant_id, row, chat)
        if self.commands.for_everybody(order_of(message)) and message.addressed:
            return self._conversations.settle(tx, tenant_id, message, seen, standing)
        if standing is Standing.STRANGER:
            # Counted only where they are told: what people of a group say to each other is not ours to count.
            return standing if message.polite else None
        if opted_out:
            return None
        speaks = message.addressed or self.addressing.means_the_bot(tx, tenant_id, message, reading, seen)
        reads_along = seen.reads_along if seen is not None else chat is not None and bool(chat["reads_along"])
        if not (speaks or reads_along):
            return None
        return self._conversations.settle(tx, tenant_id, message, seen, standing, overheard=not speaks)

    def _privately(self, tx: Tx, tenant_id: int, message: Inbound, reading: Reading, admitted: Admitted) -> Admitted:
        """What is asked for one person's eyes belongs to their own conversation, if they may have one; not a command,
        which is for the place where it is given, nor an answer that is waited for there."""
        if admitted.overheard or not message.direct or not may(admitted.standing, Standing.MEMBER):
            return admitted
        if people.known(tx, tenant_id, message.sender.address) is None:
            return admitted
        # From now on there is such a conversation, also for what a command sends there.
        own = self._conversations.with_somebody(tx, tenant_id, message.sender, message.direct, admitted.standing)
        expected = self.addressing.expects(tx, admitted.lane, admitted.person_id, reading)
        return admitted if order_of(message) or expected else replace(admitted, lane=own.lane)

    def _newcome(
        self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None, standing: Standing, *, listed: bool
    ) -> Admitted | Standing | None:
        """A message of a group that is not allowed: whoever has access takes the group on by speaking to the bot, and
        everybody of a group that is `listed`."""
        if not message.addressed:
            return None
        if not may(standing, Standing.GUEST if listed else Standing.MEMBER):
            return standing
        place = Place(chat=message.chat, kind="group", title=message.title)
        self.presence.adopt(tx, tenant_id, place, message.sender, message.key)
        return self._conversations.settle(tx, tenant_id, message, seen, standing)

    def _turn_away(self, tx: Tx, tenant_id: int, sender: Sender, away: Counter[str]) -> None:
        self._standings.be_sure(tx, tenant_id, sender)
        away[sender.address] += 1


def order_of(message: Inbound) -> str:
    """Return the command line that a message is; empty when it is none, as what a form asks for."""
    return "" if message.intent is not None else order(message.text, forwarded=message.forwarded)
