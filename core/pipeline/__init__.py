"""The way of a message through the bot."""
