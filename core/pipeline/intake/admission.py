"""Admission decides who gets in, what happens to those who don't (STATES: Admission), and which messages of a group are
for the bot: also some that don't address it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.delivery.composer import Composer
from core.kernel.access import command_name, may, order
from core.kernel.ports import Clock, Tx
from core.kernel.types import Inbound, LaneKey, Message, Millis, Press, Sender, Standing
from core.language import languages, pick
from core.pipeline.intake.conversations import Admitted, Conversations
from core.pipeline.intake.joining import Joining
from core.pipeline.intake.presence import BotPresence
from core.pipeline.runs.answer_reading import AnswerReader, AnswerReading, AnswerText, answered_aloud
from core.pipeline.runs.interpreter import Arrivals, Interpreter
from core.store.conversation import inbox, lanes, questions, runs
from core.store.people import chats, people, strangers
from core.store.people.chats import ChatState, Place
from core.store.people.people import Seen, Standings, known_as
from core.toolkit.capability import Capability, Rank, Taker, command_table

log = logging.getLogger(__name__)

TOLD_AGAIN: Millis = 24 * 3_600_000
LONGEST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the words of a message may mean, read before the transaction that takes it in.

    `said` is for a question that may be open; `for_others` says whether they are for the people they name; each of
    `takers` whether a capability takes them for its own, in a tenant; `wishes` whether an edit asks for something by
    itself.
    """

    said: AnswerText = field(default_factory=lambda: AnswerText(reading=AnswerReading()))
    for_others: bool = False
    takers: Sequence[Taker] = ()
    wishes: bool = False


class Addressing:
    """Says whether what addresses nobody is for the bot: by the conversation it stands in, an answer that is waited
    for, or what a capability takes for its own."""

    def __init__(
        self,
        answers: AnswerReader,
        capabilities: Sequence[Capability],
        arrivals: Arrivals | None = None,
        interpreter: Interpreter | None = None,
    ) -> None:
        self._answers, self.capabilities, self.arrivals = answers, capabilities, arrivals or Arrivals()
        self._interpreter = interpreter
        self._meant = [one.understands.meant for one in capabilities if one.understands.meant is not None]
        self.commands = command_table(capabilities)

    def as_meant(self, message: Inbound) -> Inbound:
        """Return a message that may be a command or a sentence (`Inbound.sentence`) as the one that it is."""
        command = self.commands.get(command_name(message.text))
        if command is None or command.takes_words or command.secret:
            return message
        return replace(message, text=message.sentence) if self._wishes(message, message.sentence) else message

    def _wishes(self, message: Inbound, text: str) -> bool:
        """Return whether a text, which a message has, is a wish that a grammar understands by itself."""
        if self._interpreter is None:
            return False
        said = Message(inbox_id=0, text=text, sent_at=message.sent_at, platform_id=message.message_id)
        try:
            return any(one.rank in (Rank.KEPT, Rank.COMMAND) for one in self._interpreter.parse(said))
        except Exception:
            log.exception("a grammar failed")
            return False

    def read(self, message: Inbound) -> Reading:
        """Read the words of a message; nothing of a command, and of what people of a group say to each other."""
        here = message.chat_kind == "private" or message.addressed or message.response_url or message.album
        asks = message.intent is not None or order(message.text, forwarded=message.forwarded)
        if asks or not (here or message.thread or message.reply_to):
            return Reading()
        more = message.edits or message.mentioned or message.forwarded or message.attachments
        in_thread = message.converses and message.thread and not more
        return Reading(
            said=AnswerText(message.text),
            for_others=bool(message.mentioned) and for_others(message),
            takers=[taker for meant in self._meant if (taker := meant(message))] if in_thread else (),
            wishes=bool(message.edits) and not message.forwarded and self._wishes(message, message.text),
        )

    def expects(self, tx: Tx, lane: LaneKey, person_id: int, reading: Reading) -> bool:
        """Whether what was read is a free answer that is waited for, in a lane, from a person."""
        return self._answers.expects(tx, lane, person_id, reading.said)

    def means_the_bot(self, tx: Tx, tenant_id: int, message: Inbound, reading: Reading, seen: Seen | None) -> bool:
        """Whether a message that addresses nobody is for the bot all the same, whatever it waits for."""
        if seen is not None and self._continues(tx, message, reading, seen):
            return True
        return any(takes(tx, tenant_id) for takes in reading.takers)

    def awaits(
        self, tx: Tx, tenant_id: int, message: Inbound, reading: Reading, person_id: int, lane: LaneKey | None
    ) -> bool:
        """Whether the bot waits for what its sender says in a thread, as the answer to a question that is still open.

        In a topic a free answer needs no address; nor does anything in a thread that began with a question to its
        sender, asked outside of it.
        """
        if message.edits or not message.thread:
            return False
        if lane is not None and not message.text.startswith("/") and self.expects(tx, lane, person_id, reading):
            return True
        if message.reply_to != message.thread:
            return False
        asked = questions.began(tx, tenant_id, message.chat, message.thread)
        if asked is None or asked.person_id != person_id:
            return False
        return lane is None or not answered_aloud(tx, lane, asked)

    def _continues(self, tx: Tx, message: Inbound, reading: Reading, seen: Seen) -> bool:
        """Whether it goes on with what its sender and the bot talk about. A command for another bot never does."""
        if message.edits:
            return self.is_part(tx, seen.lane, seen.person_id, message)
        if message.text.startswith("/"):
            return False
        # In a topic a conversation goes on with whom the bot spoke last, until they speak to somebody else.
        if message.converses and message.thread and seen.attended:
            if not reading.for_others:
                return True
            lanes.attend(tx, seen.lane, None)
        return self.is_part(tx, seen.lane, seen.person_id, message)

    def is_part(self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound) -> bool:
        """Return whether a message is an edit, or another part, of one that was for the bot."""
        if message.edits:
            return inbox.is_from(tx, lane, person_id, message.edits, to_bot=True)
        # Only one part of an album has the caption that addresses the bot.
        return bool(message.album) and inbox.has_album(tx, lane, person_id, message.album)


def for_others(message: Inbound) -> bool:
    """Whether a message is for the people it names: not "remind @bob at 5 to call", but "@bob remind me at 5".

    Who wishes for a reminder, in any language, names people within, not before it. Other orders name people as
    colleagues do among themselves: "done with @bob".
    """
    text = message.text.strip()
    if message.forwarded or not text or len(text) > LONGEST or text.startswith("@"):
        return True
    try:
        wishes = [language.grammar.wish(text) for language in languages().values()]
    except Exception:
        # Whatever somebody writes, their messages go on.
        log.exception("a grammar failed")
        return True
    return not any(wish is not None and wish.name == "remind" and "@" in wish.text for wish in wishes)


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
        self.addressing, self.conversations, self._joining = addressing, conversations, joining
        self.presence, self.capabilities, self.commands = presence, addressing.capabilities, addressing.commands

    def message(
        self, tx: Tx, tenant_id: int, message: Inbound, reading: Reading, away: Counter[str]
    ) -> Admitted | None:
        """Let a message in, or None: then its sender was turned away at most."""
        seen = people.find(tx, tenant_id, message.sender, message.chat, message.thread)
        private = message.chat_kind == "private"
        if private:
            found = self._private(tx, tenant_id, message, seen)
        else:
            found = self._group(tx, tenant_id, message, reading, seen)
        if isinstance(found, Standing):
            self._turn_away(tx, tenant_id, message.sender, away)
            return None
        if found is None or private or found.overheard or not (message.response_url and message.direct):
            return found
        met = people.known(tx, tenant_id, message.sender.address) is not None
        if not met or not may(found.standing, Standing.MEMBER):
            return found
        # What is asked for one person's eyes belongs to their own conversation, which is there from now on, also for
        # what a command sends there; not a command, which is for the place where it is given, nor an answer that is
        # waited for there.
        own = self.conversations.with_somebody(tx, tenant_id, message.sender, message.direct, found.standing)
        expected = self.addressing.expects(tx, found.lane, found.person_id, reading)
        return found if order_of(message) or expected else replace(found, lane=own.lane)

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
        gone = chat is not None and chat["kind"] == "private" and chat["state"] == ChatState.GONE
        if chat is not None and gone and may(standing, Standing.MEMBER):
            whole = LaneKey(tenant_id=tenant_id, scope_id=chat["scope_id"], chat_id=chat["id"], lane_id=0)
            self.presence.there(tx, whole)
        return standing, people.opted_out(tx, tenant_id, row, chat)

    def known(self, tx: Tx, tenant_id: int, sender: Sender) -> tuple[int, Standing]:
        """The number of somebody, 0 of whom the bot has not met, and what they are."""
        row = people.known(tx, tenant_id, sender.address)
        standing = self._standings.of(tx, tenant_id, sender, known_as(row, sender))
        return 0 if row is None else int(row["id"]), standing

    def _private(self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None) -> Admitted | Standing | None:
        """Let a message of a private chat in; its sender's standing where they are to be turned away."""
        known = (
            seen.standing
            if seen is not None
            else known_as(people.known(tx, tenant_id, message.sender.address), message.sender)
        )
        standing = self._standings.of(tx, tenant_id, message.sender, known)
        if may(standing, Standing.MEMBER) or self._joining.invited(tx, tenant_id, message):
            admitted = self.conversations.settle(tx, tenant_id, message, seen, standing)
            if seen is not None and seen.chat_state == ChatState.GONE:
                self.presence.there(tx, admitted.lane)
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
            return self.conversations.settle(tx, tenant_id, message, seen, standing)
        if standing is Standing.STRANGER:
            # Counted only where they are told: what people of a group say to each other is not ours to count.
            return standing if message.polite else None
        if opted_out:
            return None
        speaks = message.addressed or self.addressing.means_the_bot(tx, tenant_id, message, reading, seen)
        person_id = seen.person_id if seen is not None else 0 if row is None else int(row["id"])
        lane = None if seen is None else seen.lane
        awaited = not speaks and self.addressing.awaits(tx, tenant_id, message, reading, person_id, lane)
        reads_along = seen.reads_along if seen is not None else chat is not None and bool(chat["reads_along"])
        if not (speaks or awaited or reads_along):
            if message.edits and seen is not None:
                # What they say now is not listened to; what they no longer say is not kept.
                runs.unhear(tx, seen.lane, seen.person_id, message.edits)
            return None
        admitted = self.conversations.settle(tx, tenant_id, message, seen, standing, overheard=not (speaks or awaited))
        return replace(admitted, awaited=True) if awaited else admitted

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
        return self.conversations.settle(tx, tenant_id, message, seen, standing)

    def _turn_away(self, tx: Tx, tenant_id: int, sender: Sender, away: Counter[str]) -> None:
        self._standings.be_sure(tx, tenant_id, sender)
        away[sender.address] += 1


def order_of(message: Inbound) -> str:
    """Return the command line that a message is; empty when it is none, as what a form asks for."""
    return "" if message.intent is not None else order(message.text, forwarded=message.forwarded)
