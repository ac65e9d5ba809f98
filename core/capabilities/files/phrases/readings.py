"""What phrases about a file say: what it is called, and of which kind it is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.language.engine.slots import Reading, Slots
from core.language.grammar import Wish

# What ends the name of a file: "budget.pdf".
_ENDING = re.compile(r"\.\w{1,8}$")
_KINDS: Mapping[str, str] = {"pdf": "application/pdf", "picture": "image/"}


def _deleted(slots: Slots) -> Wish | None:
    """Return the wish that a file is deleted; none for what has no name as files have it, and is not said to be called
    so: "the photo shoot"."""
    if slots.about and not (slots.has("called") or _ENDING.search(slots.about)):
        return None
    kind = next((kind for said, kind in _KINDS.items() if slots.has(said)), "")
    return Wish(name="files.delete", text=slots.about, kind=kind)


READINGS: Mapping[str, Reading] = {"files.delete": _deleted}
