"""Find the entity that a REF means in any state of a repository, with or without an index."""

from __future__ import annotations

from birthmark.app.repository import OpenRepository
from birthmark.app.session import Session
from birthmark.app.stores import has_index, reading
from birthmark.comparison.state_comparison import EntityInState
from birthmark.errors import AmbiguousError, BirthmarkError, NotFoundError
from birthmark.extraction.model import OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.queries.ref import LINES, named_in, only_one
from birthmark.queries.snapshot_view import entity_at_lines


def find_spot(repository: OpenRepository, state: RepositoryState, ref: str) -> EntityInState:
    """The one entity that a REF means in a state; what names no file is looked up in the index."""
    path, colons, name = ref.partition("::")
    if colons and "->" not in ref:
        return find_named(state, path, name, None)
    lines = LINES.fullmatch(ref)
    if lines is not None and state.file(lines["path"]) is not None:
        return _around(state, lines["path"], int(lines["first"]), int(lines["last"] or lines["first"]))
    if not has_index(repository.workspace):
        raise BirthmarkError(f"{ref}: name it as path::name or path:first-last, or run `birthmark index` first")
    with reading(repository.workspace) as store:
        session = Session(repository.workspace, store, repository=repository)
        held = session.present(only_one(session.view, ref, session.read_nodes), ref)
        return find_named(state, held.entity.path, held.entity.qualified_name, held.entity.start_line)


def find_named(state: RepositoryState, path: str, name: str, line: int | None) -> EntityInState:
    """The one of a name; with a line, the nearest of all that have it."""
    file = _file(state, path)
    named = named_in(file.outline.entities, name, line)
    if not named:
        raise NotFoundError(f"{path}: has no {name} in {state.name}; `birthmark entities {path}` lists what it has")
    if len(named) > 1:
        places = ", ".join(EntityInState(file, i).label for i in named[:4])
        raise AmbiguousError(f"{path}::{name}: there are {len(named)} of that name; say which with --entity {places}")
    return EntityInState(file, named[0])


def _around(state: RepositoryState, path: str, first: int, last: int) -> EntityInState:
    file = _file(state, path)
    ordinal = entity_at_lines(file.outline.entities, first, last)
    if ordinal is None:
        raise NotFoundError(f"{path}:{first}: nothing is defined there; leave --entity away to follow the lines")
    return EntityInState(file, ordinal)


def _file(state: RepositoryState, path: str) -> OutlinedFile:
    file = state.file(path)
    if file is None:
        raise NotFoundError(f"{path}: is no source file in {state.name}; name one, or lines as path:first-last")
    return file
