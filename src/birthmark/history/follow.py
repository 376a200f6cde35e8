"""Follow an entity back through the commits that changed it.

Takes a HistorySource, which reads commits, and the EntityAtCommit of an entity at a commit; gives Steps, newest
first, the last ones being introductions. At each commit that touched the file, the predecessor is that of the
pairing of the whole commit, by which a replay assigns identities, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from birthmark.history.commit_pairings import CommitPairings, ParentLink
from birthmark.history.entity_at_commit import EntityAtCommit, HistorySource, find_ordinal
from birthmark.model import Location
from birthmark.sources.log import parents_first
from birthmark.vocabulary import HistoryChange


class Step(NamedTuple):
    """What a commit did to the entity."""

    commit: str
    parent: str | None
    changes: tuple[HistoryChange, ...]
    before: Location | None
    after: Location
    evidence: str | None = None
    confidence: str | None = None


# Called with an entity at a commit, and the entities that it was before.
Visit = Callable[[EntityAtCommit, Sequence[EntityAtCommit]], None]
Touches = dict[str, tuple[str, ...]]  # commits that touched a path, and those before them that did


def follow(
    repository: HistorySource, start: EntityAtCommit, pairings: CommitPairings | None = None, visit: Visit | None = None
) -> list[Step]:
    """All that happened to an entity up to a commit; histories that share pairings pair each commit once."""
    return _Walk(repository, pairings or CommitPairings(repository), visit).run(start)


class _Walk:
    def __init__(self, repository: HistorySource, pairings: CommitPairings, visit: Visit | None) -> None:
        self.repository, self.pairings = repository, pairings
        self.report_visit: Visit = visit or (lambda entity, before: None)
        self.steps: dict[str, Step] = {}
        self.earlier: dict[str, dict[str, None]] = {}  # commits that were visited, and those before them
        self.seen: set[tuple[str, str, int]] = set()

    def run(self, start: EntityAtCommit) -> list[Step]:
        runs = [start]
        while runs:
            runs += self._walk_path(runs.pop())
        ordered = parents_first(self.earlier, start.commit) if self.earlier else []
        return [self.steps[commit] for commit in reversed(ordered) if commit in self.steps]

    def visit(self, entity: EntityAtCommit, before: Sequence[EntityAtCommit]) -> None:
        self.earlier.setdefault(entity.commit, {}).update((one.commit, None) for one in before)
        self.report_visit(entity, before)

    def _walk_path(self, start: EntityAtCommit) -> list[EntityAtCommit]:
        """Follow an entity as long as it is in one file; returns where it was before, in other files."""
        touches: Touches = {touch.commit: touch.earlier for touch in self.repository.touches(start.commit, start.path)}
        if not touches:
            return []
        elsewhere: list[EntityAtCommit] = []
        stack = [start._replace(commit=next(iter(touches)))]
        if stack[0] != start:
            self.visit(start, stack[:])
        while stack:
            entity = stack.pop()
            key = (entity.commit, entity.path, entity.start)
            if key in self.seen:
                continue
            self.seen.add(key)
            links = self._links(entity)
            self._add_step(entity, links)
            before = [self._last_touch(entity, link.entity, touches) for link in links]
            stack += [one for one in before if one.path == entity.path and one.commit in touches]
            elsewhere += [one for one in before if one.path != entity.path or one.commit not in touches]
            self.visit(entity, before)
        return elsewhere

    def _links(self, entity: EntityAtCommit) -> list[ParentLink]:
        """The parents in which the entity is certainly unchanged, or else the first one, or else all that have it.

        That is how `ledger.merge` gives it an identity.
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

    def _last_touch(self, entity: EntityAtCommit, old: EntityAtCommit, touches: Touches) -> EntityAtCommit:
        """The same state at the last commit that touched the file, if git's walk shows which one that is."""
        earlier, parents = touches[entity.commit], self.repository.parents(entity.commit)
        if old.path != entity.path or len(earlier) != len(parents):
            return old
        return old._replace(commit=earlier[parents.index(old.commit)])

    def _add_step(self, entity: EntityAtCommit, links: Sequence[ParentLink]) -> None:
        """A merge has changed what differs from all its parents."""
        if not links:
            self._introduce(entity)
            return
        changes = tuple(change for change in links[0].changes if all(change in link.changes for link in links))
        if changes:
            old, evidence, confidence = links[0].entity, links[0].evidence, links[0].confidence
            locations = location_of(self.repository, old), location_of(self.repository, entity)
            self._add(Step(entity.commit, old.commit, changes, *locations, evidence, confidence))

    def _introduce(self, entity: EntityAtCommit) -> None:
        parent = next(iter(self.repository.parents(entity.commit)), None)
        self._add(Step(entity.commit, parent, (HistoryChange.INTRODUCED,), None, location_of(self.repository, entity)))

    def _add(self, step: Step) -> None:
        self.steps.setdefault(step.commit, step)


def location_of(repository: HistorySource, entity: EntityAtCommit) -> Location:
    """Where an entity is in the file at its own commit."""
    outline = repository.outlines([(entity.blob, entity.path)])[0]
    index = find_ordinal(outline, entity) if outline is not None else None
    if outline is not None and index is not None:
        found = outline.entities[index]
        return Location(entity.path, found.qualified_name, found.start_line, found.end_line)
    line = repository.content(entity.blob).count(b"\n", 0, entity.start) + 1
    return Location(entity.path, entity.qualified_name, line, line + entity.text.count(b"\n"))
