"""Answer what an editor asks about a file that it has open and that may not be saved yet.

Takes the bytes that the editor has, or none for a file as it was indexed; positions are those of these bytes. A
definition that the index does not have yet has no identity. References are resolved in the index: in a file that is
edited, a reference is looked up at the place that it has relative to the definition around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import msgspec

from birthmark.app.answers.neighbours import find_users
from birthmark.app.answers.source_files import count_users
from birthmark.app.histories.lives import tell_life
from birthmark.app.notes import notes_on
from birthmark.app.scans.subscription_repository import SubscriptionRepository
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import Outline, OutlinedFile
from birthmark.extraction.state import FileEntry, OverlayState, content_id_of
from birthmark.graph.reading.references import Reference
from birthmark.graph.resolve import ResolvedReference
from birthmark.graph.symbols import Definition
from birthmark.model import Entity
from birthmark.queries.life import LedgerEvent, read_lives
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.subscriptions.model import Subscription
from birthmark.syntax.lines import Lines
from birthmark.vocabulary import Change

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
    """Return the file as the editor has it; None if it cannot be read or is in no known language."""
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
    """Return the identities of the editor's entities, by pairing the indexed file with the editor's content."""
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
    """Map identities to marks."""
    numbers = {identity for identity in identities if identity is not None}
    return {one.identity: one.mark for one in session.store.identities(numbers)}


def find_marked(session: Session, mark: str) -> IndexedEntity | None:
    """Return the entity that has a mark in the current index."""
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


_MOST_LINES = 20  # between the start of an expression and a name in it
_BEFORE, _AFTER = re.compile(rb"[\w$\x80-\xff]*$"), re.compile(rb"[\w$\x80-\xff]*")
_MEMBER = re.compile(rb"(\.|->|::)\s*$")


class WordInBuffer(NamedTuple):
    """A name in a source; `is_member` where something is before it, as in `a.b`."""

    text: str
    start: int
    is_member: bool


class UseSite(NamedTuple):
    """A use of a definition: the file, the line at which the expression starts, and how it names the definition."""

    file: EditorFile
    line: int
    names: tuple[str, ...]


def word_at(content: bytes, offset: int) -> WordInBuffer:
    line = content.rfind(b"\n", 0, offset) + 1
    before, after = _BEFORE.search(content[line:offset]), _AFTER.match(content, offset)
    assert before is not None, "each may be empty"
    assert after is not None, "each may be empty"
    text = (before[0] + after[0]).decode("utf-8", "replace")
    start = offset - len(before[0])
    return WordInBuffer(text, start, _MEMBER.search(content[line:start]) is not None)


def find_targets(session: Session, file: EditorFile, offset: int) -> list[int]:
    """The identities of what the name at a byte means: a definition of its own, or what a reference leads to."""
    named = file.named_at(offset)
    if named is not None:
        identity = file.identities[named]
        return [] if identity is None else [identity]
    word = word_at(file.content, offset)
    reference = _reference_at(file, word) if word.text else None
    if reference is None:
        return []
    resolved = _resolve(session, file, reference)
    return list(dict.fromkeys(one.identity for one in (*resolved.declaration, *resolved.claimed)))


def _reference_at(file: EditorFile, word: WordInBuffer) -> Reference | None:
    """The last one of that name that starts at or before it; else the import that gives the name."""
    line = Lines(file.content).of(word.start)
    named = [one for one in file.outline.references if word.text in (one.name.rstrip("!="), one.alias)]
    here = [one for one in named if line - _MOST_LINES < one.line <= line and _is_inside(file, one, word.start)]
    if here:
        return max(here, key=lambda one: (one.line, one.edge == "calls"))
    imports = [one for one in named if one.edge == "imports"]
    return imports[0] if imports and not word.is_member else None


def _is_inside(file: EditorFile, reference: Reference, offset: int) -> bool:
    """Return whether a byte lies in the definition that contains the reference."""
    if reference.entity < 0:
        return True
    entity = file.entities[reference.entity]
    return entity.start_byte <= offset <= entity.end_byte


def _resolve(session: Session, file: EditorFile, reference: Reference) -> ResolvedReference:
    identity = file.identities[reference.entity] if reference.entity >= 0 else None
    source = session.graph.definitions([identity]).get(identity) if identity is not None else None
    shift = source.start_line - file.entities[reference.entity].start_line if source is not None else 0
    moved = msgspec.structs.replace(reference, line=reference.line + shift)
    return session.resolver.resolve(file.path, file.outline.language, source, moved)


def find_use_sites(session: Session, files: EditorFiles, mark: str) -> Iterator[UseSite]:
    """Return all uses of the entity with a mark, the sure ones first."""
    found = find_users(session, mark)
    for edge in found.edges:
        file = files.get(edge.source_path)
        if file is not None:
            line = edge.line + _shift(file, edge.source)
            yield UseSite(file, line, _names(edge.name, found.indexed.entity.name))


def _shift(file: EditorFile, source: Definition | None) -> int:
    """Return the number of lines by which a definition has moved down since it was indexed."""
    ordinal = file.ordinal_of(source.identity) if source is not None else None
    return file.entities[ordinal].start_line - source.start_line if ordinal is not None and source is not None else 0


def _names(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.rpartition(".")[2].rstrip("!=") for name in names if name))


_NO_CHANGES = (Change.BORN, Change.MOVED)


class DefinitionCounts(NamedTuple):
    """Counts of one definition. `born_at` is in Unix seconds, None where its history was not replayed; `n_users` is
    None if no edges are available. What is not committed is no change."""

    born_at: int | None
    n_changes: int
    is_committed: bool
    n_users: int | None
    n_subscriptions: int
    n_notes: int
    n_stale_notes: int


def count_definition(session: Session, indexed: IndexedEntity) -> DefinitionCounts:
    life = tell_life(session, read_lives(session.view, [indexed.identity])[indexed.identity])
    users = count_users(session, [indexed.identity])
    notes = notes_on(session, indexed.mark)
    committed = [one for one in life.events if one.run.revision is not None or not session.workspace.has_git]
    return DefinitionCounts(
        life.events[0].run.at if life.events[0].is_replayed else None,
        _n_changes(committed),
        len(committed) == len(life.events),
        None if users is None else users[indexed.identity],
        len(subscriptions_to(session, indexed)),
        len(notes),
        sum(one.is_stale for one in notes),
    )


def _n_changes(events: Iterable[LedgerEvent]) -> int:
    """Return how many events did more than introduce it, move it within its file, or change its comments."""
    return sum(1 for one in events if one.event.change not in _NO_CHANGES and not one.is_cosmetic)


def subscriptions_to(session: Session, indexed: IndexedEntity) -> list[Subscription]:
    """The active ones to a definition, or to its members or users."""
    active = [one.subscription for one in SubscriptionRepository(session.workspace).all() if one.subscription.active]
    accepted = [one.accepted.mark for one in active if one.accepted.mark is not None]
    marks = {one.mark for one in session.store.identities_marked(accepted) if one.identity == indexed.identity}
    return [one for one in active if _is_about(one, indexed, marks)]


def _is_about(subscription: Subscription, indexed: IndexedEntity, marks: set[str]) -> bool:
    """Return whether a subscription has one of the marks; if accepted without an index, the same path and name."""
    accepted = subscription.accepted
    if accepted.mark is not None:
        return accepted.mark in marks
    location = accepted.location
    entity = indexed.entity
    return bool(location.qualified_name) and (location.path, location.qualified_name) == (
        entity.path,
        entity.qualified_name,
    )
