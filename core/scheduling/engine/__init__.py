"""Engines wake handlers; the truth about what is to be done is in the store."""
