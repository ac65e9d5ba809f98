"""What people say to be reminded, by code of the language."""
