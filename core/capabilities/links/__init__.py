"""One person on several platforms."""
