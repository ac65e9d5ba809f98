"""How a tool lets a person take its effect back: it notes the call that undoes it, in its own transaction.

Taking back is not taken back again, so two `/undo` undo two things.
"""

from __future__ import annotations

from typing import Any

from core.ids import ref
from core.ports import Tx
from core.store import undo
from core.toolkit.tool import ToolContext


def note(
    tx: Tx, context: ToolContext, label: str, tool: str, *, here: bool = False, **arguments: Any
) -> dict[str, str]:
    """Note that calling `tool` undoes what `label` names; `here` when only in this lane. Goes into the result."""
    if context.undoing:
        return {}
    lane, person_id = context.lane, context.principal.person_id
    found = undo.insert(tx, lane, person_id, label, tool, arguments, here=here, now=context.clock.now())
    return {"undo": ref("u", found)}
