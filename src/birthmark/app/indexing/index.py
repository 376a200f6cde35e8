"""Bring the index of a worktree up to date, or that of a ref where there is none, and report what was done."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from birthmark.app.indexing.status import read_status
from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.repository import THIRD_PARTY, OpenRepository, detail_of
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import has_index, reading, writing
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.documents.document import make
from birthmark.documents.index import IndexedFileDocument, IndexUpdateDocument, ReplayedDocument
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.calls import PoolFactory
from birthmark.ledger.file_scan import FoundFiles, IndexTools, UpdateTarget
from birthmark.ledger.update import Summary, find_base, is_unfinished, update_index
from birthmark.model import Level
from birthmark.sources.config import Settings
from birthmark.sources.discover import Discovery
from birthmark.store.model import SnapshotFile
from birthmark.store.port import Store
from birthmark.vocabulary import Detail

if TYPE_CHECKING:
    from birthmark.ledger.replay import Replayed


class IndexOptions(NamedTuple):
    """Options for indexing. What is not given stays the same; without a pool, only this machine works."""

    jobs: int | None = None
    detail: Detail | None = None
    progress: Progress = lambda stage, done, total: None
    make_pool: PoolFactory | None = None
    with_graph: bool | None = (
        True  # None: if the index has edges. Otherwise the first question to the graph resolves them.
    )
    third_party: bool | None = None  # None: as before


def index_worktree(store: Store, workspace: Workspace, options: IndexOptions | None = None) -> Summary:
    """Index the worktree; without one, the commit of the workspace's ref."""
    options = options or IndexOptions()
    with indexing(store, workspace, options) as (repository, tools):
        target = target_of(workspace, repository.discovery)._replace(revision=repository.head)
        return update_with_edges(store, repository.current_files(), target, tools, options)


def update_with_edges(
    store: Store, files: FoundFiles, target: UpdateTarget, tools: IndexTools, options: IndexOptions
) -> Summary:
    """Update an index and its edges, in one transaction if it has edges: readers never find it without."""
    failures: list[BirthmarkError] = []

    def resolve() -> None:
        from birthmark.app.workspace.edges import update_network  # Updates that find nothing need not import it.

        snapshot = store.snapshot(target.worktree)
        assert snapshot is not None
        try:
            update_network(store, snapshot, options.progress, options.jobs)
        except BirthmarkError as error:  # It wrote nothing, and the snapshot is stored.
            failures.append(error)

    has_edges = store.network(target.worktree) is not None
    is_wanted = has_edges if options.with_graph is None else options.with_graph
    summary = update_index(store, files, target, tools._replace(finish=resolve) if is_wanted and has_edges else tools)
    if is_wanted and not has_edges:
        with store.writing():
            resolve()
    for error in failures:
        raise error
    return summary


def target_of(workspace: Workspace, found: Discovery, scope: frozenset[str] | None = None) -> UpdateTarget:
    return UpdateTarget(workspace.worktree, workspace.branch, workspace.head, found.problems, found.left_out, scope)


@contextmanager
def indexing(
    store: Store, workspace: Workspace, options: IndexOptions | None = None, settings: Settings | None = None
) -> Iterator[tuple[OpenRepository, IndexTools]]:
    """A repository that is open for indexing, and the tools for it."""
    options = options or IndexOptions()
    repository = OpenRepository(workspace, store, settings, options.jobs, is_writable=True, make_pool=options.make_pool)
    try:
        yield repository, _make_tools(repository, store, options)
    finally:
        repository.close()


def _make_tools(repository: OpenRepository, store: Store, options: IndexOptions) -> IndexTools:
    detail = options.detail or detail_of(find_base(store, repository.workspace.worktree))
    extractor = repository.extractor
    return IndexTools(
        extractor,
        repository.family_of,
        repository.setup(detail),
        Level.NODES if detail is Detail.FULL else Level.OUTLINE,
        lambda: int(time.time()),
        options.progress,
        third_party=repository.settings.index.third_party,
    )


class IndexUpdate(NamedTuple):
    """The result of an update, with what the index was before."""

    document: IndexUpdateDocument
    is_first: bool  # There was no index before.
    mended: Sequence[str]  # Damaged parts that were written again.


def update_folder(
    folder: Path,
    wait: float,
    options: IndexOptions | None = None,
    *,
    from_history: bool = False,
    path: str | None = None,
) -> IndexUpdate:
    """Update the index of a folder's repository, and continue a replay that was interrupted.

    Another writer is waited for. With a path the result has its file; all of the worktree is updated even so, as code
    that has moved into the file would seem new without the others.
    """
    started, workspace = time.perf_counter(), find_workspace(folder)
    is_first, was_indexed = not has_index(workspace), path is not None and _row(workspace, path) is not None
    with writing(workspace, wait) as store:
        mended, replayed = store.mend_log(), None
        if options is not None and options.third_party is not None:
            store.set_meta(THIRD_PARTY, int(options.third_party))
        if from_history or is_unfinished(store):
            from birthmark.app.indexing.replay import replay_worktree

            replayed = replay_worktree(store, workspace, options)
        summary = index_worktree(store, workspace, options)
        with closing(OpenRepository(workspace, store)) as repository:
            status = read_status(Session(repository, is_fresh=True), summary.problems, summary.left_out)
    row = None if path is None else _row(workspace, path)
    if path is not None and row is None and not was_indexed:
        raise NotFoundError(f"{path}: is no file that is indexed; name one relative to the root of the repository")
    document = make(
        IndexUpdateDocument,
        status,
        files=summary.n_files,
        read=summary.n_read,
        extracted=summary.n_extracted,
        changes=summary.changes,
        seconds=round(time.perf_counter() - started, 3),
        replayed=UNSET if replayed is None else _replayed_document(replayed),
        file=UNSET if path is None else row and IndexedFileDocument(path, row.language, row.problem or None),
    )
    return IndexUpdate(document, is_first, mended)


def _replayed_document(replayed: Replayed) -> ReplayedDocument:
    counts = {"commits": replayed.n_commits, "new": replayed.n_new, "extracted": replayed.n_extracted}
    return make(ReplayedDocument, replayed, **counts, seconds=round(replayed.seconds, 3))


def _row(workspace: Workspace, path: str) -> SnapshotFile | None:
    if not has_index(workspace):
        return None
    with reading(workspace) as store:
        snapshot = store.snapshot(workspace.worktree)
        return None if snapshot is None else store.files(snapshot.snapshot, [path]).get(path)
