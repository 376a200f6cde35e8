"""Make the tables, by numbered migrations, and know the repositories in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from psycopg import errors

from birthmark.errors import BirthmarkError
from birthmark.server.postgres.connect import Connection, give, server_errors, take
from birthmark.store.model import StoreLocation, shown_url

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 1_651_077_745  # of migrations, among the advisory locks of the database
_FIND = """
    SELECT (SELECT max(migration) FROM birthmark.migrations), repository, has_index, has_subscriptions
    FROM (SELECT) AS nothing LEFT JOIN birthmark.repositories ON name = $1"""
_REGISTER = """
    INSERT INTO birthmark.repositories (name, has_index, has_subscriptions) VALUES ($1, $2, NOT $2)
    ON CONFLICT (name) DO UPDATE SET has_index = repositories.has_index OR excluded.has_index,
                                     has_subscriptions = repositories.has_subscriptions OR excluded.has_subscriptions
    RETURNING repository"""


class RepositoryRecord(NamedTuple):
    """The state of a repository in the database; without a number it is not registered."""

    version: int
    repository: int | None = None
    has_index: bool = False
    has_subscriptions: bool = False


@cache
def migrations() -> tuple[str, ...]:
    """The scripts that lead from nothing to the newest version, in order."""
    return tuple(path.read_text("utf-8") for path in sorted(_MIGRATIONS.glob("[0-9]*.sql")))


def find_repository(location: StoreLocation) -> RepositoryRecord:
    """Return the record of a repository; tables need not be there."""
    connection = take(location.url)
    try:
        with server_errors(location.url):
            return read_repository(connection, location)
    finally:
        give(location.url, connection)


def database_bytes(location: StoreLocation) -> int:
    """Return the size of the whole database."""
    connection = take(location.url)
    try:
        with server_errors(location.url):
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
            return int(row[0]) if row else 0
    finally:
        give(location.url, connection)


def delete_rows(location: StoreLocation) -> bool:
    """Delete all rows of a repository; whether there were any. Extractions stay: other repositories share them."""
    connection = take(location.url)
    try:
        with server_errors(location.url):
            delete = "DELETE FROM birthmark.repositories WHERE name = $1"
            return connection.execute(delete, (location.repository,)).rowcount > 0
    finally:
        give(location.url, connection)


def read_repository(connection: Connection, location: StoreLocation) -> RepositoryRecord:
    try:
        row = connection.execute(_FIND, (location.repository,)).fetchone()
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        return RepositoryRecord(0)
    assert row is not None
    found = RepositoryRecord(row[0] or 0, row[1], bool(row[2]), bool(row[3]))
    if found.version > len(migrations()):
        raise BirthmarkError(f"{shown_url(location.url)}: was made by a newer birthmark; upgrade birthmark to use it")
    return found


def register(connection: Connection, location: StoreLocation, *, of_index: bool) -> int:
    """The number of a repository; tables are made where there are none, or where they are those of an older program."""
    found = read_repository(connection, location)
    if found.version < len(migrations()):
        migrate(connection)
        found = RepositoryRecord(len(migrations()))
    if found.repository is not None and (found.has_index if of_index else found.has_subscriptions):
        return found.repository
    row = connection.execute(_REGISTER, (location.repository, of_index)).fetchone()
    assert row is not None
    return int(row[0])


def has_escapes(connection: Connection, repository: int) -> bool:
    """Return whether texts of a repository have what is written otherwise here, see `database.py`."""
    query = "SELECT has_escapes FROM birthmark.repositories WHERE repository = $1"
    row = connection.execute(query, (repository,)).fetchone()
    return bool(row and row[0])


def mark_escapes(connection: Connection, repository: int) -> None:
    connection.execute("UPDATE birthmark.repositories SET has_escapes = true WHERE repository = $1", (repository,))


def migrate(connection: Connection) -> None:
    """One process at a time, in one transaction."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock($1)", (_LOCK,))
        connection.execute("CREATE SCHEMA IF NOT EXISTS birthmark")
        connection.execute("CREATE TABLE IF NOT EXISTS birthmark.migrations (migration integer PRIMARY KEY)")
        row = connection.execute("SELECT coalesce(max(migration), 0) FROM birthmark.migrations").fetchone()
        assert row is not None
        for number, script in enumerate(migrations()[row[0] :], row[0] + 1):
            connection.execute(script)
            connection.execute("INSERT INTO birthmark.migrations VALUES ($1)", (number,))
