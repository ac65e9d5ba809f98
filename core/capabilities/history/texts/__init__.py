"""What people read of what was said."""
