"""The first steps: a question at a time, and a configuration file at the end."""
