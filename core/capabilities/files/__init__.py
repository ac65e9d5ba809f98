"""Files of a person or a group: what was sent, and what is written for them."""
