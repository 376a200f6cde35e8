"""A file as an editor has it, which may not be saved yet: its definitions, and which of the index each of them is.

Takes the bytes that an editor has open, or none for a file as it was indexed. Positions are those of these bytes; a
definition that the index does not have yet has no identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import Outline, OutlinedFile
from birthmark.extraction.state import FileEntry, OverlayState, content_id_of
from birthmark.model import Entity
from birthmark.queries.snapshot_view import IndexedEntity

Contents = Mapping[str, bytes]  # of the files that an editor has open, by path


class EditorFile(NamedTuple):
    """A file, and the identities of its definitions in their order."""

    path: str
    content: bytes
    outline: Outline
    identities: tuple[int | None, ...]

    @property
    def entities(self) -> tuple[Entity, ...]:
        return self.outline.entities

    def around(self, offset: int) -> int | None:
        """The smallest definition around a byte."""
        found = [i for i, one in enumerate(self.entities) if one.start_byte <= offset <= one.end_byte]
        return min(found, key=lambda i: self.entities[i].end_byte - self.entities[i].start_byte, default=None)

    def named_at(self, offset: int) -> int | None:
        """The definition whose name is at a byte."""
        spans = ((i, one.name_span) for i, one in enumerate(self.entities))
        return next((i for i, span in spans if span is not None and span[0] <= offset <= span[1]), None)

    def ordinal_of(self, identity: int) -> int | None:
        return self.identities.index(identity) if identity in self.identities else None


def read_outline(repository: OpenRepository, path: str, content: bytes) -> OutlinedFile | None:
    """The definitions in some bytes at a path; None where they are in no language of ours, or too many."""
    if len(content) > repository.settings.limits.max_bytes:
        return None
    entry = FileEntry(content_id_of(content).hex(), lambda: content)
    return OverlayState(repository.worktree(), {path: entry}, is_whole=True).file(path)


def read_editor_file(session: Session, path: str, content: bytes | None = None) -> EditorFile | None:
    """None where nothing can be said of it."""
    if content is None:
        return _indexed_file(session, path)
    file = read_outline(session.repository, path, content)
    return None if file is None else EditorFile(path, content, file.outline, _identities(session, file, content))


def _indexed_file(session: Session, path: str) -> EditorFile | None:
    file = session.view.file(path)
    if file is None:
        return None
    return EditorFile(path, session.view.source(file.version) or b"", file.outline, file.version.identities)


def _identities(session: Session, file: OutlinedFile, content: bytes) -> tuple[int | None, ...]:
    """Those of the file as it was indexed, paired with what the editor has."""
    row, known = session.view.row(file.path), session.view.identities_in(file.path)
    if row is None or row.version is None or not known:
        return (None,) * len(file.outline.entities)
    content_id = content_id_of(content)
    if (row.content, row.language) == (content_id, file.outline.language):
        return known
    indexed = session.repository.extractor.file(file.path, session.view.extraction_of(row.version))
    assert indexed is not None, "what a snapshot holds is kept"
    pairing = pair_commit([indexed], [file], session.repository.family_of)
    before = {new[1]: predecessor.ref[1] for new, predecessor in pairing.predecessors.items()}
    return tuple([known[before[i]] if i in before else None for i in range(len(file.outline.entities))])


def marks_of(session: Session, identities: Iterable[int | None]) -> dict[int, str]:
    """By identity."""
    numbers = {identity for identity in identities if identity is not None}
    return {one.identity: one.mark for one in session.store.identities(numbers)}


def find_marked(session: Session, mark: str) -> IndexedEntity | None:
    """What has a mark in the index now."""
    return next(iter(session.view.entities_marked(mark)), None)


class EditorFiles:
    """The files of a repository as an editor has them, each read once for a question."""

    def __init__(self, session: Session, contents: Contents) -> None:
        self._read = partial(read_editor_file, session)
        self.contents, self._files = contents, dict[str, EditorFile | None]()

    def get(self, path: str) -> EditorFile | None:
        if path not in self._files:
            self._files[path] = self._read(path, self.contents.get(path))
        return self._files[path]
