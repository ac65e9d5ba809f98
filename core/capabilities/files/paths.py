"""Paths as tools and conditions write them, hostile ones too: what of them may be, and where it is (TOOLS: Files).

`file_cache_dir/…` and `file_state_dir/…` are the two folders of a scope; what begins with neither lies in the first.
An absolute path lies in a folder that the operator has allowed.
"""

from __future__ import annotations

import fnmatch
import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

CACHE, STATE = "file_cache_dir", "file_state_dir"
# What people sent, in the cache, and what is sent to them with the outcome of a task.
INBOX, RESULTS = "inbox", "results"
# Bytes of a name, of a path, and steps of one.
MOST_NAME, MOST_PATH, MOST_STEPS = 200, 800, 12
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_WILD = frozenset("*?[")


class BadPath(Exception):
    """No path that may be used; the text is for a model, and says what to change."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file is, or may be: its `path` below a `root`, which is one of the two folders of a scope, or the path of
    an allowed one. The path of a root itself is empty."""

    root: str
    path: str

    def __str__(self) -> str:
        return f"{self.root}/{self.path}" if self.path else self.root

    @property
    def name(self) -> str:
        """Return the last step."""
        return self.path.rpartition("/")[2]

    @property
    def own(self) -> bool:
        """Return whether it is in a folder of the scope."""
        return self.root in (CACHE, STATE)

    @property
    def sent(self) -> bool:
        """Return whether it is among what people sent."""
        return self.root == CACHE and (self.path == INBOX or self.path.startswith(f"{INBOX}/"))

    def below(self, name: str) -> Place:
        """Return the place of something in this folder."""
        return Place(self.root, f"{self.path}/{name}" if self.path else name)


@dataclass(frozen=True, slots=True)
class AllowedFolder:
    """A folder of the operator's that owners may read in private, and write where it is `writable`."""

    path: str
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Glob:
    """What a pattern is matched against: all below a `place`, by `pattern`; without one the place itself is meant."""

    place: Place
    pattern: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the operator allows, and denies: paths, with all below them, and names, which may be patterns."""

    allowed: Sequence[AllowedFolder] = ()
    denied: Sequence[str] = ()

    def place(self, text: str, *, owner: bool, folder: bool = False) -> Place:
        """Return where a path leads, for an `owner` in private or somebody else; a root is one of a `folder` only.

        Raises `BadPath`.
        """
        steps = _steps(text)
        if text.startswith("/"):
            return self._allowed(steps, owner=owner, folder=folder)
        root = steps.pop(0) if steps and steps[0] in (CACHE, STATE) else CACHE
        if not steps and not folder:
            raise BadPath(f"{root} alone is a folder; name a file in it, such as {root}/notes.txt")
        return self._checked(Place(root, "/".join(steps)))

    def glob(self, text: str, *, owner: bool) -> Glob:
        """Return what a path with `*`, `?`, `[…]` and `**` is matched against. Raises `BadPath`."""
        steps = _steps(text)
        fixed = next((n for n, step in enumerate(steps) if _WILD.intersection(step)), len(steps))
        lead = "/" if text.startswith("/") else ""
        if fixed == len(steps):
            return Glob(self.place(text, owner=owner))
        place = self.place(lead + "/".join(steps[:fixed]) or CACHE, owner=owner, folder=True)
        return Glob(place, "/".join(steps[fixed:]))

    def denies(self, place: Place) -> bool:
        """Return whether the operator denies a place: by a name on its way, or by the path of an allowed folder."""
        names = [one for one in self.denied if not one.startswith("/")]
        steps = place.path.split("/") if place.path else []
        if any(fnmatch.fnmatchcase(step.casefold(), name.casefold()) for step in steps for name in names):
            return True
        if place.own:
            return False
        whole = PurePosixPath(str(place))
        return any(whole.is_relative_to(one) for one in self.denied if one.startswith("/"))

    def writable(self, place: Place) -> bool:
        """Return whether tools may change something there."""
        return place.own or any(one.writable for one in self.allowed if one.path == place.root)

    def _allowed(self, steps: Sequence[str], *, owner: bool, folder: bool) -> Place:
        whole = PurePosixPath("/", *steps)
        # The innermost one counts.
        roots = sorted((one.path for one in self.allowed if whole.is_relative_to(one.path)), key=len)
        if not owner or not roots:
            raise BadPath(f"only paths in {CACHE}/ and {STATE}/ can be used here")
        path = whole.relative_to(roots[-1]).as_posix()
        if path == "." and not folder:
            raise BadPath(f"{whole} is a folder; name a file in it")
        return self._checked(Place(roots[-1], "" if path == "." else path))

    def _checked(self, place: Place) -> Place:
        if self.denies(place):
            raise BadPath(f"{place.name or place} may not be used here; choose another name")
        return place


def _steps(text: str) -> list[str]:
    """Return the names of a path, without those that only stand still. Raises `BadPath`."""
    if not text.strip():
        raise BadPath("the path is empty; name a file")
    if any(unicodedata.category(sign) in _UNSEEN for sign in text):
        raise BadPath("the path has signs that cannot be seen; leave them out")
    if "\\" in text or "://" in text or text.startswith("~"):
        raise BadPath(f"no such paths here: write names with / between them, such as {CACHE}/notes.txt")
    steps = [step for step in unicodedata.normalize("NFC", text).split("/") if step not in ("", ".")]
    if any(not step.strip(". ") for step in steps):
        raise BadPath("the path may not go up (..); name the file from its folder on")
    if any(step != step.strip() or len(step.encode()) > MOST_NAME for step in steps):
        raise BadPath(f"a name in the path begins or ends with a space, or is longer than {MOST_NAME} bytes")
    if len(steps) > MOST_STEPS or len(text.encode()) > MOST_PATH:
        raise BadPath(f"the path is too long: at most {MOST_STEPS} names and {MOST_PATH} bytes")
    return steps


def matches(path: str, pattern: str) -> bool:
    """Return whether a path fits a pattern: `*`, `?` and `[…]` within a name, `**` over any number of them."""
    names = path.split("/")
    # Which beginnings of the path the pattern fits so far, by their lengths.
    ends = {0}
    for step in pattern.split("/"):
        if step == "**":
            ends = set(range(min(ends, default=len(names) + 1), len(names) + 1))
        else:
            ends = {n + 1 for n in ends if n < len(names) and fnmatch.fnmatchcase(names[n], step)}
    return len(names) in ends


def apart(root: str, data: Path) -> bool:
    """Return whether an allowed folder has nothing to do with the data of the bot: neither lies in the other."""
    one, other = Path(os.path.realpath(root)), Path(os.path.realpath(data))
    return not (one.is_relative_to(other) or other.is_relative_to(one))
