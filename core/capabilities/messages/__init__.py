"""Messages that the bot relays from one person to another."""
