"""The store: repositories hold the SQL once, `sqlite` and `postgres` only execute it."""
