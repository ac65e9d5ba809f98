"""Calendars of people: by a secret address or as a file, and what stands in them on a day (docs/calendars.md)."""
