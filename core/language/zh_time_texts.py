"""Reminders and what else happens by the clock, in Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {}
