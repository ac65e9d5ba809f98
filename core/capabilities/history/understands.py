"""What free text asks of what was said."""

from __future__ import annotations

from core.capabilities.history.commands import catch_up, find
from core.language.grammar import Wish
from core.toolkit.capability import Resolve, Understands, Words


def _history(wish: Wish, words: Words) -> Resolve:
    """Quotes answer a question where there is no model, which looks for itself."""
    asked = None if words.model else find.of(words=words.text)
    return lambda tx, hearing: asked


def _summary(wish: Wish, words: Words) -> Resolve:
    asked = catch_up.of()
    return lambda tx, hearing: asked


UNDERSTANDS = Understands(wishes={"history": _history, "summary": _summary})
