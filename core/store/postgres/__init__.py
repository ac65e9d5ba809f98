"""The database in Postgres."""
