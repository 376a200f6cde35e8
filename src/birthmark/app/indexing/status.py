"""Describe an index: its contents, its freshness, unreadable files, and the files that belong to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from msgspec.structs import replace

from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import describe_store, has_subscriptions, stored_bytes
from birthmark.app.workspace.workspace import Workspace
from birthmark.documents.document import make
from birthmark.documents.index import SnapshotDocument, StatusDocument
from birthmark.extraction.codec import unpack_notes
from birthmark.extraction.model import Collisions, FileNodes, FileNotes
from birthmark.extraction.placement import place_notes
from birthmark.extraction.state import may_be_minified
from birthmark.identity.uids import ChunkMetrics
from birthmark.ledger.update import is_unfinished
from birthmark.model import Problem
from birthmark.sources.config import CONFIG_FILE
from birthmark.sources.third_party import LeftOut
from birthmark.store.model import FileCounts
from birthmark.vocabulary import LeftOutReason


def read_status(
    session: Session,
    failures: list[Problem] | None = None,
    left_out: Sequence[LeftOut] | None = None,
    *,
    with_nodes: bool = False,
) -> StatusDocument:
    """`failures` are those of an update that has just ended: files that are left out, or kept as they were.

    To count nodes, all files are read again.
    """
    if failures is None:
        failures = [*session.repository.discovery.problems, *_failures(session)]
    snapshot = session.view.snapshot
    counts, files = _count_left_out(session, session.repository.discovery.left_out if left_out is None else left_out)
    notes = _read_notes(session)
    collisions = add_collisions([note.collisions for note in notes])
    n_nodes = None
    if with_nodes:
        n_nodes, of_nodes = _count_nodes(session)
        collisions = replace(of_nodes, chunks=collisions.chunks)
    freshness, known = session.freshness, session.store.counts(session.view.number)
    problems = [*failures, *(problem for note in notes for problem in note.problems)]
    return make(
        StatusDocument,
        freshness,
        root=str(session.workspace.root),
        fresh=freshness.is_fresh,
        branch=session.workspace.branch or None,
        indexed_at=snapshot.at,
        counts={"files": known["files"], "entities": known["entities"], "nodes": n_nodes, **known},
        file_counts=files._asdict(),
        left_out=counts,
        collisions=collisions,
        problems=problems,
        snapshots=[make(SnapshotDocument, found, branch=found.branch or None) for found in session.store.snapshots()],
        replayed_commits=len(session.store.replayed_commits()),
        replay_unfinished=is_unfinished(session.store),
        replay_outdated=session.store.replay_extractor() not in (None, session.repository.extractor.version),
        subscriptions=_count_subscriptions(session.workspace),
        bytes_on_disk=stored_bytes(session.workspace),
        store=describe_store(session.workspace),
    )


def _count_left_out(session: Session, left_out: Sequence[LeftOut]) -> tuple[dict[str, int], FileCounts]:
    """Count what is left out; a file with the name of a language that is in none was minified."""
    files = session.store.file_counts(session.view.number)
    n_minified = sum(may_be_minified(row.path) for row in session.store.files_without_version(session.view.number))
    counts = Counter({LeftOutReason.MINIFIED: n_minified})
    for one in left_out:
        counts[one.reason] += one.n_files
    n_unsupported = files.unsupported - n_minified + counts.pop(LeftOutReason.UNSUPPORTED, 0)
    return (
        {reason.value: counts[reason] for reason in LeftOutReason if counts[reason]},
        files._replace(unsupported=n_unsupported),
    )


def _read_notes(session: Session) -> list[FileNotes]:
    """Return the notes of all files; those that name their file come last, ordered by path."""
    unpack = lru_cache(None)(unpack_notes)
    unnamed, named = list[FileNotes](), list[tuple[str, FileNotes]]()
    for path, packed in session.store.notes(session.view.number):
        notes = unpack(packed)
        placed = place_notes(notes, path)
        if placed is notes:
            unnamed.append(notes)
        else:
            named.append((path, placed))
    return [*unnamed, *(notes for _, notes in sorted(named, key=itemgetter(0)))]


def _count_nodes(session: Session) -> tuple[int, Collisions]:
    """Count the nodes of readable files, and the collisions of their base ids."""
    n_nodes, collisions = 0, []
    blobs = [blob for file in session.view.files() if (blob := session.view.blob(file)) is not None]
    for _, found in session.repository.extractor.nodes(blobs):
        if isinstance(found, FileNodes):
            n_nodes += len(found.nodes)
            collisions.append(found.collisions)
    return n_nodes, add_collisions(collisions)


def _count_subscriptions(workspace: Workspace) -> int:
    if not has_subscriptions(workspace) and not (workspace.root / CONFIG_FILE).exists():
        return 0
    # Most repositories have none, and what reads them takes a tenth of the time of an update that finds nothing new.
    from birthmark.app.scans.subscription_repository import list_subscriptions

    return len(list_subscriptions(workspace))


def add_collisions(all_collisions: list[Collisions]) -> Collisions:
    chunks = ChunkMetrics()
    for collisions in all_collisions:
        if collisions.chunks.collisions:
            chunks += collisions.chunks
    return Collisions(
        _add([collisions.nodes for collisions in all_collisions]),
        _add([collisions.nodes_widened for collisions in all_collisions]),
        _add([collisions.nodes_counted for collisions in all_collisions]),
        chunks,
    )


def _add(numbers: list[int | None]) -> int | None:
    """Return the sum; None if a number is unknown."""
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


def _failures(session: Session) -> list[Problem]:
    """Files whose last good state is kept, because they cannot be read as they are."""
    kept = {
        path: f"{row.problem}; what was known of it is kept" if row.version is not None else row.problem
        for path, row in session.store.files_with_problems(session.view.number).items()
    }
    return [Problem(path, text) for path, text in sorted(kept.items()) if text]
