"""Tables of conversations, a file for each state machine."""
