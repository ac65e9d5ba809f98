"""The Postgres of the tests: whoever gets a database cannot tell whether somebody had it before."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.postgres_server import PostgresServer

TENANT = "INSERT INTO tenant (platform, external_id, created_at) VALUES ('test', 'x', 0) RETURNING id"


def ask(url: str, sql: str) -> Any:
    """The first value that a statement returns."""
    with psycopg.connect(url, autocommit=True) as conn:
        found = conn.execute(sql.encode())
        return found.fetchall()[0][0] if found.description else None


def test_a_database_that_comes_back_is_used_again_as_if_it_were_new(postgres_server: PostgresServer) -> None:
    first = postgres_server.create()
    number = ask(first, TENANT)
    postgres_server.drop(first)
    again = postgres_server.create()
    assert again == first
    assert ask(again, "SELECT count(*) FROM tenant") == 0
    assert ask(again, TENANT) == number == 1
    postgres_server.drop(again)


def test_whoever_is_still_connected_to_a_database_that_comes_back_is_not_any_more(
    postgres_server: PostgresServer,
) -> None:
    url = postgres_server.create()
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("SELECT pg_advisory_lock(1)")
        postgres_server.drop(url)
        with pytest.raises(psycopg.OperationalError):
            conn.execute("SELECT 1")


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE other (id INT)",
        "ALTER TABLE tenant ADD COLUMN other INT",
        "ALTER TABLE tenant ALTER COLUMN platform DROP NOT NULL",
        "CREATE INDEX other ON tenant (created_at)",
        "DROP TABLE ledger_head CASCADE",
        "INSERT INTO migration (name, applied_at) VALUES ('9999_later', 0)",
        "CREATE FUNCTION other() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    ],
)
def test_a_database_with_other_tables_or_migrations_is_not_used_again(
    postgres_server: PostgresServer, change: str
) -> None:
    url = postgres_server.create()
    ask(url, change)
    postgres_server.drop(url)
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(url)
