"""Reminders and what else happens by the clock, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {}
