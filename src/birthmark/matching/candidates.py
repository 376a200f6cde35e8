"""Pairs of leftovers that are worth comparing.

Two share the words of their names, or a scope, or a file, or rare words of their texts; types also share members. So
the number of comparisons grows with the number of leftovers, not its square.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from birthmark.matching.model import FUNCTION, TYPE, MatchCandidate, sort_of
from birthmark.matching.pairing_state import Key, PairingState, Scope, Side
from birthmark.matching.similarity import look_up, parts_of

_BUCKET = 576  # pairs of a bucket that are all compared
Bucket = Callable[[MatchCandidate, Scope], Hashable]
ALL: Bucket = lambda _, __: 0  # noqa: E731, a row of the table by itself
BUCKETS: tuple[Bucket, ...] = (
    lambda entity, _: parts_of(entity.name),
    lambda _, scope: scope,
    lambda _, scope: scope[0],
)
_MODULES = ("mod", "namespace")
Pairs = dict[tuple[int, int], None]


def find_candidates(state: PairingState, votes: Iterable[tuple[int, int]]) -> Pairs:
    """Return pairs worth comparing, in an order that depends on nothing but the entities; `votes` are of containers."""
    pairs: Pairs = {}
    for bucket in BUCKETS:
        for old, new in state.groups(*_keys(state, bucket)):
            if len(old) * len(new) <= _BUCKET:
                pairs |= dict.fromkeys((before, after) for before in old for after in new)
    pairs |= dict.fromkeys(look_up(state.old.free, state.new.free, state.texts.marks, _keys(state, ALL)))
    return pairs | dict.fromkeys(pair for pair in votes if weighed_as(state.old.entities[pair[0]]) == TYPE)


def weighed_as(entity: MatchCandidate) -> str:
    """Return the sort whose weights apply; a module is weighed as a type."""
    return TYPE if entity.kind in _MODULES else sort_of(entity)


def _keys(state: PairingState, bucket: Bucket) -> tuple[Key, Key]:
    return (
        lambda index: _key(state.old, index, bucket, state.target_of(index)),
        lambda index: _key(state.new, index, bucket, state.new.scope_of(index)),
    )


def _key(side: Side, index: int, bucket: Bucket, scope: Scope) -> Hashable:
    """Return family, sort and bucket of an entity; None for a container with paired members."""
    entity = side.entities[index]
    if any(side.partners[member] >= 0 for member in side.members.get(index, ())) and sort_of(entity) != FUNCTION:
        return None
    return entity.family, sort_of(entity), bucket(entity, scope)
