"""Contacts, and messages for others, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {}
