"""What people say to set quiet hours or a time zone, and to take something back, by code of the language."""
