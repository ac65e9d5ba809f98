"""Slash commands and intents, the same for all platforms: an order, what the person does by it, and the reply.

A `CommandRun` is what a handler has at hand and how it answers; the `CommandTable` knows all commands and intents;
`Commands` carries one out. None needs a model.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import Enum
from typing import Annotated, Any, Concatenate, Generic, ParamSpec, get_type_hints, overload
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, create_model

from core.kernel.access import command_name, may
from core.kernel.errors import ConfigError, Refused, ToolError
from core.kernel.intent import Expects, Hole, Intent, Order, expected
from core.kernel.markdown import coded, literal
from core.kernel.ports import Adapter, Tx
from core.kernel.replies import CommandQuestion, Deed, Offer, Outcome, Reply
from core.kernel.secret_words import HIDDEN, SEALED
from core.kernel.timing.zones import zone_named
from core.kernel.types import LaneKey, Millis, Standing
from core.language import FALLBACK, Language, languages
from core.toolkit import intents
from core.toolkit.action import Actions, Actor, worded
from core.toolkit.tool import ToolContext
from core.toolkit.web import Seals, WebAddress

P = ParamSpec("P")

log = logging.getLogger(__name__)

# How alike a misspelt name must be to that of a command; and to one that takes secrets, so that they are hidden.
_NEAR, _NEAR_SECRET = 0.8, 0.7

# Which words an answer must have that fills a parameter of an intent; a plain `str` takes any.
TimeWords = Annotated[str, Expects.TIME]
WaitWords = Annotated[str, Expects.WAIT]
PlaceWords = Annotated[str, Expects.PLACE]

# The platform with a single person.
LONELY = "console"


class CommandRun:
    """One command that is being carried out.

    `rest` is what stands behind its name. `asks` when the command, or the intent in its place, only asks how something
    is. `own_chat` is the person's private chat, once it was looked up, if only they see the answer in a group.
    """

    def __init__(
        self,
        context: ToolContext,
        rest: str,
        adapters: Mapping[str, Adapter],
        commands: CommandTable,
        *,
        actions: Actions,
    ) -> None:
        self.context, self.rest, self.adapters, self.commands = context, rest, adapters, commands
        self.adapter = adapters.get(context.participant.platform)
        self.language: Language = context.texts
        self.own_chat: ToolContext | None = None
        self.asks = not rest
        self.actor = Actor(actions, context)

    @property
    def group(self) -> bool:
        """Return whether others hear the answer."""
        return self.context.participant.group

    @property
    def clock_zone(self) -> ZoneInfo:
        """Return the zone by whose clock the person speaks, in a group too."""
        return zone_named(self.context.principal.timezone) or self.context.zone

    @property
    def about_own_chat(self) -> bool:
        """Return whether it was written where the bot is not, and so is about the private chat (Slack: a command).

        A button is about the message that has it, and free text belongs to its chat in any case.
        """
        said = self.context.said
        if said is None or not said.response_url or said.pressed is not None or self.group:
            return False
        return bool(said.intent or command_name(said.text))

    def unveiled(self) -> str:
        """Return what stands behind the name, with the secrets decrypted that were encrypted when this very message
        came in (`CommandTable.veiled`). Other words that look encrypted, or cannot be decrypted, are hidden."""
        said, seals = self.context.said, self.context.services.get(WebAddress).seals
        ways: list[tuple[Seals, str]] = []
        if seals is not None and said is not None and said.pressed is None and said.intent is None:
            own = veil(self.context.lane, self.context.principal.person_id, said.platform_id, said.sent_at)
            ways = [(seals, own), (seals, _FORMER_VEIL)]

        def opened(word: str) -> str:
            for way, context in ways:
                with contextlib.suppress(ConfigError):
                    return way.open(word.removeprefix(SEALED), context)
            return HIDDEN

        return " ".join(opened(word) if word.startswith(SEALED) else word for word in self.rest.split())

    def may(self, command: str) -> bool:
        """Return whether the person may use a command here, as far as it is known."""
        return may(self.context.standing, self.commands.needs(command, group=self.group))

    async def sees_all(self) -> bool:
        """Return whether the platform hands over everything that is said here."""
        return self.adapter is None or await self.adapter.sees_all(self.context.participant.place)

    @property
    def aloud(self) -> bool:
        """Return whether the command changed something for all of a group, who see the answer then."""
        return self.group and self.actor.concerned_all

    def reply(
        self,
        text: str,
        choices: tuple[str, ...] = (),
        offers: Sequence[Offer] = (),
        *,
        edits: bool = False,
        once: bool = True,
    ) -> Reply:
        """Return an answer, with suggestions or buttons; `edits` and `once` as in `Reply`."""
        n = self.actor.last_step
        return Reply(n=n, text=text, choices=choices, offers=tuple(offers), edits=edits, once=once)

    def ask(self, question: str, order: Order, *, expects: str = "", options: Sequence[str] = ()) -> Reply:
        """Return the question that a command asks back when the run ends.

        The answer fills the hole of an intent (`IntentHandler.asking`), which is carried out then; or it goes behind a
        line, which `expects` "time" or, empty, anything. Somebody who writes in the group's name is told to write the
        whole command again, since nobody could tell their answer.
        """
        if self.context.principal.anonymous:
            return replace(self.reply(f"{question}\n{self.language['ask_anonymous']}"), own=True)
        waits_for = expected(order, expects == "time")
        asked = CommandQuestion(text=question.strip(), order=order, expects=waits_for, options=tuple(options))
        return replace(self.reply(""), question=asked)

    def say(self, key: str, **values: object) -> Reply:
        """Return the text of `key` as an answer for the person alone: why not, how to do it, what became of it."""
        return replace(self.reply(self.language.say(key, **values)), own=True)

    def typed(self, line: str) -> str:
        """Return a command such as "/todo milk" as people write it here, to be put into Markdown."""
        return coded(self.language.command(line))

    def undoable(self, text: str, undo: str, language: Language | None = None) -> Reply:
        """Return an answer with a button that takes back what was done; none where `undo`, its id, is empty."""
        label = (language or self.language)["undo"]
        return self.reply(text, offers=[(label, intents.undo(undo))] if undo else ())


class Quiet(Enum):
    """Whether the answer of a command concerns only who asked."""

    NEVER = "never"
    ALWAYS = "always"
    #: Only when nothing stands behind the command's name, so that it only asks.
    ASKED = "asked"


class Interrupts(Enum):
    """Whether a command passes the lock of its lane and is done when it is accepted."""

    NEVER = "never"
    ALWAYS = "always"
    #: Only when nothing stands behind the command's name.
    ALONE = "alone"


AUDIENCES = ("private", "group", "admin")


class Menu:
    """Where a command stands in the menus that platforms show: its rank, and in which of `AUDIENCES` (default: all)."""

    def __init__(self, rank: int, *audiences: str) -> None:
        self.rank, self.audiences = rank, audiences or AUDIENCES


# What a command does in the transaction that ends its run.
Act = Callable[[Tx], Reply]
# A coroutine asks the platform first, and may return what it then does; a plain function is done at once.
Handler = Callable[[CommandRun], Awaitable[Reply | Act]] | Callable[[CommandRun, Tx], Reply]


@dataclass(frozen=True)
class Command:
    """A slash command.

    `handler` is a plain function of the transaction that ends the run, in which it acts (`run.actor.act`) and answers;
    or a coroutine, where the platform must be asked first: what that returns is the answer, or such a function.

    - `needs` is the least standing for it; `in_group` the one in a group, if that is another.
    - `for_everybody`: in a group it also works for people who were removed or want to be left alone.
    - `named`: it is about whoever gives it, so it never works for somebody who writes in the group's name, and no owner
      may press its button in another's place.
    - `asks_platform`: administrators of the group may do more by it, so the platform is asked who is one.
    - `of_chat`: it is about the chat where it is written; the key of what is said where the bot is not in that one.
    - `leaves_thread`: the bot does not go on in a thread where it was given.
    - `takes_files`: it is about the files that came with it, which are fetched before.
    - `secret`: an address behind it, and the words beside that, are kept encrypted (`CommandTable.veiled`).
    - `takes_words`: it understands by itself a sentence that begins with its name.
    - `quiet` says whether only who asked sees the answer, `interrupts` whether it is done when it is accepted.
    - `aliases` are names that other bots have for it; `menu` says where it is offered.
    """

    handler: Handler
    needs: Standing = Standing.GUEST
    _: KW_ONLY
    in_group: Standing | None = None
    for_everybody: bool = False
    named: bool = False
    asks_platform: bool = False
    of_chat: str = ""
    leaves_thread: bool = False
    quiet: Quiet = Quiet.NEVER
    interrupts: Interrupts = Interrupts.NEVER
    takes_files: bool = False
    secret: bool = False
    takes_words: bool = False
    aliases: tuple[str, ...] = ()
    menu: Menu | None = None


@dataclass(frozen=True, kw_only=True)
class Confirms:
    """Marks an intent whose button does what was asked about ("Stop all 2?").

    `yes` are the keys of the texts on that button, `no` the key of the one beside it, if there is one. `in_words`: a
    "yes" in words counts as a press, since what it does can be undone.
    """

    yes: tuple[str, ...]
    no: str = ""
    in_words: bool = False


@dataclass(frozen=True)
class IntentHandler(Generic[P]):
    """The handler of intents of a name: `perform` is like the handler of a command, with the arguments behind.

    Rights and audience are those of the command `as_command`; those of the bare command, if the intent only `asks` how
    something is. `confirms` is set if people are asked before (core.pipeline.runs.confirmations).
    """

    name: str
    as_command: str
    perform: Callable[..., Any]
    asks: bool = False
    confirms: Confirms | None = None

    def of(self, *args: P.args, **kwargs: P.kwargs) -> Intent:
        """Return the intent with these arguments, by their names. Raises ValueError when they do not fit."""
        return Intent(self.name, _arguments(self.perform)(*args, **kwargs).model_dump(mode="json", exclude_unset=True))

    def asking(self, hole: str, **arguments: Any) -> Intent:
        """Return the intent with one argument left open, for an answer to fill. Raises ValueError when the others do
        not fit."""
        expects = get_type_hints(self.perform, include_extras=True).get(hole)
        kinds = [kind for kind in getattr(expects, "__metadata__", ()) if isinstance(kind, Expects)]
        checked = _arguments(self.perform)(**arguments, **{hole: ""}).model_dump(
            mode="json", exclude={hole}, exclude_unset=True
        )
        return Intent(self.name, checked, Hole(hole, kinds[0] if kinds else Expects.TEXT))

    def read(self, intent: Intent) -> Mapping[str, Any]:
        """Return the arguments of a stored intent, as `perform` takes them. Raises ValueError when they do not fit."""
        read = _arguments(self.perform).model_validate(intent.arguments)
        return {name: getattr(read, name) for name in type(read).model_fields}


@functools.cache
def _arguments(perform: Callable[..., Any]) -> type[BaseModel]:
    """Return the model of what a handler takes behind the run and the transaction: its keyword-only parameters."""
    hints = get_type_hints(perform, include_extras=True)
    fields: dict[str, Any] = {
        name: (hints[name], ... if parameter.default is parameter.empty else parameter.default)
        for name, parameter in inspect.signature(perform).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    # An argument may be a code that lets somebody in: no error says what was given.
    config = ConfigDict(extra="forbid", hide_input_in_errors=True)
    return create_model(perform.__name__, __config__=config, **fields)


class _Registers:
    """Makes a handler of a function: one of the transaction that ends the run, or a coroutine before that."""

    def __init__(self, name: str, as_command: str, asks: bool, confirms: Confirms | None) -> None:
        self._name, self._as_command, self._asks, self._confirms = name, as_command, asks, confirms

    @overload
    def __call__(self, perform: Callable[Concatenate[CommandRun, Tx, P], Reply]) -> IntentHandler[P]: ...

    @overload
    def __call__(self, perform: Callable[Concatenate[CommandRun, P], Awaitable[Reply | Act]]) -> IntentHandler[P]: ...

    def __call__(self, perform: Callable[..., Any]) -> IntentHandler[...]:
        return IntentHandler(self._name, self._as_command, perform, self._asks, self._confirms)


def intent(name: str, *, as_command: str, asks: bool = False, confirms: Confirms | None = None) -> _Registers:
    """Register a function as the handler of intents of a name, with the rights and the audience of a command.

    The name must not change, since buttons that people see have it. The arguments are the parameters behind a `*`.
    """
    return _Registers(name, as_command, asks, confirms)


# The context with which former versions encrypted all words. Nobody can bring such a word in: typed ones are hidden.
_FORMER_VEIL = "a word of a command"


def veil(lane: LaneKey, person_id: int, message_id: str, sent_at: Millis) -> str:
    """Return the context with which the secrets of a message are encrypted: nobody can decrypt them in another message.

    The message is known by its platform's id, or by its instant if it has none (Slack: a command).
    """
    return f"{_FORMER_VEIL}\0{lane.tenant_id}\0{lane.scope_id}\0{person_id}\0{message_id or sent_at}"


class CommandTable(Mapping[str, Command]):
    """All commands and, as `intents`, the handlers of intents, by name; and what is asked about them beforehand."""

    def __init__(self, *families: Mapping[str, Command], intents: Iterable[IntentHandler[...]] = ()) -> None:
        self._commands: dict[str, Command] = {}
        # What encrypts the secrets that people write behind commands; None without a key.
        self.seals: Seals | None = None
        self.intents: dict[str, IntentHandler[...]] = {}
        for handler in intents:
            if handler.name in self.intents:
                raise ConfigError(f"two intents are called {handler.name!r}; rename one")
            self.intents[handler.name] = handler
        for family in families:
            if twice := self._commands.keys() & family.keys():
                raise ConfigError(f"two commands are called {min(twice)!r}; rename one")
            self._commands.update(family)

    def __getitem__(self, name: str) -> Command:
        """Return the command called `name`; raise KeyError when there is none."""
        return self._commands[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._commands)

    def __len__(self) -> int:
        """Return how many commands there are."""
        return len(self._commands)

    def veiled(self, line: str, veil: str = "") -> str:
        """Return a line as it is kept: of a command that takes secrets, the words behind its subcommand are encrypted.

        That is done if one of the words may be an address, since a name and a password may stand beside it. The words
        are hidden instead if there is no `veil` (in a group, where all read them) or no key, or if the name of the
        command is misspelt, since it is not carried out then. A typed word that looks encrypted is hidden, too, so that
        nothing decrypts it.
        """
        name = command_name(line)
        if name not in self._commands:
            taking = [known for known, command in self._commands.items() if command.secret]
            veil, near = "", difflib.get_close_matches(name[:40], taking, 1, _NEAR_SECRET)
            name = self.meant(name) or (near[0] if near else "")
        if name not in self._commands or not self._commands[name].secret:
            return line
        seals, words = self.seals if veil else None, line.split()
        kept = [HIDDEN if word.startswith(SEALED) else word for word in words]
        address = next((at for at, word in enumerate(words) if at and ("://" in word or "." in word)), None)
        if address is None:
            return line if kept == words else " ".join(kept)
        clear = min(address, 2)
        secrets = kept[clear:]
        if seals is None:
            return " ".join([*kept[:clear], *(HIDDEN for _ in secrets)])
        sealed = (word if word == HIDDEN else f"{SEALED}{seals.seal(word, veil)}" for word in secrets)
        return " ".join([*kept[:clear], *sealed])

    def name_of(self, order: Order) -> str:
        """Return the name of the command whose line an order is, or which its intent counts as; empty for neither."""
        if isinstance(order, Intent) and order.name == intents.COMMAND:
            return str(order.arguments["command"])
        if isinstance(order, Intent):
            handler = self.intents.get(order.name)
            return "" if handler is None else handler.as_command
        return command_name(order)

    def needs(self, name: str, *, group: bool) -> Standing:
        """Return the least standing for a command; for an unknown one that of a guest, who is told so."""
        command = self._commands.get(name)
        if command is None:
            return Standing.GUEST
        if group and command.for_everybody:
            return Standing.STRANGER
        return (command.in_group if group else None) or command.needs

    def for_everybody(self, order: Order) -> bool:
        """Return whether a command is one that works for everybody in a group."""
        command = self._commands.get(self.name_of(order))
        return command is not None and command.for_everybody

    def named(self, order: Order) -> bool:
        """Return whether a command is about who gives it."""
        command = self._commands.get(self.name_of(order))
        return command is not None and command.named

    def interrupts(self, line: str) -> bool:
        """Return whether a command line is done when it is accepted, past the lane's lock."""
        command = self._commands.get(command_name(line))
        if command is None or command.interrupts is Interrupts.NEVER:
            return False
        return command.interrupts is Interrupts.ALWAYS or len(line.split()) == 1

    def takes_files(self, order: Order) -> bool:
        """Return whether a command is about what came with it."""
        command = self._commands.get(self.name_of(order))
        return command is not None and command.takes_files

    def leaves_thread(self, order: Order) -> bool:
        """Return whether the bot does not go on in a thread where this command was given."""
        command = self._commands.get(self.name_of(order))
        return command is not None and command.leaves_thread

    def meant(self, name: str) -> str:
        """Return the command that other bots call `name`; empty when there is none."""
        return next((known for known, command in self._commands.items() if name in command.aliases), "")

    def menus(self) -> Mapping[tuple[str, str], Sequence[tuple[str, str]]]:
        """Return (audience, language) → (command, what it does in 60 characters at most).

        The empty language is for everybody else's. What only an owner may do is in no menu: those are seen by all.
        """
        offered = [(command.menu, name) for name, command in self._commands.items() if command.menu is not None]
        offered.sort(key=lambda item: item[0].rank)
        return {
            (audience, "" if code == FALLBACK else code): [
                (name, texts[f"menu_{name}"]) for menu, name in offered if audience in menu.audiences
            ]
            for audience in AUDIENCES
            for code, texts in languages().items()
        }


class Commands:
    """Carries out the commands of `table`. `adapters` are asked who administers a group."""

    def __init__(self, table: CommandTable, actions: Actions, adapters: Mapping[str, Adapter]) -> None:
        self._table, self._actions, self._adapters = table, actions, adapters

    async def __call__(self, context: ToolContext, order: Order) -> Outcome:
        """Carry out an intent, or a line such as `/time Asia/Tokyo` or `/help@my_bot`."""
        word, *more = ("",) if isinstance(order, Intent) else order.split(maxsplit=1)
        name = self._table.name_of(order)
        if isinstance(order, Intent) and order.name == intents.COMMAND:
            more = [str(order.arguments["rest"])]
        if context.participant.group:
            context = await self._standing(context, name)
        rest = more[0].strip() if more else ""
        run = CommandRun(context, rest, self._adapters, self._table, actions=self._actions)
        command = self._table.get(name)
        if refused := self._refused(run.context, name):
            return Outcome(replies=[replace(run.say(refused), quiet=True)])
        if command is None:
            reply = run.say("unknown_button") if isinstance(order, Intent) else _unknown(run, name, word)
            return Outcome(replies=[reply])
        handler: Any = command.handler
        if isinstance(order, Intent) and order.name != intents.COMMAND:
            does = self._table.intents[order.name]
            try:
                handler, run.asks = functools.partial(does.perform, **does.read(order)), does.asks
            except ValueError:
                log.exception("arguments of an intent are not what its handler takes: %s", order.name)
                return Outcome(replies=[run.say("unknown_button")])
        try:
            said: Reply | Act = (
                await handler(run) if inspect.iscoroutinefunction(handler) else functools.partial(handler, run)
            )
        except Refused as refusal:
            said = _refusal(run, refusal)
        if isinstance(said, Reply):
            return _answered(run, command, said)
        return Outcome(deed=CommandDeed(run, command, said, name))

    async def _standing(self, context: ToolContext, name: str) -> ToolContext:
        """Return the context, in a group, with the standing of an administrator if that matters and the platform says
        so."""
        needed = self._table.needs(name, group=True)
        command = self._table.get(name)
        asks = command is not None and command.asks_platform
        if not (needed in {Standing.MEMBER, Standing.ADMIN} or asks):
            return context
        if may(context.standing, Standing.ADMIN) or not may(context.standing, Standing.GUEST):
            return context
        adapter = self._adapters.get(context.participant.platform)
        if adapter is None or not await adapter.administers(context.participant.place, context.principal.address):
            return context
        return replace(context, standing=Standing.ADMIN)

    def _refused(self, context: ToolContext, name: str) -> str:
        """Return the key of the text that says who may do this; empty when the person may."""
        needed = self._table.needs(name, group=context.participant.group)
        command = self._table.get(name)
        # Nobody knows who stands behind the group's own name.
        if context.principal.anonymous and (may(needed, Standing.MEMBER) or (command is not None and command.named)):
            return "refused_anonymous"
        return "" if may(context.standing, needed) else f"refused_{needed.value}"


@dataclass(frozen=True)
class CommandDeed:
    """The deed of a command: what it does in the transaction that ends its run."""

    run: CommandRun
    command: Command
    act: Act
    name: str

    @property
    def acted(self) -> bool:
        """Return whether an action was tried."""
        return self.run.actor.attempt is not None

    def carry_out(self, tx: Tx) -> Outcome:
        """Do it, and return what is said. Raises what the handler raises: nothing is done then."""
        self.run.actor.begin()
        return _answered(self.run, self.command, self.act(tx))

    def refuse(self, error: Exception) -> Deed:
        """Return the deed that says why it was not done; a bug of ours is for the log alone."""
        attempt = self.run.actor.attempt
        if isinstance(error, ToolError):
            error = Refused(error.code)
        if not isinstance(error, Refused):
            log.error("command failed: %s", attempt[0] if attempt else f"/{self.name}", exc_info=error)
        refusal = error if isinstance(error, Refused) else Refused("failed")

        def say_so(tx: Tx) -> Reply:
            self.run.actor.attempt = attempt
            self.run.actor.record_refusal(tx, refusal.code)
            return _refusal(self.run, refusal)

        return replace(self, act=say_so)


def _refusal(run: CommandRun, refusal: Refused) -> Reply:
    """Say why something was not done, to who asked alone."""
    return replace(run.reply(worded(run.language, refusal)), own=True)


def _answered(run: CommandRun, command: Command, reply: Reply) -> Outcome:
    """Return the outcome of a command: its answer, with who is to see it and which chat it is about."""
    quiet = reply.quiet or command.quiet is Quiet.ALWAYS or (command.quiet is Quiet.ASKED and run.asks)
    if command.of_chat and run.about_own_chat and reply.text:
        reply = replace(reply, text=f"{reply.text}\n\n{run.language[command.of_chat]}")
    if run.aloud:
        # What only one person sees cannot be turned into what all see.
        only_one_sees_it = run.context.said is not None and bool(run.context.said.response_url)
        reply = replace(reply, aloud=True, edits=reply.edits and not only_one_sees_it)
    reply = replace(reply, quiet=quiet, foreign=reply.foreign or run.actor.foreign)
    return Outcome(replies=[reply], asked=reply.question is not None)


def _unknown(run: CommandRun, name: str, word: str) -> Reply:
    """Say that there is no such command, and offer the one of nearly this name, with the words behind it."""
    close = difflib.get_close_matches(name[:40], [known for known in run.commands if run.may(known)], 1, _NEAR)
    meant = run.commands.meant(name) or (close[0] if close else "")
    if not meant:
        return run.say("unknown_command", command=literal(word[:40]))
    rest = run.rest.split()
    if HIDDEN in rest and run.commands[meant].secret:
        again = " ".join([f"/{meant}", *rest[: rest.index(HIDDEN)]])
        command = run.language.command(literal(again))
        return run.say("unknown_command_again", command=literal(word[:40]), meant=command)
    text = run.language.say("unknown_command_like", command=literal(word[:40]), meant=run.language.command(f"/{meant}"))
    offers = [(run.language.command(f"/{meant}"), intents.command(meant, run.rest))]
    return replace(run.reply(text, offers=offers), own=True)
