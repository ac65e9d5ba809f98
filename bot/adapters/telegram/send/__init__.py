"""Calls of the Bot API."""
