"""What the other rooms ask of a store: protocols; the values are in `model.py`.

A store belongs to one repository. It keeps a cache of extractions, the snapshots of worktrees and the ledger; beside
it a SubscriptionStore keeps what people subscribed to and wrote down. Everything is asked and written in bulk, so that
a server is asked as seldom as a file. `tests/contract/test_store_port.py` states what any implementation must do.
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
    Run,
    ScanRecord,
    Snapshot,
    SnapshotEntity,
    SnapshotFile,
    SoughtNames,
    Use,
    Version,
    VersionContent,
)
from birthmark.vocabulary import Ecosystem

Value = str | int | bytes | float | None
EntityAt = tuple[int, str, str, str, int, int]  # identity, kind, name, qualified name, first and last line


class StoreBase(Protocol):
    """What every store can do."""

    @property
    def repository(self) -> str:
        """The repository that it belongs to, by a name that does not change while it is open."""
        ...

    def writing(self, *, is_last: bool = True) -> AbstractContextManager[None]:
        """A transaction: all between entering and leaving happens, or none of it.

        Of a first index that is written in several, what makes questions fast may wait for the last one.
        """
        ...

    def reading(self) -> AbstractContextManager[None]:
        """All that is read between entering and leaving is of one moment, whatever others write meanwhile."""
        ...

    def check_integrity(self) -> list[str]:
        """What is wrong with what is stored; nothing if all is well."""
        ...

    def mend_log(self) -> list[str]:
        """Check the second copy, and write it anew if it is damaged; return what was done. Servers have none."""
        ...

    def close(self) -> None: ...

    # Copies: all rows, in a form that every store has, to fill an empty one.
    @property
    def copied_tables(self) -> tuple[str, ...]: ...  # in the order in which they are put
    def count_rows(self, table: str) -> int: ...
    def rows_of(self, table: str, skip: int = 0) -> Iterator[Sequence[Any]]:
        """All but the first ones, in an order that is always the same while nothing is written."""
        ...

    def put_rows(self, table: str, rows: Sequence[Sequence[Any]]) -> None: ...


class Store(StoreBase, Protocol):
    """The index of a repository."""

    # Settings.
    def meta(self, name: str) -> Value: ...
    def set_meta(self, name: str, value: Value) -> None: ...
    def tidy(self) -> None: ...

    # The cache of extractions. An extractor is what an extraction depends on besides content and language.
    def put_extractions(self, extractor: str, packed: Iterable[tuple[ContentKey, PackedExtraction]]) -> None: ...
    def forget_outlines(self) -> None: ...
    def extractions(self, keys: Collection[ContentKey], extractor: str, level: Level) -> dict[ContentKey, int]:
        """The extractions that are stored at a level or above it."""
        ...

    def incomplete_extractions(self, extractor: str, level: Level) -> dict[int, ContentKey]:
        """The extractions that are known, but not stored at a level."""
        ...

    def outlines(self, extractions: Collection[int]) -> Iterator[tuple[int, bytes]]: ...
    def source(self, extraction: int) -> bytes | None: ...
    def nodes(self, extraction: int) -> bytes | None: ...

    # Snapshots: writing.
    def snapshot_for(self, run: Run, extractor: str, base: int | None) -> int:
        """The snapshot of the run's worktree and branch; it takes the files of `base` as its own."""
        ...

    def change_files(self, snapshot: int, files: Iterable[SnapshotFile], gone: Collection[str]) -> None:
        """Put and remove files. What only they showed is no longer kept as shown."""
        ...

    def show_versions(self, contents: Sequence[VersionContent]) -> None:
        """Make the entities of versions, and the names in their references, visible in the snapshots that have them."""
        ...

    # Snapshots: reading.
    def snapshot(self, worktree: str) -> Snapshot | None: ...
    def snapshots(self) -> list[Snapshot]: ...  # the newest first
    def files(self, snapshot: int, paths: Collection[str] | None = None) -> dict[str, SnapshotFile]: ...
    def each_file(self, snapshot: int) -> Iterator[SnapshotFile]: ...  # in no order
    def files_with_problems(self, snapshot: int) -> dict[str, SnapshotFile]: ...  # in the order of paths
    def shown_versions(self) -> set[int]: ...  # of all snapshots
    def versions_with(self, snapshot: int, identities: Collection[int]) -> dict[int, int]: ...  # by identity
    def counts(self, snapshot: int) -> dict[str, int]: ...
    def file_counts(self, snapshot: int) -> FileCounts: ...
    def summarize_files(self, snapshot: int, folder: str = "") -> list[FileSummary]:
        """The indexed files below a folder, or all of them, in the order of paths."""
        ...

    def notes(self, snapshot: int) -> Iterator[tuple[str, bytes]]: ...  # by path, in no order

    # Entities of a snapshot, in the order of paths and of the file.
    def names(self, snapshot: int) -> list[tuple[str, str]]: ...  # simple and qualified, each pair once
    def all_entities(self, snapshot: int) -> Iterator[SnapshotEntity]: ...
    def entities_in(self, snapshot: int, paths: Collection[str]) -> list[SnapshotEntity]: ...
    def entities_named(self, snapshot: int, names: Collection[str]) -> list[SnapshotEntity]: ...
    def outer_entities(self, snapshot: int, names: Collection[str]) -> list[SnapshotEntity]:
        """Those of the names that are inside of no other one."""

    def entities_qualified(self, snapshot: int, qualified_names: Collection[str]) -> list[SnapshotEntity]: ...
    def entities_of(self, snapshot: int, identities: Collection[int]) -> list[SnapshotEntity]: ...
    def entities_marked(self, snapshot: int, marks: Collection[str]) -> list[SnapshotEntity]: ...
    def names_starting(self, snapshot: int, prefix: str, limit: int) -> list[str]:
        """Names and qualified names that start so, in their order."""
        ...

    def most_called(self, snapshot: int, limit: int) -> list[str]:
        """Names by the number of calls, the most frequent first."""
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
        """The files in some languages: path, language and packed source."""
        ...

    # Search. Upper and lower case are the same. What is found may contain what was asked for, and is to be looked at.
    def names_like(self, text: str, limit: int) -> list[str]:
        """Names of keys, as keys spell them, that share trigrams with a text, by the share of these in both.

        The text and the names are compared without `_` and `-`. Of a short text, of which a slip leaves no trigram,
        all names follow that are about as short and start or end as it does.
        """
        ...

    def count_references(self, snapshot: int, names: Collection[str]) -> dict[str, int]: ...  # up to 1,000 each
    def unsearched_texts(self, snapshot: int) -> set[int]: ...  # the extractions whose texts were not put yet
    def put_texts(self, texts: Iterable[tuple[int, str]]) -> None:
        """Make the texts of extractions searchable; those that no snapshot has any more are no longer kept."""
        ...

    def files_with(self, snapshot: int, words: Collection[str]) -> list[tuple[str, int, int]]:
        """Return path, version and extraction of files that may contain all of some words, in the order of paths.

        Every file whose text was not put may contain them.
        """
        ...

    # The network: the edges of a worktree, resolved. It is a cache, which the one who asks keeps up to date.
    def network(self, worktree: str) -> NetworkRecord | None: ...
    def change_network(self, worktree: str, maker: str, since: int, change: NetworkChange) -> bool:
        """Put and remove files with their edges; of another maker, all else is dropped.

        False, and nothing is done, if it was changed since that generation.
        """
        ...

    def resolved_versions(self, network: int) -> dict[str, int]: ...  # by path
    def lookups(self, network: int) -> Iterator[tuple[str, bytes]]: ...  # by path
    def provisions(self, network: int, paths: Collection[str]) -> dict[str, bytes]: ...
    def users_of(self, network: int, nodes: Collection[int | str]) -> list[Use]: ...
    def used_by(self, network: int, nodes: Collection[int | str]) -> list[Use]: ...
    def all_uses(self, network: int) -> Iterator[Use]: ...
    def mentions_of(self, network: int, nodes: Collection[int]) -> list[Use]: ...
    def all_mentions(self, network: int) -> Iterator[Use]: ...
    def candidate_sets(self, network: int, identities: Collection[int]) -> list[tuple[int, str]]:
        """The sets in which they are, by identity."""
        ...

    def candidates(self, network: int, names: Collection[str]) -> list[tuple[str, int]]:
        """The members of sets, by the set."""
        ...

    # The packages that manifests define, in the order of their folders.
    def put_packages(self, packages: Iterable[Package]) -> None:
        """In the place of those that were known, in a transaction of its own."""
        ...

    def packages(self) -> list[Package]: ...

    # The ledger: writing. Numbers are allotted within a transaction and used in it.
    def begin_run(self, worktree: str, branch: str | None, revision: str | None, at: int) -> Run: ...
    def allot_identities(self, count: int) -> range: ...
    def allot_keys(self, count: int) -> range: ...
    def append_ledger(self, entries: LedgerEntries) -> list[Version]:
        """Nothing is ever taken back. Returns the versions with their numbers."""
        ...

    def append_commit(self, node: CommitNode, removed: Collection[str] = (), unread: Collection[str] = ()) -> None:
        """Add a commit, with the files that it removed and those that could not be read."""
        ...

    def put_links(self, links: Mapping[int, bytes]) -> None:
        """Keep what commits did to the entities of files, by the versions of these."""
        ...

    def merge_identities(self, successors: Mapping[int, int], run: int) -> None:
        """Make identities names of their successors: each id leads to the successor, the older birth counts."""
        ...

    def set_replay_aside(self) -> None:
        """Forget that commits were replayed; what was issued stays."""
        ...

    # The ledger: reading.
    def observed_as_replayed(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the identities of the same contents at the same paths, as indexed and as replayed; newest first."""
        ...

    def is_replay_backwards(self) -> bool:
        """Tell whether a commit revived what was first seen after it: a version before 0.2 replayed so."""
        ...

    def born_in_replay(self, identities: Collection[int]) -> set[int]: ...
    def has_identities(self) -> bool: ...
    def count_identities(self) -> int: ...
    def identities(self, numbers: Collection[int]) -> list[Identity]: ...
    def identities_marked(self, marks: Collection[str]) -> list[Identity]:
        """Return the identities that have or had the marks; what was merged has the number of its successor."""
        ...

    def keys_of(self, identities: Collection[int]) -> list[LedgerKey]: ...  # as they were issued
    def keys_at(self, semantic_paths: Collection[str]) -> list[LedgerKey]: ...
    def keys_named(self, names: Collection[str]) -> list[LedgerKey]: ...  # by the name in them, as they were issued
    def events_of(self, identities: Collection[int]) -> list[Event]: ...  # as they happened
    def latest_changes(self, limit: int) -> list[tuple[int, int]]:
        """Runs with the identities that were born in them or to which something happened, the newest run first."""
        ...

    def ledger_end(self) -> tuple[int, int]: ...  # the numbers of the last event and identity
    def changed_since(self, end: tuple[int, int]) -> list[tuple[int, str, int, str]]:
        """Return identity, mark, run and change of each later change, in the order of runs."""
        ...

    def deletions_with(self, contents: Collection[str]) -> list[Event]: ...
    def deletions_from(self, path: str) -> list[Event]: ...
    def candidates_of(self, identities: Collection[int]) -> list[tuple[int, int]]:
        """What may have become what: all pairs of an old and a new identity in which one of these is."""
        ...

    def derivations_of(self, identities: Collection[int]) -> list[LedgerDerivation]:
        """All in which one of these is the source or the derivative, as they were found."""
        ...

    def runs(self, numbers: Collection[int]) -> dict[int, Run]: ...
    def replayed_commits(self) -> dict[str, int]: ...  # the run of each
    def versions(self, numbers: Collection[int]) -> dict[int, Version]: ...
    def versions_of(self, path: str) -> list[Version]: ...  # the newest first
    def versions_at(self, places: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[Version]]:
        """The versions that a path had with an extraction, the newest first."""
        ...

    def versions_in(self, runs: Collection[int]) -> list[Version]: ...  # all of some runs, in their order
    def newest_versions(self, runs: Collection[int]) -> dict[str, Version]:
        """The last version of each path in some runs."""
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
        """By chain, the chain and the position of the commit from which it began; none where it begins history."""
        ...

    def path_states(self, path: str) -> list[PathState]:
        """A file as each commit left it that changed it against its first parent."""
        ...


class Directory(Protocol):
    """All repositories of a database that have an index, by their names, as far as who asks may see them."""

    def repositories(self) -> list[str]: ...
    def dependents(self, packages: Collection[Package], names: Collection[str], *, refer: bool = False) -> list[str]:
        """Those that depend on one of some packages; and those that have no package of such an ecosystem, which depend
        on what they import, if they refer to one of some names. With `refer`, all must do so."""
        ...

    def providers(self, packages: Collection[tuple[Ecosystem, str]]) -> list[tuple[str, Ecosystem, str]]:
        """The repositories that define some packages."""
        ...

    def names_like(self, sought: SoughtNames) -> dict[str, list[str]]:
        """Names, as keys spell them, that may be among those that are sought, and the repositories that have them.

        All but the exact ones share a trigram with the text, or are about as short, as those of a store are.
        """
        ...

    def with_words(self, words: Collection[str]) -> list[str]:
        """Repositories with a file that may contain all of some words."""
        ...

    def undecided(self, format_: int) -> list[str]:
        """Those of which no more is known without opening them: they are of another format, or spell otherwise."""
        ...

    def alike(self, fingerprint: Fingerprint, name: str, kind: str, limit: int) -> list[tuple[str, int]]:
        """Entities with the same heavy body, those with the same content first, then those of the same name and kind:
        repositories and identities.

        A repository may have several snapshots; an identity is in one of them at least.
        """
        ...

    def deleted(self, contents: Collection[str], limit: int) -> list[tuple[str, int]]:
        """What had one of some contents when it was deleted, though it may be back: repositories and identities."""
        ...


class SubscriptionStore(StoreBase, Protocol):
    """Subscriptions, notes, scans and messages of a repository. Documents are JSON and belong to the callers."""

    def documents(self, table: DocumentTable, ids: Collection[str] | None = None) -> list[bytes]:
        """All of a table, or those with some ids, in the order of their ids."""
        ...

    def put_documents(self, table: DocumentTable, documents: Mapping[str, bytes]) -> None: ...  # by their ids
    def delete_documents(self, table: DocumentTable, ids: Collection[str]) -> None: ...

    # Contents that were accepted and that git does not have.
    def content(self, content_id: str) -> bytes | None: ...
    def has_contents(self) -> bool: ...
    def keep_contents(self, contents: Mapping[str, bytes]) -> None: ...
    def drop_contents(self, used: Collection[str]) -> None: ...  # all others

    def add_scan(self, at: str, base: str, target: str, triggers: int) -> int: ...
    def set_scan(self, number: int, document: bytes) -> None:
        """Keep what a scan found. Documents and delivered messages of scans long ago are dropped."""
        ...

    def scan(self, number: int | None = None) -> ScanRecord | None: ...  # by its number, or the last
    def scans(self, limit: int) -> list[ScanRecord]: ...  # the newest first, without documents

    # The outbox.
    def post(self, messages: Iterable[Message]) -> None: ...
    def messages(self, state: str | None = None) -> list[Message]: ...
    def due(self, now: float) -> list[Message]: ...
    def claim(self, message: str, now: float, until: float) -> bool:
        """Reserve a message that is due until a time; False if another process was faster."""
        ...

    def settle(self, message: Message) -> None:
        """Keep the state of a delivery. What was delivered remains so, though a slower sender failed meanwhile."""
        ...
