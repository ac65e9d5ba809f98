"""Chat platforms, one room each; they share nothing sideways."""
