"""What people say to ask what is worked on, or to stop it, by code of the language."""
