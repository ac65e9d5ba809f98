"""Whom a message of a group is for that does not address the bot: it all the same, or the people that it names."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from core.kernel.ports import Tx
from core.kernel.types import Inbound, LaneKey
from core.language import languages
from core.store.conversation import inbox, lanes, questions
from core.store.people import people
from core.store.people.people import Seen
from core.toolkit.capability import Capability, command_table

log = logging.getLogger(__name__)

LONGEST = 2_000

# Whether a text is a free answer that is waited for, in a lane, from a person.
Expects = Callable[[Tx, LaneKey, int, str], bool]


class Addressing:
    """Says whether what addresses nobody is for the bot: by the conversation it stands in, an answer that is waited
    for, or what a capability takes for its own."""

    def __init__(self, expects: Expects, capabilities: Sequence[Capability]) -> None:
        self.expects, self.capabilities = expects, capabilities
        self.commands = command_table(capabilities)

    def means_the_bot(self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None) -> bool:
        """Whether a message that addresses nobody is for the bot all the same."""
        if self._is_meant(tx, message, seen) or self._answers(tx, tenant_id, message):
            return True
        return self._is_taken(tx, tenant_id, message)

    def _is_meant(self, tx: Tx, message: Inbound, seen: Seen | None) -> bool:
        """Whether it goes on with what its sender and the bot talk about. A command for another bot never does."""
        if seen is None:
            return False
        if message.edits:
            return inbox.is_from(tx, seen.lane, seen.person_id, message.edits)
        if message.text.startswith("/"):
            return False
        # Only one part of an album has the caption that addresses the bot; in a topic a free answer needs no address.
        if message.converses and message.thread and self._goes_on(tx, message, seen):
            return True
        of_album = bool(message.album) and inbox.has_album(tx, seen.lane, seen.person_id, message.album)
        return of_album or (bool(message.thread) and self.expects(tx, seen.lane, seen.person_id, message.text))

    def _answers(self, tx: Tx, tenant_id: int, message: Inbound) -> bool:
        """Whether a thread began with a question to its sender, asked outside of it."""
        if not message.thread or message.reply_to != message.thread or message.edits:
            return False
        asked = questions.began(tx, tenant_id, message.chat, message.thread)
        row = None if asked is None else people.known(tx, tenant_id, message.sender.address)
        return asked is not None and row is not None and bool(asked.person_id == row["id"])

    def _is_taken(self, tx: Tx, tenant_id: int, message: Inbound) -> bool:
        """Whether a capability takes a message of a thread for its own."""
        more = message.edits or message.mentioned or message.forwarded or message.attachments
        if more or not (message.converses and message.thread):
            return False
        hooks = (capability.understands.meant for capability in self.capabilities)
        return any(meant(tx, tenant_id, message) for meant in hooks if meant is not None)

    def _goes_on(self, tx: Tx, message: Inbound, seen: Seen) -> bool:
        """Whether a conversation with the bot goes on: with whom it spoke last, until they speak to somebody else."""
        elsewhere = seen.attended and for_others(message)
        if elsewhere:
            lanes.attend(tx, seen.lane, None)
        return seen.attended and not elsewhere


def for_others(message: Inbound) -> bool:
    """Whether a message is for the people it names: not "remind @bob at 5 to call", but "@bob remind me at 5"."""
    return bool(message.mentioned) and (message.forwarded or not _is_wish(message.text.strip()))


def _is_wish(text: str) -> bool:
    """Whether a text wishes for a reminder, in any language, and names people within, not before it. Other orders name
    people as colleagues do among themselves: "done with @bob"."""
    if not text or len(text) > LONGEST or text.startswith("@"):
        return False
    try:
        lines = [language.grammar.command(text) or "" for language in languages().values()]
        return any(line.startswith("/remind ") and "@" in line for line in lines)
    except Exception:
        # Whatever somebody writes, their messages go on.
        log.exception("a grammar failed")
        return False
