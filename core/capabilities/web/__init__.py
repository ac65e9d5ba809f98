"""Pages and searches of the web, read through the guarded client (docs/web.md)."""
