"""German: what is understood of times and wishes. It has no texts yet, so nobody is spoken to in it."""

from __future__ import annotations

from core.language.grammar import lazily

GRAMMAR = lazily("core.language.de.free_text")
