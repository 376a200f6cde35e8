"""Protocols of the stores; their values are in `model.py`.

A store belongs to one repository. It keeps a cache of extractions, the snapshots of worktrees and the ledger; next to
it, a SubscriptionStore keeps subscriptions and notes. Everything is read and written in bulk, so that a server needs no
more requests than a file. `tests/contract/test_store_port.py` is the contract of all implementations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from birthmark.graph.manifests.package import Package
from birthmark.identity.fingerprints import Fingerprint
from birthmark.model import Level
from birthmark.store.model import (
    CommitNode,
    ContentKey,
    DocumentTable,
    Event,
    FileCounts,
    FileSummary,
    Identity,
    LedgerDerivation,
    LedgerEntries,
    LedgerKey,
    Message,
    NamedReferences,
    NetworkChange,
    NetworkRecord,
    PackedExtraction,
    PathState,
    Posting,
    Run,
    ScanRecord,
    Snapshot,
    SnapshotEntity,
    SnapshotFile,
    SoughtNames,
    Version,
    VersionContent,
)
from birthmark.vocabulary import Ecosystem

Value = str | int | bytes | float | None
EntityAt = tuple[int, str, str, str, int, int]  # identity, kind, name, qualified name, first and last line


class StoreBase(Protocol):
    """The common part of all stores."""

    @property
    def repository(self) -> str:
        """Return the name of the repository, which does not change while the store is open."""
        ...

    def writing(self, *, is_last: bool = True) -> AbstractContextManager[None]:
        """Run a transaction: all of it happens, or nothing.

        A first index is written in several transactions; search indexes may wait for the last one.
        """
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Read a consistent snapshot, whatever others write meanwhile."""
        ...

    def check_integrity(self) -> list[str]:
        """Describe damage of the stored data; empty if there is none."""
        ...

    def mend_log(self) -> list[str]:
        """Check the log, rewrite it if it is damaged, and return the repairs; servers have none."""
        ...

    def close(self) -> None: ...

    # Copies: all rows in a form that every store shares, to fill an empty one.
    @property
    def copied_tables(self) -> tuple[str, ...]: ...  # in the order in which they are put
    def count_rows(self, table: str) -> int: ...
    def rows_of(self, table: str, skip: int = 0) -> Iterator[Sequence[Any]]:
        """Yield all rows but the first ones, in an order that is stable while nothing is written."""
        ...

    def put_rows(self, table: str, rows: Sequence[Sequence[Any]]) -> None: ...


class ExtractionStore(StoreBase, Protocol):
    """The cache of extractions, and values by name.

    An extractor stands for all that a result depends on besides content and language.
    """

    def meta(self, name: str) -> Value: ...
    def set_meta(self, name: str, value: Value) -> None: ...
    def put_extractions(self, extractor: str, packed: Iterable[tuple[ContentKey, PackedExtraction]]) -> None: ...
    def forget_outlines(self) -> None: ...
    def extractions(self, keys: Collection[ContentKey], extractor: str, level: Level) -> dict[ContentKey, int]:
        """Return the extractions that are stored at a level or above it."""
        ...

    def incomplete_extractions(self, extractor: str, level: Level) -> dict[int, ContentKey]:
        """Return the extractions that are known, but not stored at a level."""
        ...

    def outlines(self, extractions: Collection[int]) -> Iterator[tuple[int, bytes]]: ...
    def source(self, extraction: int) -> bytes | None: ...
    def nodes(self, extraction: int) -> bytes | None: ...


class SnapshotStore(StoreBase, Protocol):
    """The files, entities, names and texts of snapshots."""

    # Snapshots: writing.
    def snapshot_for(self, run: Run, extractor: str, base: int | None) -> int:
        """Return the snapshot of the run's worktree and branch, with the files of `base` copied to it."""
        ...

    def change_files(self, snapshot: int, files: Iterable[SnapshotFile], gone: Collection[str]) -> None:
        """Put and remove files, and drop shown entities that only they contained."""
        ...

    def show_versions(self, contents: Sequence[VersionContent]) -> None:
        """Show the entities of versions, and the names in their references, in their snapshots."""
        ...

    # Snapshots: reading.
    def snapshot(self, worktree: str) -> Snapshot | None: ...
    def snapshots(self) -> list[Snapshot]: ...  # the newest first
    def files(self, snapshot: int, paths: Collection[str] | None = None) -> dict[str, SnapshotFile]: ...
    def each_file(self, snapshot: int) -> Iterator[SnapshotFile]: ...  # in no order
    def files_with_problems(self, snapshot: int) -> dict[str, SnapshotFile]: ...  # in the order of paths
    def files_without_version(self, snapshot: int) -> list[SnapshotFile]: ...  # readable, in no language
    def shown_versions(self) -> set[int]: ...  # of all snapshots
    def versions_with(self, snapshot: int, identities: Collection[int]) -> dict[int, int]: ...  # by identity
    def counts(self, snapshot: int) -> dict[str, int]: ...
    def file_counts(self, snapshot: int) -> FileCounts: ...
    def summarize_files(self, snapshot: int, folder: str = "") -> list[FileSummary]:
        """Return the indexed files below a folder, or all of them, in the order of paths."""
        ...

    def notes(self, snapshot: int) -> Iterator[tuple[str, bytes]]: ...  # by path, in no order

    # Entities of a snapshot, in the order of paths and of the file.
    def names(self, snapshot: int) -> list[tuple[str, str]]: ...  # simple and qualified, each pair once
    def all_entities(self, snapshot: int) -> Iterator[SnapshotEntity]: ...
    def entities_in(self, snapshot: int, paths: Collection[str]) -> list[SnapshotEntity]: ...
    def entities_named(self, snapshot: int, names: Collection[str]) -> list[SnapshotEntity]: ...
    def entities_qualified(self, snapshot: int, qualified_names: Collection[str]) -> list[SnapshotEntity]: ...
    def entities_of(self, snapshot: int, identities: Collection[int]) -> list[SnapshotEntity]: ...
    def entities_marked(self, snapshot: int, marks: Collection[str]) -> list[SnapshotEntity]: ...
    def names_starting(self, snapshot: int, prefix: str, limit: int) -> list[str]:
        """Return names and qualified names with a prefix, in order."""
        ...

    def most_called(self, snapshot: int, limit: int) -> list[str]:
        """Return names by number of calls, the most frequent first."""
        ...

    # References, which are in the outlines as well.
    def files_referring(self, snapshot: int, names: Collection[str]) -> list[tuple[str, str, int, bytes]]:
        """Return path, language, version and packed references of files that refer to one of some names or aliases.

        They are ordered by path, with one row for each name.
        """
        ...

    def named_references(self, version: int) -> list[NamedReferences]: ...  # by name
    def entities_at(self, places: Collection[tuple[int, int]]) -> dict[tuple[int, int], EntityAt]:
        """Return the shown entities by version and ordinal."""
        ...

    def sources(self, snapshot: int, languages: Collection[str]) -> Iterator[tuple[str, str, bytes]]:
        """Return path, language and packed source of the files in some languages."""
        ...

    # Search, ignoring case. Results are candidates, which may not contain the text.
    def names_like(self, text: str, limit: int) -> list[str]:
        """Return names that share trigrams with a text, spelled as in keys, by the share of these in both.

        Text and names are compared without `_` and `-`. A slip may leave no trigram of a short text: for these, all
        names follow that are about as short and have the same start or end.
        """
        ...

    def count_references(self, snapshot: int, names: Collection[str]) -> dict[str, int]: ...  # up to 1,000 each
    def unsearched_texts(self, snapshot: int) -> set[int]: ...  # extractions whose texts were not put yet
    def put_texts(self, texts: Iterable[tuple[int, str]]) -> None:
        """Make the texts of extractions searchable, and drop those that are in no snapshot any more."""
        ...

    def files_with(self, snapshot: int, words: Collection[str]) -> list[tuple[str, int, int]]:
        """Return path, version and extraction of files that may contain all of some words, in the order of paths.

        Every file whose text was not put may contain them.
        """
        ...


class NetworkStore(StoreBase, Protocol):
    """The resolved edges of a worktree: a cache that its readers keep up to date."""

    def network(self, worktree: str) -> NetworkRecord | None: ...
    def change_network(self, worktree: str, maker: str, since: int, change: NetworkChange) -> bool:
        """Put and remove files with their edges; with another maker, drop all others.

        Do nothing and return False if it was changed since that generation.
        """
        ...

    def resolved_versions(self, network: int) -> dict[str, int]: ...  # by path
    def lookups(self, network: int) -> Iterator[tuple[str, bytes]]: ...  # by path
    def provisions(self, network: int, paths: Collection[str]) -> dict[str, bytes]: ...
    def postings_to(self, network: int, nodes: Collection[int | str]) -> list[Posting]:
        """Return the edges to nodes, in the order of paths."""
        ...

    def postings_in(self, network: int, paths: Collection[str]) -> list[Posting]:
        """Return the edges that start in files, in the order of paths."""
        ...

    def all_postings(self, network: int) -> Iterator[Posting]: ...
    def candidate_sets(self, network: int, identities: Collection[int]) -> list[tuple[int, str]]:
        """Return pairs of an identity and a set that contains it."""
        ...

    def candidates(self, network: int, names: Collection[str]) -> list[tuple[str, int]]:
        """Return pairs of a set and a member."""
        ...


class LedgerStore(StoreBase, Protocol):
    """The identities of a repository with their events, and the replayed commits."""

    # The ledger: writing. Numbers are allotted within a transaction and used in it.
    def begin_run(self, worktree: str, branch: str | None, revision: str | None, at: int) -> Run: ...
    def allot_identities(self, count: int) -> range: ...
    def allot_keys(self, count: int) -> range: ...
    def append_ledger(self, entries: LedgerEntries) -> list[Version]:
        """Append entries, which are never removed; return the versions with their numbers."""
        ...

    def append_commit(self, node: CommitNode, removed: Collection[str] = (), unread: Collection[str] = ()) -> None:
        """Add a commit, with the files that it removed and those that could not be read."""
        ...

    def put_links(self, links: Mapping[int, bytes]) -> None:
        """Keep the changes that commits made to the entities of files, by version."""
        ...

    def merge_identities(self, successors: Mapping[int, int], run: int) -> None:
        """Make identities names of their successors: each id leads to the successor, and the older birth counts."""
        ...

    def set_replay_aside(self) -> None:
        """Forget that commits were replayed; issued ids stay."""
        ...

    # The ledger: reading.
    def observed_as_replayed(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the identities of the same contents at the same paths, as indexed and as replayed; newest first."""
        ...

    def born_again(self) -> Iterator[tuple[int, int]]:
        """Return identities of a replay that was set aside, with those that the same commits gave the same names."""
        ...

    def replay_extractor(self) -> str | None:
        """Return the version of the extractor that the replay was made with; None without one."""
        ...

    def is_replay_backwards(self) -> bool:
        """Return True if a commit revived an identity that was first seen later, as versions before 0.2 did."""
        ...

    def born_in_replay(self, identities: Collection[int]) -> set[int]: ...
    def has_identities(self) -> bool: ...
    def count_identities(self) -> int: ...
    def identities(self, numbers: Collection[int]) -> list[Identity]: ...
    def identities_marked(self, marks: Collection[str]) -> list[Identity]:
        """Return the identities that have or had the marks; merged ones with the number of the successor."""
        ...

    def keys_of(self, identities: Collection[int]) -> list[LedgerKey]: ...  # as they were issued
    def keys_at(self, semantic_paths: Collection[str]) -> list[LedgerKey]: ...
    def keys_named(self, names: Collection[str]) -> list[LedgerKey]: ...  # by the name in them, as they were issued
    def events_of(self, identities: Collection[int]) -> list[Event]: ...  # as they happened
    def latest_changes(self, limit: int) -> list[tuple[int, int]]:
        """Return runs with identities that were born or changed in them, the newest run first."""
        ...

    def ledger_end(self) -> tuple[int, int]: ...  # the numbers of the last event and identity
    def changed_since(self, end: tuple[int, int]) -> list[tuple[int, str, int, str]]:
        """Return identity, mark, run and change of each later change, in the order of runs."""
        ...

    def deletions_with(self, contents: Collection[str]) -> list[Event]: ...
    def deletions_from(self, path: str) -> list[Event]: ...
    def candidates_of(self, identities: Collection[int]) -> list[tuple[int, int]]:
        """Return the pairs of an old identity, and one that it may have become, with some identities."""
        ...

    def derivations_of(self, identities: Collection[int]) -> list[LedgerDerivation]:
        """Return the derivations with some identities as source or derivative, in the order of discovery."""
        ...

    def runs(self, numbers: Collection[int]) -> dict[int, Run]: ...
    def replayed_commits(self) -> dict[str, int]: ...  # the run of each
    def versions(self, numbers: Collection[int]) -> dict[int, Version]: ...
    def versions_of(self, path: str) -> list[Version]: ...  # the newest first
    def versions_at(self, places: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[Version]]:
        """Return the versions of paths with an extraction, the newest first."""
        ...

    def versions_in(self, runs: Collection[int]) -> list[Version]: ...  # all of some runs, in their order
    def newest_versions(self, runs: Collection[int]) -> dict[str, Version]:
        """Return the last version of each path in some runs."""
        ...

    # The graph of replayed commits.
    def has_commits(self) -> bool: ...
    def unread_files(self, limit: int) -> list[tuple[str, str]]:
        """Return some files that replayed commits changed and that could not be read, as path and revision."""
        ...

    def commits(self, runs: Collection[int]) -> dict[int, CommitNode]: ...
    def commits_named(self, revisions: Collection[str]) -> dict[str, CommitNode]: ...
    def chain_ends(self, chains: Collection[int]) -> dict[int, int]: ...  # the last position of each
    def chain_bases(self) -> dict[int, tuple[int, int]]:
        """Return, by chain, the chain and position of the commit that it branched off; none for roots."""
        ...

    def path_states(self, path: str) -> list[PathState]:
        """Return the states of a file after each commit that changed it against its first parent."""
        ...


class Store(ExtractionStore, SnapshotStore, NetworkStore, LedgerStore, Protocol):
    """The index of a repository."""

    def tidy(self) -> None: ...

    # The packages defined by manifests, in the order of their folders.
    def put_packages(self, packages: Iterable[Package]) -> None:
        """Replace all packages, in a transaction."""
        ...

    def packages(self) -> list[Package]: ...


class Directory(Protocol):
    """The indexed repositories of a database that the viewer may see, by name."""

    def repositories(self) -> list[str]: ...
    def dependents(self, packages: Collection[Package], names: Collection[str], *, refer: bool = False) -> list[str]:
        """Return the repositories that depend on one of some packages.

        Repositories without a package of these ecosystems depend on what they import: they count if they refer to one
        of some names. With `refer`, all must do so.
        """
        ...

    def providers(self, packages: Collection[tuple[Ecosystem, str]]) -> list[tuple[str, Ecosystem, str]]:
        """Return the repositories that define some packages."""
        ...

    def names_like(self, sought: SoughtNames) -> dict[str, list[str]]:
        """Return candidates for sought names, spelled as in keys, with their repositories.

        All but exact ones share a trigram with the text, or are about as short, as in a store.
        """
        ...

    def with_words(self, words: Collection[str]) -> list[str]:
        """Return the repositories with a file that may contain all of some words."""
        ...

    def undecided(self, format_: int) -> list[str]:
        """Return the repositories that must be opened to know more: they have another format or spelling."""
        ...

    def alike(self, fingerprint: Fingerprint, name: str, kind: str, limit: int) -> list[tuple[str, int]]:
        """Return repositories and identities of entities with the same heavy body.

        Those with the same content come first, then those with the same name and kind. A repository may have several
        snapshots; an identity is in at least one of them.
        """
        ...

    def deleted(self, contents: Collection[str], limit: int) -> list[tuple[str, int]]:
        """Return repositories and identities that were deleted with one of some contents; they may be back."""
        ...


class SubscriptionStore(StoreBase, Protocol):
    """Subscriptions, notes, scans and messages of a repository; documents are JSON of the callers."""

    def documents(self, table: DocumentTable, ids: Collection[str] | None = None) -> list[bytes]:
        """Return all documents of a table, or those with some ids, in the order of ids."""
        ...

    def put_documents(self, table: DocumentTable, documents: Mapping[str, bytes]) -> None: ...  # by their ids
    def delete_documents(self, table: DocumentTable, ids: Collection[str]) -> None: ...

    # Accepted contents that git does not have.
    def content(self, content_id: str) -> bytes | None: ...
    def has_contents(self) -> bool: ...
    def keep_contents(self, contents: Mapping[str, bytes]) -> None: ...
    def drop_contents(self, used: Collection[str]) -> None: ...  # all others

    def add_scan(self, at: str, base: str, target: str, triggers: int) -> int: ...
    def set_scan(self, number: int, document: bytes) -> None:
        """Keep the result of a scan; drop documents and delivered messages of old scans."""
        ...

    def scan(self, number: int | None = None) -> ScanRecord | None: ...  # by its number, or the last
    def scans(self, limit: int) -> list[ScanRecord]: ...  # the newest first, without documents

    # The outbox.
    def post(self, messages: Iterable[Message]) -> None: ...
    def messages(self, state: str | None = None) -> list[Message]: ...
    def due(self, now: float) -> list[Message]: ...
    def claim(self, message: str, now: float, until: float) -> bool:
        """Reserve a due message until a time; return False if another process was faster."""
        ...

    def settle(self, message: Message) -> None:
        """Keep the state of a delivery; a delivered message stays so, even if a slower sender failed."""
        ...
