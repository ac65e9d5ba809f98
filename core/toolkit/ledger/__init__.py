"""The audit trail: a chain of what was done."""
