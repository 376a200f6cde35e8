"""The Lineage that is worked out from git: each commit that touched a file is paired with its parents.

`find_sources` takes an introduction and gives its DerivationSources, the likeliest first, from the derivations of the
commit. Only the commits of introductions are searched; a source is no identity: what is new stays new.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.comparison.derivations import CommitDerivation, end_of, find_commit_derivations
from birthmark.extraction.model import EntityRef, Outline, OutlinedEntity, OutlinedFile
from birthmark.history.commit_pairings import CommitPairings, PairedCommit
from birthmark.history.entity_at_commit import EntityAtCommit, HistorySource, entity_at_commit, find_ordinal
from birthmark.history.lineage import DerivationSource, ParentLink, Step, Touches
from birthmark.model import Location
from birthmark.vocabulary import DerivationKind, HistoryChange

# What was there as a whole comes before what gave up a part, and that before what was copied.
_RANKS: dict[str, int] = {DerivationKind.MOVED: 0, DerivationKind.EXTRACTED: 2, DerivationKind.COPIED: 3}
_OTHER_RANK = 1
WalkedSource = DerivationSource[EntityAtCommit]


class WalkedLineage:
    """A Lineage of EntityAtCommits; histories that share pairings pair each commit once."""

    def __init__(self, pairings: CommitPairings) -> None:
        self.repository, self.pairings = pairings.repository, pairings

    def start(self, commit: str, path: str, blob: str, outline: Outline, ordinal: int) -> EntityAtCommit:
        return entity_at_commit(self.repository, commit, path, blob, outline, ordinal)

    def prefetch(self, commit: str, path: str) -> None:
        """Together they are extracted on all cores."""
        states = dict.fromkeys(self.repository.blob(touch, path) for touch in self.touches(commit, path))
        self.repository.outlines([(state, path) for state in states if state])

    def touches(self, commit: str, path: str) -> Touches:
        return {touch.commit: touch.earlier for touch in self.repository.touches(commit, path)}

    def parents(self, commit: str) -> tuple[str, ...]:
        return self.repository.parents(commit)

    def links(self, entity: EntityAtCommit) -> Sequence[ParentLink[EntityAtCommit]]:
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

    def location(self, entity: EntityAtCommit) -> Location:
        return location_of(self.repository, entity)

    def at(self, entity: EntityAtCommit, commit: str) -> EntityAtCommit:
        return entity._replace(commit=commit)

    def sources(self, step: Step) -> Sequence[DerivationSource[EntityAtCommit]]:
        return find_sources(self.pairings, step)


def location_of(repository: HistorySource, entity: EntityAtCommit) -> Location:
    """Where an entity is in the file at its own commit."""
    outline = repository.outlines([(entity.blob, entity.path)])[0]
    index = find_ordinal(outline, entity) if outline is not None else None
    if outline is not None and index is not None:
        found = outline.entities[index]
        return Location(entity.path, found.qualified_name, found.start_line, found.end_line)
    line = repository.content(entity.blob).count(b"\n", 0, entity.start) + 1
    return Location(entity.path, entity.qualified_name, line, line + entity.text.count(b"\n"))


def find_sources(pairings: CommitPairings, step: Step) -> list[WalkedSource]:
    """None of a step that is no introduction, or has no parent."""
    if HistoryChange.INTRODUCED not in step.changes or step.parent is None:
        return []
    commit = pairings.whole(step.parent, step.commit)
    found = find_commit_derivations(commit.old, commit.new, commit.pairing, pairings.repository.family_of)
    own = [one for one in found if _location(commit.new, one.derivative) == step.after]
    own.sort(key=lambda one: likelihood(one.kind, one.share, _location(commit.old, one.source).path))
    return [_source(pairings, commit, step, one) for one in own]


def likelihood(kind: str, share: float, path: str) -> tuple[int, float, str]:
    """By which sources are sorted, the likeliest first."""
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
