"""From a platform's update to a message in a lane."""
