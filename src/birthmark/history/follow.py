"""Follow entities back through the commits that changed them.

Takes a Lineage and an entity at a commit; gives Steps, newest first, the last ones being introductions. The predecessor
at a commit is that of the pairing of the whole commit, by which a replay assigns identities, too. `follow_all` and
`blame_entities` take all entities of a file: each commit is looked up, extracted and paired once.

A WalkedLineage pairs each commit that touched a file with its parents, as git has them. The sources of an
introduction, the likeliest first, are from the derivations of the commit, or from the whole parent if it has the same
body (`history/copies.py`). A source is not an identity: new code stays new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Generic

from birthmark.comparison.derivations import CommitDerivation, end_of, find_commit_derivations
from birthmark.extraction.model import EntityRef, Outline, OutlinedEntity, OutlinedFile
from birthmark.history.commit_pairings import CommitPairings, PairedCommit
from birthmark.history.copies import find_copies
from birthmark.history.gaps import find_gap
from birthmark.history.lineage import (
    DerivationSource,
    EntityAtCommit,
    F,
    Gap,
    HistorySource,
    Lineage,
    ParentLink,
    Step,
    entity_at_commit,
    find_ordinal,
)
from birthmark.model import Location
from birthmark.sources.git.log import Touches, parents_first
from birthmark.vocabulary import COSMETIC, DerivationKind, HistoryChange

# Sources that moved whole come before those that gave up a part, and these before copies.
_RANKS: dict[str, int] = {DerivationKind.MOVED: 0, DerivationKind.EXTRACTED: 2, DerivationKind.COPIED: 3}
_OTHER_RANK = 1
WalkedSource = DerivationSource[EntityAtCommit]


class WalkedLineage:
    """A Lineage of EntityAtCommits from git; histories that share pairings pair each commit once."""

    def __init__(self, pairings: CommitPairings) -> None:
        self.repository, self.pairings = pairings.repository, pairings

    def start(self, commit: str, path: str, blob: str, outline: Outline, ordinal: int) -> EntityAtCommit:
        return entity_at_commit(self.repository, commit, path, blob, outline, ordinal)

    def prefetch(self, commit: str, path: str) -> None:
        """Extract all states of a file together, on all cores."""
        states = dict.fromkeys(self.repository.blob(touch, path) for touch in self.touches(commit, path))
        self.repository.outlines([(state, path) for state in states if state])

    def touches(self, commit: str, path: str) -> Touches:
        return self.repository.touches(commit, path)

    def parents(self, commit: str) -> tuple[str, ...]:
        return self.repository.parents(commit)

    def links(self, entity: EntityAtCommit) -> Sequence[ParentLink[EntityAtCommit]]:
        """Return the parents in which the entity is certainly unchanged, else the first such, else all that have it.

        `ledger/merge.py` assigns identities by the same rule.
        """
        parents = self.repository.parents(entity.commit)
        certain = {parent: self.pairings.certain_link(entity, parent) for parent in parents}
        unchanged = [link for link in certain.values() if link is not None and not link.changes]
        if unchanged:
            return unchanged
        links = []
        for parent in parents:
            link = certain[parent] or self.pairings.whole_link(entity, parent)
            if link is not None and not link.changes:
                return [link]
            links += [link] if link is not None else []
        return links

    def gap(self, entity: EntityAtCommit) -> Gap[EntityAtCommit] | None:
        return find_gap(self.pairings, entity)

    def location(self, entity: EntityAtCommit) -> Location:
        outline = self.repository.outlines([(entity.blob, entity.path)])[0]
        index = find_ordinal(outline, entity) if outline is not None else None
        if outline is not None and index is not None:
            found = outline.entities[index]
            return Location(entity.path, found.qualified_name, found.start_line, found.end_line)
        line = self.repository.content(entity.blob).count(b"\n", 0, entity.start) + 1
        return Location(entity.path, entity.qualified_name, line, line + entity.text.count(b"\n"))

    def at(self, entity: EntityAtCommit, commit: str) -> EntityAtCommit:
        return entity._replace(commit=commit)

    def sources(self, step: Step) -> Sequence[DerivationSource[EntityAtCommit]]:
        if HistoryChange.INTRODUCED not in step.changes or step.parent is None:
            return []
        commit = self.pairings.whole(step.parent, step.commit)
        found = find_commit_derivations(commit.old, commit.new, commit.pairing, self.repository.family_of)
        own = [one for one in found if _location(commit.new, one.derivative) == step.after]
        own.sort(key=lambda one: likelihood(one.kind, one.share, _location(commit.old, one.source).path))
        return [_source(self.pairings, commit, step, one) for one in own] or find_copies(self.pairings, step)


def likelihood(kind: str, share: float, path: str) -> tuple[int, float, str]:
    """Return a sort key of sources, the likeliest first."""
    return _RANKS.get(kind, _OTHER_RANK), -share, path


def _source(pairings: CommitPairings, commit: PairedCommit, step: Step, one: CommitDerivation) -> WalkedSource:
    assert step.parent is not None
    f, index = one.source
    old = commit.old[f]
    blob = commit.old_blobs[old.path]
    entity = entity_at_commit(pairings.repository, step.parent, old.path, blob, old.outline, index)
    return DerivationSource(end_of(commit.old, one.source, one, step.commit), entity)


def _location(files: Sequence[OutlinedFile], ref: EntityRef) -> Location:
    return OutlinedEntity(files[ref[0]], ref[1]).location


# Called with an entity at a commit, and the entities that it was before.
Visit = Callable[[F, Sequence[F]], None]
_NO_CODE = COSMETIC | {HistoryChange.CONTAINER, HistoryChange.MOVED}  # Moving a file does not write its code.


def follow(
    repository: HistorySource,
    start: EntityAtCommit,
    pairings: CommitPairings | None = None,
    visit: Visit[EntityAtCommit] | None = None,
) -> list[Step]:
    """Return all steps of an entity up to a commit; histories that share pairings pair each commit once."""
    return follow_lineage(WalkedLineage(pairings or CommitPairings(repository)), start, visit)


def follow_lineage(lineage: Lineage[F], start: F, visit: Visit[F] | None = None) -> list[Step]:
    return _Walk(lineage, visit).run(start)


def follow_sources(
    lineage: Lineage[F], source: DerivationSource[F] | None
) -> Iterator[tuple[DerivationSource[F], list[Step]]]:
    """Yield a source with its steps, then the source of that, and so on."""
    seen = set()
    while source is not None and source.entity.key not in seen:
        seen.add(source.entity.key)
        steps = follow_lineage(lineage, source.entity)
        yield source, steps
        source = next(iter(lineage.sources(steps[-1])), None) if steps else None


class _Walk(Generic[F]):
    """A walk from an entity back to its introductions."""

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
        """Follow an entity within one file; return the entities that it was before in other files."""
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
            if links:
                self._add_step(entity, links)
            else:
                elsewhere += self._introduce(entity)
            before = [self._last_touch(entity, link.entity, touches) for link in links]
            stack += [one for one in before if one.path == entity.path and one.commit in touches]
            elsewhere += [one for one in before if one.path != entity.path or one.commit not in touches]
            self.visit(entity, before)
        return elsewhere

    def _last_touch(self, entity: F, old: F, touches: Touches) -> F:
        """Return the same state at the last commit that touched the file, if git's walk shows it."""
        earlier, parents = touches[entity.commit], self.lineage.parents(entity.commit)
        if old.path != entity.path or len(earlier) != len(parents):
            return self.lineage.at(old, old.commit)
        return self.lineage.at(old, earlier[parents.index(old.commit)])

    def _add_step(self, entity: F, links: Sequence[ParentLink[F]]) -> None:
        """Add a step; a merge has changed what differs from all its parents."""
        changes = tuple(change for change in links[0].changes if all(change in link.changes for link in links))
        if changes:
            old, evidence, confidence = links[0].entity, links[0].evidence, links[0].confidence
            locations = self.lineage.location(old), self.lineage.location(entity)
            self._add(Step(entity.commit, old.commit, changes, *locations, evidence, confidence))

    def _introduce(self, entity: F) -> list[F]:
        """Add the step of an introduction or a return; return the entity as it was before it was deleted."""
        parent, place = next(iter(self.lineage.parents(entity.commit)), None), self.lineage.location(entity)
        gap = self.lineage.gap(entity) if parent is not None else None
        if gap is None:
            self._add(Step(entity.commit, parent, (HistoryChange.INTRODUCED,), None, place))
            return []
        last = self.lineage.location(gap.entity)
        self._add(Step(entity.commit, parent, (HistoryChange.RETURNED,), None, place))
        self._add(Step(gap.deletion, gap.entity.commit, (HistoryChange.DELETED,), last, last))
        self.earlier.setdefault(entity.commit, {})[gap.deletion] = None
        self.earlier.setdefault(gap.deletion, {})[gap.entity.commit] = None
        return [gap.entity]

    def _add(self, step: Step) -> None:
        self.steps.setdefault(step.commit, step)


def shared_walk(repository: HistorySource) -> WalkedLineage:
    """Return a walk that the histories of one repository share."""
    return WalkedLineage(CommitPairings(CachedSource(repository)))


def follow_all(
    lineage: Lineage[F], commit: str, path: str, blob: str, outline: Outline, ordinals: Sequence[int]
) -> Iterator[list[Step]]:
    """Yield the steps of some entities of a file, each newest first."""
    lineage.prefetch(commit, path)
    for ordinal in ordinals:
        yield follow_lineage(lineage, lineage.start(commit, path, blob, outline, ordinal))


class CachedSource:
    """A HistorySource that reads nothing twice."""

    def __init__(self, repository: HistorySource) -> None:
        self.touches: Callable[[str, str], Touches] = cache(repository.touches)
        self.parents = cache(repository.parents)
        self.blob = cache(repository.blob)
        self.content, self.contents = repository.content, repository.contents
        self.outlines = repository.outlines
        self.changed = cache(repository.changed)
        self.family_of, self.paths_with_lines = repository.family_of, repository.paths_with_lines
        self.language_of = repository.language_of


def blame_entities(
    lineage: Lineage[F], commit: str, path: str, blob: str, outline: Outline
) -> list[tuple[int, Step, Step]]:
    """Return entities in source order, by ordinal, with the last step that changed their code and the first step.

    Documentation, format and moves do not count.
    """
    ordinals = sorted(range(len(outline.entities)), key=lambda ordinal: outline.entities[ordinal].start_byte)
    blamed = []
    for ordinal, steps in zip(ordinals, follow_all(lineage, commit, path, blob, outline, ordinals), strict=True):
        real = [step for step in steps if not set(step.changes) <= _NO_CODE]
        if real:
            blamed.append((ordinal, real[0], steps[-1]))
    return blamed
