"""Where the code of something new comes from: derivations of the commit that introduced it.

Takes an introduction; gives its DerivationSources, the likeliest first. That is no identity: what is new stays new.
Only the commits of introductions are searched.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.comparison.derivation_ends import end_of
from birthmark.comparison.derivations import CommitDerivation, find_commit_derivations
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.history.commit_pairings import CommitPairings, PairedCommit
from birthmark.history.entity_at_commit import EntityAtCommit, entity_at_commit
from birthmark.history.lineage import DerivationSource, Step
from birthmark.model import Location
from birthmark.vocabulary import DerivationKind, HistoryChange

# What was there as a whole comes before what gave up a part, and that before what was copied.
_RANKS: dict[str, int] = {DerivationKind.MOVED: 0, DerivationKind.EXTRACTED: 2, DerivationKind.COPIED: 3}
_OTHER_RANK = 1

WalkedSource = DerivationSource[EntityAtCommit]


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
