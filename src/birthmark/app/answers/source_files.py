"""A file of the index, or of a revision: its text, with what is defined in it and who uses that."""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections.abc import Collection
from operator import itemgetter

from birthmark.app.changes.diffing import identities_in
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.definitions import FileEntityDocument, FileSegmentDocument, SourceFileDocument
from birthmark.documents.document import make
from birthmark.errors import NotFoundError
from birthmark.extraction.model import OutlinedFile
from birthmark.graph.network import Node
from birthmark.model import Entity, Level, Segment
from birthmark.store.model import REPLAY
from birthmark.words import did_you_mean


def read_source_file(session: Session, path: str, at: str | None = None) -> SourceFileDocument:
    name = posixpath.normpath(path)
    return _indexed_file(session, name) if at is None else _file_at(session, name, at)


def _indexed_file(session: Session, path: str) -> SourceFileDocument:
    file = session.view.file(path)
    if file is None:
        raise NotFoundError(f"{path}: {_why_missing(session, path)}")
    shown = session.store.entities_in(session.view.number, [path])
    users = count_users(session, [one.identity for one in shown])
    entities = [
        _entity(file.outline.entities[one.ordinal], one.mark, users.get(one.identity) if users is not None else None)
        for one in shown
    ]
    source = session.view.source(file.version) or b""
    older, _ = _neighbours(session, path, file.version.run)
    segments = [_segment(one, source) for one in file.outline.segments]
    text, freshness = source.decode("utf-8", "replace"), freshness_document(session.freshness)
    return SourceFileDocument(path, None, file.outline.language, text, entities, segments, older, None, freshness)


def _entity(entity: Entity, mark: str | None, n_users: int | None = None) -> FileEntityDocument:
    return make(FileEntityDocument, entity, mark=mark, users=n_users)


def _segment(segment: Segment, source: bytes) -> FileSegmentDocument:
    text = source[segment.start_byte : segment.end_byte]
    start = segment.start_byte + len(text) - len(text.lstrip())
    end = max(segment.start_byte + len(text.rstrip()), start)
    first = source.count(b"\n", 0, start) + 1
    before = source[source.rfind(b"\n", 0, start) + 1 : start]
    after = source[end:].split(b"\n", 1)[0]
    is_whole = not before.strip() and not after.strip()
    return FileSegmentDocument(segment.type, segment.language, first, first + source.count(b"\n", start, end), is_whole)


def _why_missing(session: Session, path: str) -> str:
    row = session.view.row(path)
    if row is not None:
        return row.problem or "is in no language that is indexed; it can be shown at a revision"
    near = did_you_mean(path, session.view.paths())
    return f"is no file of the index{near or '; `birthmark entities` lists them'}"


def _neighbours(session: Session, path: str, run: int) -> tuple[str | None, str | None]:
    """The replayed commits that changed the file before and after the version that it had in a run."""
    found = session.store.runs({version.run for version in session.store.versions_of(path)})
    commits = sorted((number, one.revision) for number, one in found.items() if one.worktree == REPLAY)
    after = bisect_right(commits, run, key=itemgetter(0))
    # Entities that only the worktree has come after all commits.
    before = after - (1 if run not in found or found[run].worktree == REPLAY else 0)
    older = commits[before - 1][1] if before > 0 else None
    return older, commits[after][1] if after < len(commits) else None


def count_users(session: Session, identities: Collection[int]) -> dict[int, int]:
    """Count the users of each: the definitions, and the top levels of files, that use it surely."""
    users: dict[int, set[Node]] = {identity: set() for identity in identities}
    for edge in session.network.users_of(identities):
        if isinstance(edge.used, int) and edge.user != edge.used:
            users[edge.used].add(edge.user)
    return {identity: len(found) for identity, found in users.items()}


def _file_at(session: Session, path: str, at: str) -> SourceFileDocument:
    state = session.repository.revision(at)
    content = state.content(path)
    if content is None:
        raise NotFoundError(f"{path}: is not in {at}{did_you_mean(path, state.paths())}")
    file = state.file(path)
    entities = [] if file is None else _entities_at(session, file)
    segments = [] if file is None else [_segment(one, content) for one in file.outline.segments]
    nodes = session.store.commits_named([state.commit])
    neighbours = [_neighbours(session, path, node.run) for node in nodes.values()] or [(None, None)]
    text, freshness = content.decode("utf-8", "replace"), freshness_document(session.freshness)
    about = path, state.commit, state.language(path), text, entities, segments
    return SourceFileDocument(*about, *neighbours[0], freshness)


def _entities_at(session: Session, file: OutlinedFile) -> list[FileEntityDocument]:
    """Return the entities of a file at a revision, without counts of users."""
    known = identities_in(session.repository, [file], Level.ENTITIES)
    identities = {e: identity for (_, e), identity in known.items()}
    marks = {found.identity: found.mark for found in session.store.identities(set(identities.values()))}
    return [
        _entity(entity, marks[identities[number]] if number in identities else None)
        for number, entity in enumerate(file.outline.entities)
    ]
