"""What people say to ask for the time or the date, by code of the language."""
