"""The process: start, stop, logs, health."""
