"""What is done to files, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.kernel.ids import ref


class ChangeAct(StrEnum):
    """What a change does."""

    # A file is written anew, or over what was there.
    WRITE = "write"
    # Something is written behind what is there.
    APPEND = "append"
    # A file goes.
    DELETE = "delete"
    # A file gets another path.
    MOVE = "move"
    # What another change replaced or removed is there again.
    RESTORE = "restore"
    # A file goes, or (`@17`) all that scope 17 has, and nothing of it is kept.
    ERASE = "erase"
    # The files of a chat that became this one are moved here.
    ADOPT = "adopt"


class ChangeState(StrEnum):
    """How far a change is."""

    # It is committed, and still to be done on the disk, after those before it.
    PLANNED = "planned"
    # It is done.
    DONE = "done"
    # Somebody else had changed something on the disk so that it could not be done.
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a file of a scope, as its row has it."""

    change_id: int
    scope_id: int
    person_id: int | None
    act: ChangeAct
    state: ChangeState
    path: str
    token: str
    target: str = ""
    source: str = ""
    takes_back: int | None = None
    fresh: bool = False
    kept: str = ""

    @property
    def ref(self) -> str:
        """Return how it is named."""
        return ref("f", self.change_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """What is to be written: its name beside the folders, its size in bytes, the digest of the whole file that will be,
    and of what is there before; both empty where they are not known, or do not matter."""

    token: str
    size: int
    digest: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bytes that may be written at once, of the largest file, and of all files of a scope; how many files that may be;
    and how many bytes of what was replaced are kept."""

    write_bytes: int = 1 << 20
    file_bytes: int = 20 << 20
    scope_bytes: int = 500 << 20
    most_files: int = 2000
    kept_bytes: int = 100 << 20
