"""What people read of plans."""
