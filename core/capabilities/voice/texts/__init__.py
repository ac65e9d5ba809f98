"""What people say aloud is written down."""
