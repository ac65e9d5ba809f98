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
    """A question that a command asks back. The answer fills the hole of its `order`, or goes behind it if that is a
    line; then the order is carried out. `expects` says which words are an answer; `options` are answers as buttons."""

    text: str
    order: Order
    expects: Expects = Expects.TEXT
    options: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One answer of a run, made by step `n` of its journal. A reply without a text says nothing.

    - `choices` are suggestions that a person may pick instead of typing; `offers` are buttons.
    - `once` when its buttons end with the first press. `shared` when they are for everybody in the chat.
    - `edits` when it takes the place of the message whose button was pressed; its buttons can be pressed repeatedly.
    - Who sees it: `quiet` when it concerns only who asked, so that in a group the others need not see it; `aloud` when
      it concerns all, and is shown to all even where only who asked would see an answer; `own` when who asked is not
      offered to share it, such as a refusal or how to do something.
    - `kept` stands in transcript and ledger in the place of a text that has a secret.
    - `tells_late` when the text itself says how late it is.
    - `unasked` when nobody waits for it, since it comes by itself: answers overtake it.
    - `foreign` when it has words that may be of anybody: a model that reads it obeys nobody by itself then.
    - `question` is asked in its place by the transaction that ends the run.
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
    unasked: bool = False
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


_FLAGS = ("quiet", "edits", "once", "shared", "aloud", "tells_late", "own", "foreign", "unasked")


class Deed(Protocol):
    """Something that a run does in the transaction that ends it. `acted` once it has tried to do something."""

    @property
    def acted(self) -> bool: ...

    def carry_out(self, tx: Tx) -> Outcome:
        """Do it, and return what is said. If it raises, nothing of it has happened, and `refuse` says so."""

    def refuse(self, error: Exception) -> Deed:
        """Return the deed that takes the place of this one, which raised `error`."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Tells how a run ended, with its replies.

    - `last` is the step of the last answer, which is committed with them. `journal` writes what was looked at and is
      not journalled yet.
    - `usage` is what the last answer took, still to be counted; `total` what all answers since the claim took.
    - `limited` when the run was closed for too many rounds or calls, or for repeating itself; `wordless` when the model
      gave no words, also when it was asked for them.
    - `asked` when it has questions, which are asked when it ends. `explains` when it says at length why there is no
      model.
    - If there is a `deed`, everything else comes of that, in the transaction that ends the run.
    """

    replies: Sequence[Reply] = ()
    last: Step | None = None
    usage: Usage = Usage()
    total: Usage = Usage()
    limited: bool = False
    wordless: bool = False
    asked: bool = False
    explains: bool = False
    deed: Deed | None = None
    journal: Callable[[Tx], None] | None = None
