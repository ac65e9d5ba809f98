"""What people read about files, by language."""
