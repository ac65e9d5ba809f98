"""Models: `openai` (any Chat Completions server), `offline` (no model at all), `scripted` (for tests)."""
