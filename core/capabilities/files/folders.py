"""The folders of scopes on the disk: looking, reading, and doing what was committed (docs/files.md).

`<scope>/file_cache_dir` and `<scope>/file_state_dir` are what tools see. Beside them lie `kept`, what was there before
changes, and `new`, what is to be written. Everything here waits for the disk: call it off the event loop.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.capabilities.files.paths import CACHE, MOST_STEPS, STATE, Glob, Place, Rules, matches
from core.kernel.types import Millis
from core.store import beneath
from core.store.beneath import OPENER, Opener
from core.store.private_files import inside
from core.toolkit.portable import LAST

KEPT, NEW = "kept", "new"
# So much is looked through of one root; a look ends there.
MOST_SEEN = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file, or a folder, as it is now; `mtime_ns` in nanoseconds of unix time."""

    place: Place
    size: int
    mtime_ns: int
    inode: int
    is_dir: bool = False

    @property
    def changed_at(self) -> Millis:
        """Return when it was changed, as far as a calendar goes: the disk may say anything."""
        return min(max(0, self.mtime_ns // 1_000_000), LAST)

    @property
    def state(self) -> tuple[int, int, int]:
        """Return what another content of the same path differs in: size, time and inode."""
        return self.size, self.mtime_ns, self.inode


class Folders:
    """The folders of all scopes, below `home`, and those that the operator allows."""

    def __init__(self, home: Path, rules: Rules, opener: Opener = OPENER) -> None:
        self.home, self.rules, self.opener = home, rules, opener
        self._locks: dict[int, threading.RLock] = {}

    def held(self, scope_id: int) -> threading.RLock:
        """Return what whoever changes something of a scope holds meanwhile: while a file has two names it is none."""
        return self._locks.setdefault(scope_id, threading.RLock())

    def root(self, scope_id: int, root: str) -> AbstractContextManager[int]:
        """Open a root of a scope. Raises `OSError` where there is none yet."""
        if root in (CACHE, STATE):
            return inside(self.home.parent, self.home.name, str(scope_id), root)
        return beneath.opened(Path(root))

    def find(self, scope_id: int, place: Place) -> Found | None:
        """Return what is at a place; None where that is nothing that may be opened."""
        with suppress(OSError), self.root(scope_id, place.root) as root:
            above, _, name = place.path.rpartition("/")
            with self.held(scope_id), self.opener.folder(root, above) as folder:
                seen = beneath.of(folder, name or ".")
                return None if seen is None else _found(place, seen)
        return None

    def obstacle(self, scope_id: int, place: Place) -> str:
        """Say what keeps a file from being written at a place: a `folder`, something `odd` such as a link, a file
        `above` it, or that an allowed folder is `readonly`. Empty for nothing, also where it is missing."""
        try:
            with self.root(scope_id, place.root) as root:
                above, _, name = place.path.rpartition("/")
                with self.held(scope_id), self.opener.folder(root, above) as folder:
                    seen = beneath.of(folder, name)
                    if not place.own and not os.access(".", os.W_OK | os.X_OK, dir_fd=folder):
                        return "readonly"
        except FileNotFoundError:
            return ""
        except OSError:
            return "above"
        if seen is None or beneath.is_plain(seen):
            return ""
        return "folder" if stat.S_ISDIR(seen.st_mode) else "odd"

    def read(self, scope_id: int, place: Place, most: int) -> bytes:
        """Return the content of a file. Raises `OSError`: `EFBIG` where it has more bytes than `most`."""
        with self.root(scope_id, place.root) as root, self.held(scope_id):
            opened = self.opener.file(root, place.path)
        with open(opened, "rb") as file:
            if os.fstat(opened).st_size > most:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
            content = file.read(most + 1)
        if len(content) > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return content

    def walk(self, scope_id: int, place: Place, *, deep: bool = True) -> Iterator[Found]:
        """Yield what is in a folder, by name, and in those below it where that is `deep`; links and the like are not.

        Nothing where there is no such folder.
        """
        left = [MOST_SEEN]
        with suppress(FileNotFoundError, NotADirectoryError), self.root(scope_id, place.root) as root:
            yield from self._walk(scope_id, root, place, deep, left)

    def _walk(self, scope_id: int, root: int, place: Place, deep: bool, left: list[int]) -> Iterator[Found]:
        try:
            with self.held(scope_id), self.opener.folder(root, place.path) as folder:
                names = sorted(os.listdir(folder))
                seen = [(name, beneath.of(folder, name)) for name in names[: left[0]]]
        except OSError:
            return  # it went meanwhile, or is none
        left[0] -= len(seen)
        for name, status in seen:
            here = place.below(name)
            hidden = status is None or here.sent or self.rules.denies(here)
            found = None if hidden or status is None else _found(here, status)
            if found is not None:
                yield found
                # What lies deeper has no path that could be named.
                if found.is_dir and deep and left[0] > 0 and here.path.count("/") + 1 < MOST_STEPS:
                    yield from self._walk(scope_id, root, here, deep, left)

    def snapshot(self, scope_id: int, wanted: Glob) -> dict[str, tuple[int, int, int]]:
        """Return the state of each file that is at a place, or fits a pattern there, by its path."""
        if not wanted.pattern:
            one = self.find(scope_id, wanted.place)
            return {} if one is None or one.is_dir else {str(one.place): one.state}
        start = len(str(wanted.place)) + 1
        return {
            path: found.state
            for found in self.walk(scope_id, wanted.place)
            if not found.is_dir and matches((path := str(found.place))[start:], wanted.pattern)
        }


def _found(place: Place, seen: os.stat_result) -> Found | None:
    is_dir = stat.S_ISDIR(seen.st_mode)
    if not (is_dir or beneath.is_plain(seen)):
        return None
    return Found(
        place=place, size=0 if is_dir else seen.st_size, mtime_ns=seen.st_mtime_ns, inode=seen.st_ino, is_dir=is_dir
    )
