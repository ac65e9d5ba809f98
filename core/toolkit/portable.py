"""What can be taken along: how a capability reads its rows out as JSON, shows them in files, and takes them back.

An export is all of a scope and of nothing else. What names another row names it by a number of the file, not of the
database; so the same content gives the same file anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from core.kernel.clean_text import Text as Cleaned
from core.kernel.clean_text import one_line, storable
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis
from core.language import Language

T = TypeVar("T")

# The last instant of the year 9999: a file may say anything.
LAST: Millis = 253_402_300_799_999


class Entry(BaseModel):
    """One row of an export. What a newer version has beside it is not read."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


def _clean(value: object) -> object:
    return storable(value) if isinstance(value, str) else value


# A name of something: on one line, and read in one direction.
Short = Annotated[str, BeforeValidator(_clean), AfterValidator(one_line), StringConstraints(max_length=200)]
Text = Annotated[str, BeforeValidator(_clean), StringConstraints(max_length=10_000)]
# What people read, and is nothing without a word.
Words = Annotated[Cleaned, StringConstraints(max_length=10_000)]
Instant = Annotated[int, Field(ge=0, le=LAST)]


class Numbers:
    """The numbers that rows have in a file, by their kind, in the order in which they are met."""

    def __init__(self) -> None:
        self._known: dict[str, dict[int, int]] = {}

    def of(self, kind: str, row_id: int) -> int:
        """Return the number of a row."""
        known = self._known.setdefault(kind, {})
        return known.setdefault(row_id, len(known) + 1)

    def known(self, kind: str, row_id: int | None) -> int | None:
        """Return the number of a row that was met before; None for another one, which is not in the file."""
        return None if row_id is None else self._known.get(kind, {}).get(row_id)


@dataclass(frozen=True, kw_only=True)
class Exporting:
    """A scope that is read out, and who asked for it."""

    lane: LaneKey
    person_id: int
    group: bool
    numbers: Numbers = field(default_factory=Numbers)


@dataclass(frozen=True, kw_only=True)
class Importing:
    """The private scope that takes something in at `now`, for the person who has it.

    `trusted` when it is their own export as this bot wrote it: nobody else's words are among it that were not before.
    `rows` are those that a number of the file stands for here, by kind; `wake` is told when something is due.
    `import_id` is the job whose rows are shown when all is there.
    """

    lane: LaneKey
    person_id: int
    now: Millis
    zone: ZoneInfo
    trusted: bool = False
    import_id: int = 0
    rows: dict[tuple[str, int], int] = field(default_factory=dict)
    wake: Callable[[Millis], None] = lambda _: None

    def row(self, kind: str, number: int | None) -> int | None:
        """Return the row that a number of the file stands for; None where it stands for none."""
        return None if number is None else self.rows.get((kind, number))


@dataclass(frozen=True, kw_only=True)
class Showing:
    """How people read a file: the language, and the zone of its times."""

    language: Language
    zone: ZoneInfo


Files = Mapping[str, bytes]
Read = Callable[[Tx, Exporting], Sequence[Entry]]
Put = Callable[[Tx, Importing, Sequence[Any]], int]
Fits = Callable[[Tx, LaneKey, Sequence[Any]], None]
LeftOut = Callable[[Tx, LaneKey, Sequence[Any]], int]


@dataclass(frozen=True, kw_only=True)
class Portable:
    """One kind of content that can be taken along: `name` is its key in the file, `entry` what a row looks like there.

    `read` gives its rows of a scope, `put` stores those that are not there yet and returns how many these were; what is
    named by others has the lower `rank`. `left_out` returns how many of the scope are not among the rows that were
    read. `fits` raises `Refused` where there is no room for all of them. `files` show it to people. `parses` read what
    others wrote, by the lower-case name of their file, `memory/*.md` for all of a folder; an instant without a zone is
    of the person's. What comes in `bulk` is put in several transactions, as rows of the job, before the one that puts
    all the others.
    """

    name: str
    entry: type[Entry]
    read: Read
    put: Put
    rank: int = 9
    bulk: bool = False
    left_out: LeftOut = lambda tx, lane, rows: 0
    fits: Fits = lambda tx, lane, rows: None
    files: Callable[[Sequence[Any], Showing], Files] | None = None
    parses: Mapping[str, Callable[[str, ZoneInfo], Sequence[Entry]]] = field(default_factory=dict)


def beside(
    wanted: Sequence[T], there: Iterable[tuple[Hashable, int]], key: Callable[[T], Hashable]
) -> list[tuple[T, int | None]]:
    """Return wanted rows, each with the row that is there already and has its key, or None where that is missing.

    Of equal ones as many are missing as the file has more of them.
    """
    known: dict[Hashable, list[int]] = {}
    for found, row_id in there:
        known.setdefault(found, []).append(row_id)
    return [(one, known[key(one)].pop(0) if known.get(key(one)) else None) for one in wanted]
