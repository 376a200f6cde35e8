"""Where the code of something new comes from: derivations of the commit that introduced it.

Takes an introduction; gives its DerivationSources, the likeliest first, and the steps of the first of them before that
commit. That is no identity: what is new stays new. Only the commits of introductions are searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from birthmark.comparison.derivation_ends import DerivationEnd, end_of
from birthmark.comparison.derivations import CommitDerivation, find_commit_derivations
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.history.commit_pairings import CommitPairings, PairedCommit
from birthmark.history.entity_at_commit import EntityAtCommit, entity_at_commit
from birthmark.history.follow import Step, follow
from birthmark.model import Location
from birthmark.vocabulary import DerivationKind, HistoryChange

# What was there as a whole comes before what gave up a part, and that before what was copied.
_RANKS = {DerivationKind.MOVED: 0, DerivationKind.EXTRACTED: 2, DerivationKind.COPIED: 3}
_OTHER_RANK = 1


class DerivationSource(NamedTuple):
    """An entity in the parent of a commit whose code is in one that the commit introduced."""

    end: DerivationEnd
    entity: EntityAtCommit


class SourceSteps(NamedTuple):
    """What happened to a source before something was derived from it."""

    source: DerivationSource
    steps: list[Step]


def find_sources(pairings: CommitPairings, step: Step) -> list[DerivationSource]:
    """None of a step that is no introduction, or has no parent."""
    if HistoryChange.INTRODUCED not in step.changes or step.parent is None:
        return []
    commit = pairings.whole(step.parent, step.commit)
    found = find_commit_derivations(commit.old, commit.new, commit.pairing, pairings.repository.family_of)
    own = [one for one in found if _location(commit.new, one.derivative) == step.after]
    own.sort(key=lambda one: (_RANKS.get(one.kind, _OTHER_RANK), -one.share, _location(commit.old, one.source).path))
    return [_source(pairings, commit, step, one) for one in own]


def follow_sources(pairings: CommitPairings, source: DerivationSource | None) -> Iterator[SourceSteps]:
    """The steps of a source, then those of what that came from, and so on."""
    seen = set()
    while source is not None and source.entity[:4] not in seen:
        seen.add(source.entity[:4])
        steps = follow(pairings.repository, source.entity, pairings)
        yield SourceSteps(source, steps)
        source = next(iter(find_sources(pairings, steps[-1])), None) if steps else None


def _source(pairings: CommitPairings, commit: PairedCommit, step: Step, one: CommitDerivation) -> DerivationSource:
    assert step.parent is not None
    f, index = one.source
    old = commit.old[f]
    blob = commit.old_blobs[old.path]
    entity = entity_at_commit(pairings.repository, step.parent, old.path, blob, old.outline, index)
    return DerivationSource(end_of(commit.old, one.source, one, step.commit), entity)


def _location(files: Sequence[OutlinedFile], ref: EntityRef) -> Location:
    return OutlinedEntity(files[ref[0]], ref[1]).location
