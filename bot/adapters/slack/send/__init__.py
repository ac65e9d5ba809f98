"""Calls of Slack's Web API."""
