"""The server part, as the core asks for it. It is optional: nothing else imports `birthmark.server` or its packages.

A module of it is imported when a URL or an option asks for it. The protocols say what the core finds there; a test
compares them with the modules.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from birthmark.app.across import Others, Visible
from birthmark.errors import BirthmarkError
from birthmark.store.model import StoreLocation
from birthmark.store.port import Directory, Store, SubscriptionStore

if TYPE_CHECKING:
    from birthmark.app.workspace.repository import OpenRepository
    from birthmark.app.workspace.session import Session
    from birthmark.store.model import Message
    from birthmark.subscriptions.model import ScanReport

PACKAGE = "birthmark.server"
# Packages that parts of it need, and the extra that installs them.
_EXTRAS = {
    "psycopg": "postgres",
    "psycopg_pool": "postgres",
    "ray": "fleet",
    "prometheus_client": "telemetry",
    "opentelemetry": "telemetry",
}


class StoredRepository(Protocol):
    """The data of a repository in a database; its number is None if there is none."""

    @property
    def repository(self) -> int | None: ...
    @property
    def has_index(self) -> bool: ...
    @property
    def has_subscriptions(self) -> bool: ...


class Databases(Protocol):
    """Stores by a URL."""

    def find_repository(self, location: StoreLocation) -> StoredRepository: ...
    def open_index(self, location: StoreLocation, *, writable: bool) -> Store: ...
    def open_subscriptions(self, location: StoreLocation) -> SubscriptionStore: ...
    def open_directory(self, url: str, visible: Collection[str] | None) -> Directory: ...
    def lock_repository(self, location: StoreLocation, wait_seconds: float) -> AbstractContextManager[None]: ...
    def database_bytes(self, location: StoreLocation) -> int: ...


class Across(Protocol):
    """Other repositories of a database."""

    def ask_others(self, session: Session, visible: Visible) -> Others: ...
    def open_elsewhere(
        self, own: OpenRepository, name: str, mirrors: Path | None = None
    ) -> AbstractContextManager[OpenRepository]: ...


class Delivery(Protocol):
    """Messages about a scan."""

    def posting(self, folder: Path, names: Iterable[str]) -> Callable[[ScanReport], list[Message]]: ...
    def deliver_now(self, names: Collection[str] | None = None) -> None: ...


def databases() -> Databases:
    part: Databases = load_part("postgres")
    return part


def across() -> Across:
    part: Across = load_part("across.everywhere")
    return part


def delivery() -> Delivery:
    part: Delivery = load_part("commands.deliver_command")
    return part


def load_part(name: str) -> Any:
    """Import a module of the server part; a BirthmarkError says what must be installed for it."""
    try:
        return importlib.import_module(f"{PACKAGE}.{name}")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in _EXTRAS:
            message = f"this needs {missing}; run `pip install 'birthmark[{_EXTRAS[missing]}]'`"
        elif PACKAGE.startswith(error.name or "-"):
            message = "this needs the server part of birthmark, which is not installed"
        else:
            raise
        raise BirthmarkError(message) from error
