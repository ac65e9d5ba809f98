"""Opening what lies below a folder, and nothing else: no link on the way, no device, no second name of a file.

Paths are walked by the kernel from an open folder on (https://man7.org/linux/man-pages/man2/openat2.2.html), so that
nothing which changes meanwhile leads elsewhere. Where that cannot be had (a kernel before Linux 5.6, a container that
forbids it) each step of a path is opened by itself, and none of them may be a link.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

# The number of openat2 is the same on all machines.
_OPENAT2 = 437
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
# The kernel asks for another try when something was moved while it walked.
_TRIES = 16
# Looks at a file without opening it: a pipe does not wait, a device does nothing.
_LOOK = getattr(os, "O_PATH", os.O_RDONLY | os.O_NONBLOCK)
FOLDER_MODE, FILE_MODE = 0o700, 0o600
COPIED_AT_ONCE = 1 << 20


_syscall = ctypes.CDLL(None, use_errno=True).syscall


class _How(ctypes.Structure):
    """`struct open_how`."""

    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def _openat2(root: int, path: str, flags: int) -> int:
    how = _How(flags | os.O_CLOEXEC, FILE_MODE if flags & os.O_CREAT else 0, _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS)
    for _ in range(_TRIES):
        found = _syscall(_OPENAT2, root, ctypes.c_char_p(os.fsencode(path)), ctypes.byref(how), ctypes.sizeof(how))
        if found >= 0:
            return int(found)
        if ctypes.get_errno() != errno.EAGAIN:
            break
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)


def _stepwise(root: int, path: str, flags: int) -> int:
    *folders, name = path.split("/")
    if not name or any(step in {"", ".", ".."} for step in (*folders, name)) or "\0" in path:
        raise OSError(errno.EXDEV, "no path below the folder", path)
    here = os.dup(root)
    try:
        for step in folders:
            below = os.open(step, _LOOK | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            os.close(here)
            here = below
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE, dir_fd=here)
    finally:
        os.close(here)


def has_openat2() -> bool:
    """Return whether the kernel walks paths for us."""
    if sys.platform != "linux":
        return False
    root = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.close(_openat2(root, ".", os.O_RDONLY | os.O_DIRECTORY))
    except OSError:
        return False
    finally:
        os.close(root)
    return True


@dataclass(frozen=True)
class Opener:
    """Opens paths below an open folder, by the `kernel` where it can do that. All functions raise `OSError`.

    A path has names with one `/` between them; of an open folder itself it is empty.
    """

    kernel: bool

    def open(self, root: int, path: str, flags: int) -> int:
        """Return a descriptor of what lies at a path, as `os.open` does."""
        if not path:
            return os.open(".", flags | os.O_CLOEXEC, dir_fd=root)
        return _openat2(root, path, flags) if self.kernel else _stepwise(root, path, flags)

    def file(self, root: int, path: str) -> int:
        """Return a descriptor for reading a regular file that has one name; everything else is `EINVAL`.

        It is looked at before it is opened, and once more after that: what waits or acts when it is opened is not.
        """
        looked = self.open(root, path, _LOOK | os.O_NOFOLLOW)
        try:
            _plain(looked)
        finally:
            os.close(looked)
        opened = self.open(root, path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW)
        try:
            _plain(opened)
        except OSError:
            os.close(opened)
            raise
        return opened

    @contextmanager
    def folder(self, root: int, path: str, *, make: bool = False) -> Iterator[int]:
        """Give the descriptor of a folder, made with all above it where it is missing."""
        if make and path:
            steps = path.split("/")
            for n in range(1, len(steps) + 1):
                with self.folder(root, "/".join(steps[: n - 1])) as above, suppress(FileExistsError):
                    os.mkdir(steps[n - 1], FOLDER_MODE, dir_fd=above)
        opened = self.open(root, path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            yield opened
        finally:
            os.close(opened)


def _plain(descriptor: int) -> None:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        raise OSError(errno.EINVAL, "no regular file with one name")


def of(folder: int, name: str) -> os.stat_result | None:
    """Return what a folder has by a name, not followed where that is a link; None where there is nothing."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def is_plain(found: os.stat_result) -> bool:
    """Return whether something is a regular file with one name."""
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1


OPENER = Opener(kernel=has_openat2())


@contextmanager
def opened(folder: Path) -> Iterator[int]:
    """Give the descriptor of a folder by its path, which may be a link: it is the operator's."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
