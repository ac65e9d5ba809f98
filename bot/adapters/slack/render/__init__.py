"""Markdown as Slack's text and blocks."""
