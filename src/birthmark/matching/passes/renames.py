"""Pair entities that were renamed, and functions whose names were taken over.

- Texts are the same but for renamed words, which are in the same places of both.
- A function keeps its name and a light body as it goes into a type or function of its file, or out of one.

A name in its place on both sides is the same function, as a rule, however much of it was rewritten. It was taken over
if the two have nothing in common, and the new function was there before under a name that is gone, while the old one is
still there under a name that is new; one of these is enough if the parameters differ, too. Functions that the namesake
still calls were extracted from it, and those that it called before were inlined: then it stays the same function.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator
from functools import cache

from birthmark.matching.model import FUNCTION, IMPL, TYPE, parameters_of, sort_of
from birthmark.matching.pairing_state import Group, PairingState, Scope, Side
from birthmark.matching.similarity import mutual_best, token_of
from birthmark.vocabulary import Evidence

_KEPT = 24  # bytes of words that were not replaced, so that a text is known by them
_WHOLE_SCOPE = 3  # entities that were renamed together
Words = Callable[[str], frozenset[bytes]]  # of a file
Key = Callable[[int], Hashable]


def pair_renamed_words(state: PairingState) -> None:
    """Pair texts that differ only in renamed words, until nothing new is found: a paired container opens its scope."""
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
    """Return a key by masked tokens: names that the other file does not have become numbers."""
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
    """Count the bytes of words that were not replaced."""
    assert isinstance(key, tuple)
    return sum(len(token) for token in key[3] if isinstance(token, bytes))


def _whole_scopes(state: PairingState) -> set[Scope]:
    """Return scopes of which most is free, and as much before as after."""
    before, after = Counter(map(state.target_of, state.old.free)), Counter(map(state.new.scope_of, state.new.free))
    sizes = Counter(map(state.new.scope_of, range(len(state.new.entities))))
    return {
        scope for scope, count in after.items() if before[scope] == count >= _WHOLE_SCOPE and 2 * count >= sizes[scope]
    }


def _words(side: Side, path: str) -> frozenset[bytes]:
    """Return all tokens of the definitions of a file."""
    return frozenset[bytes]().union(*(side.tokens(side.entities[index]) for index in side.outermost.get(path, ())))


def pair_named_bodies(state: PairingState) -> None:
    """Pair functions of a file that went into or out of something; not from type to type: types share getters."""
    old_key = _body_key(state.old, lambda path: state.files.get(path, path))
    new_key = _body_key(state.new, lambda path: path)
    for old, new in state.groups(old_key, new_key):
        if len(old) == len(new) == 1 and not (_is_method(state.old, old[0]) and _is_method(state.new, new[0])):
            state.add(old[0], new[0], Evidence.SAME_BODY)


def _is_method(side: Side, index: int) -> bool:
    owner = side.owners[index]
    return owner >= 0 and sort_of(side.entities[owner]) in (TYPE, IMPL)


def _body_key(side: Side, path_of: Callable[[str], str]) -> Callable[[int], Hashable]:
    """Return a key by name and body; None for what is there more than once."""
    keys = {
        index: (entity.family, path_of(entity.path), entity.name, entity.body)
        for index, entity in enumerate(side.entities)
        if entity.body is not None and sort_of(entity) == FUNCTION
    }
    counts = Counter(keys.values())
    return lambda index: keys[index] if index in keys and counts[keys[index]] == 1 else None


UNLIKE = 0.3  # the share of tokens below which two of one name have nothing in common
ALIKE = 0.5  # and that of which the other must have
_MOST_COMPARED = 24  # of a scope on one side

Pairs = dict[tuple[int, int], float]


def pair_displaced(state: PairingState) -> None:
    """Find functions whose name was taken over, among free ones that are alone of their name in their place."""
    found: Pairs = {}
    for namesakes, others in _scopes(state):
        for old, new in namesakes:
            found |= _compare(state, old, new, others)
    for old, new in mutual_best(found):
        state.add(old, new, Evidence.SIMILAR, round(found[old, new], 3))


def _compare(state: PairingState, old: int, new: int, others: Group) -> Pairs:
    likeness = state.likeness
    if not state.has_texts or likeness(old, new) >= UNLIKE:
        return {}
    inlined = [other for other in others[0] if state.old.mentions(old, other)]
    extracted = [other for other in others[1] if state.new.mentions(new, other)]
    before = _best({(other, new): likeness(other, new) for other in others[0] if other not in inlined})
    after = _best({(old, other): likeness(old, other) for other in others[1] if other not in extracted})
    is_called_alike = parameters_of(state.old.entities[old]) == parameters_of(state.new.entities[new])
    return {} if is_called_alike and not (before and after) else before | after


def _best(shares: Pairs) -> Pairs:
    best = max(shares, key=lambda pair: shares[pair], default=None)
    return {best: shares[best]} if best is not None and shares[best] >= ALIKE else {}


def _scopes(state: PairingState) -> Iterator[tuple[list[tuple[int, int]], Group]]:
    """Yield namesakes in one place, and the functions of that place whose names are gone or new."""
    olds, news = _by_name(state.old, state.target_of), _by_name(state.new, state.new.scope_of)
    for scope in [scope for scope in olds if scope in news]:
        old, new = olds[scope], news[scope]
        gone, born = (_free_ones(state.old, old, new), _free_ones(state.new, new, old))
        if (gone or born) and max(len(gone), len(born)) <= _MOST_COMPARED:
            named = [(old[name], new[name]) for name in old if name in new]
            singles = [(one[0], other[0]) for one, other in named if len(one) == len(other) == 1]
            yield [pair for pair in singles if pair[0] in state.old.free and _are_heavy(state, *pair)], (gone, born)


def _by_name(side: Side, scope_of: Callable[[int], Scope]) -> dict[Hashable, dict[str, list[int]]]:
    """Return the functions of scopes with a free function, by scope and name."""
    functions = [i for i, entity in enumerate(side.entities) if sort_of(entity) == FUNCTION]
    open_scopes = {side.scope_of(index) for index in functions if index in side.free}
    scopes: defaultdict[Hashable, dict[str, list[int]]] = defaultdict(dict)
    for index in functions:
        entity = side.entities[index]
        if side.scope_of(index) in open_scopes and entity.kind != "constructor":
            scopes[entity.family, scope_of(index)].setdefault(entity.name, []).append(index)
    return scopes


def _free_ones(side: Side, own: dict[str, list[int]], others: dict[str, list[int]]) -> list[int]:
    """Return free, heavy functions with names that the other side does not have."""
    indexes = [index for name, indexes in own.items() if name not in others for index in indexes]
    return [index for index in indexes if index in side.free and not side.is_light(index)]


def _are_heavy(state: PairingState, old: int, new: int) -> bool:
    return not state.old.is_light(old) and not state.new.is_light(new)
