"""Opening files that people bring: zips are read in memory and never unpacked, and everything has a limit."""

from __future__ import annotations

import io
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pydantic_core import from_json

MB = 1 << 20
MOST_FILES = 50_000
# Of one file, and of all that are read, in bytes as they come out.
MOST_FILE, MOST_READ = 64 * MB, 256 * MB
# So many times smaller than what comes out nothing honest is packed.
MOST_RATIO, SMALL = 200, MB
MOST_SECONDS = 60.0
CHUNK = MB
# No name of a file that is told is longer.
LONGEST_NAME = 60
ENCRYPTED = 0x1


class Unreadable(Exception):
    """A file that cannot be read; `reason` is a key of texts, behind `import_bad_`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Limits:
    """What is left of the time and of the bytes, and which files could not be read: their names, and why."""

    seconds: float = MOST_SECONDS
    bytes_left: int = MOST_READ
    unread: list[tuple[str, str]] = field(default_factory=list)
    # Files of a zip that nobody knows, such as pictures.
    unknown: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds

    def check(self) -> None:
        """Raise `Unreadable` when it takes too long."""
        if time.monotonic() > self._end:
            raise Unreadable("slow")

    def miss(self, name: str, reason: str) -> None:
        """Note a file that could not be read."""
        self.unread.append((short(name), reason))


def short(name: str) -> str:
    """Return the end of a file's name, as it can be told."""
    shown = "".join(one if one.isprintable() else "?" for one in name)
    return shown if len(shown) <= LONGEST_NAME else f"…{shown[1 - LONGEST_NAME :]}"


def members(content: bytes, limits: Limits, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the files of a zip that are wanted; each one that cannot be read is noted.

    Raises `Unreadable` for what is no zip, or a bomb.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, OverflowError):
        raise Unreadable("broken") from None
    if len(entries) > MOST_FILES:
        raise Unreadable("many")
    seen: set[str] = set()
    for entry in entries:
        limits.check()
        if entry.is_dir():
            continue
        name = entry.filename
        path = PurePosixPath(name)
        strange = "\\" in name or ":" in name or not name.isprintable()
        if strange or path.is_absolute() or ".." in path.parts or name in seen:
            limits.miss(name, "path")
        elif not wanted(name):
            limits.unknown.append(short(name))
        elif entry.flag_bits & ENCRYPTED:
            limits.miss(name, "locked")
        else:
            try:
                yield name, _read(archive, entry, limits)
            except _Broken:
                limits.miss(name, "broken")
        seen.add(name)


class _Broken(Exception):
    """A file of a zip whose bytes are not what they should be."""


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limits: Limits) -> bytes:
    """Read a file piece by piece; what its header says of its size is only what it says."""
    read, size = bytearray(), 0
    try:
        with archive.open(entry) as file:
            while piece := file.read(CHUNK):
                limits.check()
                read += piece
                size = len(read)
                if size > MOST_FILE or size > limits.bytes_left:
                    raise Unreadable("big")
                if size > SMALL and size > MOST_RATIO * max(1, entry.compress_size):
                    raise Unreadable("bomb")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError):
        raise _Broken from None
    limits.bytes_left -= size
    return bytes(read)


def parsed(data: bytes) -> object:
    """Return JSON; raises `Unreadable` for what is none, and for what is nested too deeply."""
    if len(data) > MOST_FILE:
        raise Unreadable("big")
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise Unreadable("deep" if "recursion" in str(error) else "json") from None
