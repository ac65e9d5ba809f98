"""People: whom somebody knows, by which names, in which zone."""
