"""The unfinished copy of another store: in its own folder until it is whole, then moved into place."""

from __future__ import annotations

import shutil
from pathlib import Path

from birthmark.errors import BirthmarkError
from birthmark.store.model import StoreLocation
from birthmark.store.sqlite.log import index_file, ledger_log, subscription_file, subscription_log

_FOLDER = "copying"
_WHOLE = "whole"  # the file that marks a checked copy, which is being moved into place


def unfinished_copy(location: StoreLocation) -> StoreLocation:
    return StoreLocation(location.folder / _FOLDER)


def locked_location(location: StoreLocation) -> StoreLocation:
    return location


def finish_copy(location: StoreLocation) -> None:
    """Move the files into place, the index last: if it exists, the rest does, too."""
    copy = unfinished_copy(location)
    if is_whole(location) and any(mine.exists() and theirs.exists() for mine, theirs in _pairs(location)):
        raise BirthmarkError(f"{location}: was made by another process meanwhile; nothing was changed")
    (copy.folder / _WHOLE).touch()
    for mine, theirs in _pairs(location):
        if theirs.exists():
            theirs.replace(mine)
    shutil.rmtree(copy.folder)


def discard_copy(location: StoreLocation) -> None:
    shutil.rmtree(unfinished_copy(location).folder, ignore_errors=True)


def is_whole(location: StoreLocation) -> bool:
    """Return True if the copy only needs to be moved into place."""
    return (unfinished_copy(location).folder / _WHOLE).exists()


def _pairs(location: StoreLocation) -> list[tuple[Path, Path]]:
    copy = unfinished_copy(location)
    return [
        (subscription_log(location).path, subscription_log(copy).path),
        (subscription_file(location), subscription_file(copy)),
        (ledger_log(location).path, ledger_log(copy).path),
        (index_file(location), index_file(copy)),
    ]
