"""What people told the bot to remember, and what was said, found by its words."""
