"""Entities whose texts are the same but for the names of what was renamed.

Names of entities that a file has in one state only are taken for old and new ones where they are in the same place of
two texts that are otherwise the same. What says little beyond such names counts only where most of a scope was renamed,
and as many are there as before: then they go by their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from functools import cache

from birthmark.matching.model import sort_of
from birthmark.matching.pairing_state import PairingState, Scope, Side
from birthmark.matching.similarity import token_of
from birthmark.vocabulary import Evidence

_KEPT = 24  # bytes of words that were not replaced, so that a text is known by them
_WHOLE_SCOPE = 3  # entities that were renamed together

Words = Callable[[str], frozenset[bytes]]  # of a file
Key = Callable[[int], Hashable]


def pair_renamed_words(state: PairingState) -> None:
    """Until nothing new is found: a container that is paired opens its scope."""
    old_words: Words = cache(lambda path: _words(state.old, path))
    new_words: Words = cache(lambda path: _words(state.new, path))
    n_pairs = -1
    while n_pairs != len(state.pairs) and not state.is_settled:
        n_pairs = len(state.pairs)
        _pair(
            state,
            _masked(state.old, state.target_of, new_words),
            _masked(state.new, state.new.scope_of, _through_renames(state, old_words)),
        )


def _through_renames(state: PairingState, old_words: Words) -> Words:
    origins = {new: old for old, new in state.files.items()}
    return lambda path: old_words(origins.get(path, path))


def _pair(state: PairingState, old_key: Key, new_key: Key) -> None:
    whole = _whole_scopes(state)
    for old, new in list(state.groups(old_key, new_key)):
        is_known = len(old) == len(new) == 1 and _kept(old_key(old[0])) >= _KEPT
        if len(old) == len(new) and (is_known or state.new.scope_of(new[0]) in whole):
            for one, other in zip(old, new, strict=True):
                state.add(one, other, Evidence.SIMILAR, 1.0)


def _masked(side: Side, scope_of: Callable[[int], Scope], words: Words) -> Key:
    """By what entities are grouped: their tokens, with numbers for names that the other file does not have."""
    names = {token_of(entity.name) for entity in side.entities}

    @cache
    def key(index: int) -> Hashable:
        entity, scope = side.entities[index], scope_of(index)
        there, numbers = words(scope[0]), dict[bytes, int]()
        masked = tuple(
            numbers.setdefault(token, len(numbers)) if token in names and token not in there else token
            for token in side.tokens(entity)
        )
        return (entity.family, sort_of(entity), scope, masked) if numbers and there else None

    return key


def _kept(key: Hashable) -> int:
    """How many bytes of words were not replaced."""
    assert isinstance(key, tuple)
    return sum(len(token) for token in key[3] if isinstance(token, bytes))


def _whole_scopes(state: PairingState) -> set[Scope]:
    """Scopes of which most is free, and as much before as after."""
    before, after = Counter(map(state.target_of, state.old.free)), Counter(map(state.new.scope_of, state.new.free))
    sizes = Counter(map(state.new.scope_of, range(len(state.new.entities))))
    return {
        scope for scope, count in after.items() if before[scope] == count >= _WHOLE_SCOPE and 2 * count >= sizes[scope]
    }


def _words(side: Side, path: str) -> frozenset[bytes]:
    """Of the definitions of a file."""
    return frozenset[bytes]().union(*(side.tokens(side.entities[index]) for index in side.outermost.get(path, ())))
