"""The catalog of a fleet: its repositories by name, where each comes from, and what was indexed of it.

Kept in the database of the store, so that every machine has the same. A name is what the repository is called in that
store, such as `host/owner/name`. What is fetched from a URL is in a bare mirror, in a folder of each machine.

The progress of a refresh is written by the machine that runs it, if it takes more than some seconds, and read by all.
What was written long ago is of a machine that went away.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from birthmark.app.server_part import load_part
from birthmark.app.workspace.file_writing import replace_file
from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.workspace import FOLDER, NAME_FILE, make_home, store_url
from birthmark.decoding import prepared
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.store.model import DocumentTable, StoreLocation
from birthmark.words import did_you_mean

if TYPE_CHECKING:
    from birthmark.server.postgres.store import PostgresSubscriptions


_LONGEST = 160  # bytes of a name of a file; names of locks and folders beside it are made from it


class FleetProgress(msgspec.Struct, frozen=True):
    """The progress of a refresh, and the time of its last update."""

    stage: str
    done: int
    total: int
    at: int


class FleetRepository(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A repository of the fleet. Times are Unix seconds, 0 where there is none yet."""

    name: str
    source: str  # the URL that it is fetched from, without a password; or the folder of a bare repository
    ref: str = ""  # by its full name; empty: the branch of the other side's HEAD
    refs: dict[str, str] = {}  # branches and tags when it was last looked at, and what they pointed to
    indexed: str = ""  # the commit, and below it its ref, and the version of what extracted it
    indexed_ref: str = ""
    indexed_with: str = ""
    has_history: bool = False  # It was replayed, and is from then on.
    indexed_at: int = 0
    changed_at: float = 0  # when a push was announced, while it was not looked at since
    failures: int = 0  # in a row
    next_try: int = 0
    problem: str = ""  # why the last try failed
    progress: FleetProgress | None = None  # of a refresh that is under way

    @property
    def is_fetched(self) -> bool:
        """Return whether the repository has a mirror; a bare repository is indexed in place."""
        return not os.path.isabs(self.source)


Change = Callable[[FleetRepository], FleetRepository]


def fleet_url() -> str:
    """The store that a fleet needs."""
    url = store_url()
    if not url:
        raise BirthmarkError("a fleet is kept in PostgreSQL; name it: --store postgresql://HOST/DATABASE")
    return url


def _documents(url: str) -> closing[PostgresSubscriptions]:
    """Open what belongs to no repository of a database. Commands can be listed without psycopg."""
    return closing(load_part("postgres").open_subscriptions(StoreLocation(Path(), url, "")))


def delete_repository(url: str, name: str) -> bool:
    """Delete all that the database has of a repository; return whether it had anything."""
    return bool(load_part("postgres").delete_rows(StoreLocation(Path(), url, name)))


def list_repositories(url: str) -> list[FleetRepository]:
    """By their names."""
    with _documents(url) as store:
        return _decoded(store.documents(DocumentTable.FLEET))


class CatalogReader:
    """For those who read all of it again and again: what has not changed since is neither sent nor decoded."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._known: dict[str, tuple[str, FleetRepository]] = {}  # by name: the stamp, and what was read after it

    def read(self) -> list[FleetRepository]:
        """By their names."""
        with _documents(self._url) as store:
            stamps = store.document_stamps(DocumentTable.FLEET)
            kept = {name: one for name, one in self._known.items() if stamps.get(name) == one[0]}
            changed = _decoded(store.documents(DocumentTable.FLEET, stamps.keys() - kept.keys()))
        kept |= {one.name: (stamps[one.name], one) for one in changed}
        self._known = {name: kept[name] for name in stamps if name in kept}
        return [one for _, one in self._known.values()]


def find_repository(url: str, name: str) -> FleetRepository:
    with _documents(url) as store:
        found = _decoded(store.documents(DocumentTable.FLEET, [name]))
    if not found:
        known = {one.name: one for one in list_repositories(url)}
        raise NotFoundError(f"{name}: is no repository of the fleet{did_you_mean(name, known)}")
    return found[0]


def put(url: str, repositories: Iterable[FleetRepository]) -> None:
    """Add repositories, or replace those of the same names."""
    documents = {one.name: msgspec.json.encode(one) for one in repositories}
    with _documents(url) as store, store.writing():
        store.put_documents(DocumentTable.FLEET, documents)


def remove(url: str, names: Iterable[str]) -> None:
    """Take repositories out of the catalog; their indexes stay."""
    with _documents(url) as store, store.writing():
        store.delete_documents(DocumentTable.FLEET, list(names))


def change(url: str, name: str, make: Change) -> None:
    """Replace what is known of a repository, in one step; nothing happens to one that was removed meanwhile."""
    with _documents(url) as store, store.writing():
        known = _decoded(store.documents(DocumentTable.FLEET, [name]))
        store.put_documents(DocumentTable.FLEET, {one.name: msgspec.json.encode(make(one)) for one in known})


def _decoded(documents: Iterable[bytes]) -> list[FleetRepository]:
    return [msgspec.json.decode(document, type=prepared(FleetRepository)) for document in documents]


def mark_changed(url: str, name: str) -> None:
    """A forge announces a push: the repository is looked at by the next refresh, also where it failed before."""
    now = time.time()
    change(url, name, lambda known: msgspec.structs.replace(known, changed_at=now, next_try=0))


# Mirrors


def default_mirrors() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(cache, "birthmark", "mirrors")


def mirror_of(name: str, mirrors: Path) -> Path:
    """The folder of the bare mirror of a repository, one for each name."""
    written = quote(name, safe="")
    if len(written) > _LONGEST:
        written = f"{written[:_LONGEST]}~{sha256(name.encode()).hexdigest()[:16]}"
    return mirrors / f"{written}.git"


def folder_of(repository: FleetRepository, mirrors: Path) -> Path:
    """Return the folder of the git objects of a repository on this machine."""
    return mirror_of(repository.name, mirrors) if repository.is_fetched else Path(repository.source)


def write_name(folder: Path, name: str, ref: str = "") -> None:
    """Have every command in a bare repository find what it is called in a shared store, and which ref is indexed."""
    file, lines = folder / FOLDER / NAME_FILE, f"{name}\n{ref}\n" if ref else f"{name}\n"
    make_home(file.parent)
    if not file.exists() or file.read_text("utf-8") != lines:
        replace_file(file, lines.encode())


_WRITE_SECONDS = 2.0
_READ_SECONDS = 1.0
_OLD_SECONDS = 60


def written_progress(url: str, name: str, shown: Progress | None) -> Progress:
    """Shows it here, if that is wanted, and has it in the catalog now and then; failing to is no failure."""
    written = time.monotonic()

    def show(stage: str, done: int, total: int) -> None:
        nonlocal written
        if time.monotonic() - written >= _WRITE_SECONDS:
            written, found = time.monotonic(), FleetProgress(stage, done, total, int(time.time()))
            with suppress(BirthmarkError):
                change(url, name, lambda known: msgspec.structs.replace(known, progress=found))
        if shown is not None:
            shown(stage, done, total)

    return show


def current_progress(repository: FleetRepository, now: float) -> FleetProgress | None:
    found = repository.progress
    return found if found is not None and now - found.at < _OLD_SECONDS else None


def total_progress(repositories: Iterable[FleetRepository], now: float) -> FleetProgress | None:
    """Return the combined progress of all running refreshes, or None if there are none."""
    found = {one.name: progress for one in repositories if (progress := current_progress(one, now))}
    if not found:
        return None
    (name, first), n_others = next(iter(found.items())), len(found) - 1
    stage = f"{name}: {first.stage}" + (f", and {n_others:,} more" if n_others else "")
    done, total = (sum(getattr(one, field) for one in found.values()) for field in ("done", "total"))
    return FleetProgress(stage, done, total, int(now))


@contextmanager
def watching(url: str, shown: Progress | None) -> Iterator[None]:
    """Show what other machines write, meanwhile."""
    if shown is None:
        yield
        return
    stop = Event()
    thread = Thread(target=_watch, args=(url, shown, stop), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _watch(url: str, shown: Progress, stop: Event) -> None:
    catalog = CatalogReader(url)
    while not stop.wait(_READ_SECONDS):
        with suppress(BirthmarkError):
            if found := total_progress(catalog.read(), time.time()):
                shown(found.stage, found.done, found.total)
