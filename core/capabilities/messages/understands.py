"""Whom somebody wants muted, in free text."""

from __future__ import annotations

from core.capabilities.contacts import repository as contacts
from core.capabilities.messages.commands import mute, unmute
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.language.grammar import Wish
from core.toolkit.capability import Hearing, Resolve, Understands, Words


def _about(wish: Wish, words: Words) -> Resolve:
    """Say whom it is about; a model may know better who is meant by a name that is nobody's."""

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        known = not hearing.model or contacts.may_mean(tx, hearing, wish.text)
        return _INTENTS[wish.name].of(person=wish.text) if known else None

    return resolve


_INTENTS = {"mute": mute, "unmute": unmute}
UNDERSTANDS = Understands(wishes=dict.fromkeys(_INTENTS, _about))
