"""How events come in: Socket Mode and HTTP."""
