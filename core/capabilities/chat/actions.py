"""What people do with the bot's voice in a channel: let it fall silent, and let all see what only one of them sees."""

from __future__ import annotations

from core.delivery.notifier import Notifier
from core.kernel.markdown import called
from core.kernel.ports import Tx
from core.kernel.types import Json, Role
from core.store.conversation import keyboards, lanes
from core.store.conversation.keyboards import SHARE, SHARED, UNDO, KeyboardRow
from core.toolkit.params import Params
from core.toolkit.tool import Effect, ToolContext, tool


@tool(Role.PERSON, effect=Effect.WRITE, category="chat")
def hush(params: Params, context: ToolContext, tx: Tx) -> Json:
    """End the conversation of a thread: the bot answers nobody there until it is mentioned again."""
    return {"hushed": lanes.attend(tx, context.lane, None)}


@tool(Role.PERSON, effect=Effect.WRITE, category="chat")
def share_answer(params: Params, context: ToolContext, tx: Tx) -> Json:
    """Say the answer whose button was pressed once more, for all to see: once, and by whom it was for.

    `offers` are the buttons that are left below the answer; it `stays` as it was, or says that it was shared. What is
    said for all is not taken back with it: whoever does that is told so.
    """
    keyboard_row = _pressed(tx, context)
    if keyboard_row is None:
        return {"status": "nothing"}
    if not keyboard_row.is_for(context.principal.person_id):
        return {"status": "not_yours"}
    me = context.principal
    name, key = called(me.name, me.address), f"share:{keyboard_row.keyboard_id}"
    notifier = context.services.get(Notifier)
    notifier.tell(tx, context.lane, me.person_id, key, "shared", answer=keyboard_row.text, name=name)
    mark = f" {SHARED}" if keyboard_row.once else ""
    left = [(label, says) for label, says in keyboard_row.offers if says != SHARE]
    offers = [[label, f"{says}{mark}" if says.startswith(UNDO) else says] for label, says in left]
    return {"status": "shared", "text": keyboard_row.text, "stays": not keyboard_row.once, "offers": offers}


def _pressed(tx: Tx, context: ToolContext) -> KeyboardRow | None:
    """The buttons below the answer, of which one shares it."""
    pressed = None if context.said is None else context.said.pressed
    keyboard_row = None if pressed is None else keyboards.load(tx, context.lane, pressed)
    return keyboard_row if keyboard_row is not None and SHARE in {said for _, said in keyboard_row.offers} else None
