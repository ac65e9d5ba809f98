"""What people read about calendars, a file a language."""
