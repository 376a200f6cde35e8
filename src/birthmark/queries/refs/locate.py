"""Locate a REF that names a path in a state of a repository.

Takes a RepositoryState and a LinesRef or NamedRef whose path is one of the repository; gives OutlinedEntities, or an
error that says what to name instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.errors import NotFoundError
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.model import Entity, Level, Location
from birthmark.queries.refs.missing import no_such_file, no_such_lines, no_such_name_in, title_of
from birthmark.queries.refs.ref_forms import LinesRef, NamedRef


def locate_all(state: RepositoryState, ref: LinesRef | NamedRef, level: Level = Level.OUTLINE) -> list[OutlinedEntity]:
    """The one at some lines, or all that have a name; an error says what is missing."""
    file = source_file(state, ref.path, level)
    if isinstance(ref, NamedRef):
        named = named_in(file.outline.entities, ref.qualified_name)
        if not named:
            raise _no_such_name(state, file, ref)
        return [OutlinedEntity(file, ordinal) for ordinal in named]
    ordinal = entity_at_lines(file.outline.entities, ref.first, ref.last)
    if ordinal is None or ref.last < ref.first:
        raise no_such_lines(state, ref.path, ref.first, ref.last)
    return [OutlinedEntity(file, ordinal)]


def locate_nearest(state: RepositoryState, ref: NamedRef, line: int) -> OutlinedEntity:
    """Of those that have the name, the one nearest to a line."""
    file = source_file(state, ref.path)
    entities = file.outline.entities
    named = _all_named(entities, ref.qualified_name)
    if not named:
        raise _no_such_name(state, file, ref)
    return OutlinedEntity(file, min(named, key=lambda i: abs(entities[i].start_line - line)))


def find_nearest(state: RepositoryState, at: Location) -> OutlinedEntity | None:
    """What has a qualified name in a file; of several the one nearest to where it was."""
    file = state.file(at.path)
    entities = file.outline.entities if file is not None else ()
    same = [i for i, entity in enumerate(entities) if entity.qualified_name == at.qualified_name]
    nearest = min(same, key=lambda i: abs(entities[i].start_line - at.start_line), default=None)
    return None if nearest is None or file is None else OutlinedEntity(file, nearest)


def entity_at_lines(entities: Sequence[Entity], first: int, last: int) -> int | None:
    """The entity that some lines mean: of those that begin on a single line the outermost, else the smallest around.

    Where none is around all of the lines, it is the first that begins in them.
    """
    around = [i for i, entity in enumerate(entities) if entity.start_line <= first and last <= entity.end_line]
    starting = [i for i, entity in enumerate(entities) if first <= entity.start_line <= last]
    if not around or (first == last and starting):
        return min(starting, key=lambda i: (entities[i].start_byte, -entities[i].end_byte), default=None)
    return min(around, key=lambda i: (_n_lines(entities[i]), entities[i].start_byte, -entities[i].end_byte))


def named_in(entities: Sequence[Entity], name: str) -> list[int]:
    """A Rust type and its `impl` blocks share a name, which means the type."""
    named = _all_named(entities, name)
    types = [i for i in named if entities[i].kind != "impl"]
    return types if len(types) == 1 else named


def _all_named(entities: Sequence[Entity], name: str) -> list[int]:
    """Those of a qualified name, else of a simple one."""
    named = [i for i, entity in enumerate(entities) if entity.qualified_name == name]
    return named or [i for i, entity in enumerate(entities) if entity.name == name]


def source_file(state: RepositoryState, path: str, level: Level = Level.OUTLINE) -> OutlinedFile:
    file = state.file(path, level)
    if file is None and state.entry(path) is None:
        raise no_such_file(path, title_of(state), ())
    if file is None:
        raise NotFoundError(f"{path}: {state.problem(path) or 'is in no language that is supported'}")
    return file


def _no_such_name(state: RepositoryState, file: OutlinedFile, ref: NamedRef) -> NotFoundError:
    return no_such_name_in(ref.path, ref.qualified_name, title_of(state), file.outline.entities)


def _n_lines(entity: Entity) -> int:
    return entity.end_line - entity.start_line
