"""Settings: from the file, from the environment, checked."""
