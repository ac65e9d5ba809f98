"""What buttons of former versions ask for as command lines, as the intents that are in their place now.

Nobody writes such lines any more, and these stay as they are: they stand in databases. A press carries them out as the
commands they are; they are read here where it matters what a button asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from core.kernel.access import command_name
from core.kernel.intent import Intent, Order
from core.store.conversation.keyboards import KeyboardRow
from core.toolkit import intents

_ID = r"[0-9a-z]{6,12}"
# The button below what only one person of a group sees, and what it asks for now, too.
SHARE = "/share"
SHARES = (intents.share(), SHARE)
_LINES: Mapping[str, Callable[..., Intent]] = {
    r"/undo ask": intents.ask_undo,
    rf"/undo (u{_ID})": intents.undo,
    rf"/undo (u{_ID}) shared": partial(intents.undo, shared=True),
    rf"/move (s{_ID})": intents.move,
    rf"/move (s{_ID}) (\S.*)": intents.move,
    rf"/cancel (s{_ID})": intents.cancel,
    SHARE: intents.share,
}


def decoded(order: Order) -> Order:
    """Return the intent of a line of a former version; any other order as it is."""
    if isinstance(order, str):
        for pattern, read in _LINES.items():
            if match := re.fullmatch(pattern, order):
                return read(*match.groups())
    return order


def undos(keyboard_row: KeyboardRow | None) -> list[str]:
    """Return the ids of the undos that the buttons below a message offer."""
    orders = [decoded(order) for _, order in keyboard_row.offers] if keyboard_row else []
    return [order.arguments["undo"] for order in orders if isinstance(order, Intent) and order.name == intents.UNDO]


def as_intent(order: Order) -> Intent:
    """Return the intent of any line of a former version, for a button that is shown anew."""
    order = decoded(order)
    if isinstance(order, Intent):
        return order
    _, *rest = order.split(maxsplit=1)
    return intents.command(command_name(order), *rest)
