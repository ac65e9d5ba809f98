"""How people write commands: `/todo` on most platforms, behind the name of the app on others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

# A second slash: not for us, and so as it stands but for that slash.
_COMMAND = re.compile(r"(?<![\w/:}])/(/?)([a-z]+)", re.ASCII)
# What our texts call the bot.
ME = "Teller"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """How commands are written on a platform, and what is worded otherwise there.

    `front` stands before the name of a command; `own` are those with another name of their own, such as
    ("todo", "/tasks"). `in_threads` stands before all of them in threads, where nothing else works; empty where threads
    are no different. `dialect` begins the keys of the texts that are others there: with "slack" the text
    "slack:help" is read in the place of "help". `me` is what the bot is called, and `called` says that of a tenant:
    safe Markdown without braces, empty where it is not known.
    """

    front: str = "/"
    own: tuple[tuple[str, str], ...] = ()
    in_threads: str = ""
    dialect: str = ""
    me: str = ME
    called: Callable[[str], str] | None = field(default=None, compare=False)

    def here(self, thread: str, tenant: str = "") -> Spelling:
        """Return the spelling in a thread, or where none is (an empty text), of a tenant."""
        found = self
        if self.called and tenant:
            me = self.called(tenant) or self.me
            found = replace(self, me=me, in_threads=self.in_threads.replace(self.me, me), called=None)
        return replace(found, front=found.in_threads, own=(), in_threads="") if thread and found.in_threads else found

    def command(self, line: str) -> str:
        """Return a line such as "/todo milk" the way people write it."""
        name, space, rest = line.removeprefix("/").partition(" ")
        return f"{dict(self.own).get(name, f'{self.front}{name}')}{space}{rest}"

    def text(self, template: str) -> str:
        """Return a text of ours with its commands the way people write them; a doubled slash is one that is not for
        us."""
        return self.me.join(
            _COMMAND.sub(lambda found: f"/{found[2]}" if found[1] else self.command(f"/{found[2]}"), part)
            for part in template.split(ME)
        )


SLASHES = Spelling()
