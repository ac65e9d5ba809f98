"""What a capability is: one value with all that it hands to the spine (docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import ModuleType
from typing import Any, Protocol

from core.kernel.access import Access
from core.kernel.intent import Intent
from core.kernel.ports import Engine, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import Inbound, LaneKey, Message, Millis
from core.language.grammar import Grammar, Wish
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.outbox import Post
from core.store.people.people import Participant
from core.toolkit.action import Action
from core.toolkit.command import Command, CommandTable, IntentHandler
from core.toolkit.keeping import Keeps
from core.toolkit.services import Services
from core.toolkit.tool import StateProvider, Tool, ToolContext
from core.toolkit.web import WebAnswer, WebRequest

# Does what is due of triggers of one kind; the participants, by the trigger's number, are who made them.
Delivery = Callable[[Services, Tx, Sequence[Trigger], Mapping[int, Participant]], None]


@dataclass(frozen=True, kw_only=True)
class Schedules:
    """What a capability does at its times. Each hook works in the caller's transaction.

    - `deliver` has, for each kind of trigger (`Trigger.deliver`), what is done when such are due.
    - `write` returns the payload of a message that is about to be sent, None when it is not wanted any more.
    - `refused` is told of a message that the platform refused for good, and whether nothing gets to its chat any more;
      it returns whether it has told in private whoever waits for the message.
    - `moved` is told of a trigger that is due at another time now.
    - `done` is told (tenant, trigger, person) that all whom a trigger reminded have done it, and who was the last; None
      in that place says that this is taken back.
    - `handlers` do what the engine is poked for, by the kind of poke.
    - `due` returns when the capability wants to be looked at next, None for never; it may poke what is due now.
    """

    deliver: Mapping[str, Delivery] = field(default_factory=dict)
    write: Callable[[Services, Tx, Post], Mapping[str, Any] | None] | None = None
    refused: Callable[[Services, Tx, Post, bool], bool] | None = None
    moved: Callable[[Services, Tx, Trigger], None] | None = None
    done: Callable[[Services, Tx, int, int, int | None], None] | None = None
    handlers: Mapping[str, Callable[[Services, int], Awaitable[None]]] = field(default_factory=dict)
    due: Callable[[Services, Tx, Millis], Millis | None] | None = None


class Rank(IntEnum):
    """What a message is taken for that may be several things: the first of these that it is.

    A reply is about what it replies to, else a text is about what was said last, else it stands by itself. What answers
    an open question is decided before, when it is accepted. No two capabilities share a rank, so that nothing depends
    on the order in which they are asked.
    """

    # An order to the bot itself: to be quiet, to explain itself.
    ORDER = 1
    # What is said to a task that it replies to.
    STEER = 2
    # What is to be done with the text that it quotes.
    QUOTED = 3
    # What the buttons below what was said last ask for: "yes", or a label.
    CONFIRMED = 4
    # Something is to be remembered or forgotten, or it is asked what is.
    KEPT = 5
    # All that a command needs, in other words than the command's.
    COMMAND = 6
    # Another time for what was said last to be set.
    CORRECTION = 7
    # What was noted last, said otherwise.
    RESTATED = 8
    # The answer to a reminder: to the one it replies to, to what was said last, or to the only one that waits.
    ANSWER = 9
    # That something is not wanted, or wanted at another time: what it replies to, or what was set last.
    REGRET = 10
    # What became of something that it names.
    NAMED = 11
    # A wish that lacks something; its command asks back.
    WISH = 12
    # What stands behind a link, where nothing else is said.
    LINK = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What somebody wrote, without white space around it; `quoted` is the text it replies to, if it `replies`.

    `wish` is what all of it asks for, None when that is nothing. `whole` when that stands by itself: then only what
    outranks it matters. `model` whether there is one for what nobody understands.
    """

    text: str
    quoted: str = ""
    replies: bool = False
    wish: Wish | None = None
    whole: bool = False
    model: bool = True
    grammars: Sequence[Grammar] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """A message that is understood, by whom and where it was said. `model` as in `Words`; `access` says who may use the
    bot."""

    lane: LaneKey
    participant: Participant
    message: Message
    model: bool
    access: Access

    @property
    def replies(self) -> bool:
        """Return whether it replies to more than the thread that it stands in."""
        return self.message.reply_to not in ("", self.participant.place.thread)


# The intent that something means here; None when it means nothing here.
Resolve = Callable[[Tx, Hearing], Intent | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What a text may mean, by its words alone. `resolve` says what that is here, and runs no grammar."""

    rank: Rank
    resolve: Resolve


# Whether a capability takes a message that it has read for its own, in a tenant.
Taker = Callable[[Tx, int], bool]


class Learns(Protocol):
    """Notes what a message says by the way."""

    def __call__(
        self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, now: Millis, *, noted: bool
    ) -> None: ...


# Somebody (tenant, person) has another name.
Renamed = Callable[[Tx, int, int, str, Millis], None]
# What changes what a person's message has set that a run answered: the keyboard below that answer, in whose place it
# is answered (None: anew), and what it asks for.
Edited = Callable[[Tx, LaneKey, int, int, str], tuple[int | None, Intent] | None]


@dataclass(frozen=True, kw_only=True)
class Understands:
    """What a capability makes of free text.

    `parse` reads what a text may mean: pure, and before any transaction; `without_model`, only where there is none,
    as a model does that by itself. `wishes` are those that it carries out, by their names, each with what makes an
    intent of one, in two steps, too; what nobody carries out only answers something, and is no wish by itself.
    `meant` reads a message in a thread that addresses nobody, before any transaction; what it returns says whether it
    is for the bot all the same (in a tenant), and runs no grammar. `learns` notes what any message of somebody with
    access says by the way, its sender known in that lane before (`noted`) or not. `edited` says which button would
    change what a message has set to what it says now. `renamed` hears that a person of a tenant has another name.
    """

    parse: Callable[[Words], Iterable[Candidate]] | None = None
    without_model: bool = False
    wishes: Mapping[str, Callable[[Wish, Words], Resolve]] = field(default_factory=dict)
    meant: Callable[[Inbound], Taker | None] | None = None
    learns: Learns | None = None
    edited: Edited | None = None
    renamed: Renamed | None = None


# Somebody (tenant, person) looks at what there is, or it may have changed.
PageEvent = Callable[[Tx, Engine, int, int, Millis], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What a capability knows that matters to a run: `lines` of data for its model, each JSON. `tainted` when some of
    it is what others wrote."""

    lines: Sequence[str] = ()
    tainted: bool = False


# What matters to what somebody says (their messages of the run), as far as they may see it here.
Recalls = Callable[[ToolContext, Sequence[Message]], Awaitable[Recalled]]


@dataclass(frozen=True, kw_only=True)
class Tells:
    """How a capability shows somebody what is theirs, and a model what matters.

    `looked` hears that somebody opened their page, `changed` that what is theirs may be another: the page is kept
    current. `shows` says whether buttons are on a page, which shows by itself what became of a press. `recalls` is
    asked before a model works on what somebody says: what it returns is told to the model as data, behind the past and
    before the situation, and only in that run.
    """

    looked: PageEvent | None = None
    changed: PageEvent | None = None
    shows: Callable[[KeyboardRow], bool] | None = None
    recalls: Recalls | None = None


# Takes in what was posted to a path of the web server, or answers who asks for it. It raises `StorageError` when what
# was posted could not be kept, or nothing could be read.
Connect = Callable[[Services, WebRequest], Awaitable[WebAnswer]]


@dataclass(frozen=True, kw_only=True)
class Capability:
    """Something the bot can do. The spine knows it by this value alone.

    `undoes` are actions that take back what people did; what they noted names one.
    `commands` are slash commands by name; `intents` do what buttons and understood texts ask for. `texts` are what
    people read, by the language's code and the text's key; no two capabilities share a key. `phrases` names the
    package with what people say for the wishes that it carries out (`Understands.wishes`), a module for each language,
    which is loaded with the language's grammar. `services` makes what a house has one of, once the services of the
    spine are there; tools find them by type. `states` are what `query_state` tells about. `background` runs as long as
    the house does. `connects` takes in what is posted to the web server, by the path: to it alone, or with a name
    behind it; `pages` answer who asks for such a path (GET, HEAD).
    """

    name: str
    tools: Sequence[Tool] = ()
    undoes: Sequence[Action[..., Any]] = ()
    commands: Mapping[str, Command] = field(default_factory=dict)
    intents: Sequence[IntentHandler[...]] = ()
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    phrases: str = ""
    understands: Understands = field(default_factory=Understands)
    services: Callable[[Services], Sequence[object]] | None = None
    states: Callable[[Services], Sequence[StateProvider]] | None = None
    schedules: Schedules | None = None
    keeps: Keeps | None = None
    background: Callable[[Services], Coroutine[None, None, None]] | None = None
    tells: Tells = field(default_factory=Tells)
    connects: Mapping[str, Connect] = field(default_factory=dict)
    pages: Mapping[str, Connect] = field(default_factory=dict)


def command_table(capabilities: Iterable[Capability]) -> CommandTable:
    """Return the commands and the intents of capabilities, by their names."""
    families = tuple(capabilities)
    handlers = (handler for one in families for handler in one.intents)
    return CommandTable(*(one.commands for one in families), intents=handlers)


def tools_in(*modules: ModuleType) -> tuple[Tool, ...]:
    """Return the tools that are defined in modules, in their order."""
    return tuple(
        member
        for module in modules
        for member in vars(module).values()
        if isinstance(member, Tool) and member.handler.__module__ == module.__name__
    )
