"""Follow entities back through the commits that changed them.

Takes a Lineage and an entity at a commit; gives Steps, newest first, the last ones being introductions. At each commit
that touched the file, the predecessor is that of the pairing of the whole commit, by which a replay assigns identities,
too. `follow_all` and `blame_entities` take all entities of a file: each commit is looked up, extracted and paired once,
however many entities ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Generic, NamedTuple

from birthmark.comparison.declaration_changes import COSMETIC
from birthmark.extraction.model import Outline
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.entity_at_commit import EntityAtCommit, HistorySource
from birthmark.history.lineage import DerivationSource, F, Lineage, ParentLink, Step, Touches
from birthmark.history.walked_lineage import WalkedLineage
from birthmark.sources.git.log import parents_first
from birthmark.vocabulary import HistoryChange

# Called with an entity at a commit, and the entities that it was before.
Visit = Callable[[F, Sequence[F]], None]
_NO_CODE = COSMETIC | {
    HistoryChange.CONTAINER,
    HistoryChange.MOVED,
}  # Moving a file does not write what is in it.


class SourceSteps(NamedTuple, Generic[F]):
    """What happened to a source before something was derived from it."""

    source: DerivationSource[F]
    steps: list[Step]


def follow(
    repository: HistorySource,
    start: EntityAtCommit,
    pairings: CommitPairings | None = None,
    visit: Visit[EntityAtCommit] | None = None,
) -> list[Step]:
    """All that happened to an entity up to a commit; histories that share pairings pair each commit once."""
    return follow_lineage(WalkedLineage(pairings or CommitPairings(repository)), start, visit)


def follow_lineage(lineage: Lineage[F], start: F, visit: Visit[F] | None = None) -> list[Step]:
    return _Walk(lineage, visit).run(start)


def follow_sources(lineage: Lineage[F], source: DerivationSource[F] | None) -> Iterator[SourceSteps[F]]:
    """The steps of a source, then those of what that came from, and so on."""
    seen = set()
    while source is not None and source.entity.key not in seen:
        seen.add(source.entity.key)
        steps = follow_lineage(lineage, source.entity)
        yield SourceSteps(source, steps)
        source = next(iter(lineage.sources(steps[-1])), None) if steps else None


class _Walk(Generic[F]):
    def __init__(self, lineage: Lineage[F], visit: Visit[F] | None) -> None:
        self.lineage = lineage
        self.report_visit: Visit[F] = visit or (lambda entity, before: None)
        self.steps: dict[str, Step] = {}
        self.earlier: dict[str, dict[str, None]] = {}  # commits that were visited, and those before them
        self.seen: set[tuple[str, str, int]] = set()

    def run(self, start: F) -> list[Step]:
        runs = [start]
        while runs:
            runs += self._walk_path(runs.pop())
        ordered = parents_first(self.earlier, start.commit) if self.earlier else []
        return [self.steps[commit] for commit in reversed(ordered) if commit in self.steps]

    def visit(self, entity: F, before: Sequence[F]) -> None:
        self.earlier.setdefault(entity.commit, {}).update((one.commit, None) for one in before)
        self.report_visit(entity, before)

    def _walk_path(self, start: F) -> list[F]:
        """Follow an entity as long as it is in one file; returns where it was before, in other files."""
        touches = self.lineage.touches(start.commit, start.path)
        if not touches:
            return []
        elsewhere: list[F] = []
        stack = [self.lineage.at(start, next(iter(touches)))]
        if stack[0].key != start.key:
            self.visit(start, stack[:])
        while stack:
            entity = stack.pop()
            if entity.key in self.seen:
                continue
            self.seen.add(entity.key)
            links = self.lineage.links(entity)
            self._add_step(entity, links)
            before = [self._last_touch(entity, link.entity, touches) for link in links]
            stack += [one for one in before if one.path == entity.path and one.commit in touches]
            elsewhere += [one for one in before if one.path != entity.path or one.commit not in touches]
            self.visit(entity, before)
        return elsewhere

    def _last_touch(self, entity: F, old: F, touches: Touches) -> F:
        """The same state at the last commit that touched the file, if git's walk shows which one that is."""
        earlier, parents = touches[entity.commit], self.lineage.parents(entity.commit)
        if old.path != entity.path or len(earlier) != len(parents):
            return self.lineage.at(old, old.commit)
        return self.lineage.at(old, earlier[parents.index(old.commit)])

    def _add_step(self, entity: F, links: Sequence[ParentLink[F]]) -> None:
        """A merge has changed what differs from all its parents."""
        if not links:
            self._introduce(entity)
            return
        changes = tuple(change for change in links[0].changes if all(change in link.changes for link in links))
        if changes:
            old, evidence, confidence = links[0].entity, links[0].evidence, links[0].confidence
            locations = self.lineage.location(old), self.lineage.location(entity)
            self._add(Step(entity.commit, old.commit, changes, *locations, evidence, confidence))

    def _introduce(self, entity: F) -> None:
        parent = next(iter(self.lineage.parents(entity.commit)), None)
        self._add(Step(entity.commit, parent, (HistoryChange.INTRODUCED,), None, self.lineage.location(entity)))

    def _add(self, step: Step) -> None:
        self.steps.setdefault(step.commit, step)


def shared_walk(repository: HistorySource) -> WalkedLineage:
    """Return the walk that histories of one repository share, of one file or of many."""
    return WalkedLineage(CommitPairings(_CachedSource(repository)))


def follow_all(
    lineage: Lineage[F], commit: str, path: str, blob: str, outline: Outline, ordinals: Sequence[int]
) -> Iterator[list[Step]]:
    """The steps of some entities of a file, each newest first."""
    lineage.prefetch(commit, path)
    for ordinal in ordinals:
        yield follow_lineage(lineage, lineage.start(commit, path, blob, outline, ordinal))


class _CachedSource:
    """A HistorySource that reads nothing twice."""

    def __init__(self, repository: HistorySource) -> None:
        self.touches = cache(repository.touches)
        self.parents = cache(repository.parents)
        self.blob = cache(repository.blob)
        self.content, self.contents = repository.content, repository.contents
        self.outlines = repository.outlines
        self.changed = cache(repository.changed)
        self.family_of = repository.family_of
        self.language_of = repository.language_of


class Blamed(NamedTuple):
    """An entity by its index in the outline; the last step that changed its code, and the first of all."""

    ordinal: int
    last: Step
    introduced: Step


def blame_entities(lineage: Lineage[F], commit: str, path: str, blob: str, outline: Outline) -> list[Blamed]:
    """In the order of the source; documentation, format and moves do not count."""
    ordinals = sorted(range(len(outline.entities)), key=lambda ordinal: outline.entities[ordinal].start_byte)
    blamed = []
    for ordinal, steps in zip(ordinals, follow_all(lineage, commit, path, blob, outline, ordinals), strict=True):
        real = [step for step in steps if not set(step.changes) <= _NO_CODE]
        if real:
            blamed.append(Blamed(ordinal, real[0], steps[-1]))
    return blamed
