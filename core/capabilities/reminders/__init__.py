"""Reminders: set, delivered, done, snoozed."""
