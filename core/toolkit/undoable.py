"""How a tool lets a person take its effect back: it notes the call that undoes it, in its own transaction.

Taking back is not taken back again, so two `/undo` undo two things.
"""

from __future__ import annotations

from typing import Any

from core.kernel.ids import ref
from core.kernel.ports import Tx
from core.kernel.types import Role
from core.store.conversation import undo
from core.toolkit.tool import ToolContext


def note(
    tx: Tx,
    context: ToolContext,
    label: str,
    tool: str,
    *,
    about: str = "",
    here: bool = False,
    shared: bool = False,
    **arguments: Any,
) -> dict[str, str]:
    """Note that calling `tool` undoes what `label` names. Goes into the result: a person gets a button for it, a model
    no such key.

    `about` is what was changed, of the tenant: once that is changed again, this is not taken back any more. `here` when
    it is taken back in this lane only, `shared` when by others of the group, too, who may call `tool`.
    """
    if context.undoing:
        return {}
    lane, person_id = context.asker or (context.lane, context.principal.person_id)
    now = context.clock.now()
    found = undo.insert(tx, lane, person_id, label, tool, arguments, subject=about, here=here, shared=shared, now=now)
    return {"undo": ref("u", found)} if context.role is Role.PERSON else {}
