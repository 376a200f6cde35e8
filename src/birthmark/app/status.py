"""What an index holds, how fresh it is, and what could not be read."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from birthmark.app.freshness import Freshness
from birthmark.app.session import Session
from birthmark.extraction.codec import unpack_notes
from birthmark.extraction.model import Collisions
from birthmark.extraction.placement import place_notes
from birthmark.identity.uids import ChunkMetrics
from birthmark.model import Problem
from birthmark.store.model import FileCounts, Snapshot


class Status(NamedTuple):
    """Freshness, counts, collisions and problems of a snapshot; and which snapshots there are.

    The branch is the one that is checked out now, None for a detached HEAD.
    """

    root: Path
    branch: str | None
    indexed_at: int
    freshness: Freshness
    counts: dict[str, int]
    files: FileCounts
    collisions: Collisions
    problems: list[Problem]
    snapshots: list[Snapshot]


def read_status(session: Session, failures: list[Problem] | None = None) -> Status:
    """`failures` are those of an update that has just ended: files that are left out, or kept as they were."""
    if failures is None:
        failures = [*session.discovery.problems, *_failures(session)]
    snapshot = session.view.snapshot
    notes = [place_notes(unpack_notes(packed), path) for path, packed in session.store.notes(session.view.number)]
    return Status(
        session.workspace.root,
        session.workspace.branch or None,
        snapshot.at,
        session.freshness,
        session.store.counts(session.view.number),
        session.store.file_counts(session.view.number),
        add_collisions([note.collisions for note in notes]),
        [*failures, *(problem for note in notes for problem in note.problems)],
        session.store.snapshots(),
    )


def add_collisions(all_collisions: list[Collisions]) -> Collisions:
    chunks = ChunkMetrics()
    for collisions in all_collisions:
        if collisions.chunks.collisions:
            chunks += collisions.chunks
    return Collisions(
        sum(collisions.nodes for collisions in all_collisions),
        sum(collisions.nodes_widened for collisions in all_collisions),
        sum(collisions.nodes_counted for collisions in all_collisions),
        chunks,
    )


def _failures(session: Session) -> list[Problem]:
    """Files whose last good state is kept, because they cannot be read as they are."""
    rows = session.store.files(session.view.number)
    kept = {
        path: f"{row.problem}; what was known of it is kept" if row.version is not None else row.problem
        for path, row in rows.items()
        if row.problem
    }
    return [Problem(path, text) for path, text in sorted(kept.items())]
