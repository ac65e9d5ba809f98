"""Files in the data folder: closed to other users, and never opened through a symbolic link.

The data folder itself may be a link. One that lies in it was put there by somebody who wants us to read or write
elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL, ELOOP, ENOTDIR
from pathlib import Path

from core.kernel.errors import StorageError

MODE = 0o600
LINK = "it is a symbolic link; put the real one there"


def unlinked(folder: Path) -> Path:
    """Return a folder that lies in the data folder; `StorageError` where it is a link."""
    if folder.is_symlink():
        raise StorageError(f"cannot use {folder}: {LINK}")
    return folder


def private(path: str | os.PathLike[str], flags: int) -> int:
    """Open a file for `open(…, opener=private)`, or make it for this user alone; `OSError` where it is a link."""
    return _opened(path, flags, None)


def private_in(folder: int, name: str | os.PathLike[str], flags: int) -> int:
    """Open a file as `private` does, in an open folder."""
    return _opened(name, flags, folder)


@contextmanager
def inside(folder: Path, *names: str) -> Iterator[int]:
    """Give the descriptor of a folder, some steps below `folder`; `OSError` where one of the steps is a link."""
    here = os.open(folder, os.O_DIRECTORY)
    try:
        for name in names:
            below = _opened(name, os.O_DIRECTORY, here)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def name_for_good(part: Path, path: Path) -> None:
    """Give a file that is written whole its name; it has it after a power cut, too."""
    part.rename(path)
    with inside(path.parent) as folder:
        try:
            os.fsync(folder)
        except OSError as error:
            # Some file systems, such as what a virtual machine shares, do this for files only.
            if error.errno != EINVAL:
                raise


def _opened(path: str | os.PathLike[str], flags: int, folder: int | None) -> int:
    try:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, MODE, dir_fd=folder)
    except OSError as error:
        # Of a link, folders are said to be none.
        if error.errno == ELOOP or (error.errno == ENOTDIR and flags & os.O_DIRECTORY):
            raise OSError(ELOOP, LINK, os.fspath(path)) from error
        raise
