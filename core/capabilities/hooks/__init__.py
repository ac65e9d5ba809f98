"""Hooks: addresses to which other programs post what is then said in a chat, or worked on."""
