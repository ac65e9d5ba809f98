"""What a file brings: it is looked into, row by row, before anything of it is stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from core.capabilities.transfer.archive import Limits, Unreadable, members, parsed, short
from core.capabilities.transfer.content import FORMAT, VERSION, WHOLE, Owner, canonical
from core.capabilities.transfer.formats import Conversations, remembered
from core.toolkit.portable import Entry, Portable

# How a zip begins.
ZIP = b"PK"
HISTORY, MEMORIES = "history", "memories"
_CONVERSATIONS = re.compile(r"conversations(?:[-_ ]?\d{1,4})?\.json")
_REMEMBERED = re.compile(r"memories(?:[-_ ]?\d{1,4})?\.json")
# What is put behind a name when there is such a file already.
_COPY = re.compile(r" ?\(\d{1,3}\)(?=\.[^.]*\Z)")

# Whether a seal is the one that this bot gives.
Sealed = Callable[[bytes, str], bool]


@dataclass(kw_only=True)
class Brought:
    """What a file has: rows by the names of their parts. `trusted` when it is the person's own export.

    `unread` are files that could not be read, and why; `unknown` those that nobody knows; `failed` how many rows of a
    part were none.
    """

    digest: str
    parts: dict[str, list[Entry]] = field(default_factory=dict)
    trusted: bool = False
    unread: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    failed: dict[str, int] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """Return how many rows each part has, of those that have any."""
        return {name: len(rows) for name, rows in self.parts.items() if rows}


@dataclass(frozen=True, kw_only=True)
class Reader:
    """Reads files for a person: `owner` is who they are here, `zone` where their days are."""

    kinds: Sequence[Portable]
    owner: Owner
    zone: ZoneInfo
    sealed: Sealed

    def read(self, name: str, content: bytes, limits: Limits | None = None) -> Brought:
        """Read a file by its name and content. Raises `Unreadable`. It may take seconds: call it in a thread."""
        limits = Limits() if limits is None else limits
        brought = Brought(digest=sha256(content).hexdigest(), unread=limits.unread, unknown=limits.unknown)
        ending = PurePosixPath(name).suffix.lower()
        if not content:
            raise Unreadable("empty")
        if content.startswith(ZIP) != (ending == ".zip"):
            raise Unreadable("suffix")
        files: Iterable[tuple[str, bytes]] = [(name, content)]
        if ending == ".zip":
            # An export of ours has everything: what lies beside it is not read, and makes nothing of it trusted.
            whole = list(members(content, Limits(), lambda one: _plain(one) == WHOLE))
            if len(whole) > 1:
                raise Unreadable("several")
            files = whole or members(content, limits, self._known)
        elif not self._known(name):
            raise Unreadable("unknown")
        found = Conversations(limits)
        for one, data in files:
            limits.check()
            try:
                self._take(brought, one, data, found)
            except Unreadable as error:
                if ending != ".zip" or _plain(one) == WHOLE:
                    raise
                limits.miss(one, error.reason)
        self._conversations(brought, found)
        return brought

    def _known(self, name: str) -> bool:
        base, path = _plain(name), PurePosixPath(name.lower())
        of_json = base == WHOLE or _CONVERSATIONS.fullmatch(base) or _REMEMBERED.fullmatch(base)
        in_folder = path.parent.name == "memories" and path.suffix == ".json"
        return bool(of_json) or in_folder or self._parser(name) is not None

    def _parser(self, name: str) -> tuple[Portable, Callable[[str, ZoneInfo], Sequence[Entry]]] | None:
        base, folder = _plain(name), PurePosixPath(name.lower()).parent.name
        for one in self.kinds:
            for known, parse in one.parses.items():
                of_folder, _, ending = known.partition("/*")
                if base == known or (ending and folder == of_folder and base.endswith(ending)):
                    return one, parse
        return None

    def _take(self, brought: Brought, name: str, data: bytes, found: Conversations) -> None:
        parser = self._parser(name)
        if parser is not None:
            kind, parse = parser
            try:
                text = data.decode("utf-8-sig")
            except UnicodeDecodeError:
                raise Unreadable("text") from None
            self._add(brought, kind.name, parse(text, self.zone))
            return
        value = parsed(data)
        if _plain(name) == WHOLE and isinstance(value, Mapping) and value.get("format") == FORMAT:
            self._whole(brought, value)
        elif (texts := remembered(value)) is not None:
            for text in texts:
                self._remember(brought, text, 0)
        elif isinstance(value, list):
            found.take(value)
        else:
            raise Unreadable("unknown")

    def _whole(self, brought: Brought, whole: Mapping[str, Any]) -> None:
        """Read an export of ours."""
        version, parts = whole.get("version"), whole.get("parts")
        if not isinstance(version, int) or version > VERSION or not isinstance(parts, Mapping):
            raise Unreadable("newer")
        owner = (whole.get("platform"), whole.get("tenant"), whole.get("of"), whole.get("kind"))
        mine = (self.owner.platform, self.owner.tenant, self.owner.address, "private")
        brought.trusted = owner == mine and self.sealed(canonical(whole), str(whole.get("seal") or ""))
        for kind in self.kinds:
            rows = parts.get(kind.name)
            self._add(brought, kind.name, rows if isinstance(rows, list) else ())
        for name in parts.keys() - {kind.name for kind in self.kinds}:
            brought.unknown.append(short(str(name)))

    def _conversations(self, brought: Brought, found: Conversations) -> None:
        if found.lines:
            self._add(brought, HISTORY, found.lines)
        for text, at in found.memories:
            self._remember(brought, text, at)
        if found.failed:
            brought.failed[HISTORY] = brought.failed.get(HISTORY, 0) + found.failed

    def _remember(self, brought: Brought, text: str, at: int) -> None:
        """Read a text as the file of memories that it would be; what has no date has that of the message."""
        parser = self._parser("memory.md")
        if parser is not None:
            kind, parse = parser
            rows = [row.model_dump() for row in parse(text, self.zone)]
            self._add(brought, kind.name, [row | {"said_at": row["said_at"] or at} for row in rows])

    def _add(self, brought: Brought, name: str, rows: Iterable[Any]) -> None:
        kind = next(one for one in self.kinds if one.name == name)
        there = brought.parts.setdefault(name, [])
        for row in rows:
            try:
                there.append(row if isinstance(row, Entry) else kind.entry.model_validate(row))
            except ValidationError:
                brought.failed[name] = brought.failed.get(name, 0) + 1


def _plain(name: str) -> str:
    """Return the last part of a file's name, as it was before it was there twice."""
    return _COPY.sub("", PurePosixPath(name.lower()).name)
