"""What the bot can do, a folder each, on top of the spine."""
