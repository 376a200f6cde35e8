"""A file of the index, or of a revision: its text, with what is defined in it and who uses that."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import NamedTuple

from birthmark.app.changes.diffing import identities_in
from birthmark.app.workspace.session import Session
from birthmark.errors import NotFoundError
from birthmark.extraction.model import OutlinedFile
from birthmark.model import Entity, Segment
from birthmark.spelling import did_you_mean


class FileEntity(NamedTuple):
    """A definition of a file; no mark where the ledger does not have it, no users where that is not known."""

    entity: Entity
    mark: str | None
    n_users: int | None


class SourceFile(NamedTuple):
    """A file and what is in it; of a commit, or without one of the index."""

    path: str
    commit: str | None
    language: str | None
    source: bytes
    entities: list[FileEntity]
    segments: Sequence[Segment]


def read_source_file(session: Session, path: str, at: str | None = None) -> SourceFile:
    name = posixpath.normpath(path)
    return _indexed_file(session, name) if at is None else _file_at(session, name, at)


def _indexed_file(session: Session, path: str) -> SourceFile:
    file = session.view.file(path)
    if file is None:
        near = did_you_mean(path, session.view.paths())
        raise NotFoundError(f"{path}: is no file of the index{near or '; `birthmark entities` lists them'}")
    shown = session.store.entities_in(session.view.number, [path])
    users = _count_users(session, [one.identity for one in shown])
    entities = [
        FileEntity(file.outline.entities[one.ordinal], one.mark, users.get(one.identity) if users is not None else None)
        for one in shown
    ]
    source = session.view.source(file.version) or b""
    return SourceFile(path, None, file.outline.language, source, entities, file.outline.segments)


def _count_users(session: Session, identities: Sequence[int]) -> dict[int, int] | None:
    """How many other definitions and files use each; None where edges are not at hand."""
    network = session.network_at_hand
    if network is None:
        return None
    pairs = {(edge.used, edge.user) for edge in network.users_of(identities) if isinstance(edge.used, int)}
    counts = dict.fromkeys(identities, 0)
    for used, _ in pairs:
        counts[used] += 1
    return counts


def _file_at(session: Session, path: str, at: str) -> SourceFile:
    state = session.repository.revision(at)
    content = state.content(path)
    if content is None:
        raise NotFoundError(f"{path}: is not in {at}{did_you_mean(path, state.paths())}")
    file = state.file(path)
    entities = [] if file is None else _entities_at(session, file)
    segments = () if file is None else file.outline.segments
    return SourceFile(path, state.commit, state.language(path), content, entities, segments)


def _entities_at(session: Session, file: OutlinedFile) -> list[FileEntity]:
    identities = {e: identity for (_, e), identity in identities_in(session.repository, [file]).items()}
    marks = {found.identity: found.mark for found in session.store.identities(set(identities.values()))}
    return [
        FileEntity(entity, marks[identities[number]] if number in identities else None, None)
        for number, entity in enumerate(file.outline.entities)
    ]
