"""The fast path: free text that a capability understands is carried out without a model.

There are two steps. `parse` reads what the words may mean, before the run's transaction, since a grammar takes its
time. `resolve` says in the transaction what they mean here. That is stored with the run, so that a run which is resumed
goes on with the same intent.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from core.kernel.access import Access
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.timing.expressions import At, Clock
from core.kernel.types import LaneKey, Message
from core.language import grammars, pick
from core.language.grammar import ME, Grammar, Wish
from core.language.short_texts import LONGEST, first, several
from core.pipeline.runs.confirmations import Confirmations
from core.scheduling.time_input import packed
from core.store.people.people import Participant
from core.toolkit import intents
from core.toolkit.capability import Candidate, Hearing, Rank, Understands, Words
from core.toolkit.command import IntentHandler

# How many arrivals are kept of a lane, and of how many lanes; and how many characters are read quickly enough not to
# hold up the event loop.
MOST_ARRIVED, MOST_LANES, SHORT = 8, 1_000, 200


# A quotation, and words about it: "“remind me at 5” is what I typed".
_QUOTES = re.compile(r"""["“„«「『][^"“”„«»「」『』]{2,500}["”“»」』]\s*\w""")

# A language that reads a text, what it reads, and what that may mean.
_Way = tuple[Grammar, Wish, Sequence[Candidate]]


class Interpreter:
    """Says what a message asks for, as capabilities understand it; also where it answers what an intent confirms
    (`handlers`).

    `model` says whether there is one for what nobody understands. `language` is the code of the language in which the
    bot speaks to everybody, "auto" where it speaks everybody's own. `access` is the rule of who may use the bot.
    """

    def __init__(
        self,
        understands: Sequence[Understands],
        among: Sequence[Grammar] | None = None,
        *,
        handlers: Iterable[IntentHandler[...]] = (),
        model: bool = True,
        language: str = "auto",
        access: Access | None = None,
    ) -> None:
        self._access = access or Access()
        self._confirmations = Confirmations(handlers)
        self._parsers = [
            one.parse for one in understands if one.parse is not None and not (model and one.without_model)
        ]
        self._wishes = {name: read for one in understands for name, read in one.wishes.items()}
        self._grammars, self._model = grammars() if among is None else list(among), model
        self._language = "" if language == "auto" else language

    def parse(self, message: Message) -> Sequence[Candidate]:
        """Return what the words of a message may mean, the best rank first. Pure."""
        text = message.text.strip()
        # Forwarded words, and a quotation with words about it, are somebody else's.
        elses = message.forwarded or _QUOTES.match(text)
        if not text or len(text) > LONGEST or text.startswith("/") or elses:
            return ()
        if "\n" in text and several(text, self._grammars):
            return ()
        readings: list[tuple[Grammar, Wish]] = []
        for grammar in self._grammars:
            wish = first(lambda one: one.wish(text), [grammar])
            if wish is not None and all(wish != other for _, other in readings):
                readings.append((grammar, wish))
        if not readings[1:]:
            return self._candidates(message, text, readings[0][1] if readings else None)
        # Two languages read it differently: which one counts depends on who speaks.
        ways = [(grammar, wish, self._candidates(message, text, wish)) for grammar, wish in readings]
        rank = min((candidate.rank for _, _, found in ways for candidate in found), default=Rank.COMMAND)
        return [Candidate(rank=rank, resolve=partial(self._of_several, ways))]

    def _of_several(self, ways: Sequence[_Way], tx: Tx, hearing: Hearing) -> Intent | None:
        """Return what a text means that several languages read: its meaning in the speaker's language, if the others
        read the same wish for the same time; else an intent that asks which is meant."""
        participant = hearing.participant
        own = pick(participant.language or self._language or participant.person.language).grammar
        first = next((way for way in ways if way[0] is own), None)
        if first is not None and all(_bare(wish) == _bare(first[1]) for _, wish, _ in ways):
            ways = [first]
        found: list[tuple[Wish, Intent]] = []
        for _, wish, candidates in [*(way for way in ways if way is first), *(way for way in ways if way is not first)]:
            intent = _resolved(candidates, tx, hearing)
            if intent is not None and all(intent != other for _, other in found):
                found.append((wish, intent))
        if len(found) > 1:
            return intents.either([_described(*one) for one in found])
        return found[0][1] if found else None

    def _candidates(self, message: Message, text: str, wish: Wish | None) -> Sequence[Candidate]:
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
        found += filter(None, [self._confirmations.read(text)])
        if wish is not None and read is not None:
            found.append(Candidate(rank=Rank.COMMAND, resolve=read(wish, words)))
        return sorted(found, key=lambda candidate: candidate.rank)

    def resolve(
        self, tx: Tx, lane: LaneKey, participant: Participant, message: Message, candidates: Sequence[Candidate]
    ) -> Intent | None:
        """Return what a message asks for here; None when it is nothing."""
        hearing = Hearing(lane=lane, participant=participant, message=message, model=self._model, access=self._access)
        return _resolved(candidates, tx, hearing)


def _resolved(candidates: Sequence[Candidate], tx: Tx, hearing: Hearing) -> Intent | None:
    return next((intent for candidate in candidates if (intent := candidate.resolve(tx, hearing))), None)


def _bare(wish: Wish) -> Wish:
    """Return a wish without its words and without the half of the day, to be compared with another language's."""
    request = wish.request and replace(wish.request, text="")
    match request and request.when:
        case At(clock=Clock() as clock) as when if request:
            request = replace(request, when=replace(when, clock=Clock(hour=clock.hour, minute=clock.minute)))
    return replace(wish, text="", names=(), request=request)


def _described(wish: Wish, intent: Intent) -> dict[str, Any]:
    """Return what a wish would do, as one choice of an intent that asks which of several is meant."""
    request = wish.request
    about = [request.text, *(name for name in request.who if name != ME)] if request else [wish.text]
    words = [one for one in (*about, wish.list, wish.time, *wish.hours) if one]
    when = packed(request.when if request else wish.when)
    return {"order": intent.packed(), "wish": wish.name, "about": ", ".join(words), "when": when}


class Arrivals:
    """Keeps messages that were just taken in, by lane, so that their words are read without fetching them again.

    It is a cache: a message that is not here, or was changed since, is fetched from the database.
    """

    def __init__(self) -> None:
        self._messages: dict[int, deque[Message]] = {}

    def add(self, lane_id: int, message: Message) -> None:
        """Keep a message until its lane is claimed."""
        self._messages.setdefault(lane_id, deque(maxlen=MOST_ARRIVED)).append(message)
        if len(self._messages) > MOST_LANES:
            del self._messages[next(iter(self._messages))]

    def take(self, lane_id: int) -> Sequence[Message]:
        """Return the messages of a lane and forget them; none if they are so long that reading them would hold up
        others."""
        messages = self._messages.pop(lane_id, ())
        return messages if sum(len(message.text) for message in messages) <= SHORT else ()
