"""What free text asks of contacts, and what any message says by the way of who sent it."""

from __future__ import annotations

from core.capabilities.contacts import repository
from core.capabilities.contacts.commands import show_all
from core.language.grammar import Wish
from core.toolkit.capability import Resolve, Understands, Words


def _all(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: show_all.of()


UNDERSTANDS = Understands(wishes={"contacts": _all}, learns=repository.learn_from, renamed=repository.rename)
