"""Documents of the index itself: how fresh it is, what it holds, and what indexing, checking and watching did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType

from birthmark.documents.brief import short_commit
from birthmark.documents.document import KEPT, Brief, Document, ProblemDocument, doc, make

if TYPE_CHECKING:
    from birthmark.languages.registry import LanguageSpec


def _number(paths: list[str]) -> int:
    return len(paths)


_Changes = Annotated[dict[str, int], doc("how many entities were `born`, `modified`, `renamed`, …")]


class FreshnessDocument(Document, frozen=True):
    """The freshness of the index behind an answer."""

    head: Annotated[str | None, doc("the commit that is checked out")]
    indexed_revision: Annotated[
        str | None,
        doc("the commit that was checked out when the index was updated", brief=Brief("revision", short_commit)),
    ]
    fresh: Annotated[bool, doc("true if both agree and nothing is pending", brief=KEPT)]
    pending: Annotated[list[str], doc("paths that are new, changed or gone since", brief=Brief(form=_number, unless=0))]
    unreadable: Annotated[list[str], doc("paths that cannot be read; what was known of them is used")]
    problem: Annotated[
        str | None, doc("why the index could not be brought up to date; null if it was, or need not be", brief=KEPT)
    ]
    checked_at: Annotated[
        float | None, doc("over HTTP and in Python, Unix seconds: when the worktree was looked at; else null")
    ]


class ChunkCollisionsDocument(Document, frozen=True):
    """Collisions of chunk uids and their resolution."""

    collisions: Annotated[int, doc("uids that several chunks had")]
    resolved_by_escalation: Annotated[int, doc("chunks distinguished by wider context")]
    resolved_by_ordinal: Annotated[int, doc("chunks distinguished by their order")]
    largest_group: int
    files: tuple[str, ...]


class CollisionsDocument(Document, frozen=True):
    """Collisions of names."""

    nodes: Annotated[int | None, doc("nodes whose semantic ids collided; null unless `--verbose` counts them")]
    nodes_widened: Annotated[int | None, doc("distinguished by eight digits of their content")]
    nodes_counted: Annotated[int | None, doc("distinguished by their order")]
    chunks: ChunkCollisionsDocument


class SnapshotDocument(Document, frozen=True):
    """The indexed state of one worktree."""

    worktree: str
    branch: str | None
    revision: str | None
    at: Annotated[int, doc("Unix seconds")]


class StatusDocument(Document, frozen=True):
    """The freshness and the contents of the index."""

    root: str
    head: str | None
    indexed_revision: str | None
    fresh: bool
    pending: list[str]
    unreadable: list[str]
    settings_changed: Annotated[bool, doc("it was made with other settings, or by another version")]
    checked_at: Annotated[
        float | None, doc("over HTTP and in Python, Unix seconds: when the worktree was looked at; else null")
    ]
    branch: str | None
    indexed_at: Annotated[int, doc("Unix seconds")]
    counts: Annotated[
        dict[str, int | None],
        doc("`files entities nodes chunks edges identities`; nodes are null unless `--verbose` counts them"),
    ]
    file_counts: Annotated[dict[str, int], doc("`indexed unsupported unreadable`")]
    left_out: Annotated[dict[str, int], doc("`third-party` folders, `minified` files, files `marked` by attributes, …")]
    collisions: CollisionsDocument
    problems: list[ProblemDocument]
    snapshots: list[SnapshotDocument]
    replayed_commits: Annotated[int, doc("commits that `index --from-history` replayed")]
    replay_unfinished: Annotated[bool, doc("a replay was interrupted; the next `index` continues it")]
    replay_outdated: Annotated[bool, doc("another version or other settings made the replay; histories walk git")]
    subscriptions: Annotated[int, doc("how many there are, personal and of the team")]
    bytes_on_disk: Annotated[int, doc("of the folder of the index")]
    store: Annotated[str, doc("the folder of the index, or its repository and database")]


class TrustDocument(Document, frozen=True):
    """The settings of `birthmark.toml` that need the user's trust."""

    path: str
    digest: Annotated[str, doc("SHA-256 of the file, as in BIRTHMARK_TRUST")]
    trusted: bool
    requests: Annotated[dict[str, str], doc("the settings that need trust, with their values")]


class ReplayedDocument(Document, frozen=True):
    """The result of replaying git's history."""

    commits: Annotated[int, doc("of the history")]
    new: Annotated[int, doc("commits that were replayed now")]
    extracted: Annotated[int, doc("files that were parsed")]
    changes: _Changes
    problems: list[ProblemDocument]
    seconds: float


class IndexedFileDocument(Document, frozen=True):
    """The file that a request to index names."""

    path: str
    language: str | None
    problem: str | None


class IndexUpdateDocument(Document, frozen=True):
    """The result of an update of the index."""

    root: str
    indexed_revision: str | None
    branch: str | None
    files: Annotated[int, doc("of the worktree")]
    read: Annotated[int, doc("files that were read")]
    extracted: Annotated[int, doc("files that were parsed")]
    changes: _Changes
    counts: Annotated[dict[str, int | None], doc("as in `status`")]
    file_counts: Annotated[dict[str, int], doc("as in `status`")]
    left_out: Annotated[dict[str, int], doc("as in `status`")]
    collisions: CollisionsDocument
    problems: list[ProblemDocument]
    seconds: float
    replayed: Annotated[ReplayedDocument | UnsetType, doc("with `--from-history` only")] = UNSET
    file: Annotated[IndexedFileDocument | UnsetType | None, doc("over HTTP only; null if no file was named")] = UNSET


class WatchUpdateDocument(Document, frozen=True):
    """An update of the index that `watch` made."""

    at: Annotated[int, doc("Unix seconds")]
    files: Annotated[int, doc("that had changed")]
    changes: _Changes
    seconds: float
    problems: list[ProblemDocument]


class IndexChangeDocument(Document, frozen=True):
    """An update of the index, as `GET /v1/events` sends it."""

    run: Annotated[int, doc("the number of the update; each is higher than the one before")]
    snapshot: Annotated[int, doc("the number of the snapshot, one for each worktree and branch")]
    indexed_revision: Annotated[str | None, doc("the commit that was checked out")]
    changes: _Changes
    marks: Annotated[list[str], doc("of the entities that changed, 200 at most")]
    more: Annotated[bool, doc("whether there are more")]


class ValidationDocument(Document, frozen=True):
    """The result of checking the index."""

    valid: bool
    findings: list[str]


class RepairDocument(Document, frozen=True):
    """The repairs of an index."""

    repaired: list[str]
    identities: Annotated[int, doc("how many there are")]


class CopyDocument(Document, frozen=True):
    """The result of copying a store."""

    source: str
    target: str
    rows: Annotated[dict[str, int], doc("by table")]
    resumed: Annotated[int, doc("of them, rows that an interrupted copy had put there")]


class LanguageDocument(Document, frozen=True):
    """A language, and how its files are known."""

    language: str
    family: str
    container: Annotated[bool, doc("whether its files hold segments in other languages")]
    extensions: tuple[str, ...]
    filenames: tuple[str, ...]
    interpreters: Annotated[tuple[str, ...], doc("in the first line of a script")]
    aliases: Annotated[tuple[str, ...], doc("names of it in Markdown fences and attributes")]


def language_document(spec: LanguageSpec) -> LanguageDocument:
    return make(LanguageDocument, spec, language=spec.name, container=spec.is_container)
