"""Values that pass through the store's port.

The store allots all numbers (of runs, identities, keys, versions, snapshots); they mean nothing outside of it.
Paths are text, relative to the repository.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from birthmark.model import Level
from birthmark.vocabulary import DeliveryState

KEPT_SCANS = 200  # scans whose documents and delivered messages are kept
COPY = "copy"  # the setting with the progress of a copy of another store
REPLAY = ""  # the worktree of runs that replayed a commit
SET_ASIDE = "replay"  # the worktree of runs of a wrong replay, which was made again


class DocumentTable(StrEnum):
    """Tables of documents; the names are those of the database tables and of a team's file."""

    SUBSCRIPTIONS = "subscriptions"
    NOTES = "notes"
    # The rest concerns the whole database and belongs to the repository without a name.
    FLEET = "fleet_repositories"
    TOKENS = "tokens"


class StoreLocation(NamedTuple):
    """Location of a repository's stores: a folder of their own or, with a URL, a name in a database."""

    folder: Path
    url: str = ""
    repository: str = ""

    def __repr__(self) -> str:
        """Leave out the password."""
        return f"{self.repository} in {shown_url(self.url)}" if self.url else str(self.folder)


def shown_url(url: str) -> str:
    """Return a URL for display: without user, password and options."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "a URL that cannot be read"
    host = parts.netloc.rpartition("@")[2] or parse_qs(parts.query).get("host", [""])[0]
    return f"{parts.scheme}://{host}{parts.path}"


def hide_password(text: str, url: str) -> str:
    """Replace the password of a URL in a text, both as written and decoded."""
    parts = urlsplit(url)
    secrets = {parts.password, unquote(parts.password or ""), *parse_qs(parts.query).get("password", [])} - {None, ""}
    for secret in secrets:
        text = text.replace(str(secret), "***")
    return text


# The cache

ContentKey = tuple[bytes, str]  # a content by git's id of its blob, and the language it is read in


class PackedExtraction(msgspec.Struct, frozen=True, array_like=True):
    """The packed result of an extraction; `nodes` only at that level.

    `shown` is what snapshots show of it. It is part of the outline, and given to whoever has just extracted the
    source, but not stored here.
    """

    level: Level
    outline: bytes
    source: bytes
    nodes: bytes | None
    n_entities: int
    n_nodes: int
    n_chunks: int
    n_edges: int
    notes: bytes
    shown: bytes = b""


# Snapshots


class Snapshot(NamedTuple):
    """A worktree as it was last indexed."""

    snapshot: int
    worktree: str
    branch: str
    run: int
    extractor: str
    revision: str | None
    at: int


class FileCounts(NamedTuple):
    """Numbers of files in a snapshot: indexed, in no supported language, and unreadable.

    Files that are kept as text only are none of them.
    """

    indexed: int
    unsupported: int
    unreadable: int


class SnapshotFile(NamedTuple):
    """A file of a snapshot, as found on disk."""

    path: str
    os_path: bytes | None  # unless it is the path in UTF-8
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    attribute: str | None  # the language that .gitattributes names
    content: bytes
    language: str | None
    version: int | None
    problem: str | None  # the reason that the version is not that of the content


class FileSummary(NamedTuple):
    """An indexed file of a snapshot, with counts."""

    path: str
    language: str
    n_bytes: int
    n_entities: int
    n_versions: int  # of its path, in all worktrees and commits
    run: int  # that made the present version


class SnapshotEntity(NamedTuple):
    """An entity of a snapshot: the store's row for a definition, with its names."""

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


# References of a version by a name or alias: the name, the number of references to it, of calls among these, and the
# references, packed by `extraction/codec.py`.
NamedReferences = tuple[str, int, int, bytes]
# A version, its entities in order as rows of the table `entities` from `identity` on, and its references.
VersionContent = tuple[int, Sequence[tuple[Any, ...]], Sequence[NamedReferences]]


# The network


class NetworkRecord(NamedTuple):
    """The resolved edges of a worktree."""

    network: int
    maker: str  # all that the result depends on besides the sources
    generation: int  # number of changes


# A file with resolved references: path, version, packed keys of its lookups, and packed answers to lookups of others.
ResolvedFile = tuple[str, int, bytes, bytes]


# The edges that lead from a file to a node: path, node, and the edges, packed by `queries/stored_network.py`. A node is
# the identity of a definition, a path, or the name of a set of candidates.
Posting = tuple[str, int | str, bytes]


class NetworkChange(NamedTuple):
    """Newly resolved files with all their edges, removed files, and candidates by set."""

    files: Sequence[ResolvedFile]
    postings: Sequence[Posting]
    gone: Collection[str]
    candidates: Mapping[str, Collection[int]]


# The ledger


class Run(NamedTuple):
    """One update of the index; with the worktree `REPLAY`, a replayed commit."""

    run: int
    worktree: str
    branch: str | None
    revision: str | None
    at: int


class Version(NamedTuple):
    """A file's content at a path, and the identities of its entities in order; numbered 0 until it is stored."""

    version: int
    path: str
    extraction: int
    run: int
    identities: tuple[int, ...]


class LedgerKey(NamedTuple):
    """An issued key and the identity that it belongs to."""

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
    """A change of an identity, with its state afterwards (for a deletion, before)."""

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


class LedgerDerivation(NamedTuple):
    """Code of one identity, the source, found in another, the derivative, that is not its successor."""

    source: int
    derivative: int
    run: int
    kind: str
    share: float  # of the derivative's tokens that come from the source
    source_share: float  # of the source's tokens that are in the derivative
    evidence: str
    confidence: str


class LedgerEntries(NamedTuple):
    """Additions of a run to the ledger. Every identity in `born` has its first key in `keys`."""

    run: int
    keys: Sequence[LedgerKey] = ()
    born: Sequence[Identity] = ()
    events: Sequence[Event] = ()
    candidates: Sequence[tuple[int, int]] = ()  # an old identity, and one that it may have become
    versions: Sequence[Version] = ()
    derivations: Sequence[LedgerDerivation] = ()


# The graph of replayed commits


class CommitNode(NamedTuple):
    """A replayed commit. A chain is a line of first parents, numbered by the run of its first commit."""

    run: int
    chain: int
    position: int  # in the chain
    parents: tuple[int, ...]  # runs


class PathState(NamedTuple):
    """A file as a replayed commit left it: at a version, or removed."""

    node: CommitNode
    revision: str
    first_parent: str | None  # its revision
    version: int | None  # None: removed
    identities: tuple[int, ...]
    content: bytes
    language: str
    extractor: str
    links: bytes | None  # the recorded changes of the file's entities
    is_read: int = 1


class SoughtNames(NamedTuple):
    """Names that a search looks for: exact ones, those near a text, and those with some words."""

    exact: Collection[str]  # spelled as in keys
    text: str  # in lower case, without `_` and `-`
    n_slips: int  # characters in which a name may differ from the text
    words: Collection[str]
    n_missing: int  # words that a name may lack


# Subscriptions


class ScanRecord(NamedTuple):
    """A scan; the document is empty once it is no longer kept."""

    scan: int
    at: str
    base: str
    target: str
    triggers: int
    document: bytes


class Message(NamedTuple):
    """A message to a sink, and the state of its delivery."""

    message: str
    scan: int
    sink: str
    body: bytes
    state: str = DeliveryState.PENDING
    attempts: int = 0
    next_at: float = 0.0
    error: str | None = None
    created_at: str = ""
