"""The anchor file: the heads of the ledger's chains, written beside the database while the bot runs.

One JSON line an anchor: {"tenant", "n", "mac", "at"}. After a backup was restored a line carries "restored" too: a seal
made with the ledger's key. It says that the chain goes on from row `n`, whose MAC proves all rows before it. So no
anchor from before counts any more: it may be of rows that were replaced. A file that was begun before there was any row
holds `BEGUN`: one that is empty was emptied.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.kernel.errors import StorageError
from core.kernel.types import Millis
from core.store.private_files import private

TAIL = 65_536
# The head of no chain; tenants count from 1.
BEGUN = (0, 0, "")


@dataclass(slots=True)
class Anchors:
    """The anchors of one chain that still count: row number → MAC; `since` is the row up to which a backup was
    restored, `restored` tells of backups in words, `problems` of what is wrong with lines that still count."""

    points: dict[int, str] = field(default_factory=dict)
    since: int = 0
    restored: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class AnchorFile:
    """Appends to the file and reads it back. `key` seals lines about restored backups."""

    def __init__(self, path: Path, key: bytes) -> None:
        self._path, self._key = path, key

    def lack(self) -> str:
        """Say what is wrong with a file that holds nothing: it is missing or empty. Empty when it holds something."""
        try:
            return "" if self._path.lstat().st_size else "empty"
        except OSError:
            return "missing"

    def append(self, heads: Iterable[tuple[int, int, str]], now: Millis, *, restored: bool = False) -> None:
        """Write a line for each (tenant, row, MAC)."""
        lines = []
        for tenant_id, n, mac in heads:
            line = {"tenant": tenant_id, "n": n, "mac": mac, "at": now}
            if restored:
                line["restored"] = self._seal(line)
            lines.append(json.dumps(line) + "\n")
        with open(self._path, "a+b", opener=private) as file:
            # A line that a full disk cut short must not swallow the next one.
            torn = file.seek(0, os.SEEK_END) > 0 and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n"
            file.write(("\n" * torn + "".join(lines)).encode())
            # By it the next start knows whether a power cut took moments of the database back.
            file.flush()
            os.fsync(file.fileno())

    def _seal(self, line: Mapping[str, Any]) -> str:
        content = json.dumps(["restored", *(line[name] for name in ("tenant", "n", "mac", "at"))])
        return hmac.new(self._key, content.encode(), hashlib.sha256).hexdigest()

    def last_at(self) -> Millis | None:
        """Return when the last anchor was written, or None."""
        try:
            return int(json.loads(self._tail()[-1])["at"])
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None

    def newest(self) -> dict[int, tuple[int, str]]:
        """Return the row, and its MAC, that was anchored last of each tenant, as far as the end of the file has it."""
        found: dict[int, tuple[int, str]] = {}
        with suppress(OSError):
            for text in self._tail():
                with suppress(ValueError, KeyError, TypeError):
                    line = json.loads(text)
                    found[int(line["tenant"])] = int(line["n"]), str(line["mac"])
        return found

    def _tail(self) -> list[bytes]:
        with open(self._path, "rb", opener=private) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            return file.read().splitlines()

    def knows_rows(self) -> bool:
        """Return whether there was a row by the anchors that still count.

        Raises `StorageError` where the file is there and nothing in it can be read: then nobody knows.
        """
        problems: list[str] = []
        chains = self.read(problems)
        if problems and not chains:
            raise StorageError(
                f"The database is missing or empty, and {self._path}, which tells whether there was one, cannot be"
                f" read: {problems[0]}. Put it right; or, to begin anew, move it away."
            )
        return any(row > 0 for chain in chains.values() for row in chain.points)

    def read(self, problems: list[str]) -> dict[int, Anchors]:
        """Return the anchors of each tenant; lines that cannot be read or trusted are problems."""
        found: dict[int, Anchors] = {}
        try:
            with open(self._path, encoding="utf-8", errors="replace", opener=private) as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return found
        except OSError as error:
            problems.append(f"the anchor file cannot be read: {error.strerror}")
            return found
        unread = []
        for number, text in enumerate(lines, 1):
            try:
                line = json.loads(text)
                chain = found.setdefault(int(line["tenant"]), Anchors())
                self._take(chain, line, number)
            except (ValueError, KeyError, TypeError):
                unread.append(f"anchor file line {number} cannot be read")
        problems += [*(problem for chain in found.values() for problem in chain.problems), *unread]
        return found

    def _take(self, chain: Anchors, line: Mapping[str, Any], number: int) -> None:
        n, mac = int(line["n"]), str(line["mac"])
        if "restored" in line:
            if not hmac.compare_digest(self._seal(line), str(line["restored"])):
                chain.problems.append(f"anchor file line {number}: not written by `teller restore`")
                return
            later = [row for row in chain.points if row > n]
            chain.points, chain.since, chain.problems = {}, n, []
            lost = f"rows {n + 1} to {max(later)} were left behind" if later else "no anchored row was left behind"
            chain.restored.append(f"a backup up to row {n} was restored; {lost}")
        if chain.points.setdefault(n, mac) != mac:
            chain.problems.append(f"anchor file line {number}: row {n} was anchored differently before")
