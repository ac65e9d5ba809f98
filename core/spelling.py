"""How people write commands: `/todo` on most platforms, behind the name of the app on others."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

# A second slash: not for us, and so as it stands but for that slash.
_COMMAND = re.compile(r"(?<![\w/:}])/(/?)([a-z]+)", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """How commands are written on a platform, and what is worded otherwise there.

    `front` stands before the name of a command; `own` are those with another name of their own, such as
    ("todo", "/tasks"). `in_threads` stands before all of them in threads, where nothing else works; empty where threads
    are no different. `dialect` begins the keys of the texts that are others there: with "slack" the text
    "slack:help" is read in the place of "help".
    """

    front: str = "/"
    own: tuple[tuple[str, str], ...] = ()
    in_threads: str = ""
    dialect: str = ""

    def here(self, thread: str) -> Spelling:
        """The spelling in a thread, or where none is (an empty text)."""
        return replace(self, front=self.in_threads, own=(), in_threads="") if thread and self.in_threads else self

    def command(self, line: str) -> str:
        """A line such as "/todo milk" the way people write it."""
        name, space, rest = line.removeprefix("/").partition(" ")
        return f"{dict(self.own).get(name, f'{self.front}{name}')}{space}{rest}"

    def text(self, template: str) -> str:
        """A text of ours with its commands the way people write them; a doubled slash is one that is not for us."""
        return _COMMAND.sub(lambda found: f"/{found[2]}" if found[1] else self.command(f"/{found[2]}"), template)


SLASHES = Spelling()
