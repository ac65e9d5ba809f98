"""What buttons of the to-do list ask for; it is carried out in `commands`, `changes` and `several`."""

from __future__ import annotations

from core.kernel.intent import Intent
from core.toolkit import intents

PAGE, REOPEN, REMOVE = "todos.page", "todos.reopen", "todos.remove"
# Changes that are said in words: to what, until when, whose.
EDIT, DUE, ASSIGN = "todos.edit", "todos.due", "todos.assign"


def page(number: int) -> Intent:
    """Show a page of the list in the place of another."""
    return Intent(PAGE, {"page": number})


def reopen(todo: str, *, page: int = 0) -> Intent:
    """Open an item again, and show this page of the list, if one is given."""
    return Intent(REOPEN, {"todo": todo, "page": page})


def change(act: str, todo: str, words: str = "") -> Intent:
    """Do with an item what stands behind /todo: "done", "reopen", "remove", or what the `words` say."""
    match act:
        case "done":
            return intents.tick(todo)
        case "reopen":
            return reopen(todo)
        case "remove":
            return Intent(REMOVE, {"todo": todo})
    return Intent({"edit": EDIT, "due": DUE, "assign": ASSIGN}[act], {"todo": todo, "words": words})
