"""What people read about the web, a file a language."""
