"""To-dos and today, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {}
