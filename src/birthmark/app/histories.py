"""The history of what a REF names, at any revision; with or without an index."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark.app.refs import find_entity, path_ref
from birthmark.app.repository import OpenRepository
from birthmark.app.states import CommitState
from birthmark.comparison.declaration_changes import COSMETIC
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import Outline, OutlinedEntity
from birthmark.extraction.state import content_id_of, os_path
from birthmark.history.batch_history import follow_all
from birthmark.history.blame import Blamed, blame_entities
from birthmark.history.entity_at_commit import EntityAtCommit, entity_at_commit
from birthmark.history.follow import Step, follow
from birthmark.history.function_body import FunctionBody, read_body
from birthmark.history.local_history import BLOCK, VARIABLE, LocalKind, find_inner, follow_inside, read_predecessors
from birthmark.matching.line_hunks import hunks_between, lines_of
from birthmark.model import Entity
from birthmark.queries.locate import source_file
from birthmark.queries.ref_forms import LinesRef
from birthmark.sources.log import Commit
from birthmark.sources.worktree import read_file
from birthmark.subscriptions.lines import follow_hunks
from birthmark.syntax.lines import Lines

MemberStep = tuple[Step, Commit, str | None]  # the last is the member it is about


class HistorySubject(NamedTuple):
    """An entity at a commit, the blob of its file, and the line at which a REF named it."""

    commit: str
    blob: str
    outlined: OutlinedEntity
    line: int | None = None

    @property
    def path(self) -> str:
        return self.outlined.file.path

    @property
    def entity(self) -> Entity:
        return self.outlined.entity


class History(NamedTuple):
    """An entity and what happened to it, newest first."""

    target: HistorySubject
    steps: list[tuple[Step, Commit]]
    members: tuple[str | None, ...] = ()  # the member that each step is about; None is the entity itself
    inner: Entity | None = None  # the variable or block in it that the steps are about

    @property
    def entity(self) -> Entity:
        return self.inner or self.target.entity


class Blame(NamedTuple):
    """A file at a commit, and the commits that last changed and introduced what it defines."""

    commit: str
    path: str
    outline: Outline
    entities: list[tuple[Blamed, Commit, Commit]]  # with the last commit and the first


def is_cosmetic(step: Step) -> bool:
    """Whether it changed only comments or formatting."""
    return set(step.changes) <= COSMETIC


def find_subject(repository: OpenRepository, ref: str, revision: str | None = None) -> HistorySubject:
    """What a REF names at a revision; without one, what it names in the worktree, as it is at HEAD.

    A name that the worktree no longer has is one of HEAD's.
    """
    commit = repository.revision(revision or "HEAD")
    parsed = path_ref(ref, repository.workspace.current_folder)
    line = parsed.first if isinstance(parsed, LinesRef) else None
    if revision is not None or parsed is None or _is_unchanged(repository, commit, parsed.path):
        return subject_of(commit, find_entity(repository, commit, ref), line)
    try:
        entity = find_entity(repository, repository.worktree(), ref)
    except NotFoundError:
        if isinstance(parsed, LinesRef):
            raise
        return subject_of(commit, find_entity(repository, commit, ref))
    committed = StateComparison(commit, repository.worktree(), repository.family_of).predecessor(entity)
    if committed is None:
        raise NotFoundError(f"{entity.label}: {entity.entity.qualified_name} is not committed yet; it has no history")
    return subject_of(commit, committed, line and _line_before(committed, entity, line))


def _is_unchanged(repository: OpenRepository, commit: CommitState, path: str) -> bool:
    """Whether a file is in the worktree as it is in a commit, so that the worktree need not be searched."""
    if repository.workspace.is_bare:
        return True
    try:
        content = read_file(
            repository.workspace.root / os.fsdecode(os_path(path)), repository.settings.limits.max_bytes
        )
    except BirthmarkError:
        return commit.entry(path) is not None
    return content_id_of(content).hex() == commit.content_id(path)


def _line_before(old: OutlinedEntity, new: OutlinedEntity, line: int) -> int | None:
    """The line of an old file that became a line of the new one."""
    hunks = hunks_between(*(lines_of(entity.file.source()) for entity in (new, old)))
    lines = follow_hunks(hunks, line, line).lines
    return lines[0] if lines is not None else None


def subject_of(commit: CommitState, entity: OutlinedEntity, line: int | None = None) -> HistorySubject:
    return HistorySubject(commit.commit, commit.content_id(entity.file.path) or "", entity, line)


def read_history(repository: OpenRepository, target: HistorySubject) -> History:
    steps = follow(repository, subject_at_commit(repository, target))
    return History(target, [(step, repository.commit(step.commit)) for step in steps])


def read_members(repository: OpenRepository, target: HistorySubject) -> History:
    """What happened to an entity and to all that it contains now, newest first."""
    outline, own = target.outlined.file.outline, target.outlined.ordinal
    entities, inside = outline.entities, f"{target.entity.qualified_name}."
    ordinals = [i for i, entity in enumerate(entities) if entity.qualified_name.startswith(inside)]
    ordinals.insert(0, own)
    histories = follow_all(repository, target.commit, target.path, target.blob, outline, ordinals)
    dated = [
        [
            (step, repository.commit(step.commit), entities[ordinal].qualified_name if ordinal != own else None)
            for step in steps
        ]
        for ordinal, steps in zip(ordinals, histories, strict=True)
    ]
    order = {touch.commit: number for number, touch in enumerate(repository.touches(target.commit, target.path))}
    merged = list(_merge(dated, order))
    return History(target, [(step, commit) for step, commit, _ in merged], tuple([member for _, _, member in merged]))


def _merge(histories: list[list[MemberStep]], order: dict[str, int]) -> Iterator[MemberStep]:
    """Each stays in its order, what a commit did is kept together; of what may come next the newest goes first.

    Commits may have the same time; then the order in which they touched the file decides.
    """
    rest = [history[::-1] for history in histories]
    while rest := [history for history in rest if history]:
        later = {commit.id for history in rest for _, commit, _ in history[:-1]}
        free = [history for history in rest if history[-1][1].id not in later] or rest
        yield max(free, key=lambda history: (history[-1][1].at, -order.get(history[-1][1].id, len(order)))).pop()


def read_inner_history(repository: OpenRepository, target: HistorySubject, variable: str | None) -> History:
    """What happened to a local variable or parameter of an entity, or to the block at its line."""
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
    steps = follow_inside(repository, read_predecessors(repository, at_commit), at_commit, sort, index)
    dated = [(step, repository.commit(step.commit)) for step in steps]
    return History(target, dated, inner=_inner_entity(target.entity, sort, body, index, lines))


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


def read_blame(repository: OpenRepository, file: Path, revision: str) -> Blame:
    commit = repository.revision(revision)
    path = name_in_repository(repository, file)
    outline = source_file(commit, path).outline
    blamed = blame_entities(repository, commit.commit, path, commit.content_id(path) or "", outline)
    commits = [
        (found, repository.commit(found.last.commit), repository.commit(found.introduced.commit)) for found in blamed
    ]
    return Blame(commit.commit, path, outline, commits)


def subject_at_commit(repository: OpenRepository, target: HistorySubject) -> EntityAtCommit:
    file, ordinal = target.outlined
    return entity_at_commit(repository, target.commit, file.path, target.blob, file.outline, ordinal)


def name_in_repository(repository: OpenRepository, file: Path) -> str:
    """A file as the repository names it, wherever we are in it."""
    try:
        return Path(os.path.normpath(Path(file).absolute())).relative_to(repository.workspace.root).as_posix()
    except ValueError:
        raise BirthmarkError(f"{file}: is not in {repository.workspace.root}; name a file of the repository") from None
