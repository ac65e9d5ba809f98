"""What people say to hear no more from somebody, by code of the language."""
