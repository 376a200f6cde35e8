"""What an index holds, how fresh it is, what could not be read, and what belongs to it."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from birthmark.app.scans.subscription_repository import list_subscriptions
from birthmark.app.workspace.freshness import Freshness
from birthmark.app.workspace.session import Session
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
    replayed_commits: int
    subscriptions: int
    bytes_on_disk: int


def read_status(session: Session, failures: list[Problem] | None = None) -> Status:
    """`failures` are those of an update that has just ended: files that are left out, or kept as they were."""
    if failures is None:
        failures = [*session.repository.discovery.problems, *_failures(session)]
    snapshot = session.view.snapshot
    unpack = lru_cache(None)(unpack_notes)  # Those of most files are the same.
    notes = [place_notes(unpack(packed), path) for path, packed in session.store.notes(session.view.number)]
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
        len(session.store.replayed_commits()),
        len(list_subscriptions(session.workspace.root)),
        _size_of(session.workspace.home),
    )


def _size_of(folder: Path) -> int:
    """What is in a folder that has no folders; files of the database may come and go."""
    total = 0
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):
            total += entry.stat(follow_symlinks=False).st_size
    return total


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
