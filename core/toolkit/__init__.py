"""Machinery of tools: what one is, where they are kept, and the only door to them."""
