"""The history of whatever a REF stands for, at any revision; with or without an index."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark.app.repository import OpenRepository
from birthmark.app.session import Session
from birthmark.app.stores import has_index, reading
from birthmark.comparison.declaration_changes import COSMETIC
from birthmark.errors import AmbiguousError, BirthmarkError, NotFoundError
from birthmark.extraction.model import Outline
from birthmark.history.batch_history import follow_all
from birthmark.history.blame import Blamed, blame_entities
from birthmark.history.entity_at_commit import EntityAtCommit, entity_at_commit
from birthmark.history.follow import Step, follow
from birthmark.history.local_history import (
    BLOCK,
    VARIABLE,
    FunctionBody,
    LocalKind,
    find_inner,
    follow_inside,
    read_body,
    read_trail,
)
from birthmark.model import Entity
from birthmark.queries.ref import LINES, named_in, only_one
from birthmark.queries.snapshot_view import entity_at_lines
from birthmark.sources.log import Commit
from birthmark.syntax.lines import Lines

Told = tuple[Step, Commit, str | None]  # the last is the member it is about


class HistorySubject(NamedTuple):
    """An entity at a commit."""

    commit: str
    path: str
    blob: str
    outline: Outline
    ordinal: int

    @property
    def entity(self) -> Entity:
        return self.outline.entities[self.ordinal]


class History(NamedTuple):
    """An entity and what happened to it, newest first."""

    target: HistorySubject
    steps: list[tuple[Step, Commit]]
    members: tuple[
        str | None, ...
    ] = ()  # whom each step is about, where members are told of; None is the entity itself
    inner: Entity | None = None  # the variable or block in it that is told of

    @property
    def entity(self) -> Entity:
        return self.inner or self.target.entity


class Blame(NamedTuple):
    """A file at a commit, and who is to be asked about what it defines."""

    commit: str
    path: str
    outline: Outline
    entities: list[tuple[Blamed, Commit, Commit]]  # with the last commit and the first


def is_cosmetic(step: Step) -> bool:
    """Whether it changed only comments or formatting."""
    return set(step.changes) <= COSMETIC


def read_history(past: OpenRepository, ref: str, revision: str) -> History:
    target = find_target(past, ref, past.git.resolve(revision))
    steps = follow(past, spot_at(past, target))
    return History(target, [(step, past.commit(step.commit)) for step in steps])


def read_members(past: OpenRepository, ref: str, revision: str) -> History:
    """What happened to an entity and to all that now stands in it, newest first."""
    target = find_target(past, ref, past.git.resolve(revision))
    entities, inside = target.outline.entities, f"{target.entity.qualified_name}."
    ordinals = [i for i, entity in enumerate(entities) if entity.qualified_name.startswith(inside)]
    ordinals.insert(0, target.ordinal)
    open_ = [
        [
            (step, past.commit(step.commit), entities[ordinal].qualified_name if ordinal != target.ordinal else None)
            for step in steps
        ]
        for ordinal, steps in zip(ordinals, follow_all(past, *target[:4], ordinals), strict=True)
    ]
    order = {touch.commit: place for place, touch in enumerate(past.touches(target.commit, target.path))}
    told = list(_merge(open_, order))
    return History(target, [(step, commit) for step, commit, _ in told], tuple([member for _, _, member in told]))


def _merge(histories: list[list[Told]], order: dict[str, int]) -> Iterator[Told]:
    """Each stays in its order, what a commit did stands together; of what may come next the newest goes first.

    Commits may have the same time; then the order in which they touched the file decides.
    """
    rest = [history[::-1] for history in histories]
    while rest := [history for history in rest if history]:
        later = {commit.id for history in rest for _, commit, _ in history[:-1]}
        free = [history for history in rest if history[-1][1].id not in later] or rest
        yield max(free, key=lambda history: (history[-1][1].at, -order.get(history[-1][1].id, len(order)))).pop()


def read_inner_history(
    past: OpenRepository, ref: str, revision: str, variable: str | None, block_line: int | None
) -> History:
    """What happened to a local variable or parameter of an entity, or to the block at a line of it."""
    target = find_target(past, ref, past.git.resolve(revision))
    spot = spot_at(past, target)
    body = read_body(past, spot)
    if body is None:
        raise BirthmarkError(f"{target.path}: what stands in its definitions cannot be read")
    lines, where = Lines(past.content(target.blob)), f"{target.path}::{target.entity.qualified_name}"
    sort = BLOCK if variable is None else VARIABLE
    index = find_inner(body, sort, lines.of, variable, line_of(ref) if block_line is None else block_line)
    if index is None:
        named = f"no variable {variable}" if variable else f"no block at line {block_line}"
        raise BirthmarkError(f"{where}: has {named} at {target.commit[:12]}")
    steps = follow_inside(past, read_trail(past, spot), spot, sort, index)
    told = [(step, past.commit(step.commit)) for step in steps]
    return History(target, told, inner=_inner_entity(target.entity, sort, body, index, lines))


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


def line_of(ref: str) -> int | None:
    """The line that a REF names."""
    lines = LINES.fullmatch(ref)
    return int(lines["first"]) if lines is not None else None


def read_blame(past: OpenRepository, file: Path, revision: str) -> Blame:
    commit = past.git.resolve(revision)
    path = name_in_repository(past, file)
    blob, outline = _outline_at(past, commit, path)
    blamed = blame_entities(past, commit, path, blob, outline)
    commits = [(found, past.commit(found.last.commit), past.commit(found.introduced.commit)) for found in blamed]
    return Blame(commit, path, outline, commits)


def spot_at(past: OpenRepository, target: HistorySubject) -> EntityAtCommit:
    return entity_at_commit(past, target.commit, target.path, target.blob, target.outline, target.ordinal)


def find_target(past: OpenRepository, ref: str, commit: str) -> HistorySubject:
    """`path::name`, `path:line` and `path:first-last` are looked up in the commit; any other REF in the index."""
    path, colons, name = ref.partition("::")
    if colons and past.blob(commit, path):
        return _named(past, commit, path, name, None)
    lines = LINES.fullmatch(ref)
    if lines is not None and past.blob(commit, lines["path"]):
        return _at_lines(past, commit, lines["path"], int(lines["first"]), int(lines["last"] or lines["first"]))
    if not has_index(past.workspace):
        raise BirthmarkError(f"{ref}: name it as path::name or path:line, or run `birthmark index` first")
    with reading(past.workspace) as store:
        session = Session(past.workspace, store, repository=past)
        held = session.present(only_one(session.view, ref, session.read_nodes), ref)
        return _named(past, commit, held.entity.path, held.entity.qualified_name, held.entity.start_line)


def _named(past: OpenRepository, commit: str, path: str, name: str, line: int | None) -> HistorySubject:
    blob, outline = _outline_at(past, commit, path)
    named = named_in(outline.entities, name, line)
    if not named:
        raise NotFoundError(f"{path}: has no {name} at {commit[:12]}; say another revision with --at")
    if len(named) > 1:
        places = ", ".join(f"{path}:{outline.entities[i].start_line}" for i in named[:4])
        raise AmbiguousError(f"{path}::{name}: there are {len(named)} of that name; say which, as in {places}")
    return HistorySubject(commit, path, blob, outline, named[0])


def _at_lines(past: OpenRepository, commit: str, path: str, first: int, last: int) -> HistorySubject:
    blob, outline = _outline_at(past, commit, path)
    ordinal = entity_at_lines(outline.entities, first, last)
    if ordinal is None:
        raise NotFoundError(f"{path}:{first}: nothing is defined there at {commit[:12]}")
    return HistorySubject(commit, path, blob, outline, ordinal)


def _outline_at(past: OpenRepository, commit: str, path: str) -> tuple[str, Outline]:
    blob = past.blob(commit, path)
    if blob is None:
        raise NotFoundError(f"{path}: is not in {commit[:12]}; say another revision with --at")
    outline = past.outlines([(blob, path)])[0]
    if outline is None:
        raise BirthmarkError(f"{path}: cannot be read as any language we know")
    return blob, outline


def name_in_repository(past: OpenRepository, file: Path) -> str:
    """A file as the repository names it, wherever we are in it."""
    try:
        return Path(os.path.normpath(Path(file).absolute())).relative_to(past.workspace.root).as_posix()
    except ValueError:
        raise BirthmarkError(f"{file}: is not in {past.workspace.root}; name a file of the repository") from None
