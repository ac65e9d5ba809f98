"""Settings of a chat or a person."""
