"""What is known of people, channels and workspaces."""
