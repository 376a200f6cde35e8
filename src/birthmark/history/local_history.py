"""Follow what is inside an entity: a local variable or parameter, or a block.

The entity is followed first; its predecessors at each commit are kept. Then the two states of its body on
each side of a commit are aligned, and the variable or block is found in the older one. Where the text is the same
nothing is read at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from birthmark.history.block_sources import BlockSources
from birthmark.history.blocks import block_changes
from birthmark.history.entity_at_commit import EntityAtCommit, HistorySource
from birthmark.history.follow import follow
from birthmark.history.function_body import (
    FunctionBody,
    LocalHistorySource,
    align_bodies,
    read_body,
)
from birthmark.history.lineage import Step
from birthmark.history.variables import variable_changes
from birthmark.model import Location, Span
from birthmark.vocabulary import HistoryChange

Found = tuple[int, list[HistoryChange]]  # which one it was, and what changed since


class LocalKind(NamedTuple):
    """How variables or blocks are found: their spans, their names, and which one it was before."""

    kind: str
    spans: Callable[[FunctionBody], list[Span]]
    names: Callable[[FunctionBody], list[str]]
    trace: Callable[[FunctionBody, FunctionBody, int], Found | None]
    outlives_entity: bool  # whether it is followed into the entity that its entity was extracted from


Key = tuple[str, str, int]
EntityPredecessors = dict[
    Key, list[EntityAtCommit]
]  # the predecessors of an entity at a commit; none if it was introduced there


def read_predecessors(repository: HistorySource, start: EntityAtCommit) -> EntityPredecessors:
    predecessors: EntityPredecessors = {}

    def visit(entity: EntityAtCommit, before: Sequence[EntityAtCommit]) -> None:
        predecessors.setdefault(_key(entity), []).extend(before)

    follow(repository, start, visit=visit)
    return predecessors


def trace_block(old: FunctionBody, new: FunctionBody, index: int) -> Found | None:
    pairs = align_bodies(old, new).blocks
    found = pairs.get(index)
    if found is None:
        return None
    if list(pairs.values()).count(found) > 1:
        return found, [HistoryChange.SPLIT]
    return found, block_changes((old.interior, old.blocks, found), (new.interior, new.blocks, index))


def trace_variable(old: FunctionBody, new: FunctionBody, index: int) -> Found | None:
    found = align_bodies(old, new).variables.get(index)
    return None if found is None else (found, variable_changes(old.variables[found], new.variables[index]))


BLOCK = LocalKind(
    "block",
    lambda body: [block.span for block in body.blocks],
    lambda body: [block.kind for block in body.blocks],
    trace_block,
    True,
)
VARIABLE = LocalKind(
    "variable",
    lambda body: [(variable.name_at, variable.span[1]) for variable in body.variables],
    lambda body: [variable.name for variable in body.variables],
    trace_variable,
    False,
)


def find_inner(
    body: FunctionBody, sort: LocalKind, line_of: Callable[[int], int], name: str | None, line: int | None
) -> int | None:
    """The variable of a name that is nearest to a line, or the block that starts there or is innermost around it."""
    lines = [(line_of(start), line_of(end - 1)) for start, end in sort.spans(body)]
    if name is not None:
        named = [index for index, own in enumerate(sort.names(body)) if own == name]
        return min(named, key=lambda index: abs(lines[index][0] - (line or 0)), default=None)
    starting = [index for index, (first, _) in enumerate(lines) if first == line]
    around = [index for index, (first, last) in enumerate(lines) if line is not None and first <= line <= last]
    return starting[0] if starting else max(around, default=None)


def follow_inside(
    repository: LocalHistorySource, predecessors: EntityPredecessors, start: EntityAtCommit, sort: LocalKind, index: int
) -> list[Step]:
    """All that happened to one variable or block of an entity, newest first."""
    return _LocalWalk(repository, predecessors, sort).run(start, index)


class _LocalWalk:
    def __init__(self, repository: LocalHistorySource, predecessors: EntityPredecessors, sort: LocalKind) -> None:
        self.repository, self.predecessors, self.sort = repository, dict(predecessors), sort
        self.steps: dict[str, Step] = {}
        self.bodies: dict[tuple[str, int], FunctionBody | None] = {}
        self.sources = BlockSources(repository, self._body)

    def run(self, start: EntityAtCommit, index: int) -> list[Step]:
        open_, seen = [(start, index)], set()
        while open_:
            entity, index = open_.pop(0)
            if (_key(entity), index) not in seen:
                seen.add((_key(entity), index))
                open_ += self._step(entity, index)
        return list(self.steps.values())

    def _step(self, entity: EntityAtCommit, index: int) -> list[tuple[EntityAtCommit, int]]:
        before = self.predecessors.get(_key(entity))
        if before is None:
            return []
        links = [(old, *found) for old in before if (found := self._find(old, entity, index)) is not None]
        if not links and (before or self.sort.outlives_entity):
            links = self._find_source(entity, index, before)
        same = [(old, old_index) for old, old_index, changes in links if not changes]
        if same:
            return same
        if links:
            old, old_index, changes = links[0]
            locations = self._location(old, old_index), self._location(entity, index)
            self._add(Step(entity.commit, old.commit, tuple(changes), *locations))
        else:
            parents = self.repository.parents(entity.commit)
            parent = parents[0] if parents else None
            self._add(Step(entity.commit, parent, (HistoryChange.INTRODUCED,), None, self._location(entity, index)))
        return [(old, old_index) for old, old_index, _ in links]

    def _find_source(
        self, entity: EntityAtCommit, index: int, known: Sequence[EntityAtCommit]
    ) -> list[tuple[EntityAtCommit, int, list[HistoryChange]]]:
        """Where a block or variable was that none of the predecessors has."""
        is_block = self.sort.outlives_entity
        source = self.sources.find(entity, index, known) if is_block else self.sources.find_main(entity, known)
        found = self._find(source, entity, index) if source is not None else None
        if source is None or found is None:
            return []
        self.predecessors.update(read_predecessors(self.repository, source))
        return [(source, *found)]

    def _find(self, old: EntityAtCommit, new: EntityAtCommit, index: int) -> Found | None:
        if old.text == new.text:
            return index, []
        before, after = self._body(old), self._body(new)
        if before is None or after is None:
            return None
        return self.sort.trace(before, after, index)

    def _body(self, entity: EntityAtCommit) -> FunctionBody | None:
        key = (entity.blob, entity.start)
        if key not in self.bodies:
            self.bodies[key] = read_body(self.repository, entity)
        return self.bodies[key]

    def _location(self, entity: EntityAtCommit, index: int) -> Location:
        body = self._body(entity)
        content = self.repository.content(entity.blob)
        if body is None or index >= len(self.sort.spans(body)):
            # The same text may be parsed differently if there is an error elsewhere in the file.
            line = content.count(b"\n", 0, entity.start) + 1
            return Location(entity.path, entity.qualified_name, line, line + entity.text.count(b"\n"))
        start, end = self.sort.spans(body)[index]
        first = content.count(b"\n", 0, start) + 1
        name = f"{entity.qualified_name}.{self.sort.names(body)[index]}"
        return Location(entity.path, name, first, first + content.count(b"\n", start, end))

    def _add(self, step: Step) -> None:
        self.steps.setdefault(step.commit, step)


def _key(entity: EntityAtCommit) -> Key:
    return entity.commit, entity.path, entity.start
