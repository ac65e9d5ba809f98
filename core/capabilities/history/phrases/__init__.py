"""What people say to ask what was said, or for a summary of it, by code of the language."""
