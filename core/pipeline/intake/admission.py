"""Admission decides who gets in and what happens to those who don't (STATES: Admission), and which messages of a group
are for the bot; some are although they don't address it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.delivery.composer import Composer
from core.kernel.access import command_name, may, order
from core.kernel.ports import Clock, Tx
from core.kernel.types import DAY, Inbound, LaneKey, Message, Millis, Press, Sender, Standing
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

TOLD_AGAIN: Millis = DAY
LONGEST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReading:
    """What the words of a message may mean, read before the transaction that takes it in.

    `answer` is the text for a question that may be open. `for_others` when the words are for the people they name.
    `takers` say, of a tenant, whether a capability takes the message for its own. `wishes` when the message is an edit
    that asks for something by itself.
    """

    answer: AnswerText = field(default_factory=lambda: AnswerText(reading=AnswerReading()))
    for_others: bool = False
    takers: Sequence[Taker] = ()
    wishes: bool = False


class Addressing:
    """Says whether a message that addresses nobody is for the bot: since it goes on with a conversation, is an answer
    that the bot waits for, or is taken by a capability."""

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
        """Return a message whose first word is a command, and which may be a sentence (`Inbound.sentence`), as
        either."""
        command = self.commands.get(command_name(message.text))
        if command is None or command.takes_words or command.secret:
            return message
        return replace(message, text=message.sentence) if self._wishes(message, message.sentence) else message

    def _wishes(self, message: Inbound, text: str) -> bool:
        """Return whether a text of a message is a wish that a grammar understands by itself."""
        if self._interpreter is None:
            return False
        said = Message(inbox_id=0, text=text, sent_at=message.sent_at, platform_id=message.message_id)
        try:
            return any(one.rank in (Rank.KEPT, Rank.COMMAND) for one in self._interpreter.parse(said))
        except Exception:
            log.exception("a grammar failed")
            return False

    def read(self, message: Inbound) -> MessageReading:
        """Read the words of a message. Commands, and what people of a group say to each other, are not read."""
        here = message.chat_kind == "private" or message.addressed or message.response_url or message.album
        asks = message.intent is not None or order(message.text, forwarded=message.forwarded)
        if asks or not (here or message.thread or message.reply_to):
            return MessageReading()
        more = message.edits or message.mentioned or message.forwarded or message.attachments
        in_thread = message.converses and message.thread and not more
        return MessageReading(
            answer=AnswerText(message.text),
            for_others=bool(message.mentioned) and for_others(message),
            takers=[taker for meant in self._meant if (taker := meant(message))] if in_thread else (),
            wishes=bool(message.edits) and not message.forwarded and self._wishes(message, message.text),
        )

    def expects(self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, reading: MessageReading) -> bool:
        """Return whether a message is a free answer for which a question in this lane waits, from this person."""
        return self._answers.expects(tx, lane, person_id, reading.answer, message.sent_at)

    def means_the_bot(
        self, tx: Tx, tenant_id: int, message: Inbound, reading: MessageReading, seen: Seen | None
    ) -> bool:
        """Return whether a message that addresses nobody is for the bot all the same, not counting open questions."""
        if seen is not None and self._continues(tx, message, reading, seen):
            return True
        return any(takes(tx, tenant_id) for takes in reading.takers)

    def awaits(
        self, tx: Tx, tenant_id: int, message: Inbound, reading: MessageReading, person_id: int, lane: LaneKey | None
    ) -> bool:
        """Return whether a message in a thread is an answer for which an open question waits, from its sender.

        A free answer need not address the bot in a topic. In a thread that began with a question to the sender, which
        was asked outside of it, nothing need.
        """
        if message.edits or not message.thread:
            return False
        if lane is not None and message.text[:1] != "/" and self.expects(tx, lane, person_id, message, reading):
            return True
        if message.reply_to != message.thread:
            return False
        asked = questions.began(tx, tenant_id, message.chat, message.thread)
        if asked is None or asked.person_id != person_id:
            return False
        return lane is None or not answered_aloud(tx, lane, asked)

    def _continues(self, tx: Tx, message: Inbound, reading: MessageReading, seen: Seen) -> bool:
        """Return whether a message goes on with what its sender and the bot talk about. A command for another bot never
        does."""
        if message.edits:
            return self.is_part(tx, seen.lane, seen.person_id, message)
        if message.text.startswith("/"):
            return False
        # In a topic the bot's conversation is with the person to whom it spoke last, until they speak to somebody else.
        # What they wrote before it began comes late, and neither goes on with it nor ends it.
        talks = message.converses and message.thread and seen.attended
        if talks and runs.talked_with(tx, seen.lane, seen.person_id, message.sent_at):
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
    """Return whether a message is for the people whom it names: "@bob remind me at 5", not "remind @bob at 5 to call".

    A wish for a reminder, in any language, names people within it. Other wishes may be said to colleagues: "done with
    @bob".
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
    """Decides who gets in. The caller keeps the count of those whom it turns away (`turned_away`, by address)."""

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
        self, tx: Tx, tenant_id: int, message: Inbound, reading: MessageReading, turned_away: Counter[str]
    ) -> Admitted | None:
        """Let a message in; return None where it is not for the bot, or its sender was turned away."""
        seen = people.find(tx, tenant_id, message.sender, message.chat, message.thread)
        private = message.chat_kind == "private"
        if private:
            found = self._private(tx, tenant_id, message, seen)
        else:
            found = self._group(tx, tenant_id, message, reading, seen)
        if isinstance(found, Standing):
            self._turn_away(tx, tenant_id, message.sender, turned_away)
            return None
        if found is None or private or found.overheard or not (message.response_url and message.direct):
            return found
        met = people.known(tx, tenant_id, message.sender.address) is not None
        if not met or not may(found.standing, Standing.MEMBER):
            return found
        # A message whose answer only its sender sees belongs to their private conversation, which is made here if it is
        # missing. But a command is for the place where it is given, and an answer for the question that waits there.
        own = self.conversations.in_private(tx, tenant_id, message.sender, message.direct, found.standing)
        expected = self.addressing.expects(tx, found.lane, found.person_id, message, reading)
        return found if order_of(message) or expected else replace(found, lane=own.lane)

    def refusal(self, tx: Tx, tenant_id: int, message: Inbound, turned_away: Counter[str]) -> str:
        """Return what to tell the sender of a `polite` message that was not let in: once a day, that they have no
        access; and whoever gives a command where they are ignored, how to be heard again."""
        address = message.sender.address
        if message.response_url and address not in turned_away:
            seen = people.find(tx, tenant_id, message.sender, message.chat, message.thread)
            if seen is not None and seen.opted_out:
                return self._composer.texts(tx, seen.lane, message.sender.language)["ignored_press"]
        asked = message.polite and address in turned_away
        first = asked and strangers.tell(tx, tenant_id, address, self._clock.now(), TOLD_AGAIN)
        if not first and not message.insists:
            return ""
        texts = pick(self._composer.configured or message.sender.language)
        lead = self._composer.owners.lead(tx, tenant_id, address)
        return texts.say("not_set_up", lead=lead) if lead else texts["not_set_up_alone"]

    def presser(self, tx: Tx, tenant_id: int, press: Press, turned_away: Counter[str]) -> tuple[Standing, bool]:
        """Return the standing of somebody who presses a button, and whether they opted out of this chat. A stranger is
        turned away."""
        row, chat = people.known(tx, tenant_id, press.sender.address), chats.find(tx, tenant_id, press.chat)
        allowed = chat is not None and chat["state"] == ChatState.ALLOWED
        known = known_as(row, press.sender)
        standing = self._standings.of(tx, tenant_id, press.sender, known, in_allowed_group=allowed)
        if not may(standing, Standing.GUEST):
            self._turn_away(tx, tenant_id, press.sender, turned_away)
        gone = chat is not None and chat["kind"] == "private" and chat["state"] == ChatState.GONE
        if chat is not None and gone and may(standing, Standing.MEMBER):
            whole = LaneKey(tenant_id=tenant_id, scope_id=chat["scope_id"], chat_id=chat["id"], lane_id=0)
            self.presence.chat_returned(tx, whole)
        return standing, people.opted_out(tx, tenant_id, row, chat)

    def known(self, tx: Tx, tenant_id: int, sender: Sender) -> tuple[int, Standing]:
        """Return the id of a person, 0 if the bot has not met them, and their standing."""
        row = people.known(tx, tenant_id, sender.address)
        standing = self._standings.of(tx, tenant_id, sender, known_as(row, sender))
        return 0 if row is None else int(row["id"]), standing

    def _private(self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None) -> Admitted | Standing | None:
        """Let a message of a private chat in; return the sender's standing where they are to be turned away."""
        known = (
            seen.standing
            if seen is not None
            else known_as(people.known(tx, tenant_id, message.sender.address), message.sender)
        )
        standing = self._standings.of(tx, tenant_id, message.sender, known)
        if may(standing, Standing.MEMBER) or self._joining.invited(tx, tenant_id, message):
            admitted = self.conversations.settle(tx, tenant_id, message, seen, standing)
            if seen is not None and seen.chat_state == ChatState.GONE:
                self.presence.chat_returned(tx, admitted.lane)
            return admitted
        self._standings.be_sure(tx, tenant_id, message.sender)
        if self._joining.pairs(tx, tenant_id, message):
            return None
        return standing

    def _group(
        self, tx: Tx, tenant_id: int, message: Inbound, reading: MessageReading, seen: Seen | None
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
            return self._new_group(tx, tenant_id, message, seen, standing, listed=listed)
        opted_out = seen.opted_out if seen is not None else people.opted_out(tx, tenant_id, row, chat)
        if self.commands.for_everybody(order_of(message)) and message.addressed:
            return self.conversations.settle(tx, tenant_id, message, seen, standing)
        if standing is Standing.STRANGER:
            # They are counted only if they are told: what people of a group say to each other is not ours to count.
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
                # The new words are not for the bot; the former ones, which it overheard, are not kept any more.
                runs.unhear(tx, seen.lane, seen.person_id, message.edits)
            return None
        admitted = self.conversations.settle(tx, tenant_id, message, seen, standing, overheard=not (speaks or awaited))
        return replace(admitted, awaited=True) if awaited else admitted

    def _new_group(
        self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None, standing: Standing, *, listed: bool
    ) -> Admitted | Standing | None:
        """Allow a group by the message of somebody with access who speaks to the bot in it, or of anybody in a group
        that the configuration lists (`listed`); return the sender's standing where they are to be turned away."""
        if not message.addressed:
            return None
        if not may(standing, Standing.GUEST if listed else Standing.MEMBER):
            return standing
        place = Place(chat=message.chat, kind="group", title=message.title)
        self.presence.adopt(tx, tenant_id, place, message.sender, message.key)
        return self.conversations.settle(tx, tenant_id, message, seen, standing)

    def _turn_away(self, tx: Tx, tenant_id: int, sender: Sender, turned_away: Counter[str]) -> None:
        self._standings.be_sure(tx, tenant_id, sender)
        turned_away[sender.address] += 1


def order_of(message: Inbound) -> str:
    """Return the command line of a message; empty when it is none, or comes of a form (`Inbound.intent`)."""
    return "" if message.intent is not None else order(message.text, forwarded=message.forwarded)
