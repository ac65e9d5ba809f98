"""What a story needs of a platform: people, chats, words and buttons. Each platform has a driver of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on the platform, as it shows and knows them."""

    name: str
    key: str


@dataclass(frozen=True, slots=True)
class Chat:
    """A private chat, a group, or a thread of one."""

    key: str
    group: bool = False
    thread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message of the bot as somebody saw it. `buttons` are labels with what they carry; `reply_to` is a message;
    `told` are the keys of those whom it names, so that they hear of it.
    """

    chat: Chat
    key: str
    text: str
    buttons: tuple[tuple[str, str], ...]
    edits: int
    reply_to: str
    told: tuple[str, ...] = ()

    @property
    def labels(self) -> list[str]:
        """What is written on the buttons."""
        return [label for label, _ in self.buttons]


class Platform(Protocol):
    """The people's side of an emulated platform with one bot, which sees everything that is said in its groups.

    What people may expect differs in a few things: `sets_menu` is whether the program tells it, once, which commands
    there are; `names_address` is whether the bot's name and a reply to it address
    it in a group, beside a mention; `presses_wait` whether a press is kept for a bot that is down; `knows_zones`
    whether the platform tells the bot where people are.
    """

    sets_menu: bool
    names_address: bool
    presses_wait: bool
    knows_zones: bool

    @property
    def owner(self) -> Person:
        """Whom the bot belongs to."""
        ...

    @property
    def bot_name(self) -> str:
        """What the bot is called."""
        ...

    def another_owner(self) -> Person:
        """Somebody new to whom the bot belongs, too."""
        ...

    def member(self) -> Person:
        """Somebody new whom the bot's configuration admits."""
        ...

    def stranger(self) -> Person:
        """Somebody new without access."""
        ...

    def handle(self, person: Person) -> str:
        """How somebody is named so that everybody knows who is meant."""
        ...

    def named(self, person: Person, *, met: bool = True) -> str:
        """What is read where the bot names somebody so that they hear of it; not `met`: it knows the handle alone."""
        ...

    def call(self, person: Person, name: str, language: str = "en") -> Person:
        """Let somebody go by a name and a language from now on; returns them as they are then."""
        ...

    def command(self, name: str) -> str:
        """How people here write a command of the bot."""
        ...

    def private(self, person: Person) -> Chat:
        """The chat of somebody with the bot."""
        ...

    def group(self, *people: Person, threads: bool = False) -> Chat:
        """A new group of these people, not yet of the bot."""
        ...

    def thread(self, group: Chat, by: Person) -> Chat:
        """A new thread of a group that has threads."""
        ...

    def add_bot(self, group: Chat, by: Person) -> None:
        """Let somebody bring the bot into a group."""
        ...

    def remove_bot(self, group: Chat, by: Person) -> None:
        """Let somebody throw the bot out."""
        ...

    def leave(self, group: Chat, person: Person) -> None:
        """Let somebody leave a group."""
        ...

    def has_bot(self, group: Chat) -> bool:
        """Whether the bot is in a group."""
        ...

    def upgrade(self, group: Chat, by: Person) -> Chat:
        """Let the platform give a group another id; the same chat where it never does that."""
        ...

    def say(
        self, person: Person, text: str, chat: Chat | None = None, *, mention: bool = False, reply_to: str = ""
    ) -> str:
        """Let somebody write, in private unless a chat is given; returns the message. `mention` addresses the bot."""
        ...

    def openly(self, person: Person, command: str, chat: Chat) -> str:
        """Let somebody give a command in a group so that everybody there sees the answer; returns the message."""
        ...

    def edit(self, person: Person, message: str, text: str, chat: Chat | None = None, *, mention: bool = False) -> None:
        """Let somebody change what they wrote."""
        ...

    def follow(self, person: Person, invitation: str) -> None:
        """Let somebody do what an invitation says."""
        ...

    def delete(self, shown: Shown) -> None:
        """Let somebody delete a message of the bot."""
        ...

    def press(self, person: Person, shown: Shown, label: str, *, gone: bool = False) -> str:
        """Let somebody press a button as they saw it, maybe long ago; returns the press. `gone`: no message with it."""
        ...

    def forge(self, person: Person, shown: Shown, data: str) -> str:
        """Let a hostile client press a button that is not there; returns the press."""
        ...

    def noise(self, person: Person, number: int) -> None:
        """Let somebody do one of the many things that can be done to a bot: `number` says which."""
        ...

    def toast(self, press: str) -> str | None:
        """What was shown to who pressed; None before anything was."""
        ...

    def shown(self, chat: Chat) -> Sequence[Shown]:
        """What the bot has said in a chat, as it reads now, deleted messages left out."""
        ...

    def files(self, chat: Chat) -> Sequence[tuple[str, bytes]]:
        """The files that the bot has sent to a chat: names and contents."""
        ...

    def give(self, person: Person, name: str, content: bytes, words: str) -> None:
        """Let somebody send the bot a file in private, with words beside it."""
        ...

    def sends(self) -> int:
        """How often the bot has tried to say something, anywhere."""
        ...

    def put_forward(self, seconds: float) -> None:
        """Let the platform's clock, by which it dates what people write, run ahead by so many seconds more."""
        ...

    def dawdle(self, seconds: float) -> None:
        """Hand over what waits for the bot only so many seconds after it asks, once."""
        ...

    def waiting(self) -> int:
        """How many updates the bot has not acknowledged."""
        ...
