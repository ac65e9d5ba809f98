"""What stands in documents: their text, read apart from the bot (docs/documents.md)."""
