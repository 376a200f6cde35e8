"""Pair what follows from other pairs: renamed files and containers, and what is in place in them.

Takes the state of a pairing. A class is known by its members rather than by its text, a function is not.
"""

from __future__ import annotations

from collections import Counter

from birthmark.matching.model import FUNCTION, sort_of
from birthmark.matching.pairing_state import PairingState
from birthmark.matching.passes.files import repair_files
from birthmark.matching.passes.same_place import pair_places
from birthmark.matching.similarity import mutual_best
from birthmark.vocabulary import Evidence

# The least common share of the members of both containers together.
_SHARED = 0.5
_SHARED_WITH_NAME = 0.2  # A class that keeps its name may change much while it moves.


def pair_dependents(state: PairingState) -> None:
    """Pair files, containers and what is in place in them until nothing new follows."""
    while state.n_followed != len(state.pairs) and not state.is_settled:
        state.n_followed = len(state.pairs)
        repair_files(state)
        _pair_containers(state)
        pair_places(state)


def retry_in_place(state: PairingState) -> None:
    """Let entities that were not found elsewhere be looked for in their old place again."""
    state.exchanged, state.taken = frozenset(), frozenset()
    state.files = {old: new for old, new in state.files.items() if old not in state.new.paths}
    state.n_followed = -1


def _pair_containers(state: PairingState) -> None:
    """Pair containers that are each other's best by paired members."""
    votes = count_votes(state)
    agreed = {pair: count for pair, count in votes.items() if _agree(state, *pair, count)}
    for old, new in mutual_best(agreed):
        state.add(old, new, Evidence.SAME_MEMBERS)


def count_votes(state: PairingState) -> Counter[tuple[int, int]]:
    """Count the votes of paired members for pairs of free containers of one sort."""
    votes: Counter[tuple[int, int]] = Counter()
    for pair in state.pairs:
        old, new = state.old.containers[pair.old], state.new.containers[pair.new]
        if old in state.old.free and new in state.new.free and _are_of_one_sort(state, old, new):
            votes[old, new] += state.vote_of(pair)
    return votes


def share_of_members(state: PairingState, old: int, new: int, votes: int) -> float:
    sides = (state.old, old), (state.new, new)
    total = sum(side.vote_of(member) for side, container in sides for member in side.members.get(container, ()))
    return 2 * votes / total if total else 0.0


def _are_of_one_sort(state: PairingState, old: int, new: int) -> bool:
    before, after = state.old.entities[old], state.new.entities[new]
    return before.family == after.family and sort_of(before) == sort_of(after)


def _agree(state: PairingState, old: int, new: int, votes: int) -> bool:
    before, after = state.old.entities[old], state.new.entities[new]
    if sort_of(before) == FUNCTION and before.name != after.name:
        return False  # What is defined in a function is a small part of it.
    least = _SHARED_WITH_NAME if before.name == after.name else _SHARED
    return share_of_members(state, old, new, votes) >= least
