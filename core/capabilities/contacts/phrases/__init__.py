"""What people say to ask whom the bot knows, by code of the language."""
