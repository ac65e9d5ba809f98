"""Requests to addresses from outside: one client that reaches public servers only (docs/web.md)."""
