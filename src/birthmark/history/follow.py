"""Follow an entity back through the commits that changed it.

Takes a HistorySource, which reads commits, and the EntityAtCommit of an entity at a commit; gives Steps, newest
first, the last ones being introductions. EntityRef each commit that touched the file the cheapest question comes
first: does the text stand there verbatim? is it paired within the file? only then, is it paired with something in the
commit's other files?
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from birthmark.comparison.declaration_changes import EntityState, find_changes
from birthmark.comparison.entities import Location, pair_files
from birthmark.comparison.match_candidates import EntityRef
from birthmark.extraction.model import OutlinedFile
from birthmark.history.entity_at_commit import (
    EntityAtCommit,
    HistorySource,
    entity_at_commit,
    find_ordinal,
    find_verbatim,
    package_of,
)
from birthmark.history.provenance import find_source
from birthmark.matching.model import Pairing
from birthmark.model import Entity
from birthmark.sources.git import ChangedFile
from birthmark.sources.log import parents_first
from birthmark.vocabulary import Confidence, HistoryChange

Pairings = dict[
    tuple[tuple[str, ...], ...], tuple[list[EntityRef], list[EntityRef], Pairing]
]  # by the files they are of

_MOST_ALIKE = 24  # files of one name in a commit that are looked through first
_MOST_FILES = 400  # of a commit that are looked through for where something came from
_LONGEST_NAME = 3  # a name so short says nothing about a file


class Step(NamedTuple):
    """What a commit did to the entity."""

    commit: str
    parent: str | None
    changes: tuple[HistoryChange, ...]
    before: Location | None
    after: Location
    evidence: str | None = None
    confidence: str | None = None


class _Link(NamedTuple):
    """An entity's spot in a parent, and what changed since."""

    spot: EntityAtCommit
    changes: tuple[HistoryChange, ...]
    evidence: str | None = None
    confidence: str | None = None


Visit = Callable[
    [EntityAtCommit, Sequence[EntityAtCommit]], None
]  # told an entity's spot at a commit, and those before it


def follow(
    past: HistorySource, start: EntityAtCommit, pairings: Pairings | None = None, visit: Visit | None = None
) -> list[Step]:
    """All that happened to an entity up to a commit; histories that share pairings pair the same files once."""
    return _Walk(past, pairings, visit).run(start)


def step_back(past: HistorySource, here: EntityAtCommit, parent: str) -> Step | None:
    """What a commit did to an entity, seen from one of its parents; None if that does not have it."""
    walk = _Walk(past)
    link = walk._link(here, parent) or walk._origin_in(here, parent)
    return walk._step(here, link) if link is not None else None


class _Walk:
    def __init__(self, past: HistorySource, pairings: Pairings | None = None, visit: Visit | None = None) -> None:
        self.past = past
        self.tell_visit: Visit = visit or (lambda here, before: None)
        self.pairings: Pairings = {} if pairings is None else pairings
        self.steps: dict[str, Step] = {}
        self.earlier: dict[str, dict[str, None]] = {}  # commits that were looked at, and those before them
        self.seen: set[tuple[str, str, int]] = set()

    def run(self, start: EntityAtCommit) -> list[Step]:
        runs = [start]
        while runs:
            runs += self._walk_path(runs.pop())
        ordered = parents_first(self.earlier, start.commit) if self.earlier else []
        return [self.steps[commit] for commit in reversed(ordered) if commit in self.steps]

    def visit(self, here: EntityAtCommit, before: Sequence[EntityAtCommit]) -> None:
        self.earlier.setdefault(here.commit, {}).update((spot.commit, None) for spot in before)
        self.tell_visit(here, before)

    def _walk_path(self, spot: EntityAtCommit) -> list[EntityAtCommit]:
        """Follow a file as long as it has the entity; returns where it came from."""
        touches = {touch.commit: touch.earlier for touch in self.past.touches(spot.commit, spot.path)}
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
            links = [(commit, self._link(here, commit)) for commit in touches.get(here.commit, ())]
            found = [link for _, link in links if link is not None]
            same = [link.spot for link in found if not link.changes]
            if same:
                stack += same
            elif found:
                stack += [link.spot for link in found]
                aside = self._ask_aside(here)
                elsewhere += [link.spot for link in aside]
                found += aside
                self._tell(here, found)
            else:
                elsewhere += (origins := self._find_origin(here))
            self.visit(here, same or [link.spot for link in found] or origins)
        return elsewhere

    def _link(self, here: EntityAtCommit, commit: str) -> _Link | None:
        """The entity in an earlier state of its file."""
        blob = self.past.blob(commit, here.path)
        if blob is None:
            return None
        if blob == here.blob:
            return _Link(here._replace(commit=commit), ())
        start = find_verbatim(self.past, here, blob)
        if start is not None:
            return _Link(here._replace(commit=commit, blob=blob, start=start), ())
        link = self._pair(here, [(here.path, blob)], [(here.path, here.blob)], commit)
        is_bold = link is not None and HistoryChange.RENAME in link.changes and link.confidence == Confidence.LOW
        return None if is_bold and self._left_another_file(here) else link

    def _left_another_file(self, here: EntityAtCommit) -> bool:
        """Whether the commit took the very text out of another file: then it is not what resembles it here."""
        changed = [file for parent in self.past.parents(here.commit) for file in self.past.changed(parent, here.commit)]
        others = [file for file in changed if file.old_blob and file.path != here.path and self._is_kin(here, file)]
        return any(here.text in self.past.content(file.old_blob or "") for file in others[:_MOST_FILES])

    def _is_kin(self, here: EntityAtCommit, file: ChangedFile) -> bool:
        return self._family(file.path) == self._family(here.path)

    def _pair(
        self,
        here: EntityAtCommit,
        old_files: Sequence[tuple[str, str]],
        new_files: Sequence[tuple[str, str]],
        commit: str,
    ) -> _Link | None:
        self.past.outlines([(blob, path) for path, blob in (*old_files, *new_files)])  # on all cores
        old, new = self._states(old_files), self._states(new_files)
        mine = next((f for f, file in enumerate(new) if file.path == here.path), None)
        index = find_ordinal(new[mine].outline, here) if mine is not None else None
        if mine is None or index is None:
            return None
        key = (*old_files, (), *new_files)
        if key not in self.pairings:
            self.pairings[key] = pair_files(old, new, self.past.family_of, files=(dict(old_files), dict(new_files)))
        old_places, new_places, pairing = self.pairings[key]
        at = new_places.index((mine, index))
        pair = next((pair for pair in pairing.pairs if pair.new == at), None)
        if pair is None:
            return None
        old_file, old_index = old_places[pair.old]
        blob = dict(old_files)[old[old_file].path]
        spot = entity_at_commit(self.past, commit, old[old_file].path, blob, old[old_file].outline, old_index)
        containers = {new_places[p.new]: old_places[p.old] for p in pairing.pairs}
        changes = self._changes(old[old_file], old_index, new[mine], index, (old_file, mine), containers, pairing.files)
        return _Link(spot, tuple(changes), str(pair.evidence), str(pair.confidence))

    def _changes(
        self,
        old: OutlinedFile,
        old_index: int,
        new: OutlinedFile,
        new_index: int,
        files: tuple[int, int],
        heirs: dict[tuple[int, int], tuple[int, int]],
        renames: dict[str, str],
    ) -> list[HistoryChange]:
        before, after = _state(old, old_index), _state(new, new_index)
        changes = [HistoryChange.RENAME] if before.entity.name != after.entity.name else []
        packages = [package_of(file.source(), after.entity.language) for file in (old, new)]
        if (old.path, before.entity.parent, packages[0]) != (new.path, after.entity.parent, packages[1]):
            container = (files[1], after.entity.container)
            stayed = heirs.get(container) == (files[0], before.entity.container)
            at_top = after.entity.container < 0 and before.entity.container < 0
            parents = before.entity.parent, after.entity.parent
            is_along = (
                _went_along(old, new, files, heirs, parents)
                if parents != (None, None)
                else new.path in (old.path, renames.get(old.path))
            )
            changes.append(HistoryChange.CONTAINER if stayed or (at_top and is_along) else HistoryChange.MOVED)
        return changes + find_changes(before, after)

    def _states(self, files: Sequence[tuple[str, str]]) -> list[OutlinedFile]:
        outlines = self.past.outlines([(blob, path) for path, blob in files])
        return [
            OutlinedFile(path, outline, lambda blob=blob: self.past.content(blob))  # type: ignore[misc]
            for (path, blob), outline in zip(files, outlines, strict=True)
            if outline is not None
        ]

    def _find_origin(self, here: EntityAtCommit) -> list[EntityAtCommit]:
        """Look for the entity in what else the commit changed; if it is not there, the commit introduced it."""
        links = [link for parent in self.past.parents(here.commit) if (link := self._origin_in(here, parent))]
        if not links:
            self._introduce(here)
            return []
        self._tell(here, links)
        return [link.spot for link in links]

    def _origin_in(self, here: EntityAtCommit, parent: str) -> _Link | None:
        family = self._family(here.path)
        changed = [file for file in self.past.changed(parent, here.commit) if self._family(file.path) == family]
        for chosen in _narrow(here, changed, self.past.content):
            old = [(file.path, file.old_blob) for file in chosen if file.old_blob]
            new = [(file.path, file.new_blob) for file in chosen if file.new_blob]
            if old and (link := self._pair(here, old, new, parent)):
                return link
        return None

    def _family(self, path: str) -> str | None:
        language = self.past.language_of(path)
        return self.past.family_of(language) if language else None

    def _ask_aside(self, here: EntityAtCommit) -> list[_Link]:
        """Where a merge has the entity from, in those of its parents that do not have its file."""
        parents = self.past.parents(here.commit)
        without = [parent for parent in parents if self.past.blob(parent, here.path) is None] if parents[1:] else []
        return [link for parent in without if (link := self._origin_in(here, parent))]

    def _tell(self, here: EntityAtCommit, links: Sequence[_Link]) -> None:
        """A merge has changed what differs from all its parents."""
        changes = [change for change in links[0].changes if all(change in link.changes for link in links)]
        if changes:
            self._add(self._step(here, links[0]._replace(changes=tuple(changes))))

    def _step(self, here: EntityAtCommit, link: _Link) -> Step:
        places = self._place(link.spot), self._place(here)
        return Step(here.commit, link.spot.commit, link.changes, *places, link.evidence, link.confidence)

    def _introduce(self, here: EntityAtCommit) -> None:
        parent = next(iter(self.past.parents(here.commit)), None)
        evidence = self._note_source(here, parent) if parent else None
        self._add(Step(here.commit, parent, (HistoryChange.INTRODUCED,), None, self._place(here), evidence))

    def _note_source(self, here: EntityAtCommit, parent: str) -> str | None:
        """What of the file it was carved out of, or copied from."""
        blob = self.past.blob(parent, here.path)
        old, new = self._states([(here.path, blob)] if blob else []), self._states([(here.path, here.blob)])
        index = find_ordinal(new[0].outline, here) if new else None
        return find_source(old[0], new[0], index) if old and index is not None else None

    def _add(self, step: Step) -> None:
        self.steps.setdefault(step.commit, step)

    def _place(self, spot: EntityAtCommit) -> Location:
        content = self.past.content(spot.blob)
        outline = self.past.outlines([(spot.blob, spot.path)])[0]
        index = find_ordinal(outline, spot) if outline is not None else None
        if outline is not None and index is not None:
            entity = outline.entities[index]
            return Location(spot.path, entity.qualified_name, entity.start_line, entity.end_line)
        line = content.count(b"\n", 0, spot.start) + 1
        return Location(spot.path, spot.qualified_name, line, line + spot.text.count(b"\n"))


def _state(file: OutlinedFile, index: int) -> EntityState:
    entity: Entity = file.outline.entities[index]
    return EntityState(entity, file.outline.fingerprints[index], file.source()[entity.lead_start : entity.end_byte])


def _went_along(
    old: OutlinedFile,
    new: OutlinedFile,
    files: tuple[int, int],
    heirs: dict[tuple[int, int], tuple[int, int]],
    parents: tuple[str | None, str | None],
) -> bool:
    """Whether most that belonged to the one type now belongs to the other; of methods that stand outside of theirs."""
    went = [
        file == files[1] and new.outline.entities[after].parent == parents[1]
        for (file, after), (old_file, before) in heirs.items()
        if old_file == files[0] and old.outline.entities[before].parent == parents[0]
    ]
    return 2 * went.count(True) > len(went)


def _nearness(here: EntityAtCommit, file: ChangedFile) -> tuple[bool, int]:
    """The very file comes first, then those whose folders are named alike."""
    parts = zip(reversed(here.path.split("/")), reversed(file.path.split("/")), strict=False)
    return file.old_blob == here.blob, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], parts))


def _narrow(
    here: EntityAtCommit, changed: Collection[ChangedFile], content: Callable[[str], bytes]
) -> Iterable[list[ChangedFile]]:
    """Ever more of a commit's files: of the same name, with the entity's name in them, all."""
    mine = [file for file in changed if file.path == here.path]
    base = here.path.rpartition("/")[2]
    alike = [file for file in changed if file.old_blob and file not in mine and file.path.rpartition("/")[2] == base]
    if alike:
        yield mine + sorted(alike, key=lambda file: _nearness(here, file), reverse=True)[:_MOST_ALIKE]
    name = here.name.encode("utf-8", "replace")
    others = [file for file in changed if file.old_blob and file not in mine]
    if len(name) > _LONGEST_NAME:
        naming = [file for file in others if file.old_blob and name in content(file.old_blob)]
        if naming and len(naming) <= _MOST_FILES:
            yield mine + naming
    if others and len(changed) <= _MOST_FILES:
        yield list(changed)
