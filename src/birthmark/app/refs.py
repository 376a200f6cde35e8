"""Find what a REF names: the one way from its text to entities, for every command.

A path in a REF is relative to the current folder. Its lines and names are those of the state that the command is
about: a revision where one is given, else the worktree, whose entities are paired with those of the index or of HEAD.
"""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.app.repository import OpenRepository
from birthmark.app.session import Session
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.queries import former
from birthmark.queries.former import FormerEntity
from birthmark.queries.locate import ambiguous, locate, locate_all, locate_nearest, no_such_file
from birthmark.queries.ref import RefMatch, RefMatches, find_ref
from birthmark.queries.ref_forms import LinesRef, NamedRef, NameRef, parse_entity_ref
from birthmark.queries.snapshot_view import IndexedEntity


def find_entity(
    repository: OpenRepository, state: RepositoryState, text: str, folder: str | None = None
) -> OutlinedEntity:
    """The one entity that a REF names in a state; what is no path of it is looked up in the index.

    Without a folder, paths are relative to the current one.
    """
    ref = path_ref(text, repository.workspace.current_folder if folder is None else folder)
    if isinstance(ref, LinesRef) or (ref is not None and state.entry(ref.path) is not None):
        return locate(state, ref)
    if repository.store is None and ref is not None:
        raise no_such_file(state, ref.path)
    if repository.store is None:
        raise BirthmarkError(f"{text}: name it as path::name or path:first-last, or run `birthmark index` first")
    session = Session(repository.workspace, repository.store, repository=repository)
    entity = _present(session, _look_up(session, text), text).entity
    return locate_nearest(state, NamedRef(entity.path, entity.qualified_name), entity.start_line)


def path_ref(text: str, folder: str) -> LinesRef | NamedRef | None:
    """A REF that begins with a path, from a folder; a NamedRef may turn out to be a name such as `std::sort`."""
    ref = parse_entity_ref(text)
    return ref.relative_to(folder) if isinstance(ref, LinesRef | NamedRef) else None


def find_indexed(session: Session, text: str) -> IndexedEntity:
    """The one entity of the index that a REF names."""
    return _present(session, find_matches(session, text), text)


def find_former(session: Session, text: str) -> list[FormerEntity]:
    """What has or once had the name or path of a REF; those that are present come first.

    An id names one identity for ever, so that there is nothing former about it.
    """
    ref = parse_entity_ref(text)
    if isinstance(ref, LinesRef | NamedRef):
        return former.find_former(session.view, ref.relative_to(session.workspace.current_folder))
    return former.find_former(session.view, ref) if isinstance(ref, NameRef) else []


def find_matches(session: Session, text: str) -> RefMatches:
    """All that a REF names in the index; an error says what to name instead of what names nothing."""
    ref = path_ref(text, session.workspace.current_folder)
    matches = _match_path(session, ref) if ref is not None else None
    return _look_up(session, text) if matches is None else RefMatches(matches)


def _look_up(session: Session, text: str) -> RefMatches:
    ref = parse_entity_ref(text)
    ref = NameRef(text) if isinstance(ref, NamedRef | LinesRef) else ref
    found = find_ref(session.view, ref, session.read_nodes)
    if not found.matches and not found.is_external:
        raise NotFoundError(f"{text}: nothing has that name; `birthmark entities` lists what there is")
    return found


def _match_path(session: Session, ref: LinesRef | NamedRef) -> list[RefMatch] | None:
    """None where the path is in no state."""
    missing: NotFoundError | None = None
    for state in _states_with(session, ref):
        try:
            return [_match(session, state, entity) for entity in locate_all(state, ref)]
        except NotFoundError as error:
            missing = missing or error
    if missing is not None:
        raise missing
    return None


def _states_with(session: Session, ref: LinesRef | NamedRef) -> Iterator[RepositoryState]:
    """The states that have the path. A name that is gone from the worktree may be found as it was indexed."""
    is_there = not session.workspace.is_bare and session.worktree.entry(ref.path) is not None
    if is_there:
        yield session.worktree
    if isinstance(ref, LinesRef) and is_there:
        return
    if session.repository.index().entry(ref.path) is not None:
        yield session.repository.index()


def _match(session: Session, state: RepositoryState, entity: OutlinedEntity) -> RefMatch:
    """An entity as it was indexed."""
    path = entity.file.path
    row = session.view.row(path)
    is_same = row is not None and (row.content.hex(), row.language) == (state.content_id(path), state.language(path))
    indexed = entity if is_same else session.changes.predecessor(entity)
    file = session.view.file(indexed.file.path) if indexed is not None else None
    if indexed is None or file is None:
        raise NotFoundError(f"{entity.label}: {entity.entity.qualified_name} is not indexed yet; run `birthmark index`")
    return RefMatch(file.version.identities[indexed.ordinal], file, indexed.ordinal)


def _present(session: Session, found: RefMatches, text: str) -> IndexedEntity:
    identities = {match.identity for match in found.matches if match.identity is not None}
    present = [entity for entity in map(session.view.entity, identities) if entity is not None]
    if len(present) > 1:
        labels = sorted((entity.entity.path, entity.entity.start_line) for entity in present)
        raise ambiguous(text, [f"{path}:{line}" for path, line in labels])
    if not present:
        raise NotFoundError(f"{text}: is no entity that is present; `birthmark resolve` shows what became of it")
    return present[0]
