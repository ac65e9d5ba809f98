"""What was said, beyond what a model sees: found by its words, and summed up."""
