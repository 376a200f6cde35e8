"""Find derivations between the entities of changed files: code of one that came from another.

Takes the files before and after and their CommitPairing; gives CommitDerivations, and DerivationEnds by entity: its
sources, or its derivatives. Derivations are not part of pairing and are computed on demand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from birthmark.comparison.match_candidates import FamilyOf, all_entities, match_candidates
from birthmark.comparison.own_code import own_token_reader
from birthmark.comparison.pair_commit import CommitPairing
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.matching.derivations import Derivation, find_derivations
from birthmark.matching.model import Pair, Pairing
from birthmark.model import DerivationEnd
from birthmark.vocabulary import Evidence

_LEAST_GROWTH = 20  # bytes of tokens in a body: ten tokens, which is the least that is found
CommitDerivation = Derivation[EntityRef]


def find_commit_derivations(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], pairing: CommitPairing, family_of: FamilyOf
) -> tuple[CommitDerivation, ...]:
    """Return derivations by derivative, then by source, in the order of the files.

    Code may come from a language of another family.
    """
    if not old or not may_derive(old, new, pairing):
        return ()
    old_refs, new_refs, base_of = all_entities(old), all_entities(new), load_registry().base_of
    found = find_derivations(
        match_candidates(old, old_refs, lambda language: family_of(base_of(language))),
        match_candidates(new, new_refs, lambda language: family_of(base_of(language))),
        _by_index(old_refs, new_refs, pairing),
        own_token_reader(old),
        own_token_reader(new),
    )
    return tuple(Derivation(old_refs[one.source], new_refs[one.derivative], *one[2:]) for one in found)


def may_derive(old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], pairing: CommitPairing) -> bool:
    """Return True if something came, went or has grown; most commits edit a line or two."""
    if pairing.born or pairing.deleted:
        return True
    pairs = ((predecessor.ref, ref) for ref, predecessor in pairing.predecessors.items())
    return any(new[g].outline.weights[d] - old[f].outline.weights[e] >= _LEAST_GROWTH for (f, e), (g, d) in pairs)


def _by_index(old_refs: Sequence[EntityRef], new_refs: Sequence[EntityRef], pairing: CommitPairing) -> Pairing:
    old_indexes = {ref: index for index, ref in enumerate(old_refs)}
    new_indexes = {ref: index for index, ref in enumerate(new_refs)}
    pairs = [
        Pair(old_indexes[predecessor.ref], new_indexes[ref], Evidence(predecessor.evidence))
        for ref, predecessor in pairing.predecessors.items()
    ]
    deleted, born = map(old_indexes.__getitem__, pairing.deleted), map(new_indexes.__getitem__, pairing.born)
    return Pairing(tuple(sorted(pairs, key=lambda pair: pair.new)), tuple(deleted), tuple(born))


Ends = dict[EntityRef, list[DerivationEnd]]


def find_ends(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    derivations: Iterable[CommitDerivation],
    commit: str | None = None,
) -> tuple[Ends, Ends]:
    """Return the sources of new entities and the derivatives of old ones, those with most of the code first.

    `commit` is the one that made the new state of the old one, if that is known.
    """
    derived_from: defaultdict[EntityRef, list[DerivationEnd]] = defaultdict(list)
    derivatives: defaultdict[EntityRef, list[DerivationEnd]] = defaultdict(list)
    for one in derivations:
        derived_from[one.derivative].append(end_of(old, one.source, one, commit))
        derivatives[one.source].append(end_of(new, one.derivative, one, commit))
    return (
        {ref: sorted(ends, key=lambda end: -end.share) for ref, ends in derived_from.items()},
        {ref: sorted(ends, key=lambda end: -end.source_share) for ref, ends in derivatives.items()},
    )


def end_of(files: Sequence[OutlinedFile], ref: EntityRef, one: CommitDerivation, commit: str | None) -> DerivationEnd:
    """Return one end of a derivation, in the files that contain it."""
    place = OutlinedEntity(files[ref[0]], ref[1]).location
    measures = one.kind, one.share, one.source_share, one.evidence, one.confidence
    return DerivationEnd(place, *measures, ref, commit=commit, by_commit=commit is not None)
