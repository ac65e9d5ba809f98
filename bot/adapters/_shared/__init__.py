"""What platforms have in common at the edge: rate limits, downloads, and cutting texts into messages."""
