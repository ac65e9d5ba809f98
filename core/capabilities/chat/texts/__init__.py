"""What people read about the use of the model."""
