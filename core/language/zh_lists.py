"""To-dos and today, in Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {}
