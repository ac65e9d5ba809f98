"""One loop for all roles; a role is data: a prompt file, limits, and the tools that permit it."""
