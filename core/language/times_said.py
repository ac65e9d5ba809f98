"""Tells whether a text says a time anywhere, in any language: "see you on Friday at 5" does."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module

from core.language import languages
from core.language.engine.times import Reader
from core.language.engine.tokens import FOLD, MAX_LENGTH

# Where a time may begin: with a word, or in a script without spaces anywhere.
_BEGIN = re.compile(r"(?<!\w)\w|[\u4e00-\u9fff]")


def says_time(text: str) -> bool:
    """Return whether something in a text is certainly a time: "see you on Friday at 5"."""
    if len(text) > MAX_LENGTH:
        return False
    folded = text.translate(FOLD)
    places = {match.start() for match in _BEGIN.finditer(folded)}
    for reader in _readers():
        tokens = reader.alphabet.read(folded)
        begins = (at for at, start in enumerate(tokens.starts) if start in places)
        if any(reader.scan_tokens(tokens, at, len(tokens.codes)) for at in begins):
            return True
    return False


@cache
def _readers() -> tuple[Reader, ...]:
    """Return the readers of all languages, which the first text loads."""
    return tuple(import_module(f"core.language.{code}.times").READER for code in languages())
