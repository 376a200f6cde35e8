"""Find what a REF names: the one way from its text to entities, for every command.

A path in a REF is relative to the current folder. Its lines and names are those of the state that the command is
about: a revision if one is given, else the worktree. What is no path of that state is looked up in the index, by
`indexed_refs.py`, which is loaded only then: it brings the graph along. What names nothing is explained here, too:
suggestions compare a word with all names or paths, which takes a moment, so they are made only for an error.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Sequence
from contextlib import suppress

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState, is_source_path
from birthmark.identity.anchors import is_anchor
from birthmark.model import Level
from birthmark.queries import missing
from birthmark.queries.missing import Choice, ambiguous, describe_choice
from birthmark.queries.pasted_places import read_places
from birthmark.queries.ref import locate_all, locate_nearest
from birthmark.queries.ref_forms import LinesRef, MarkRef, NamedRef, NameRef, Ref, parse_entity_ref, path_from
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.store.model import Identity


def find_entity(
    repository: OpenRepository,
    state: RepositoryState,
    text: str,
    folder: str | None = None,
    *,
    suggests: bool = True,
    level: Level = Level.OUTLINE,
) -> OutlinedEntity:
    """The one entity that a REF names in a state; what is no path of it is looked up in the index.

    Without a folder, paths are relative to the current one. What names nothing is a NotFoundError, which suggests
    what may have been meant; where many REFs are looked up, that may be left out. `level` is that
    of a file at a path.
    """
    ref = read_ref(repository, state, text, folder)
    if isinstance(ref, LinesRef | NamedRef) and state.entry(ref.path) is not None:
        with suppress(NotFoundError):  # A class may inherit it.
            return _only_one(repository, state, text, locate_all(state, ref, level))
    if repository.store is None or isinstance(ref, LinesRef):
        raise missing_ref(repository, state, ref, text, suggests=suggests)
    from birthmark.app.answers.indexed_refs import find_in_index

    entity = find_in_index(repository, repository.store, state, ref, text, suggests=suggests)
    return locate_nearest(state, NamedRef(entity.path, entity.qualified_name), entity.start_line)


def _only_one(
    repository: OpenRepository, state: RepositoryState, text: str, entities: list[OutlinedEntity]
) -> OutlinedEntity:
    if len(entities) > 1:
        marks = Marks(repository, state)
        raise ambiguous(
            text,
            [
                Choice(one.label, marks.mark_of(one), describe_choice(one.file.outline.entities, one.ordinal))
                for one in entities
            ],
        )
    return entities[0]


def read_path_ref(repository: OpenRepository, state: RepositoryState, text: str) -> LinesRef | NamedRef | None:
    """Return a REF that begins with a path; a NamedRef may turn out to be a name such as `std::sort`."""
    ref = read_ref(repository, state, text)
    return ref if isinstance(ref, LinesRef | NamedRef) else None


def read_ref(repository: OpenRepository, state: RepositoryState, text: str, folder: str | None = None) -> Ref:
    """Return the REF that a text means in a state: one of our own forms, else a place as tools print them.

    Paths are relative to the folder, or else to the current one.
    """
    if is_anchor(text):
        from birthmark.app.answers.anchored_refs import read_anchor  # Few REFs are anchors.

        return parse_entity_ref(read_anchor(repository, state, text)).relative_to("")
    workspace = repository.workspace
    folder = workspace.current_folder if folder is None else folder
    ref, roots = parse_entity_ref(text), _roots_of(workspace)
    if not isinstance(ref, LinesRef | NamedRef | NameRef) or _is_there(state, ref, folder, roots):
        return ref.relative_to(folder, roots)
    places = list(read_places(text))
    if not places and _URL.match(text):
        raise NotFoundError(
            f"{text}: names no file of a commit; paste a permalink with lines, as …/blob/COMMIT/PATH#L10"
        )
    if not places:
        return ref.relative_to(folder, roots)
    from birthmark.app.answers.pasted_refs import settle_place, unsettled

    found = (settle_place(repository, state, place, folder, roots) for place in places)
    return next((one for one in found if one is not None), None) or unsettled(places[0], folder, roots)


_URL = re.compile(r"\s*https?://")


def _roots_of(workspace: Workspace) -> tuple[str, ...]:
    """Return the absolute paths of the root, as it was named and without links."""
    root = str(workspace.root)
    return (root, os.path.realpath(root)) if workspace.has_worktree else ()


def _is_there(state: RepositoryState, ref: LinesRef | NamedRef | NameRef, folder: str, roots: Sequence[str]) -> bool:
    with suppress(BirthmarkError):
        return not isinstance(ref, NameRef) and state.entry(path_from(folder, ref.path, roots)) is not None
    return False


def missing_ref(
    repository: OpenRepository, state: RepositoryState, ref: Ref, text: str, *, suggests: bool
) -> BirthmarkError:
    """Return the error for a REF without matches, with similar names."""
    if isinstance(ref, LinesRef | NamedRef) and state.entry(ref.path) is not None:
        try:
            locate_all(state, ref)
        except NotFoundError as error:
            return error
    if not suggests:
        return NotFoundError(f"{text}: nothing has that name")
    return explain_missing(repository, state, ref, text)


class Marks:
    """The marks of entities in a state, where the index has them at the same content."""

    def __init__(self, repository: OpenRepository, state: RepositoryState) -> None:
        self.state = state
        self._view: SnapshotView | None = None
        if repository.store is not None:
            with suppress(BirthmarkError):  # This worktree is not indexed, or by another version of this program.
                self._view = SnapshotView(repository.store, repository.workspace.worktree, repository.extractor)
        self._identities: dict[str, tuple[int, ...]] = {}
        self._born: dict[int, Identity] = {}

    def mark_of(self, outlined: OutlinedEntity) -> str | None:
        identity = self.identity_of(outlined)
        return identity.mark if identity is not None else None

    def identity_of(self, outlined: OutlinedEntity) -> Identity | None:
        """Return the identity as it was born, with its mark and first key."""
        identities = self._identities_in(outlined.file.path)
        return self._born[identities[outlined.ordinal]] if identities else None

    def entity_of(self, mark: str) -> OutlinedEntity | None:
        """Return the entity that has a mark now, by the ledger."""
        held = self._view.entities_marked(mark) if self._view is not None else []
        file = self.state.file(held[0].entity.path) if held else None
        if not held or file is None or not self._identities_in(file.path):
            return None
        return OutlinedEntity(file, held[0].ordinal)

    def _identities_in(self, path: str) -> tuple[int, ...]:
        """Return nothing if the file is not as it was indexed."""
        if path not in self._identities:
            self._identities[path] = self._look_up(path)
        return self._identities[path]

    def _look_up(self, path: str) -> tuple[int, ...]:
        row = self._view.row(path) if self._view is not None else None
        if self._view is None or row is None or row.version is None or row.problem:
            return ()
        if row.content.hex() != self.state.content_id(path):
            return ()
        identities = self._view.store.versions([row.version])[row.version].identities
        self._born |= {one.identity: one for one in self._view.store.identities(identities)}
        return identities


_NOT_INDEXED = "name it as path::name or path:first-last, or run `birthmark index` first"


def explain_missing(repository: OpenRepository, state: RepositoryState, ref: Ref, text: str) -> BirthmarkError:
    """A path in the REF is one of the repository; `text` is as it was given."""
    if not text.strip():
        return NotFoundError(missing.EMPTY)
    match ref:
        case LinesRef(path) | NamedRef(path) if isinstance(ref, LinesRef) or is_path(path):
            return missing.not_an_entity(state, path) or _no_such_file(repository, state, path)
        case NamedRef() | NameRef():
            return _no_such_name(repository, state, ref.name if isinstance(ref, NameRef) else text)
        case MarkRef(mark) if repository.store is not None:
            marks = (one.mark for one in repository.store.all_entities(_snapshot(repository)))
            return missing.no_such_mark(mark, marks, may_be_former=may_be_former(repository))
        case _ if repository.store is not None:
            return missing.no_such_id(text, may_be_former=may_be_former(repository))
    return BirthmarkError(f"{text}: {_NOT_INDEXED}")


def may_be_former(repository: OpenRepository) -> bool:
    """Return whether there is a history that has not been replayed."""
    store = repository.store
    return store is not None and repository.workspace.has_git and not store.replayed_commits()


def is_path(text: str) -> bool:
    return "/" in text or ("." in text and is_source_path(text))


def _no_such_name(repository: OpenRepository, state: RepositoryState, text: str) -> BirthmarkError:
    """A text without colons may be a path."""
    path = _path(repository, text)
    found = missing.not_an_entity(state, path) if path is not None else None
    if found is not None:
        return found
    if path is not None and is_path(text):
        return _no_such_file(repository, state, path)
    if repository.store is None:
        return BirthmarkError(f"{text}: {_NOT_INDEXED}")
    names = repository.store.names(_snapshot(repository))
    return missing.no_such_name(text, names, may_be_former=may_be_former(repository))


def _no_such_file(repository: OpenRepository, state: RepositoryState, path: str) -> NotFoundError:
    """Paths are from the current folder, so that they can be asked for as they are."""
    folder = repository.workspace.current_folder
    path, *known = (posixpath.relpath(one, folder or ".") for one in (path, *state.paths()))
    return missing.no_such_file(path, missing.title_of(state), known, may_be_former=may_be_former(repository))


def _path(repository: OpenRepository, text: str) -> str | None:
    try:
        return path_from(repository.workspace.current_folder, text, _roots_of(repository.workspace))
    except BirthmarkError:
        return None


def _snapshot(repository: OpenRepository) -> int:
    assert repository.store is not None
    snapshot = repository.store.snapshot(repository.workspace.worktree)
    return snapshot.snapshot if snapshot is not None else 0
