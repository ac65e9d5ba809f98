"""From a message in a lane to its answer."""
