"""The files of a scope: looking, reading and getting ready what is to be written. Each function works for one scope.

What was committed may not be done on the disk yet; it is, before anything is looked at.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import logging
import mimetypes
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from core.capabilities.files import inbox
from core.capabilities.files import repository as changes
from core.capabilities.files.disk import Conflict, Disk, Outcome
from core.capabilities.files.folders import Found
from core.capabilities.files.inbox import Sent
from core.capabilities.files.models import Change, Limits, Staged
from core.capabilities.files.paths import CACHE, RESULTS, STATE, BadPath, Place, matches
from core.kernel.errors import Refused
from core.kernel.ports import Clock, Database, Tx
from core.kernel.types import Attachment, LaneKey
from core.store.conversation import attachments
from core.store.files import Files, StoredFile, safe_name

log = logging.getLogger(__name__)

# So many changes are remembered as done, for whoever has read them before that and would do them now.
MOST_DONE = 4096
# So many files are sent with the outcome of a task.
MOST_RESULTS = 5
Ended = tuple[Change, Outcome | None]


class ScopeFiles:
    """Looks after the files of scopes; `sent` is where lies what people sent."""

    def __init__(self, db: Database, clock: Clock, disk: Disk, sent: Files, limits: Limits) -> None:
        self.db, self.clock, self.disk, self.limits = db, clock, disk, limits
        self.folders, self.rules, self._sent = disk.folders, disk.folders.rules, sent
        self._done: dict[int, Outcome | None] = {}

    async def settle(self, scope_id: int) -> None:
        """Do on the disk what was committed for a scope. Raises `OSError`; then it is tried again the next time."""
        planned = await self.db.read(lambda tx: changes.planned(tx, scope_id))
        if not planned:
            return
        ended, error = await asyncio.to_thread(self._carry_out, planned)

        def end_changes(tx: Tx) -> list[str]:
            self._end(tx, ended)
            return changes.too_much_kept(tx, scope_id, self.limits.kept_bytes)

        await asyncio.to_thread(self._sent.unlink, await self.db.write(end_changes))
        if error is not None:
            raise error

    def catch_up(self, tx: Tx, lane: LaneKey) -> None:
        """Let nobody else change files in this tenant until the transaction ends, and do what was committed before.

        Raises `Refused` where that cannot be done now.
        """
        tx.lock(("ledger_head", lane.tenant_id))
        ended, error = self._carry_out(changes.planned(tx, lane.scope_id))
        self._end(tx, ended)
        if error is not None:
            raise Refused("files_disk", why=error.strerror or "it does not answer")

    def _carry_out(self, planned: Sequence[Change]) -> tuple[list[Ended], OSError | None]:
        """Do changes one after the other, each once; return those that have ended, and what stopped the next one."""
        ended: list[Ended] = []
        for change in planned:
            with self.folders.held(change.scope_id):
                if change.change_id not in self._done:
                    try:
                        self._done[change.change_id] = self.disk.carry_out(change)
                    except Conflict as conflict:
                        log.warning("a change of a file could not be done any more: %s: %s", change.ref, conflict)
                        self._done[change.change_id] = None
                    except OSError as error:
                        log.error("a change of a file waits: %s: %s", change.ref, error.strerror)
                        return ended, error
                while len(self._done) > MOST_DONE:
                    self._done.pop(next(iter(self._done)))
                ended.append((change, self._done[change.change_id]))
        return ended, None

    def _end(self, tx: Tx, ended: Iterable[Ended]) -> None:
        for change, outcome in ended:
            kept = None if outcome is None else outcome.kept_size
            changes.end(tx, change, kept, self.clock.now(), failed=outcome is None)

    async def sent(self, lane: LaneKey) -> dict[str, Sent]:
        """Return what people sent, by the name of its file in the inbox."""
        found = inbox.named(await self.db.read(lambda tx: inbox.load(tx, lane)))
        return {name: one for name, one in found.items() if not self.rules.denies(one.found(name).place)}

    async def find(self, lane: LaneKey, place: Place) -> Found | None:
        """Return what is at a place; None where that is nothing, or nothing that may be opened. Raises `OSError`."""
        if not place.sent:
            await self.settle(lane.scope_id)
            return await asyncio.to_thread(self.folders.find, lane.scope_id, place)
        sent = await self.sent(lane)
        if place == inbox.FOLDER:
            return Found(place=place, size=0, mtime_ns=0, inode=0, is_dir=True) if sent else None
        one = inbox.find(list(sent.values()), place.path.partition("/")[2])
        return None if one is None else one.found(place.path.partition("/")[2])

    async def content(self, lane: LaneKey, place: Place) -> bytes:
        """Return the content of a file. Raises `OSError`: it is missing, something else, or too large (`EFBIG`)."""
        if not place.sent:
            await self.settle(lane.scope_id)
            return await asyncio.to_thread(self.folders.read, lane.scope_id, place, self.limits.file_bytes)
        one = inbox.find(list((await self.sent(lane)).values()), place.path.partition("/")[2])
        if one is None:
            raise FileNotFoundError(errno.ENOENT, "no such file")
        return await asyncio.to_thread(self._sent.read, one.stored)

    async def listing(self, lane: LaneKey, place: Place, *, deep: bool) -> list[Found]:
        """Return what is in a folder, and in those below it where that is `deep`. Raises `OSError`."""
        await self.settle(lane.scope_id)
        found = [] if place.sent else await asyncio.to_thread(self._walk, lane, place, deep)
        above = place in (inbox.FOLDER, Place(CACHE, ""))
        sent = await self.sent(lane) if above else {}
        if sent and place != inbox.FOLDER:
            found.append(Found(place=inbox.FOLDER, size=0, mtime_ns=0, inode=0, is_dir=True))
        if place == inbox.FOLDER or deep:
            found += [one.found(name) for name, one in sent.items()]
        return found

    def _walk(self, lane: LaneKey, place: Place, deep: bool) -> list[Found]:
        return list(self.folders.walk(lane.scope_id, place, deep=deep))

    async def snapshot(
        self, lane: LaneKey, path_or_glob: str, *, owner: bool = False
    ) -> Mapping[str, tuple[int, int, int]]:
        """Return size, time of change (ns) and inode of each file of the lane's scope at a path, or that fits a glob.

        `owner` where the scope is an owner's private chat: then folders that the operator allows may be named, too.
        What is missing, a link or denied is not there, nor what the disk did not take yet. Raises `BadPath`, whose text
        says what to change.
        """
        wanted = self.rules.glob(path_or_glob, owner=owner)
        with suppress(OSError):  # it is logged
            await self.settle(lane.scope_id)
        found = await asyncio.to_thread(self.folders.snapshot, lane.scope_id, wanted)
        for name, one in (await self.sent(lane) if wanted.place.root == CACHE else {}).items():
            shown, start = one.found(name), f"{wanted.place}/"
            path = str(shown.place)
            fits = path.startswith(start) and matches(path.removeprefix(start), wanted.pattern)
            if fits if wanted.pattern else path == str(wanted.place):
                found[path] = shown.state
        return found

    async def stage(self, lane: LaneKey, place: Place, content: bytes, *, append: bool, own: bool) -> Staged:
        """Get ready what is to be written at a place. Raises `Refused` and `OSError`.

        `own` when it is nobody else's words: so is the file then, if what it is appended to is.
        """
        await self.settle(lane.scope_id)
        if not self.db.has_room():
            raise OSError(errno.ENOSPC, "the disk is full")
        used = await self.db.read(lambda tx: attachments.used(tx, lane))
        return await asyncio.to_thread(self._stage, lane, place, content, used, append and own, own)

    def _stage(self, lane: LaneKey, place: Place, content: bytes, used: int, behind: bool, own: bool) -> Staged:
        if place.own:
            found = [
                one for root in (CACHE, STATE) for one in self._walk(lane, Place(root, ""), True) if not one.is_dir
            ]
            if used + sum(one.size for one in found) + len(content) > self.limits.scope_bytes:
                raise Refused("files_quota", most=self.limits.scope_bytes >> 20)
            if len(found) >= self.limits.most_files:
                raise Refused("files_many", most=self.limits.most_files)
        former = b""
        there = self.folders.find(lane.scope_id, place) if behind else None
        if there is not None and not there.is_dir:
            former = self.folders.read(lane.scope_id, place, self.limits.file_bytes)
        token = self.disk.stage(lane.scope_id, content)
        digest = hashlib.sha256(former + content).hexdigest() if own else ""
        before = hashlib.sha256(former).hexdigest() if there is not None else ""
        return Staged(token=token, size=len(content), digest=digest, before=before)

    async def store_for_sending(self, lane: LaneKey, path: str, *, to: LaneKey | None = None) -> StoredFile:
        """Return a file as it stands in the outbox (`Composer.outgoing`, `document`), kept until it is sent in its
        lane, or in another one.

        Raises `BadPath` and `OSError`, also where it is missing or too large.
        """
        place = self.rules.place(path, owner=False)
        content = await self.content(lane, place)
        sent = inbox.find(list((await self.sent(lane)).values()), place.path.partition("/")[2]) if place.sent else None
        called = place.name if sent is None else sent.name
        mime = mimetypes.guess_type(called)[0] or "application/octet-stream"
        name = safe_name(Attachment(kind="document", file="", name=called, mime=mime), content)
        return await asyncio.to_thread(self._sent.store, (to or lane).scope_id, name, mime, content)

    async def results(self, lane: LaneKey, run_ids: Collection[int], most_bytes: int) -> list[StoredFile]:
        """Return what is to be sent with the outcome of a task, as `store_for_sending` does: the files that its runs
        have put into `results/`, the last `MOST_RESULTS`, none larger than a platform takes."""
        found = []
        for path in await self.db.read(lambda tx: changes.written(tx, lane, run_ids)):
            if path.startswith(f"{CACHE}/{RESULTS}/"):
                with suppress(BadPath, OSError):  # it went meanwhile
                    found.append(await self.store_for_sending(lane, path))
        return [one for one in found if one.size <= most_bytes][-MOST_RESULTS:]
