"""The console: a chat in a terminal, or with whatever is piped in."""

from bot.adapters.console.adapter import ConsoleAdapter

__all__ = ["ConsoleAdapter"]
