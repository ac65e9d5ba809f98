"""Whom a message of a group is for that does not address the bot: it all the same, or the people that it names."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.kernel.access import order
from core.kernel.ports import Tx
from core.kernel.types import Inbound, LaneKey
from core.language import languages
from core.pipeline.runs.answer_reader import AnswerReader, AnswerReading, AnswerText
from core.store.conversation import inbox, lanes, questions
from core.store.people import people
from core.store.people.people import Seen
from core.toolkit.capability import Capability, Taker, command_table

log = logging.getLogger(__name__)

LONGEST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the words of a message may mean, read before the transaction that takes it in.

    `said` is for a question that may be open; `for_others` says whether they are for the people they name; each of
    `takers` whether a capability takes them for its own, in a tenant.
    """

    said: AnswerText = field(default_factory=lambda: AnswerText(reading=AnswerReading()))
    for_others: bool = False
    takers: Sequence[Taker] = ()


class Addressing:
    """Says whether what addresses nobody is for the bot: by the conversation it stands in, an answer that is waited
    for, or what a capability takes for its own."""

    def __init__(self, answers: AnswerReader, capabilities: Sequence[Capability]) -> None:
        self._answers, self.capabilities = answers, capabilities
        self._meant = [one.understands.meant for one in capabilities if one.understands.meant is not None]
        self.commands = command_table(capabilities)

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
        )

    def expects(self, tx: Tx, lane: LaneKey, person_id: int, reading: Reading) -> bool:
        """Whether what was read is a free answer that is waited for, in a lane, from a person."""
        return self._answers.expects(tx, lane, person_id, reading.said)

    def means_the_bot(self, tx: Tx, tenant_id: int, message: Inbound, reading: Reading, seen: Seen | None) -> bool:
        """Whether a message that addresses nobody is for the bot all the same."""
        if self._is_meant(tx, message, reading, seen) or self._answers_thread(tx, tenant_id, message):
            return True
        return any(takes(tx, tenant_id) for takes in reading.takers)

    def _is_meant(self, tx: Tx, message: Inbound, reading: Reading, seen: Seen | None) -> bool:
        """Whether it goes on with what its sender and the bot talk about. A command for another bot never does."""
        if seen is None:
            return False
        if message.edits:
            return inbox.is_from(tx, seen.lane, seen.person_id, message.edits)
        if message.text.startswith("/"):
            return False
        # Only one part of an album has the caption that addresses the bot; in a topic a free answer needs no address.
        if message.converses and message.thread and self._goes_on(tx, reading, seen):
            return True
        of_album = bool(message.album) and inbox.has_album(tx, seen.lane, seen.person_id, message.album)
        return of_album or (bool(message.thread) and self.expects(tx, seen.lane, seen.person_id, reading))

    def _answers_thread(self, tx: Tx, tenant_id: int, message: Inbound) -> bool:
        """Whether a thread began with a question to its sender, asked outside of it."""
        if not message.thread or message.reply_to != message.thread or message.edits:
            return False
        asked = questions.began(tx, tenant_id, message.chat, message.thread)
        row = None if asked is None else people.known(tx, tenant_id, message.sender.address)
        return asked is not None and row is not None and bool(asked.person_id == row["id"])

    def _goes_on(self, tx: Tx, reading: Reading, seen: Seen) -> bool:
        """Whether a conversation with the bot goes on: with whom it spoke last, until they speak to somebody else."""
        elsewhere = seen.attended and reading.for_others
        if elsewhere:
            lanes.attend(tx, seen.lane, None)
        return seen.attended and not elsewhere


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
