"""The store in PostgreSQL: the indexes of many repositories in one database, in the schema `birthmark`."""

from birthmark.errors import BirthmarkError

try:
    import psycopg
    import psycopg_pool
except ImportError as error:
    raise BirthmarkError("a store in PostgreSQL needs psycopg; `pip install 'birthmark[postgres]'`") from error

__all__ = ["psycopg", "psycopg_pool"]
