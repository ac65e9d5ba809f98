"""Texts that only Slack needs, one file a language."""
