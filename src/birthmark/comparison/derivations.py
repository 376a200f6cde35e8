"""What code came from where when a commit changed files: derivations between their entities.

Takes the files before and after and their CommitPairing; gives CommitDerivations. It is no part of pairing: only those
who want derivations pay for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.comparison.match_candidates import FamilyOf, all_entities, match_candidates
from birthmark.comparison.own_tokens import own_token_reader
from birthmark.comparison.pair_commit import CommitPairing
from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.matching.derivation.derivations import Derivation, find_derivations
from birthmark.matching.model import Pair, Pairing
from birthmark.vocabulary import Evidence

_LEAST_GROWTH = 20  # bytes of tokens in a body: ten tokens, which is the least that is found


CommitDerivation = Derivation[EntityRef]


def find_commit_derivations(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], pairing: CommitPairing, family_of: FamilyOf
) -> tuple[CommitDerivation, ...]:
    """By derivative, then by source, in the order of the files. Code may come from a language of another family."""
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
    """Whether something came or went, or has grown; most commits edit a line or two."""
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
