"""Whom somebody wants muted, in free text."""

from __future__ import annotations

from core.capabilities.contacts import repository as contacts
from core.kernel.ports import Tx
from core.toolkit.capability import Hearing, Resolve, Understands, Words


def _mute(line: str, words: Words) -> Resolve:
    """Read whom it is about; a model may know better who is meant by a name that is nobody's."""
    name = line.partition(" ")[2]

    def resolve(tx: Tx, hearing: Hearing) -> str:
        return line if not hearing.model or contacts.may_mean(tx, hearing, name) else ""

    return resolve


UNDERSTANDS = Understands(commands={"mute": _mute, "unmute": _mute})
