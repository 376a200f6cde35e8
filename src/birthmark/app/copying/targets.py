"""What a copy is written to until it is whole; what depends on the kind of store is in `store/*/copying.py`."""

from __future__ import annotations

from typing import Protocol

from birthmark.store.model import StoreLocation


class CopyTarget(Protocol):
    """Of a location of a copy."""

    def unfinished_copy(self, location: StoreLocation) -> StoreLocation: ...
    def locked_location(self, location: StoreLocation) -> StoreLocation: ...
    def is_whole(self, location: StoreLocation) -> bool: ...
    def finish_copy(self, location: StoreLocation) -> None: ...
    def discard_copy(self, location: StoreLocation) -> None: ...


def target_of(location: StoreLocation) -> CopyTarget:
    if location.url:
        from birthmark.store.postgres import copying as in_database

        return in_database
    from birthmark.store.sqlite import copying as in_folder

    return in_folder
