"""What set-up is going to write: asked for, checked, and put into the file without surprising anybody."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import ValidationError

from bot.config import file as config_file
from bot.config import keys as config_keys
from bot.config.config import PREFIX, Config, load
from bot.setup.prompts import Talk
from core.kernel.errors import ConfigError
from core.kernel.types import Json

Meant = Callable[[str], str]
EMPTY = Path(os.devnull)
SECRETS = frozenset({
    *("telegram.token", "llm.api_key", "secret_key"),
    *("slack.bot_token", "slack.app_token", "slack.signing_secret"),
})


class Draft:
    """The changes to one configuration file. Raises `ConfigError` for a file that is wrong or cannot be written."""

    def __init__(self, file: Path, environ: Mapping[str, str], talk: Talk) -> None:
        self.file, self._environ, self._talk = file, environ, talk
        config_file.check_place(file)
        self.config: Config = load(file if file.exists() else EMPTY, environ)
        _, self._there = config_file.read(file)
        self._changes: dict[str, Json] = {}
        self._written: str | None = None

    def variable(self, key: str) -> str:
        """The variable that sets the key in the environment, which wins over the file; empty when none does."""
        name = config_keys.variable(key, PREFIX)
        return next((one for one in (name, f"{name}_FILE") if self._environ.get(one)), "")

    def settled(self, key: str) -> bool:
        """Whether the environment has decided the key already, which is then said."""
        name = self.variable(key)
        if name:
            self._talk.say(f"{key} comes from {name}.")
        return bool(name)

    def ask(
        self,
        key: str,
        question: str,
        default: str | None,
        given: str | None = None,
        *,
        meant: Meant = str,
        also: Callable[[str], bool] = lambda _: False,
    ) -> str:
        """Ask until the answer, or what is `meant` by it, is a value that the key may have, or one that will do `also`.

        `given` was said in advance and must be one.
        """
        section, _, name = key.rpartition(".")
        while True:
            answer = meant(given if given is not None else self._talk.ask(question, default, hidden=key in SECRETS))
            if also(answer):
                return answer
            try:
                Config(**({section: {name: answer}} if section else {name: answer}))
                return answer
            except ValidationError as error:
                problem = config_keys.explain(error, PREFIX)
            if given is not None:
                raise ConfigError(problem)
            self._talk.say(problem)

    def put(self, key: str, value: Json) -> bool:
        """Note a value; one that the file has already is overwritten only after asking. False when it must stay."""
        old = self._there.get(key)
        if name := self.variable(key):
            self._talk.say(f"{name} is set and wins over the file, so {key} is not written. Change it there.")
            return False
        if value != old:
            if old not in (None, [], "") and key != "owners":
                said, by = ("another one", "") if key in SECRETS else (f"{old}", f" by {value}")
                if not self._talk.confirm(f"{key} in {self.file.name} is {said}. Replace it{by}?", default=True):
                    return False
            self._changes[key] = value
        return True

    def add_owner(self, address: str) -> bool:
        """Note an owner; False when it is one already or the environment does not let us."""
        owners = self.config.owners
        if address in owners:
            self._talk.say(f"{address} is an owner already.")
            return False
        if name := self.variable("owners"):
            self._talk.say(f"{name} is set and wins over the file: add {address} to it yourself.")
            return False
        return self.put("owners", [*owners, address])

    def save(self) -> None:
        """Write what was noted since the last time into the file as it is now, for people may have edited it meanwhile.

        What they wrote goes to config.yaml.bak first; the new file is loaded before it takes the old one's place.
        """
        load(self.file if self.file.exists() else EMPTY, self._environ)
        before, self._there = config_file.read(self.file)
        text = config_file.edited(before, self._changes) if self._changes else before
        if text == before:
            return
        kept = ""
        if before and before != self._written:
            # A file that is not of our own making.
            backup = self.file.with_name(f"{self.file.name}.bak")
            config_file.write(backup, before)
            kept = f" (as it was: {backup.name})"
        config_file.write(self.file, text, lambda new: load(new, self._environ))
        self.config, self._written = load(self.file, self._environ), text
        self._there, self._changes = {**self._there, **self._changes}, {}
        self._talk.say(f"Written: {self.file}{kept}")
