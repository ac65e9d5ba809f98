"""What was written for a scope, taken along and brought back. What people sent is not: it is only counted."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated

from pydantic import StringConstraints

from core.capabilities.files import inbox
from core.capabilities.files import repository as changes
from core.capabilities.files.disk import Disk
from core.capabilities.files.folders import Found
from core.capabilities.files.models import ChangeAct, Limits
from core.capabilities.files.paths import CACHE, MOST_PATH, STATE, BadPath, Place
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.toolkit.keeping import Keeps
from core.toolkit.portable import Entry, Exporting, Importing, Instant, Portable, Showing

# Bytes of all files that go into one export, or are taken in from one: it is sent as a message.
MOST_BYTES = 8 << 20
# What a file that was there already keeps its name from.
IMPORTED = "imported"


class FileEntry(Entry):
    """A file by its path: its `text`, or its bytes in base64 (`data`) where it is none. `own` when it was written for
    who exports it by a run that had read nobody else's words."""

    path: Annotated[str, StringConstraints(max_length=MOST_PATH)]
    text: Annotated[str, StringConstraints(max_length=MOST_BYTES)] | None = None
    data: Annotated[str, StringConstraints(max_length=2 * MOST_BYTES)] | None = None
    own: bool = False
    changed_at: Instant = 0

    def content(self) -> bytes:
        """Return the bytes of the file. Raises `ValueError`."""
        return self.text.encode() if self.text is not None else base64.b64decode(self.data or "", validate=True)


def keeps_of(disk: Disk, limits: Limits) -> Keeps:
    """Return what can be taken along of files that lie on a disk."""
    return Keeps(
        portable=(
            Portable(
                name="files",
                entry=FileEntry,
                read=partial(_read, disk),
                put=partial(_put, disk, limits),
                left_out=partial(_left_out, disk),
                files=_files,
            ),
        )
    )


def _read(disk: Disk, tx: Tx, exporting: Exporting) -> Sequence[FileEntry]:
    """Return the files of a scope, the newest first as far as there is room, in the order of their paths."""
    left, found = MOST_BYTES, list[FileEntry]()
    for one in sorted(_of_scope(disk, exporting.lane.scope_id), key=lambda one: (-one.mtime_ns, str(one.place))):
        try:
            disk.folders.rules.place(str(one.place), owner=False)
            content = disk.folders.read(exporting.lane.scope_id, one.place, left)
        except (BadPath, OSError):  # it has a name that nobody could give it, is too big, or gone
            continue
        left -= len(content)
        digest = hashlib.sha256(content).hexdigest()
        own = changes.is_own(tx, exporting.lane, exporting.person_id, digest)
        try:
            text, data = content.decode(), None
        except UnicodeDecodeError:
            text, data = None, base64.b64encode(content).decode()
        found.append(FileEntry(path=str(one.place), text=text, data=data, own=own, changed_at=one.changed_at))
    return sorted(found, key=lambda entry: entry.path)


def _left_out(disk: Disk, tx: Tx, lane: LaneKey, entries: Sequence[FileEntry]) -> int:
    """Return how many files of a scope `/files` shows that were not read: what was sent, and what has no room."""
    return len(inbox.load(tx, lane)) + sum(1 for _ in _of_scope(disk, lane.scope_id)) - len(entries)


def _of_scope(disk: Disk, scope_id: int) -> Iterator[Found]:
    for root in (CACHE, STATE):
        yield from (one for one in disk.folders.walk(scope_id, Place(root, "")) if not one.is_dir)


def _put(disk: Disk, limits: Limits, tx: Tx, importing: Importing, entries: Sequence[FileEntry]) -> int:
    """Write files that are not there. What stands in the place of one keeps it: then it goes into a folder beside."""
    lane, scope_id, new = importing.lane, importing.lane.scope_id, 0
    tx.lock(("ledger_head", lane.tenant_id))
    there = list(_of_scope(disk, scope_id))
    room = min(MOST_BYTES, limits.scope_bytes - sum(one.size for one in there))
    for entry in entries:
        try:
            content, place = entry.content(), disk.folders.rules.place(entry.path, owner=False)
            free = _free(disk, scope_id, place, content)
        except (BadPath, ValueError, binascii.Error):
            continue
        if free is None:
            continue
        room -= len(content)
        if room < 0 or len(there) + new >= limits.most_files:
            raise Refused("import_full_files")
        own = importing.trusted and entry.own
        try:
            token = disk.stage(scope_id, content)
        except OSError as error:
            raise Refused("files_disk", why=error.strerror or "?") from error
        change = {
            **{"act": ChangeAct.WRITE, "path": str(free), "token": token, "person_id": importing.person_id},
            **{"digest": hashlib.sha256(content).hexdigest() if own else "", "tainted": int(not own)},
        }
        changes.insert(tx, lane, change, importing.now)
        changes.open_folder(tx, lane, importing.now)
        new += 1
    return new


def _free(disk: Disk, scope_id: int, place: Place, content: bytes) -> Place | None:
    """Return where a file can be written; None where it is there already, or nowhere."""
    for wanted in (place, Place(place.root, f"{IMPORTED}/{place.path}")):
        if wanted.sent:
            continue
        found = disk.folders.find(scope_id, wanted)
        if found is None and not disk.folders.obstacle(scope_id, wanted):
            return wanted
        try:
            if found is not None and disk.folders.read(scope_id, wanted, len(content)) == content:
                return None
        except OSError:
            continue
    return None


def _files(entries: Sequence[FileEntry], showing: Showing) -> Mapping[str, bytes]:
    """Return the files as they are. None of them is called as the one that an import reads."""
    return {
        f"files/{above}{slash}{'_' * name.lower().startswith('teller')}{name}": entry.content()
        for entry in entries
        for above, slash, name in (entry.path.rpartition("/"),)
    }
