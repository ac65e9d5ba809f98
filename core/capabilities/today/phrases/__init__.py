"""What people say to ask what is on at a day, by code of the language."""
