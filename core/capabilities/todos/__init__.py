"""To-do lists of a person or a group."""
