"""Values and contracts; no input or output."""
