"""Models of OpenAI's dialects, by the official client."""
