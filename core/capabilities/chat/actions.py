"""What people do with the bot's voice in a channel: let it fall silent, and let all see what only one of them sees."""

from __future__ import annotations

from core.kernel.markdown import called
from core.kernel.ports import Tx
from core.kernel.types import Json, Role
from core.store.conversation import keyboards, lanes
from core.store.conversation.keyboards import SHARE, SHARED, UNDO, Board
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
    board = _pressed(tx, context)
    if board is None:
        return {"status": "nothing"}
    if not board.is_for(context.principal.person_id):
        return {"status": "not_yours"}
    me = context.principal
    name, key = called(me.name, me.address), f"share:{board.keyboard_id}"
    context.tell(tx, context.lane, me.person_id, key, "shared", answer=board.text, name=name)
    mark = f" {SHARED}" if board.once else ""
    left = [(label, says) for label, says in board.offers if says != SHARE]
    offers = [[label, f"{says}{mark}" if says.startswith(UNDO) else says] for label, says in left]
    return {"status": "shared", "text": board.text, "stays": not board.once, "offers": offers}


def _pressed(tx: Tx, context: ToolContext) -> Board | None:
    """The buttons below the answer, of which one shares it."""
    pressed = None if context.said is None else context.said.pressed
    board = None if pressed is None else keyboards.load(tx, context.lane, pressed)
    return board if board is not None and SHARE in {said for _, said in board.offers} else None
