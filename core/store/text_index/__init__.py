"""The text index: what was said and noted is found by its words, in every scope by itself."""
