"""The history of what is inside a function: a local variable or parameter, or a block."""

from __future__ import annotations

import msgspec

from birthmark.app.histories.histories import History, read_events
from birthmark.app.histories.subjects import HistorySubject, subject_at_commit
from birthmark.app.workspace.repository import OpenRepository
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import OutlinedEntity
from birthmark.history.function_body import FunctionBody, read_body
from birthmark.history.lineage import function_around
from birthmark.history.local_history import BLOCK, VARIABLE, LocalKind, LocalWalk, find_inner, read_predecessors
from birthmark.model import FUNCTION_LIKE, Entity
from birthmark.syntax.lines import Lines


def read_inner_history(repository: OpenRepository, target: HistorySubject, variable: str | None) -> History:
    """Return the history of a local variable or parameter of an entity, or of the block at its line."""
    target = _with_function(target)
    where = f"{target.path}::{target.entity.qualified_name}"
    if variable is None and target.line is None:
        raise BirthmarkError(f"{where}: --block needs a line that is committed, as in src/app.py:120")
    at_commit = subject_at_commit(repository, target)
    body = read_body(repository, at_commit)
    if body is None:
        raise BirthmarkError(f"{target.path}: the bodies of its definitions cannot be read")
    lines, sort = Lines(repository.content(target.blob)), BLOCK if variable is None else VARIABLE
    index = find_inner(body, sort, lines.of, variable, target.line)
    if index is None:
        named = f"no variable {variable}" if variable else f"no block at line {target.line}"
        raise BirthmarkError(f"{where}: has {named} at {target.commit[:12]}")
    steps = LocalWalk(repository, read_predecessors(repository, at_commit), sort).run(at_commit, index)
    return History(target, read_events(repository, steps), _inner_entity(target.entity, sort, body, index, lines))


def _with_function(target: HistorySubject) -> HistorySubject:
    """The function that a REF by line is in, where an attribute is assigned at that line."""
    file, ordinal = target.outlined
    around = function_around(file.outline.entities, ordinal)
    if target.line is None or target.entity.kind in FUNCTION_LIKE or around is None:
        return target
    return target._replace(outlined=OutlinedEntity(file, around))


def _inner_entity(entity: Entity, sort: LocalKind, body: FunctionBody, index: int, lines: Lines) -> Entity:
    """A variable or block in the shape of an entity."""
    (start, end), name = sort.spans(body)[index], sort.names(body)[index]
    return msgspec.structs.replace(
        entity,
        kind=sort.kind,
        name=name,
        qualified_name=f"{entity.qualified_name}.{name}",
        start_line=lines.of(start),
        end_line=lines.last_of(start, end),
        start_byte=start,
        end_byte=end,
    )
