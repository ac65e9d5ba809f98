"""What is kept of somebody, for how long, and how it is erased."""
