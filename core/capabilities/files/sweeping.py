"""What nobody waits for: changes that could not be done at once, and what lies on the disk without being needed."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from core.capabilities.files import repository as changes
from core.capabilities.files.folders import KEPT, NEW
from core.capabilities.files.paths import CACHE, Place
from core.capabilities.files.service import ScopeFiles
from core.kernel.types import DAY, LaneKey, Millis
from core.toolkit.keeping import Keep
from core.toolkit.services import Services

log = logging.getLogger(__name__)

# What could not be done on the disk is tried again so often, in seconds.
NAP = 60.0


async def settle(services: Services, scope_id: int) -> None:
    """Do on the disk what was committed for a scope; what cannot be done now is tried again."""
    with suppress(OSError):  # it is logged
        await services.get(ScopeFiles).settle(scope_id)


async def run(services: Services) -> None:
    """Do what was committed and is still to be done, at the start and from then on, until cancelled."""
    while True:
        try:
            for scope_id in await services.db.read(changes.with_plans):
                await settle(services, scope_id)
        except Exception:  # a bug must not end it: then what waits would wait for ever
            log.exception("changes of files could not be done; next try in %.0f s", NAP)
        await services.clock.sleep(NAP)


async def sweep(services: Services, beside: Callable[[Millis], Awaitable[int]], now: Millis) -> int:
    """Delete what nothing needs any more, and do `beside`, which deletes more of that; return how much it was.

    That is, at an instant: folders that belong to no scope, what is beside a folder and in no change, and what was put
    into a cache and not changed for as long as files are kept in that chat. The folder of a scope stays,
    whoever filled it.
    """
    files, keep = services.get(ScopeFiles), services.get(Keep)
    # First the folders, then the scopes: of what is made meanwhile only the scope is known.
    there = await asyncio.to_thread(lambda: list(files.folders.home.glob("*")))
    found = {int(one.name): one for one in there if one.name.isdecimal() and not one.is_symlink()}
    scopes = await services.db.read(changes.scopes)
    shorter = await services.db.read(changes.kept_days)
    strays = [folder for number, folder in found.items() if number not in scopes]
    done = await beside(now) + await asyncio.to_thread(_remove, strays, now - DAY)
    for lane in (scopes[number] for number in found if number in scopes):
        await settle(services, lane.scope_id)
        days = min(keep.files, shorter.get(lane.scope_id, keep.files))
        known = await services.db.read(partial(changes.known, scope_id=lane.scope_id))
        done += await asyncio.to_thread(_unneeded, files, lane, known, (now - DAY, now - days * DAY))
    return done


def _remove(folders: Sequence[Path], before: Millis) -> int:
    """Remove those of folders that are old; return how many."""
    old = [one for one in folders if _old(one, before)]
    for one in old:
        shutil.rmtree(one, ignore_errors=True)
    return len(old)


def _unneeded(files: ScopeFiles, lane: LaneKey, known: set[str], before: tuple[Millis, Millis]) -> int:
    home, done = files.folders.home / str(lane.scope_id), 0
    with files.folders.held(lane.scope_id):
        for one in (*home.glob(f"{KEPT}/*"), *home.glob(f"{NEW}/*")):
            if one.name.partition(".")[0] not in known and _old(one, before[0]):
                one.unlink(missing_ok=True)
                done += 1
        for found in list(files.folders.walk(lane.scope_id, Place(CACHE, ""))):
            if not found.is_dir and found.changed_at < before[1]:
                done += files.disk.drop(lane.scope_id, found.place)
    return done


def _old(path: Path, before: Millis) -> bool:
    """Return whether something was put there before an instant: a name does not change the time of the content."""
    with suppress(OSError):
        return os.stat(path, follow_symlinks=False).st_ctime * 1000 < before
    return False
