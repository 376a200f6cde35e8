"""Derivations as each of their ends sees them: where its code came from, and where it went.

Takes the CommitDerivations of two states and their files; gives, for each new entity, its sources and, for each old
one, its derivatives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from birthmark.comparison.derivations import CommitDerivation
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.model import Location
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind


class DerivationEnd(NamedTuple):
    """The other end of a derivation, the source or the derivative, as far as it is known what and where that is."""

    place: Location
    kind: DerivationKind
    share: float  # of the derivative's tokens that come from the source
    source_share: float  # of the source's tokens that are in the derivative
    evidence: DerivationEvidence
    confidence: Confidence
    ref: EntityRef | None = None  # in the files that were compared
    mark: str | None = None
    key: str | None = None
    commit: str | None = None
    by_commit: bool = False  # whether that commit did it; else it was found when that commit was indexed
    is_present: bool | None = None
    repository: str | None = None  # another one, where all are asked


Ends = dict[EntityRef, list[DerivationEnd]]


class DerivationEnds(NamedTuple):
    """The sources of new entities, and the derivatives of old ones; of each the one with most of the code first."""

    derived_from: Ends
    derivatives: Ends


NO_ENDS = DerivationEnds({}, {})


def find_ends(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    derivations: Iterable[CommitDerivation],
    commit: str | None = None,
) -> DerivationEnds:
    """`commit` is the one that made the new state of the old one, if that is known."""
    derived_from: defaultdict[EntityRef, list[DerivationEnd]] = defaultdict(list)
    derivatives: defaultdict[EntityRef, list[DerivationEnd]] = defaultdict(list)
    for one in derivations:
        derived_from[one.derivative].append(end_of(old, one.source, one, commit))
        derivatives[one.source].append(end_of(new, one.derivative, one, commit))
    return DerivationEnds(
        {ref: sorted(ends, key=lambda end: -end.share) for ref, ends in derived_from.items()},
        {ref: sorted(ends, key=lambda end: -end.source_share) for ref, ends in derivatives.items()},
    )


def end_of(files: Sequence[OutlinedFile], ref: EntityRef, one: CommitDerivation, commit: str | None) -> DerivationEnd:
    """One of the ends of a derivation, in the files that it is in."""
    place = OutlinedEntity(files[ref[0]], ref[1]).location
    measures = one.kind, one.share, one.source_share, one.evidence, one.confidence
    return DerivationEnd(place, *measures, ref, commit=commit, by_commit=commit is not None)
