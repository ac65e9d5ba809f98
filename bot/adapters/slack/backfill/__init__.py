"""Looking up what was missed while nobody listened."""
