"""What free text asks of a day, or of a week."""

from __future__ import annotations

from core.capabilities.today.commands import show
from core.language.grammar import Wish
from core.toolkit.capability import Resolve, Understands, Words


def _day(wish: Wish, words: Words) -> Resolve:
    asked = show.of(when=wish.when, span=wish.span)
    return lambda tx, hearing: asked


UNDERSTANDS = Understands(wishes={"today": _day})
