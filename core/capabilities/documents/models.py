"""A document that was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentText:
    """What stands in a document: its `kind` (pdf, docx, html, …), its title and date where it says them, its text in
    `parts` (each a `unit`: page, sheet, slide, chapter …) and where the `[n]` in it lead. All of it is what others
    wrote. `truncated` when there is more."""

    kind: str
    unit: str = ""
    title: str = ""
    date: str = ""
    parts: Sequence[str] = ()
    links: Sequence[str] = ()
    truncated: bool = False

    @property
    def text(self) -> str:
        """Return all of it."""
        return "\n\n".join(filter(None, self.parts))
