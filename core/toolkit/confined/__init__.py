"""Confined processes: they work on files of others within narrow limits, so that nothing here is harmed."""
