"""What the rest of the house asks of a store, and the rows that pass through the door.

A store keeps three things: a cache of extractions, the snapshots of worktrees, and the ledger. Rows are plain tuples
in the order of the table's columns; `TABLES` says which.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

Value = str | int | bytes | float | None

TABLES = {
    "extractions": (
        "extraction content language extractor outline source nodes n_entities n_nodes n_chunks n_edges notes"
    ),
    "paths": "path_id path",
    "runs": "run worktree branch revision at",
    "identities": "identity mark key run path_id start_line end_line",
    "keys": "key semantic_path birth identity",
    "events": "event identity run change path_id qualified_name start_line end_line content evidence confidence",
    "candidates": "old_identity new_identity run",
    "versions": "version path_id extraction run identities",
    "snapshots": "snapshot worktree branch run extractor",
    "files": "snapshot path_id os_path size mtime_ns ctime_ns inode attribute content language version problem",
    "entities": "version ordinal identity key kind name qualified_name content_hash start_line end_line",
    "edges": "version ordinal edge name receiver alias entity line",
}
SKETCHED = -1  # as the number of chunks: only the entities were extracted
LEDGER = ("paths", "runs", "identities", "keys", "events", "candidates", "versions")


class Snapshot(NamedTuple):
    """What a worktree held when it was last indexed."""

    snapshot: int
    worktree: str
    branch: str
    run: int
    extractor: str
    revision: str | None
    at: int


class FileRow(NamedTuple):
    """A file of a snapshot."""

    snapshot: int
    path_id: int
    os_path: bytes | None
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    attribute: str | None
    content: bytes
    language: str | None
    version: int | None
    problem: str | None


class Version(NamedTuple):
    """A file's content at a path, and who its entities are."""

    version: int
    path: str
    extraction: int
    run: int
    identities: tuple[int, ...]


class Present(NamedTuple):
    """An entity of a snapshot, with its names."""

    path: str
    identity: int
    mark: str
    semantic_path: str
    birth: int
    language: str
    kind: str
    name: str
    qualified_name: str
    content_hash: str
    start_line: int
    end_line: int
    version: int
    ordinal: int

    @property
    def key(self) -> str:
        return f"{self.semantic_path}:T{self.birth}"


class KeyRow(NamedTuple):
    """A key that was issued once, and whose it is."""

    key: int
    semantic_path: str
    birth: int
    identity: int

    @property
    def text(self) -> str:
        return f"{self.semantic_path}:T{self.birth}"


class Identity(NamedTuple):
    """An identity as it was born."""

    identity: int
    mark: str
    key: str
    run: int
    path: str
    start_line: int
    end_line: int


class Event(NamedTuple):
    """What happened to an identity, and how it stood afterwards; of a deleted one, before."""

    identity: int
    run: int
    change: str
    path: str
    qualified_name: str
    start_line: int
    end_line: int
    content: str
    evidence: str | None
    confidence: str | None


class MentionRow(NamedTuple):
    """A reference of a snapshot, and the entity in which it stands, if any."""

    path: str
    language: str
    edge: str
    name: str
    receiver: str | None
    alias: str | None
    entity: int
    line: int
    identity: int | None
    kind: str | None
    entity_name: str | None
    qualified_name: str | None
    start_line: int | None
    end_line: int | None


class Run(NamedTuple):
    """One time that the index was brought up to date; one without a worktree replayed a commit."""

    run: int
    worktree: str
    branch: str | None
    revision: str | None
    at: int


class Store(Protocol):
    """Asked in bulk wherever there can be many."""

    # Writing. All between entering and leaving `writing` happens, or none of it.
    def writing(self) -> AbstractContextManager[None]: ...
    def insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None: ...
    def keep_extractions(self, rows: Iterable[Sequence[Value]]) -> None: ...
    def put_files(self, rows: Iterable[FileRow]) -> None: ...
    def drop_files(self, snapshot: int, path_ids: Collection[int]) -> None: ...
    def drop_idle_versions(self, versions: Collection[int]) -> None: ...
    def use_snapshot(self, worktree: str, branch: str, run: int, extractor: str, base: int | None) -> int: ...
    def last(self, table: str) -> int: ...
    def meta(self, name: str) -> Value: ...
    def set_meta(self, name: str, value: Value) -> None: ...
    def forget_outlines(self) -> None: ...
    def path_ids(self, paths: Collection[str]) -> dict[str, int]: ...

    # The cache.
    def extractions(
        self,
        contents: Collection[tuple[bytes, str]],
        extractor: str,
        *,
        with_nodes: bool = False,
        or_sketched: bool = False,
    ) -> dict[tuple[bytes, str], int]: ...
    def sketches(self, extractions: Collection[int]) -> dict[int, tuple[bytes, str]]: ...
    def forgotten(self, extractor: str) -> dict[int, tuple[bytes, str]]: ...
    def outlines(self, extractions: Collection[int]) -> Iterator[tuple[int, bytes]]: ...
    def source(self, extraction: int) -> bytes | None: ...
    def nodes(self, extraction: int) -> bytes | None: ...

    # Snapshots.
    def snapshot(self, worktree: str) -> Snapshot | None: ...
    def snapshots(self) -> list[Snapshot]: ...
    def files(self, snapshot: int, paths: Collection[str] | None = None) -> dict[str, FileRow]: ...
    def present(self, snapshot: int, column: str, values: Collection[Value]) -> list[Present]: ...
    def all_present(self, snapshot: int) -> Iterator[Present]: ...
    def alive(self, snapshot: int, identities: Collection[int]) -> dict[int, int]: ...
    def mentions(self, snapshot: int, column: str, values: Collection[Value]) -> list[MentionRow]: ...
    def counts(self, snapshot: int) -> dict[str, int]: ...
    def notes(self, snapshot: int) -> list[tuple[str, bytes]]: ...

    # The ledger.
    def versions(self, numbers: Collection[int]) -> dict[int, Version]: ...
    def versions_of(self, path: str) -> list[Version]: ...
    def versions_at(self, places: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[Version]]: ...
    def keys(self, column: str, values: Collection[Value]) -> list[KeyRow]: ...
    def identities(self, column: str, values: Collection[Value]) -> list[Identity]: ...
    def events(self, identities: Collection[int]) -> list[Event]: ...
    def deleted_with(self, contents: Collection[str]) -> list[Event]: ...
    def candidates(self, identity: int) -> tuple[list[int], list[int]]: ...
    def run(self, run: int) -> Run: ...
    def replayed(self) -> dict[str, int]: ...
    def newest_versions(self, runs: Collection[int]) -> dict[str, Version]: ...
    def deleted_from(self, path: str) -> list[Event]: ...
