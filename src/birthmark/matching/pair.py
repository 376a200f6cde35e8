"""Pair the entities of an old snapshot with those of a new one.

Takes two sequences of MatchCandidate, of all files that changed together, and returns a Pairing. Passes run from
surest to boldest; a pair once made is kept, each entity is in at most one, and a tie is reported. After every bold
pass the files and containers it has shown to be the same are looked through again by place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from birthmark.matching.model import MatchCandidate, Pairing
from birthmark.matching.pairing_state import ContentIds, PairingState
from birthmark.matching.passes.containers import pair_containers
from birthmark.matching.passes.displaced import pair_displaced
from birthmark.matching.passes.files import find_renames, pair_files, repair_files
from birthmark.matching.passes.leftovers import pair_leftovers
from birthmark.matching.passes.moved import pair_bodies, pair_contents, pair_light_followers, pair_lone
from birthmark.matching.passes.namesakes import pair_namesakes
from birthmark.matching.passes.renamed_words import pair_renamed_words
from birthmark.matching.passes.respelled import pair_named_bodies, pair_respelled
from birthmark.matching.passes.same_place import pair_places, pair_unchanged
from birthmark.matching.passes.similar import SimilarityScores, pair_similar
from birthmark.matching.passes.uses import pair_named_followers, pair_named_in_file, pair_used
from birthmark.matching.similarity import Tokens, mentions_in, text_likeness

TOLERANCE = 10  # lines
_ROUNDS = 4  # of similarity: what one has paired helps the next

Candidates = Sequence[MatchCandidate]


def pair_entities(
    old: Candidates,
    new: Candidates,
    tolerance: int = TOLERANCE,
    old_tokens: Tokens | None = None,
    new_tokens: Tokens | None = None,
    known: Mapping[int, int] | None = None,
    files: tuple[ContentIds, ContentIds] | None = None,
) -> Pairing:
    """`known` pairs come first; `files` are all on either side, without them those that hold an entity.

    Without tokens nothing is paired by similarity. They are asked for only where nothing surer was found.
    """
    state = PairingState(old, new, tolerance, known or {}, files)
    if old_tokens is not None and new_tokens is not None:
        state.likeness, state.contained = text_likeness(state.old.entities, state.new.entities, old_tokens, new_tokens)
        state.old.mentions = mentions_in(state.old.entities, old_tokens)
        state.new.mentions = mentions_in(state.new.entities, new_tokens)
    for step in STEPS:
        if not state.is_settled:
            step(state)
    if not state.is_settled and old_tokens is not None and new_tokens is not None:
        pair_renamed_words(state, old_tokens, new_tokens)
        pair_respelled(state)
        pair_dependents(state)
        comparison = SimilarityScores(state, old_tokens, new_tokens)
        _compare(state, comparison)
        pair_light_followers(state)
        pair_named_in_file(state)
        pair_named_followers(state)
        pair_dependents(state)
        pair_used(state, old_tokens, new_tokens)
        pair_namesakes(state)
        pair_dependents(state)
        pair_leftovers(comparison, pair_dependents)
    return state.pairing(find_renames(state))


def pair_dependents(state: PairingState) -> None:
    """Pair what follows from the pairs there are: files, containers, and entities in them; nothing, if none is new."""
    while state.n_followed != len(state.pairs) and not state.is_settled:
        state.n_followed = len(state.pairs)
        repair_files(state)
        pair_containers(state)
        pair_places(state)


def retry_in_place(state: PairingState) -> None:
    """What was looked for elsewhere and not found may have stayed where it was."""
    state.exchanged, state.taken = frozenset(), frozenset()
    state.files = {old: new for old, new in state.files.items() if old not in state.new.paths}
    state.n_followed = -1


STEPS: tuple[Callable[[PairingState], None], ...] = (
    pair_files,
    pair_unchanged,
    pair_displaced,
    pair_places,
    pair_contents,
    retry_in_place,
    pair_dependents,
    pair_bodies,
    pair_dependents,
    pair_light_followers,
    pair_lone,
    pair_named_bodies,
)


def _compare(state: PairingState, comparison: SimilarityScores) -> None:
    for _ in range(_ROUNDS):
        n_pairs = len(state.pairs)
        pair_similar(comparison)
        pair_dependents(state)
        if n_pairs == len(state.pairs) or state.is_settled:
            return
