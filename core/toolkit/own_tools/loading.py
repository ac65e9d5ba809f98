"""Finding tools of one's own: in the files of a folder, and under the entry points `teller.tools`.

What cannot be loaded is named with its reason, and nothing else suffers. A file runs with all rights of the bot: so it
must belong to the bot's user, and nobody else may be able to write it. Its source is read from the file that was looked
at, not from a cache beside it.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import teller_tools
from core.store.private_files import private
from core.toolkit.own_tools.making import Unusable, make
from core.toolkit.tool import Tool

FOLDER, GROUP = "tools", "teller.tools"
# Seconds that one file may take to load; then it is left to itself.
PATIENCE = 20.0
WRITABLE = 0o002


@dataclass(frozen=True, kw_only=True)
class OwnTools:
    """The tools that were found, each with where it is from, and in words what could not be loaded."""

    tools: tuple[tuple[Tool, str], ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(kw_only=True)
class _Search:
    taken: set[str]
    tools: list[tuple[Tool, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def take(self, where: str, load: Callable[[], list[Callable[..., Any]]]) -> None:
        """Load a file or an entry point, and make tools of what is marked in it."""
        try:
            functions = _patiently(load)
        except Unusable as error:
            self.problems.append(f"{where}: {error}")
            return
        if not functions:
            self.problems.append(f"{where}: no function in it is marked with @tool")
        for function in functions:
            try:
                tool = make(function)
                if tool.name in self.taken:
                    raise Unusable("there is a tool of this name already; rename yours")
            except Exception as error:  # it may be anything that was marked
                reason = (
                    error if isinstance(error, Unusable) else f"it is no function ({type(error).__name__}: {error})"
                )
                self.problems.append(f"{where}: {getattr(function, '__name__', type(function).__name__)}: {reason}")
            else:
                self.taken.add(tool.name)
                self.tools.append((tool, where))


def load(folder: Path, taken: Collection[str]) -> OwnTools:
    """Load what there is; names that are `taken` are refused, and so is what others could have written."""
    search = _Search(taken=set(taken))
    try:
        for path in _files(folder):
            search.take(path.name, lambda path=path: _marked(_module(path)))  # type: ignore[misc]
    except (Unusable, OSError) as error:
        search.problems.append(f"{folder}: {error if isinstance(error, Unusable) else error.strerror}")
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        search.take(f"{GROUP} {point.name}", lambda point=point: _marked(point.load()))  # type: ignore[misc]
    return OwnTools(tools=tuple(search.tools), problems=tuple(search.problems))


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of the folder, but for those that begin with _ or a dot; nothing where there is no folder."""
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise Unusable("it must be a folder, and no link")
    _check(folder.stat())
    yield from sorted(path for path in folder.iterdir() if path.suffix == ".py" and path.name[0] not in "_.")


def _check(found: os.stat_result) -> None:
    if found.st_uid not in (os.getuid(), 0):
        raise Unusable("it belongs to another user; run: chown it to the one that Teller runs as")
    if stat.S_IMODE(found.st_mode) & WRITABLE:
        raise Unusable("everybody may write it; run: chmod o-w on it")


def _module(path: Path) -> ModuleType:
    try:
        with open(path, "rb", opener=private) as file:
            _check(os.fstat(file.fileno()))
            source = file.read()
    except OSError as error:
        raise Unusable(f"it cannot be read: {error.strerror}") from error
    module = ModuleType(f"teller_own_tools.{path.stem}")
    module.__file__ = str(path)
    # Annotations and dataclasses look their module up.
    sys.modules[module.__name__] = module
    exec(compile(source, path, "exec"), vars(module))
    return module


def _marked(found: Any) -> list[Callable[..., Any]]:
    """Return the marked functions that a module defines, in their order; of an entry point also one by itself."""
    if not isinstance(found, ModuleType):
        return [found] if hasattr(found, teller_tools.MARK) else []
    return [
        member
        for member in vars(found).values()
        if hasattr(member, teller_tools.MARK) and getattr(member, "__module__", "") == found.__name__
    ]


def _patiently(load: Callable[[], list[Callable[..., Any]]]) -> list[Callable[..., Any]]:
    """Run a stranger's code in a thread for as long as it may take. Raises `Unusable` for whatever becomes of it."""
    found: list[list[Callable[..., Any]]] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(load())
        except BaseException as error:  # also what would end the process
            failed.append(error)

    thread = threading.Thread(target=work, name="own tools", daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if failed and isinstance(failed[0], Unusable):
        raise failed[0]
    if failed:
        raise Unusable(f"it failed to load ({type(failed[0]).__name__}: {failed[0]})") from failed[0]
    if not found:
        raise Unusable(f"it did not finish loading within {PATIENCE:.0f} s")
    return found[0]
