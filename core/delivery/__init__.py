"""Outgoing messages: composed, queued, sent."""
