"""What set-up is going to write: asked for, checked, and put into the file without surprising anybody."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from bot import config_file, config_keys
from bot.config import PREFIX, Config, load
from bot.setup_talk import Talk
from core.errors import ConfigError
from core.types import Json

EMPTY = Path(os.devnull)
SECRETS = frozenset({"telegram.token", "llm.api_key"})


class Draft:
    """The changes to one configuration file. Raises `ConfigError` for a file that is wrong or cannot be written."""

    def __init__(self, file: Path, environ: Mapping[str, str], talk: Talk) -> None:
        self.file, self._environ, self._talk = file, environ, talk
        config_file.check_place(file)
        self.config: Config = load(file if file.exists() else EMPTY, environ)
        self._before, self._there = config_file.read(file)
        self._changes: dict[str, Json] = {}
        self._written = self._before

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

    def ask(self, key: str, question: str, default: str | None, given: str | None = None) -> str:
        """Ask until the answer is a value that the key may have; `given` was said in advance and must be one."""
        while True:
            answer = given if given is not None else self._talk.ask(question, default, hidden=key in SECRETS)
            problem = _problem(key, answer)
            if not problem:
                return answer
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
            if old not in (None, [], "") and key != "owners" and not self._may_replace(key, old, value):
                return False
            self._changes[key] = value
        return True

    def _may_replace(self, key: str, old: Json, value: Json) -> bool:
        said = "another one" if key in SECRETS else f"{old}"
        question = f"{key} in {self.file.name} is {said}. Replace it{'' if key in SECRETS else f' by {value}'}?"
        return self._talk.confirm(question, default=True)

    def save(self) -> None:
        """Write what was noted: the file as it was before goes to config.yaml.bak, the new one is loaded first."""
        text = config_file.edited(self._before, self._changes) if self._changes else self._before
        if text == self._written:
            return
        backup = self.file.with_name(f"{self.file.name}.bak")
        if self._before:
            config_file.write(backup, self._before)
        config_file.write(self.file, text, lambda new: load(new, self._environ))
        self.config, self._written = load(self.file, self._environ), text
        kept = f" (as it was: {backup.name})" if self._before else ""
        self._talk.say(f"Written: {self.file}{kept}")


def _problem(key: str, value: Json) -> str:
    section, _, name = key.rpartition(".")
    try:
        Config(**({section: {name: value}} if section else {name: value}))
    except ValidationError as error:
        return config_keys.explain(error, PREFIX)
    return ""
