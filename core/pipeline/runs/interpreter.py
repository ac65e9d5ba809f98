"""The fast path: what capabilities understand of free text is a command in other words, and needs no model.

It is done in two steps. `parse` reads what the words may mean, before the run's transaction: a grammar takes its time.
`resolve` says in that transaction what they mean here; that is kept with the run, so that a run which is taken up again
goes on with the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from core.kernel.access import command_name
from core.kernel.intent import Order
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Message
from core.language import grammars
from core.language.grammar import Grammar
from core.language.short_texts import LONGEST, first
from core.store.people.people import Participant
from core.toolkit.capability import Candidate, Hearing, Rank, Understands, Words


class Interpreter:
    """Says which command a message is, by what capabilities understand; `model` whether there is one for the rest."""

    def __init__(
        self, understands: Sequence[Understands], among: Sequence[Grammar] | None = None, *, model: bool = True
    ) -> None:
        self._parsers = [one.parse for one in understands if one.parse is not None]
        self._commands = {name: read for one in understands for name, read in one.commands.items()}
        self._answers = frozenset(chain.from_iterable(one.answers for one in understands))
        self._grammars, self._model = grammars() if among is None else list(among), model

    def parse(self, message: Message) -> Sequence[Candidate]:
        """Return what the words of a message may mean, what comes first first. Pure."""
        text = message.text.strip()
        # What was forwarded are somebody else's words.
        if not text or len(text) > LONGEST or text.startswith("/") or message.forwarded:
            return ()
        line = first(lambda grammar: grammar.command(text), self._grammars) or ""
        words = Words(
            text=text,
            quoted=message.quoted,
            replies=bool(message.reply_to),
            command=line,
            whole=bool(line) and line not in self._answers,
            model=self._model,
            grammars=self._grammars,
        )
        found = [candidate for parse in self._parsers for candidate in parse(words)]
        if words.whole and line.startswith("/"):
            found.append(self._command(line, words))
        return sorted(found, key=lambda candidate: candidate.rank)

    def resolve(
        self, tx: Tx, lane: LaneKey, participant: Participant, message: Message, candidates: Sequence[Candidate]
    ) -> Order:
        """Return the order that a message is here; empty when it is none."""
        hearing = Hearing(lane=lane, participant=participant, message=message, model=self._model)
        for candidate in candidates:
            if order := candidate.resolve(tx, hearing):
                return order
        return ""

    def _command(self, line: str, words: Words) -> Candidate:
        read = self._commands.get(command_name(line))
        return Candidate(rank=Rank.COMMAND, resolve=(lambda tx, hearing: line) if read is None else read(line, words))
