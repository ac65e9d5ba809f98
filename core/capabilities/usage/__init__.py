"""What the model was used for, and what that cost."""
