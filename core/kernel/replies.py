"""What a run says and how it ends, as values that the model's loop, commands and the composer hand to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from core.kernel.intent import Expects, Intent, Order
from core.kernel.intent import unpacked as intent_of
from core.kernel.ports import Tx
from core.kernel.types import Usage

# A button: its label, and what a press of it asks for. Those of former versions stood for lines of commands; such are
# only read (core.store.conversation.keyboards), for no button that is new may be one.
Offer = tuple[str, Intent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One committed step. `content` is JSON: an answer's text and calls, or a call's result.

    A call that is `started` has left no outcome yet; after a crash it becomes `unknown`.
    """

    n: int
    kind: str
    state: str
    call_id: str
    tool: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandQuestion:
    """What a command asks back: the answer fills the hole of `order`, or goes behind it where that is a line, which is
    then carried out. It `expects` a time, if nothing else is an answer; `options` are answers as buttons."""

    text: str
    order: Order
    expects: Expects = Expects.TEXT
    options: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a run says: step `n` of its journal said it.

    `choices` are suggestions a person may pick instead of typing; `offers` are buttons: a label and what it asks for.
    `quiet` when it concerns nobody but who asked: in a group the others need not see it. `edits` when it takes the
    place of the message whose button was pressed; its buttons may be pressed again and again, and so may those of
    one that is not for `once`. What is `shared` has buttons for everybody in the chat. What is said `aloud`
    concerns all of them: it is for all to see, also where only who asked would see the answer. A reply without a
    text says nothing; a `question` is asked in its place by the transaction that ends the run. What is `kept`
    stands in the transcript and in the ledger in the place of a text that holds a secret. What `tells_late` says
    itself how late it is. What is their `own` who asked is not offered to be shown to others: a refusal, how to do
    it. What is `foreign` has words that may be of anybody: a model that reads it obeys nobody by itself then.
    """

    n: int
    text: str
    choices: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    quiet: bool = False
    edits: bool = False
    once: bool = True
    shared: bool = False
    aloud: bool = False
    kept: str = ""
    tells_late: bool = False
    own: bool = False
    foreign: bool = False
    question: CommandQuestion | None = None


def packed(reply: Reply) -> dict[str, Any]:
    """Return what a step of the journal keeps of a reply, as JSON."""
    flags = {name: True for name in _FLAGS if getattr(reply, name)}
    offers = [(label, asks.packed()) for label, asks in reply.offers]
    return {"text": reply.text, "offers": offers, "choices": list(reply.choices), "kept": reply.kept, "flags": flags}


def unpacked(n: int, stored: Mapping[str, Any]) -> Reply:
    """Return the reply of step `n` that the journal keeps."""
    flags: dict[str, Any] = {name: bool(stored["flags"].get(name)) for name in _FLAGS}
    offers = tuple((label, intent_of(asks)) for label, asks in stored["offers"])
    reply = Reply(n=n, text=stored["text"], offers=offers, choices=tuple(stored["choices"]), kept=stored["kept"])
    return replace(reply, **flags)


_FLAGS = ("quiet", "edits", "once", "shared", "aloud", "tells_late", "own", "foreign")


class Deed(Protocol):
    """What a run does in the transaction that ends it. `acted` once it has done something, or tried to."""

    @property
    def acted(self) -> bool: ...

    def carry_out(self, tx: Tx) -> Outcome:
        """Do it, and return what is said. Where it raises, nothing of it happened, and `refuse` says so."""

    def refuse(self, error: Exception) -> Deed:
        """Return what is done in the place of a deed that raised `error`."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a run ended: its replies, and the last answer's step, which commits together with them.

    `usage` is what the last answer took, still to be counted; `total` what all answers since the claim took. `limited`
    when the run was closed for too many rounds or calls, or for going round in circles. `delegated` when it handed
    work over, which tells of itself. `asked` when it noted
    questions, or a reply is one, which are asked when it ends. `explains` when it says at length why there is no
    model. Where there is a `deed`, the rest comes of that, in the same transaction. `journal` writes what was looked at
    and is not journalled yet.
    """

    replies: Sequence[Reply] = ()
    last: Step | None = None
    usage: Usage = Usage()
    total: Usage = Usage()
    limited: bool = False
    delegated: bool = False
    asked: bool = False
    explains: bool = False
    deed: Deed | None = None
    journal: Callable[[Tx], None] | None = None
