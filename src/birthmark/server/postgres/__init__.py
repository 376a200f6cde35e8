"""The store in PostgreSQL: the indexes of many repositories in one database, in the schema `birthmark`.

These are the `Databases` that the core asks for.
"""

from birthmark.server.postgres.directory import PostgresDirectory
from birthmark.server.postgres.locks import repository_lock
from birthmark.server.postgres.schema import database_bytes, delete_rows, find_repository
from birthmark.server.postgres.store import PostgresStore, PostgresSubscriptions

__all__ = ["database_bytes", "delete_rows", "find_repository"]

open_index, open_subscriptions, open_directory = PostgresStore, PostgresSubscriptions, PostgresDirectory
lock_repository = repository_lock
