"""Scenarios: each is one file of data, a conversation and what must have become of it (docs/evals.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

FOLDER = Path(__file__).parent / "scenarios"
# A Wednesday. Every scenario begins at this minute, in UTC.
BEGIN = "2030-01-09T14:13+00:00"

Answer = str | dict[str, Any] | list[dict[str, Any]]


class Data(BaseModel):
    """Something in a file of data, in which nothing may be misspelt."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Turn(Data):
    """One thing that happens: somebody `says` words, or `presses` a button by its label, or time passes `until` an
    instant, or a program `posts` something to the hook whose address was shown last.

    `by` is who does it; `to` is where, if not where the scenario plays: in `private`. `mentions` is whether they
    address the bot, and `replies` are words of the message that they reply to, the bot's or a person's.
    `model` is what a scripted model answers, one entry a call: a text, a tool with its arguments, or a list of those.
    `shows` is everything that is said then where the turn plays, in order, as words with `*` for anything between
    them; with `~` before it, they are the model's own words, which a real model puts otherwise. `answers` are words
    that must stand in what is said, also by a real model. `told` is what other people are shown in private.
    `becomes` is how the message of the pressed button, or its successor, reads then. `tells` is what a scripted model
    answers when it is told what came of a task.
    """

    says: str = ""
    presses: str = ""
    until: str = ""
    posts: str = ""
    by: str = "ann"
    to: Literal["", "private"] = ""
    mentions: bool = True
    replies: str = ""
    model: list[Answer] = Field(default_factory=list)
    shows: list[str] = Field(default_factory=list)
    answers: list[str] = Field(default_factory=list)
    told: dict[str, list[str]] = Field(default_factory=dict)
    becomes: str = ""
    tells: list[Answer] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_thing(self) -> Turn:
        if sum(map(bool, (self.says, self.presses, self.until, self.posts))) != 1:
            raise ValueError("a turn says, presses, posts or waits until something; one of them")
        return self


class Reminder(Data):
    """A reminder that is to come: its next time in UTC, words of its text, and whether it comes again."""

    at: str
    text: str = ""
    repeats: bool = False
    whom: list[str] = Field(default_factory=list, alias="for")


class Item(Data):
    """A to-do: words of its text, the list it is on, the day it is due, and who is to do it."""

    text: str
    named: str = Field("", alias="list")
    due: str = ""
    whom: list[str] = Field(default_factory=list, alias="for")
    done: bool = False


class Memory(Data):
    """What is remembered: words of it, and whether it was corrected since; `source` says who noted it. It is for
    nobody (`whom`)."""

    text: str
    superseded: bool = False
    source: Literal["person", "assistant"] = "assistant"
    whom: list[str] = Field(default_factory=list, exclude=True)


class Work(Data):
    """A task in the background: words of what is to be done, who does it, and how it ended, with words of its outcome
    or of why it failed. It is for nobody (`whom`)."""

    text: str
    role: Literal["planner", "worker"] = "planner"
    state: Literal["done", "failed", "cancelled"] = "done"
    outcome: str = ""
    whom: list[str] = Field(default_factory=list, exclude=True)


class Written(Data):
    """A file that was written, by words of its path. It is for nobody (`whom`)."""

    text: str
    whom: list[str] = Field(default_factory=list, exclude=True)


class Scenario(Data):
    """A conversation and what must have become of it. `people` are who takes part beside ann, who owns the bot.

    `background` is what scripted models answer that work on tasks, by words of what is to be done: one entry a call, as
    in `Turn.model`; with `wait` in it, only once the turn of that number has begun. What is `timed` depends on when a
    model answers, and is not played with a real one. `tasks` are all there were, and `files` all that were written.
    """

    about: str
    platform: Literal["telegram", "slack"] = "telegram"
    where: Literal["private", "group", "thread"] = "private"
    language: Literal["en", "zh", "de"] = "en"
    people: list[str] = Field(default_factory=list)
    # One call of the model is enough, also for a real one.
    everyday: bool = False
    settings: dict[str, str] = Field(default_factory=dict)
    turns: Annotated[list[Turn], Field(min_length=1)]
    reminders: list[Reminder] = Field(default_factory=list)
    todos: list[Item] = Field(default_factory=list)
    memories: list[Memory] = Field(default_factory=list)
    background: dict[str, list[Answer]] = Field(default_factory=dict)
    timed: bool = False
    tasks: list[Work] = Field(default_factory=list)
    files: list[Written] = Field(default_factory=list)

    @property
    def calls(self) -> int:
        """How often a scripted model is asked."""
        said = sum(len(turn.model) + len(turn.tells) for turn in self.turns)
        return said + sum(map(len, self.background.values()))


def read(path: Path) -> Scenario:
    """Return the scenario of a file; raises `ValueError` with the file's name where it is none."""
    try:
        return Scenario.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (ValueError, yaml.YAMLError) as error:
        raise ValueError(f"{path.name}: {error}") from None


def scenarios() -> dict[str, Scenario]:
    """Return all scenarios by the names of their files."""
    return {path.stem: read(path) for path in sorted(FOLDER.glob("*.yaml"))}
