"""A copy of another store that is being made: under a name of its own until it is whole, then under its name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import errors

from birthmark.errors import BirthmarkError
from birthmark.server.postgres.connect import lent
from birthmark.server.postgres.schema import find_repository
from birthmark.store.model import StoreLocation

_DROP = "DELETE FROM birthmark.repositories WHERE name = $1 AND NOT has_index"
_RENAME = "UPDATE birthmark.repositories SET name = $2 WHERE name = $1"
_DISCARD = "DELETE FROM birthmark.repositories WHERE name = $1"


def unfinished_copy(location: StoreLocation) -> StoreLocation:
    return location._replace(repository=f"{location.repository} (being copied)")


def locked_location(location: StoreLocation) -> StoreLocation:
    """To lock a repository enters it into the database."""
    return unfinished_copy(location)


def finish_copy(location: StoreLocation) -> None:
    """One transaction."""
    names = unfinished_copy(location).repository, location.repository
    with lent(location.url) as connection, _name_taken(location), connection.transaction():
        if find_repository(location).repository is not None:
            connection.execute(_DROP, names[1:])
        connection.execute(_RENAME, names)


@contextmanager
def _name_taken(location: StoreLocation) -> Iterator[None]:
    try:
        yield
    except errors.UniqueViolation:
        raise BirthmarkError(f"{location}: was made by another process meanwhile; nothing was changed") from None


def discard_copy(location: StoreLocation) -> None:
    """With all its rows."""
    with lent(location.url) as connection:
        connection.execute(_DISCARD, (unfinished_copy(location).repository,))


def is_whole(location: StoreLocation) -> bool:
    """There is no moment between the check and the new name at which a process could end."""
    return False
