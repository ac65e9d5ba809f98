"""The conversation itself: help, status, history, another try."""
