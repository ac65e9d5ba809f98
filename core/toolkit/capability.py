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
    - `rewrite` returns the payload of a message that was written and could not be sent for a while.
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
    rewrite: Callable[[Services, Tx, Post], Mapping[str, Any]] | None = None
    refused: Callable[[Services, Tx, Post, bool], bool] | None = None
    moved: Callable[[Services, Tx, Trigger], None] | None = None
    done: Callable[[Services, Tx, int, int, int | None], None] | None = None
    handlers: Mapping[str, Callable[[Services, int], Awaitable[None]]] = field(default_factory=dict)
    due: Callable[[Services, Tx, Millis], Millis | None] | None = None


class Rank(IntEnum):
    """The order in which meanings of a message are tried: the first one that it has here counts.

    A reply is about the message that it replies to; another text is about what was said last, or stands by itself. A
    message that answers an open question is none of these: that is decided when it is accepted. No two capabilities
    share a rank, so that nothing depends on the order in which they are asked.
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
    """A text that somebody wrote; `quoted` is the text that it replies to, if it `replies`.

    `wish` is what the whole text asks for, None when that is nothing. `whole` when a capability carries that wish out:
    then only meanings that outrank it matter. `model` says whether there is one for texts that nobody understands.
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
    """A message whose meaning is looked up in the database: who wrote it, and where. `model` as in `Words`; `access`
    says who may use the bot."""

    lane: LaneKey
    participant: Participant
    message: Message
    model: bool
    access: Access

    @property
    def replies(self) -> bool:
        """Return whether it replies to more than the thread that it stands in."""
        return self.message.reply_to not in ("", self.participant.place.thread)


# Returns the intent that a text means here; None when it means nothing here.
Resolve = Callable[[Tx, Hearing], Intent | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What a text may mean, by its words alone. `resolve` says what that is here, and runs no grammar."""

    rank: Rank
    resolve: Resolve


# Returns whether a capability takes a message that it has read for its own, in a tenant.
Taker = Callable[[Tx, int], bool]


class Learns(Protocol):
    """Notes what a message says by the way."""

    def __call__(
        self, tx: Tx, lane: LaneKey, person_id: int, message: Inbound, now: Millis, *, noted: bool
    ) -> None: ...


# Is told that somebody (tenant, person) has another name.
Renamed = Callable[[Tx, int, int, str, Millis], None]
# Takes the new text of a message (lane, person, run that answered it, text). Returns the intent that changes what the
# message has set, and the keyboard in whose message's place that is answered (None: anew); None where nothing follows.
Edited = Callable[[Tx, LaneKey, int, int, str], tuple[int | None, Intent] | None]


@dataclass(frozen=True, kw_only=True)
class Understands:
    """What a capability makes of free text.

    - `parse` returns what a text may mean: it is pure, and called before any transaction. With `without_model` it is
      called only if there is no model, which would understand such texts by itself.
    - `wishes` are the wishes that it carries out, by name, each with what returns how it becomes an intent. A wish that
      no capability carries out can only answer something.
    - `meant` reads a message in a thread that addresses nobody, before any transaction; what it returns says, in the
      transaction and without a grammar, whether the message is for the bot all the same.
    - `learns` notes what any message of somebody with access says by the way; `noted` says whether its sender was known
      in that lane before.
    - `edited` says how what a message has set follows an edit of it.
    - `renamed` is told of a person who has another name.
    """

    parse: Callable[[Words], Iterable[Candidate]] | None = None
    without_model: bool = False
    wishes: Mapping[str, Callable[[Wish, Words], Resolve]] = field(default_factory=dict)
    meant: Callable[[Inbound], Taker | None] | None = None
    learns: Learns | None = None
    edited: Edited | None = None
    renamed: Renamed | None = None


# Is told that somebody (tenant, person) looks at their page, or that it may have changed.
PageEvent = Callable[[Tx, Engine, int, int, Millis], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What a capability knows that matters to a run: `lines` of data for its model, each JSON; `tainted` when some of
    them have words of others."""

    lines: Sequence[str] = ()
    tainted: bool = False


# Returns what matters to the messages of a run, as far as their person may see it here.
Recalls = Callable[[ToolContext, Sequence[Message]], Awaitable[Recalled]]


@dataclass(frozen=True, kw_only=True)
class Tells:
    """How a capability shows somebody what is theirs, and a model what matters.

    - `looked` is told that somebody opened their page, `changed` that it may have to change.
    - `shows` says whether buttons are on a page, which shows by itself what became of a press.
    - `recalls` is asked before a model works on messages: what it returns is told to the model as data, only in that
      run.
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

    - `tools` are for models. `commands` are slash commands, by name; `intents` are the handlers of what buttons and
      understood texts ask for.
    - `undoes` are the actions that undos name.
    - `texts` are what people read, by language and key; no two capabilities share a key. `phrases` names the package
      with what people say for its wishes (`Understands.wishes`), a module for each language.
    - `services` makes the objects of which a program has one each, once those of the spine are there; they are found by
      their class.
    - `states` are what `query_state` tells about. `background` runs as long as the program does.
    - `connects` takes in what is posted to a path of the web server, alone or with a name behind it; `pages` answers
      GET and HEAD for such a path.
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
