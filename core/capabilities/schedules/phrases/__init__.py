"""What people say of what is scheduled, and to have a brief, by code of the language."""
