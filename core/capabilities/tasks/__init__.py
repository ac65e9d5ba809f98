"""Work in the background: what is delegated to a Planner, and by it to Workers."""
