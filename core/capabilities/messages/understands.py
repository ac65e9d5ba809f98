"""Whom somebody wants muted, in free text."""

from __future__ import annotations

from core.capabilities.contacts import repository as contacts
from core.capabilities.messages.commands import mute, unmute
from core.language.grammar import Wish
from core.toolkit.capability import Resolve, Understands, Words


def _about(wish: Wish, words: Words) -> Resolve:
    """Say whom it is about; a model may know better who is meant by a name that is nobody's."""
    about = _INTENTS[wish.name].of(person=wish.text)
    return lambda tx, hearing: about if not hearing.model or contacts.may_mean(tx, hearing, wish.text) else None


_INTENTS = {"mute": mute, "unmute": unmute}
UNDERSTANDS = Understands(wishes=dict.fromkeys(_INTENTS, _about))
