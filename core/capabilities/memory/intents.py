"""What buttons about memories ask for; it is carried out in `commands`."""

from __future__ import annotations

from collections.abc import Sequence

from core.kernel.intent import Intent

CONFIRM, REPLACE, OPEN, PAGE, DELETE, WHY = (
    "memory.confirm",
    "memory.replace",
    "memory.open",
    "memory.page",
    "memory.delete",
    "memory.why",
)


def confirm(content: str, tags: Sequence[str] = (), supersedes: str = "") -> Intent:
    """Note what a model wants noted that has read others' words; whoever presses has read it."""
    return Intent(CONFIRM, {"content": content, "tags": list(tags), "supersedes": supersedes})


def replace(memory: str, older: str) -> Intent:
    """Let a memory correct an older one."""
    return Intent(REPLACE, {"memory": memory, "older": older})


def show(memory: str) -> Intent:
    """Show one memory with what can be done with it."""
    return Intent(OPEN, {"memory": memory})


def page(number: int, words: str = "") -> Intent:
    """Show a page of memories, the newest first, or of those that words find."""
    return Intent(PAGE, {"page": number, "words": words})


def delete(memory: str) -> Intent:
    """Delete a memory."""
    return Intent(DELETE, {"memory": memory})


def why(memory: str) -> Intent:
    """Show who said it, when and where, and what it corrected."""
    return Intent(WHY, {"memory": memory})
