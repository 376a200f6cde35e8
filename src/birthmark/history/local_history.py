"""Follow a local variable, a parameter or a block inside an entity.

The entity is followed first; its predecessors at each commit are kept. Then the two states of its body on each side of
a commit are aligned, and the variable or block is found in the older one. If the text is the same, nothing is read.

A block that none of its function's predecessors has is looked for in the other functions of the file that the commit
changed. It came from one that no longer has it: a new function was extracted with it, or a deleted function was
inlined. Code is not followed between two functions that both go on. A variable goes only with most of a function's
code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from birthmark.history.follow import follow
from birthmark.history.function_body import FunctionBody, LocalHistorySource, align_bodies, block_changes, read_body
from birthmark.history.lineage import EntityAtCommit, HistorySource, Step, entity_at_commit
from birthmark.history.variables import variable_changes
from birthmark.matching.bodies.block_alignment import block_likeness
from birthmark.matching.bodies.blocks import CLAUSES, BodyPair
from birthmark.matching.bodies.token_alignment import Token, TokenAlignment, weigh_token
from birthmark.model import FUNCTION_LIKE, Location, Span
from birthmark.syntax.canonical import DROPPED
from birthmark.vocabulary import HistoryChange

Found = tuple[int, list[HistoryChange]]  # the former index, and the changes since
_ALIKE = 0.75  # common share of head and body of a block that moved by itself
_MUCH_MORE = 2  # times as much of the code of a function as its predecessor has
_HALF = 0.5  # share of moved code from which on everything in a function has moved with it
ShareOf = Callable[[EntityAtCommit], float | None]  # the share of a function that moved; None if not enough


class LocalKind(NamedTuple):
    """Functions that find variables or blocks: their spans, their names, and their predecessors."""

    kind: str
    spans: Callable[[FunctionBody], list[Span]]
    names: Callable[[FunctionBody], list[str]]
    trace: Callable[[FunctionBody, FunctionBody, int], Found | None]
    outlives_entity: bool  # it is followed into the entity that its entity was extracted from


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
    """Return the variable of a name nearest to a line, or the block that starts there or is innermost around it."""
    lines = [(line_of(start), line_of(end - 1)) for start, end in sort.spans(body)]
    if name is not None:
        named = [index for index, own in enumerate(sort.names(body)) if own == name]
        return min(named, key=lambda index: abs(lines[index][0] - (line or 0)), default=None)
    starting = [index for index, (first, _) in enumerate(lines) if first == line]
    around = [index for index, (first, last) in enumerate(lines) if line is not None and first <= line <= last]
    return starting[0] if starting else max(around, default=None)


class LocalWalk:
    """A walk of one variable or block along the predecessors of its entity."""

    def __init__(self, repository: LocalHistorySource, predecessors: EntityPredecessors, sort: LocalKind) -> None:
        self.repository, self.predecessors, self.sort = repository, dict(predecessors), sort
        self.steps: dict[str, Step] = {}
        self.bodies: dict[tuple[str, int], FunctionBody | None] = {}

    def run(self, start: EntityAtCommit, index: int) -> list[Step]:
        """Return all steps of one variable or block of an entity, newest first."""
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
        """Return the former place of a block or variable that none of the predecessors has."""
        is_block = self.sort.outlives_entity
        source = self._find_around(entity, index, known) if is_block else self._find_main(entity, known)
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

    # Former places of blocks that were not in the predecessors of their functions

    def _find_around(
        self, entity: EntityAtCommit, index: int, known: Sequence[EntityAtCommit]
    ) -> EntityAtCommit | None:
        """Return the function that a block was in before; `known` ones were searched already."""
        return self._best(entity, known, lambda old: self._moved_share(old, entity, index, is_new=not known))

    def _find_main(self, entity: EntityAtCommit, known: Sequence[EntityAtCommit]) -> EntityAtCommit | None:
        """Return a deleted function that had much more of the entity's code than its predecessors."""
        after = self._body(entity)
        least = _MUCH_MORE * max((self._common(one, after) for one in known), default=0.0) or 1.0

        def share_of(old: EntityAtCommit) -> float | None:
            share = self._common(old, after)
            return share if share >= least and not self._successors(old, entity) else None

        return self._best(entity, known, share_of)

    def _best(
        self, entity: EntityAtCommit, known: Sequence[EntityAtCommit], share_of: ShareOf
    ) -> EntityAtCommit | None:
        """Return the changed function with the largest share, in the first parent that has one."""
        searched = {one.text for one in known}
        for parent in self.repository.parents(entity.commit):
            changed = [old for old in self._changed(parent, entity.path, entity.blob) if old.text not in searched]
            shares = {share: old for old in changed if (share := share_of(old)) is not None}
            if shares:
                return shares[max(shares)]
        return None

    def _common(self, old: EntityAtCommit, after: FunctionBody | None) -> float:
        before = self._body(old)
        if before is None or after is None:
            return 0.0
        alignment = align_bodies(before, after).tokens
        return _weight([alignment.old[i] for i in alignment.same])

    def _changed(self, commit: str, path: str, other: str) -> Iterator[EntityAtCommit]:
        """Yield the functions of a file that another state of it does not have unchanged."""
        blob, content = self.repository.blob(commit, path), self.repository.content(other)
        outline = self.repository.outlines([(blob, path)])[0] if blob is not None else None
        if blob is None or outline is None:
            return
        for index, definition in enumerate(outline.entities):
            if definition.kind in FUNCTION_LIKE:
                function = entity_at_commit(self.repository, commit, path, blob, outline, index)
                if function.text not in content:
                    yield function

    def _moved_share(self, old: EntityAtCommit, new: EntityAtCommit, index: int, is_new: bool) -> float | None:
        """Return the share of a function that moved into another one, if a block moved and was not copied."""
        before, after = self._body(old), self._body(new)
        if before is None or after is None or not _has_words(before, after, index):
            return None
        while after.blocks[index].sort in CLAUSES and after.blocks[index].parent >= 0:
            index = after.blocks[index].parent  # A clause moves with its block.
        alignment = align_bodies(before, after)
        found = alignment.blocks.get(index)
        if found is None or _is_kept(before, found, after, index):
            return None
        successors = self._successors(old, new)
        if (successors and not is_new) or any(
            found in align_bodies(before, body).blocks.values() for body in successors
        ):
            return None
        share = _share_of(alignment.tokens)
        likeness = block_likeness(BodyPair(before.blocks, after.blocks, alignment.tokens), found, index)
        return share if likeness >= _ALIKE or share >= _HALF else None

    def _successors(self, old: EntityAtCommit, new: EntityAtCommit) -> list[FunctionBody]:
        """Return the functions of the same name that are there now, and were not before."""
        namesakes = [
            one
            for one in self._changed(new.commit, new.path, old.blob)
            if one.qualified_name == old.qualified_name and one.start != new.start
        ]
        return [body for one in namesakes if (body := self._body(one)) is not None]


def _key(entity: EntityAtCommit) -> Key:
    return entity.commit, entity.path, entity.start


def _has_words(before: FunctionBody, after: FunctionBody, index: int) -> bool:
    """Return True if a body has half the words of a block, without which an alignment is not worthwhile."""
    words = {token.text for token in after.tokens[slice(*after.blocks[index].tokens)] if weigh_token(token.text) == 1}
    return 2 * len(words.intersection(token.text for token in before.tokens)) >= len(words)


def _is_kept(before: FunctionBody, found: int, after: FunctionBody, index: int) -> bool:
    """Return True if a file still has the text of a block as often, not counting its new place."""
    text, now = _text(before, found), _text(after, index)
    was, is_ = [body.interior.mask.translate(None, DROPPED).count(text) for body in (before, after)]
    return is_ > was if text == now else is_ >= was


def _text(body: FunctionBody, index: int) -> bytes:
    return body.interior.mask[slice(*body.blocks[index].span)].translate(None, DROPPED)


def _share_of(alignment: TokenAlignment) -> float:
    """Return the share of the smaller one of two bodies that is in the other."""
    smaller = min(_weight(alignment.old), _weight(alignment.new))
    return _weight([alignment.old[i] for i in alignment.same]) / smaller if smaller else 0.0


def _weight(tokens: Sequence[Token]) -> float:
    return sum(weigh_token(token.text) for token in tokens)
