"""Letters: rendered messages on their way to the outbox, with what their buttons mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis, Part, Urgency
from core.store.conversation import keyboards
from core.store.conversation.keyboards import Board, Offer
from core.store.conversation.outbox import ONLY_FOR, Queued


# Not frozen: thousands are written at once, and each would take three times as long.
@dataclass(slots=True, kw_only=True)
class Letter:
    """A rendered message on its way to the outbox, with what its buttons mean.

    `only_for` is the address of the only person of a group who is to see it, where the platform can do that; `hook` as
    in `Inbound`: only who asked there sees it. `kept` as in `Reply`.
    """

    key: str
    text: str
    parts: Sequence[Part]
    token: str = ""
    offers: tuple[Offer, ...] = ()
    for_reply: bool = False
    only_for: str = ""
    hook: str = ""
    kept: str = ""
    board: Mapping[str, Any] = field(default_factory=dict)


Addressed = tuple[LaneKey, Letter]


def as_queued(lane: LaneKey, letter: Letter, reply_to: str, urgency: Urgency) -> Iterator[Queued]:
    """Yield the parts of a letter as they are queued; part n has the key `key:n`."""
    alone = {ONLY_FOR: letter.only_for} if letter.only_for else {}
    person_id = letter.board.get("person_id")
    for n, part in enumerate(letter.parts):
        payload = {**part.payload, **alone} if alone else part.payload
        key, answers = f"{letter.key}:{n}", "" if n else reply_to
        yield Queued(lane, key, payload, urgency, answers, person_id=person_id, hook=letter.hook)


def last_key(letter: Letter) -> str:
    """The key of a letter's last part, below which its buttons hang."""
    return f"{letter.key}:{len(letter.parts) - 1}"


def hang(tx: Tx, letters: Sequence[tuple[LaneKey, Letter, str]], now: Millis) -> None:
    """Store what the buttons of messages mean, which have these keys."""
    boards = [
        Board(
            lane=lane,
            token=letter.token,
            message_key=message_key,
            text=letter.text,
            offers=letter.offers,
            **letter.board,
        )
        for lane, letter, message_key in letters
        if letter.token
    ]
    keyboards.insert(tx, boards, now)
