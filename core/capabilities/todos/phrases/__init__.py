"""What people say of lists and of what is on them, and of what shall not come any more, by code of the language."""
