"""What reads every language: tokens, templates over their classes, and what they say of time."""
