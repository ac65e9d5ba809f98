"""The fast path: what capabilities understand of free text is carried out, and needs no model.

It is done in two steps. `parse` reads what the words may mean, before the run's transaction: a grammar takes its time.
`resolve` says in that transaction what they mean here; that is kept with the run, so that a run which is taken up again
goes on with the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Message
from core.language.grammar import Grammar
from core.language.short_texts import LONGEST, first, grammars
from core.store.people.people import Participant
from core.toolkit.capability import Candidate, Hearing, Rank, Understands, Words


class Interpreter:
    """Says what a message asks for, by what capabilities understand; `model` whether there is one for the rest."""

    def __init__(
        self, understands: Sequence[Understands], among: Sequence[Grammar] | None = None, *, model: bool = True
    ) -> None:
        self._parsers = [one.parse for one in understands if one.parse is not None]
        self._wishes = {name: read for one in understands for name, read in one.wishes.items()}
        self._grammars, self._model = grammars() if among is None else list(among), model

    def parse(self, message: Message) -> Sequence[Candidate]:
        """Return what the words of a message may mean, what comes first first. Pure."""
        text = message.text.strip()
        # What was forwarded are somebody else's words.
        if not text or len(text) > LONGEST or text.startswith("/") or message.forwarded:
            return ()
        wish = first(lambda grammar: grammar.wish(text), self._grammars)
        read = None if wish is None else self._wishes.get(wish.name)
        words = Words(
            text=text,
            quoted=message.quoted,
            replies=bool(message.reply_to),
            wish=wish,
            whole=read is not None,
            model=self._model,
            grammars=self._grammars,
        )
        found = [candidate for parse in self._parsers for candidate in parse(words)]
        if wish is not None and read is not None:
            found.append(Candidate(rank=Rank.COMMAND, resolve=read(wish, words)))
        return sorted(found, key=lambda candidate: candidate.rank)

    def resolve(
        self, tx: Tx, lane: LaneKey, participant: Participant, message: Message, candidates: Sequence[Candidate]
    ) -> Intent | None:
        """Return what a message asks for here; None when it is nothing."""
        hearing = Hearing(lane=lane, participant=participant, message=message, model=self._model)
        for candidate in candidates:
            if intent := candidate.resolve(tx, hearing):
                return intent
        return None
