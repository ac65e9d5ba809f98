"""Hooks, as they are taken along: what they are for, and nothing by which anybody could post."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from core.capabilities.hooks import repository as hooks
from core.kernel.ports import Tx
from core.toolkit.portable import Entry, Exporting, Importing, Instant, Portable, Short, Words


class HookEntry(Entry):
    """A hook: how it is called, what becomes of what is posted, and what its tasks are to do."""

    name: Short = ""
    kind: Literal["message", "task"]
    prompt: Words | Literal[""] = ""
    created_at: Instant = 0


def read(tx: Tx, exporting: Exporting) -> Sequence[HookEntry]:
    """Return the hooks of a scope."""
    return [
        HookEntry(name=one.name, kind=one.kind.value, prompt=one.prompt, created_at=one.created_at)
        for one in hooks.all_in(tx, exporting.lane)
    ]


def put(tx: Tx, importing: Importing, entries: Sequence[HookEntry]) -> int:
    """Take none in: without its address a hook is of no use, and a new one is shown to whoever makes it."""
    return 0


PORTABLE = Portable(name="hooks", entry=HookEntry, read=read, put=put)
