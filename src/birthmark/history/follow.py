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
from birthmark.history.provenance import find_source
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


# Called with an entity at a commit, and where it was before.
Visit = Callable[[EntityAtCommit, Sequence[EntityAtCommit]], None]
Touches = dict[str, tuple[str, ...]]  # commits that touched a path, and those before them that did


def follow(
    past: HistorySource, start: EntityAtCommit, pairings: CommitPairings | None = None, visit: Visit | None = None
) -> list[Step]:
    """All that happened to an entity up to a commit; histories that share pairings pair each commit once."""
    return _Walk(past, pairings or CommitPairings(past), visit).run(start)


class _Walk:
    def __init__(self, past: HistorySource, pairings: CommitPairings, visit: Visit | None) -> None:
        self.past, self.pairings = past, pairings
        self.report_visit: Visit = visit or (lambda here, before: None)
        self.steps: dict[str, Step] = {}
        self.earlier: dict[str, dict[str, None]] = {}  # commits that were visited, and those before them
        self.seen: set[tuple[str, str, int]] = set()

    def run(self, start: EntityAtCommit) -> list[Step]:
        runs = [start]
        while runs:
            runs += self._walk_path(runs.pop())
        ordered = parents_first(self.earlier, start.commit) if self.earlier else []
        return [self.steps[commit] for commit in reversed(ordered) if commit in self.steps]

    def visit(self, here: EntityAtCommit, before: Sequence[EntityAtCommit]) -> None:
        self.earlier.setdefault(here.commit, {}).update((spot.commit, None) for spot in before)
        self.report_visit(here, before)

    def _walk_path(self, spot: EntityAtCommit) -> list[EntityAtCommit]:
        """Follow an entity as long as it is in one file; returns where it was before, in other files."""
        touches: Touches = {touch.commit: touch.earlier for touch in self.past.touches(spot.commit, spot.path)}
        if not touches:
            return []
        elsewhere: list[EntityAtCommit] = []
        stack = [spot._replace(commit=next(iter(touches)))]
        if stack[0] != spot:
            self.visit(spot, stack[:])
        while stack:
            here = stack.pop()
            key = (here.commit, here.path, here.start)
            if key in self.seen:
                continue
            self.seen.add(key)
            links = self._links(here)
            self._add_step(here, links)
            before = [self._last_touch(here, link.spot, touches) for link in links]
            stack += [spot for spot in before if spot.path == here.path and spot.commit in touches]
            elsewhere += [spot for spot in before if spot.path != here.path or spot.commit not in touches]
            self.visit(here, before)
        return elsewhere

    def _links(self, here: EntityAtCommit) -> list[ParentLink]:
        """The parents in which the entity is certainly unchanged, or else the first one, or else all that have it.

        That is how `ledger.merge` gives it an identity.
        """
        parents = self.past.parents(here.commit)
        certain = {parent: self.pairings.certain_link(here, parent) for parent in parents}
        unchanged = [link for link in certain.values() if link is not None and not link.changes]
        if unchanged:
            return unchanged
        links = []
        for parent in parents:
            link = certain[parent] or self.pairings.whole_link(here, parent)
            if link is not None and not link.changes:
                return [link]
            links += [link] if link is not None else []
        return links

    def _last_touch(self, here: EntityAtCommit, spot: EntityAtCommit, touches: Touches) -> EntityAtCommit:
        """The same state at the last commit that touched the file, if git's walk shows which one that is."""
        earlier, parents = touches[here.commit], self.past.parents(here.commit)
        if spot.path != here.path or len(earlier) != len(parents):
            return spot
        return spot._replace(commit=earlier[parents.index(spot.commit)])

    def _add_step(self, here: EntityAtCommit, links: Sequence[ParentLink]) -> None:
        """A merge has changed what differs from all its parents."""
        if not links:
            self._introduce(here)
            return
        changes = tuple(change for change in links[0].changes if all(change in link.changes for link in links))
        if changes:
            spot, evidence, confidence = links[0].spot, links[0].evidence, links[0].confidence
            places = location_of(self.past, spot), location_of(self.past, here)
            self._add(Step(here.commit, spot.commit, changes, *places, evidence, confidence))

    def _introduce(self, here: EntityAtCommit) -> None:
        parent = next(iter(self.past.parents(here.commit)), None)
        evidence = self._note_source(here, parent) if parent else None
        self._add(Step(here.commit, parent, (HistoryChange.INTRODUCED,), None, location_of(self.past, here), evidence))

    def _note_source(self, here: EntityAtCommit, parent: str) -> str | None:
        """What of the file it was extracted from, or copied from."""
        blob = self.past.blob(parent, here.path)
        old = self.pairings.state(here.path, blob) if blob else None
        new = self.pairings.state(here.path, here.blob)
        index = find_ordinal(new.outline, here) if new is not None else None
        return find_source(old, new, index) if old and new and index is not None else None

    def _add(self, step: Step) -> None:
        self.steps.setdefault(step.commit, step)


def location_of(past: HistorySource, spot: EntityAtCommit) -> Location:
    """Where an entity is in the file of the very commit."""
    outline = past.outlines([(spot.blob, spot.path)])[0]
    index = find_ordinal(outline, spot) if outline is not None else None
    if outline is not None and index is not None:
        entity = outline.entities[index]
        return Location(spot.path, entity.qualified_name, entity.start_line, entity.end_line)
    line = past.content(spot.blob).count(b"\n", 0, spot.start) + 1
    return Location(spot.path, spot.qualified_name, line, line + spot.text.count(b"\n"))
