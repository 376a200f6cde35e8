"""The values that pass through the store's port.

Numbers (of runs, identities, keys, versions, snapshots) are allotted by the store and mean nothing outside of it.
Paths are text, relative to the repository.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from birthmark.model import Level
from birthmark.vocabulary import DeliveryState

KEPT_SCANS = 200  # whose documents and delivered messages are kept
COPY = "copy"  # the setting that says how far a copy of another store is
REPLAY = ""  # instead of a worktree, in the run of a commit that was replayed
SET_ASIDE = "replay"  # likewise, of a replay that was wrong and was made anew


class DocumentTable(StrEnum):
    """What is kept as documents, by the names of their tables in a database and, of people's, in the file of a team."""

    SUBSCRIPTIONS = "subscriptions"
    NOTES = "notes"
    FLEET = "fleet_repositories"  # of the whole database, so they belong to the repository without a name
    TOKENS = "tokens"  # likewise


class StoreLocation(NamedTuple):
    """Where the stores of one repository are: in a folder of their own or, with a URL, in a database under a name."""

    folder: Path
    url: str = ""
    repository: str = ""

    def __repr__(self) -> str:
        """Without a password."""
        return f"{self.repository} in {shown_url(self.url)}" if self.url else str(self.folder)


def shown_url(url: str) -> str:
    """A URL as it may be printed: without user, password and options."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "a URL that cannot be read"
    host = parts.netloc.rpartition("@")[2] or parse_qs(parts.query).get("host", [""])[0]
    return f"{parts.scheme}://{host}{parts.path}"


def hide_password(text: str, url: str) -> str:
    """A text that may repeat parts of a URL, without its password as it is written there or meant."""
    parts = urlsplit(url)
    secrets = {parts.password, unquote(parts.password or ""), *parse_qs(parts.query).get("password", [])} - {None, ""}
    for secret in secrets:
        text = text.replace(str(secret), "***")
    return text


# The cache


class ContentKey(NamedTuple):
    """What an extraction is of: a content by git's id of it, read in a language."""

    content_id: bytes
    language: str


class PackedExtraction(msgspec.Struct, frozen=True, array_like=True):
    """What was extracted from a source, packed; nodes only at their level, else there are none.

    What snapshots show of it is not stored here: it is a part of the outline, for those who have just extracted it.
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
    """What a worktree held when it was last indexed."""

    snapshot: int
    worktree: str
    branch: str
    run: int
    extractor: str
    revision: str | None
    at: int


class FileCounts(NamedTuple):
    """How many files of a snapshot are indexed, are in no supported language, and could not be read at any time.

    A file whose text is kept as read in no language is none of them.
    """

    indexed: int
    unsupported: int
    unreadable: int


class SnapshotFile(NamedTuple):
    """A file of a snapshot, as it was found on disk."""

    path: str
    os_path: bytes | None  # where it is not the path in UTF-8
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    attribute: str | None  # the language that .gitattributes names
    content: bytes
    language: str | None
    version: int | None
    problem: str | None  # why the version is not that of the content


class FileSummary(NamedTuple):
    """A file of a snapshot that is indexed, with what is counted of it."""

    path: str
    language: str
    n_bytes: int
    n_entities: int
    n_versions: int  # that its path had, in any worktree and commit
    run: int  # that made the present one


class TextFile(NamedTuple):
    """A file of a snapshot in whose text something is looked for."""

    path: str
    version: int
    extraction: int


class ReferringFile(NamedTuple):
    """A file of a snapshot, and its references by a name, packed."""

    path: str
    language: str
    version: int
    packed: bytes


class SnapshotEntity(NamedTuple):
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
    is_outer: bool = True

    @property
    def key(self) -> str:
        return f"{self.semantic_path}:T{self.birth}"


# The network


class NetworkRecord(NamedTuple):
    """The resolved edges of a worktree."""

    network: int
    maker: str  # what resolved them
    generation: int  # how often they were changed


class ResolvedFile(NamedTuple):
    """A file whose references were resolved; what was looked up for it and what others look up in it, packed."""

    path: str
    version: int
    lookups: bytes
    provisions: bytes


class Use(NamedTuple):
    """An edge. A node is the identity of a definition, a path, or the name of a set of candidates."""

    path: str
    ordinal: int  # of the reference in its file
    used: int | str
    user: int | str
    edge: str
    resolution: str
    line: int


class NetworkChange(NamedTuple):
    """Files that were resolved with all their edges, files that are gone, the candidates of sets, and mentions."""

    files: Sequence[ResolvedFile]
    uses: Sequence[Use]
    gone: Collection[str]
    candidates: Mapping[str, Collection[int]]
    mentions: Sequence[Use] = ()


class VersionEntity(NamedTuple):
    """An entity of a version, as snapshots show it."""

    identity: int
    key: int
    kind: str
    name: str
    qualified_name: str
    content_hash: str
    start_line: int
    end_line: int
    is_outer: bool = True  # inside of no other one
    body_hash: str | None = None  # of a body that is proof enough under another name


class NamedReferences(NamedTuple):
    """The references of a version that have a name or alias, packed; of those that have it as a name, how many.

    How they are packed is known in `extraction/codec.py`.
    """

    name: str
    n_references: int
    n_calls: int  # among them
    packed: bytes


class VersionContent(NamedTuple):
    """What snapshots show of a version: its entities in their order, and its references by their names."""

    version: int
    entities: Sequence[VersionEntity]
    names: Sequence[NamedReferences]


# The ledger


class Run(NamedTuple):
    """One update of the index; one whose worktree is `REPLAY` replayed a commit."""

    run: int
    worktree: str
    branch: str | None
    revision: str | None
    at: int


class Version(NamedTuple):
    """A file's content at a path, and the identities of its entities in their order."""

    version: int
    path: str
    extraction: int
    run: int
    identities: tuple[int, ...]


class NewVersion(NamedTuple):
    """A version that has no number yet."""

    path: str
    extraction: int
    identities: tuple[int, ...]


class LedgerKey(NamedTuple):
    """A key that was issued once, and the identity that it belongs to."""

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
    """What happened to an identity, and its state afterwards; of a deleted one, before."""

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


class LedgerEnd(NamedTuple):
    """How far the ledger went at a moment: the numbers of its last event and identity."""

    event: int = 0
    identity: int = 0


class ChangedIdentity(NamedTuple):
    """What a run did to an identity."""

    identity: int
    mark: str
    run: int
    change: str


class LedgerDerivation(NamedTuple):
    """Code of an identity, the source, that a run found in another one, the derivative, which is not its successor."""

    source: int
    derivative: int
    run: int
    kind: str
    share: float  # of the derivative's tokens that come from the source
    source_share: float  # of the source's tokens that are in the derivative
    evidence: str
    confidence: str


class LedgerEntries(NamedTuple):
    """What a run adds to the ledger. Every identity in `born` has its first key in `keys`."""

    run: int
    keys: Sequence[LedgerKey] = ()
    born: Sequence[Identity] = ()
    events: Sequence[Event] = ()
    candidates: Sequence[tuple[int, int]] = ()  # the old identity, and the one it may have become
    versions: Sequence[NewVersion] = ()
    derivations: Sequence[LedgerDerivation] = ()


# The graph of replayed commits


class CommitNode(NamedTuple):
    """A commit that was replayed. A chain is a line of first parents; its number is the run of its first commit."""

    run: int
    chain: int
    position: int  # in the chain
    parents: tuple[int, ...]  # runs


class CommitRecord(NamedTuple):
    """What a replay adds to the graph: a commit, and the files that it removed or that could not be read."""

    node: CommitNode
    removed: Collection[str] = ()
    unread: Collection[str] = ()


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
    links: bytes | None  # what the commit did to the entities of the file, as it was recorded
    is_read: int = 1


class SoughtNames(NamedTuple):
    """Which names may be those that are searched for: some, what is nearly a text, and what has words in it."""

    exact: Collection[str]  # as keys spell them
    text: str  # in lower case, without `_` and `-`
    n_slips: int  # characters by which a name may differ from the text
    words: Collection[str]
    n_missing: int  # words that it may lack


# Subscriptions


class ScanRecord(NamedTuple):
    """A scan that was kept; without a document when what it found is no longer kept."""

    scan: int
    at: str
    base: str
    target: str
    triggers: int
    document: bytes


class Message(NamedTuple):
    """What is to be sent to a sink, and the state of its delivery."""

    message: str
    scan: int
    sink: str
    body: bytes
    state: str = DeliveryState.PENDING
    attempts: int = 0
    next_at: float = 0.0
    error: str | None = None
    created_at: str = ""
