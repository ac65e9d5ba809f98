"""Time: what phrases say about it, and what that comes to in a zone. Nothing here knows a language or a chat."""
