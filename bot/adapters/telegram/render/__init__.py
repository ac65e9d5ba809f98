"""Markdown as Telegram's text, entities and keyboards."""
