"""What people say to see their files, or to delete one, by code of the language."""
