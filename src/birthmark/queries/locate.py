"""Locate a REF that names a path in a state of a repository.

Takes a RepositoryState and a LinesRef or NamedRef whose path is one of the repository; gives OutlinedEntities.
`locate` gives the one that is meant, or an error that says what to name instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.errors import AmbiguousError, NotFoundError
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.model import Entity
from birthmark.queries.ref_forms import LinesRef, NamedRef

_MOST_LABELS = 10


def locate(state: RepositoryState, ref: LinesRef | NamedRef) -> OutlinedEntity:
    entities = locate_all(state, ref)
    if len(entities) > 1:
        raise ambiguous(str(ref), [entity.label for entity in entities])
    return entities[0]


def locate_all(state: RepositoryState, ref: LinesRef | NamedRef) -> list[OutlinedEntity]:
    """The one at some lines, or all that have a name; an error says what is missing."""
    file = source_file(state, ref.path)
    if isinstance(ref, NamedRef):
        named = named_in(file.outline.entities, ref.qualified_name)
        if not named:
            raise _no_such_name(state, ref)
        return [OutlinedEntity(file, ordinal) for ordinal in named]
    ordinal = entity_at_lines(file.outline.entities, ref.first, ref.last)
    if ordinal is None or ref.last < ref.first:
        raise NotFoundError(f"{ref}: nothing is defined there in {_title(state)}; name lines of a definition")
    return [OutlinedEntity(file, ordinal)]


def locate_nearest(state: RepositoryState, ref: NamedRef, line: int) -> OutlinedEntity:
    """Of those that have the name, the one nearest to a line."""
    file = source_file(state, ref.path)
    entities = file.outline.entities
    named = _all_named(entities, ref.qualified_name)
    if not named:
        raise _no_such_name(state, ref)
    return OutlinedEntity(file, min(named, key=lambda i: abs(entities[i].start_line - line)))


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


def ambiguous(ref: str, labels: Sequence[str]) -> AmbiguousError:
    more = ", …" if len(labels) > _MOST_LABELS else ""
    listed = ", ".join(labels[:_MOST_LABELS])
    return AmbiguousError(f"{ref}: there are {len(labels)} of that name; name one of {listed}{more}")


def no_such_file(state: RepositoryState, path: str) -> NotFoundError:
    return NotFoundError(f"{path}: is not in {_title(state)}; name a file that is, by its path")


def _all_named(entities: Sequence[Entity], name: str) -> list[int]:
    """Those of a qualified name, else of a simple one."""
    named = [i for i, entity in enumerate(entities) if entity.qualified_name == name]
    return named or [i for i, entity in enumerate(entities) if entity.name == name]


def source_file(state: RepositoryState, path: str) -> OutlinedFile:
    file = state.file(path)
    if file is None and state.entry(path) is None:
        raise no_such_file(state, path)
    if file is None:
        raise NotFoundError(f"{path}: {state.problem(path) or 'is in no language that is supported'}")
    return file


def _no_such_name(state: RepositoryState, ref: NamedRef) -> NotFoundError:
    return NotFoundError(
        f"{ref.path}: has no {ref.qualified_name} in {_title(state)}; `birthmark entities {ref.path}` lists what it has"
    )


def _title(state: RepositoryState) -> str:
    return state.name[:12] if state.name == state.revision else state.name


def _n_lines(entity: Entity) -> int:
    return entity.end_line - entity.start_line
