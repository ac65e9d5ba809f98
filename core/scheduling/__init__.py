"""Triggers: when something is due, and what becomes of it then."""
