"""What people read about documents, a file a language."""
