"""What may be waited for: a condition is looked at once before anything waits for it."""

from __future__ import annotations

from typing import Any

from core.capabilities.conditions import repository
from core.capabilities.files.paths import BadPath, Rules
from core.kernel import ids
from core.kernel.conditions import BadCondition, FileChanged, FileExists, TaskEnded, dump, leaves, read
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.conversation import tasks

# What waits for a condition in a scope at once.
MOST = 100


def checked(tx: Tx, lane: LaneKey, given: Any, owner: bool, *, rules: Rules) -> str:
    """Return a condition that a model gave as a line of core.kernel.conditions. Raises `BadCondition`.

    Its paths are such as the scope may read (`owner` as in `ScopeFiles.snapshot`), its tasks are of the scope.
    """
    condition = read(given)
    for leaf in leaves(condition):
        match leaf:
            case FileChanged(path=path) | FileExists(path=path):
                try:
                    rules.glob(path, owner=owner)
                except BadPath as error:
                    raise BadCondition(f"{path!r}: {error}") from error
            case TaskEnded(task_id=shown):
                number = ids.number("t", shown)
                if number is None or tasks.find(tx, lane, number) is None:
                    raise BadCondition(f"there is no task {shown!r}; list_tasks shows them")
            case _:
                pass
    if len(repository.of_scope(tx, lane.scope_id)) >= MOST:
        raise BadCondition(f"at most {MOST} conditions are waited for at once; cancel one first")
    return dump(condition)
