"""What buttons of the to-do list ask for; it is carried out in `commands`, `changes` and `several`."""

from __future__ import annotations

from core.kernel.intent import Intent
from core.toolkit import intents

PAGE, REOPEN, REMOVE, LISTS = "todos.page", "todos.reopen", "todos.remove", "todos.lists"
# Changes that are said in words: to what, until when, whose.
EDIT, DUE, ASSIGN = "todos.edit", "todos.due", "todos.assign"


def page(number: int, key: str = "") -> Intent:
    """Show a page of a list, by its key, in the place of another."""
    return Intent(PAGE, {"page": number, "key": key})


def show_lists() -> Intent:
    """Show which lists there are."""
    return Intent(LISTS, {})


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
