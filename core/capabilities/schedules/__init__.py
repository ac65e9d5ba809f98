"""What is scheduled: listed, moved, paused, cancelled."""
