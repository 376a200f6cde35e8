"""The repositories of a fleet as a server has them: each in its folder on this machine, a few of them open."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from birthmark.server.fleet.catalog import CatalogReader, folder_of, write_name

Opened = TypeVar("Opened")


class ServedRepository(NamedTuple):
    """By its name in the store; the folder is that of its bare repository, which need not be there yet."""

    name: str
    folder: Path
    indexed: str  # the commit
    ref: str = ""  # that is indexed; empty: that of HEAD


def served_repositories(catalog: CatalogReader, mirrors: Path) -> list[ServedRepository]:
    """All of the catalog, by name."""
    return [ServedRepository(one.name, folder_of(one, mirrors), one.indexed, one.ref) for one in catalog.read()]


class FewOpen(Generic[Opened]):
    """What was opened for a name stays open while it is among the `most` that were used last."""

    def __init__(
        self, open_: Callable[[ServedRepository], Opened], close: Callable[[Opened], object], most: int
    ) -> None:
        self._open, self._close, self._most = open_, close, most
        self._opened: OrderedDict[str, Opened] = OrderedDict()
        self._lock = Lock()

    def get(self, repository: ServedRepository) -> Opened:
        with self._lock:
            if repository.name not in self._opened:
                write_name(repository.folder, repository.name, repository.ref)
                self._opened[repository.name] = self._open(repository)
            self._opened.move_to_end(repository.name)
            closed = self._opened.popitem(last=False)[1] if len(self._opened) > self._most else None
            found = self._opened[repository.name]
        if closed is not None:
            self._close(closed)
        return found

    def close(self) -> None:
        with self._lock:
            while self._opened:
                self._close(self._opened.popitem()[1])
