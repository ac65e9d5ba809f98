"""Contacts, and messages for others, in Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {}
