"""A file that only takes space: on a full disk it is freed, so that what is accepted can still be finished."""

from __future__ import annotations

import logging
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from core.kernel.errors import StorageError
from core.store.private_files import private

log = logging.getLogger(__name__)

CHECK_EVERY = 1.0
FLOOR = 4 << 20  # bytes that must be free before messages are accepted again, with or without a file


class DiskReserve:
    """Knows whether the disk takes what is written. `size` in bytes; 0 keeps no file but still notices a full disk."""

    check_every = CHECK_EVERY

    def __init__(self, path: Path, size: int) -> None:
        self._path, self._size = path, size
        self._full = False
        self._checked = 0.0

    def load(self) -> None:
        """Write the file if it is missing; called at start. Raises `StorageError` when a folder has its name."""
        if self._path.is_dir():
            raise StorageError(f"{self._path} is a folder; a file of this name is needed. Move it away.")
        self._full = not self._restore()
        if self._full:
            log.error(
                "no messages are accepted: %s MB must be free for the disk reserve (database.ballast_mb), %s MB are",
                self.needed >> 20,
                self._free() >> 20,
            )

    @property
    def needed(self) -> int:
        """Return how many bytes must be free before the file is written."""
        return max(2 * self._size, FLOOR)

    @property
    def lacks_room(self) -> bool:
        """Return whether the file is not there and there is no space for it."""
        there = self._path.exists() and self._path.stat().st_size == self._size
        return not there and self._free() < self.needed

    def drop(self) -> None:
        """Note that the disk is full, or failed and was mounted read-only, and free the file. Called by the writer
        thread."""
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            why, again = f"the disk cannot be written: {error.strerror}", "it can be"
        else:
            why, again = "disk full", "there is space again"
        if not self._full:
            log.error("%s; no new messages are accepted until %s (%s)", why, again, self._path.parent)
        self._full = True

    def has_room(self) -> bool:
        """False while the disk takes nothing; looks again at most once a second."""
        if self._full and time.monotonic() - self._checked >= self.check_every:
            self._checked = time.monotonic()
            self._full = not self._restore()
            if not self._full:
                log.warning("the disk takes writes again: messages are accepted")
        return not self._full

    def _restore(self) -> bool:
        try:
            # A disk that was mounted read-only has the file still, but refuses this.
            os.utime(self._path, follow_symlinks=False)
            if self._path.stat().st_size == self._size:
                return True
        except OSError:
            log.debug("the disk reserve is written anew")
        if self.lacks_room:
            return False
        # Real blocks: a sparse file would free nothing.
        try:
            self._path.unlink(missing_ok=True)
            with open(self._path, "xb", opener=private) as file:
                for start in range(0, self._size, 1 << 20):
                    file.write(os.urandom(min(1 << 20, self._size - start)))
        except OSError:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            return False
        return True

    def _free(self) -> int:
        return shutil.disk_usage(self._path.parent).free
