"""The files of a scope: what other rooms may ask of them. Each function works for one scope, and for no other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from core.capabilities.files import inbox
from core.capabilities.files.folders import Folders
from core.capabilities.files.paths import matches
from core.kernel.ports import Database
from core.kernel.types import LaneKey


@dataclass(frozen=True)
class ScopeFiles:
    """Looks after the files of scopes."""

    db: Database
    folders: Folders

    async def snapshot(
        self, lane: LaneKey, path_or_glob: str, *, owner: bool = False
    ) -> Mapping[str, tuple[int, int, int]]:
        """Return size, time of change (ns) and inode of each file of the lane's scope at a path, or that fits a glob.

        `owner` where the scope is an owner's private chat: then folders that the operator allows may be named, too.
        What is missing, a link or denied is not there. Raises `BadPath`, whose text says what to change.
        """
        wanted = self.folders.rules.glob(path_or_glob, owner=owner)
        states = await asyncio.to_thread(self.folders.snapshot, lane.scope_id, wanted)
        shown = {
            str(found.place): found.state
            for name, one in inbox.named(await self.db.read(lambda tx: inbox.load(tx, lane))).items()
            if not self.folders.rules.denies((found := one.found(name)).place)
        }
        if wanted.pattern:
            start = len(str(wanted.place)) + 1
            above = f"{wanted.place}/"
            shown = {p: s for p, s in shown.items() if p.startswith(above) and matches(p[start:], wanted.pattern)}
            return {**states, **shown}
        path = str(wanted.place)
        return {**states, **({path: shown[path]} if path in shown else {})}
