"""Pair entities whose new names are used as the old names were.

An old name that is no longer used and a new one that was not used before, in one scope, are one entity if most words
beside them are the same; fields and variables also if they are declared alike and their names share words. This pairs
entities that are too light to be known by their text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from functools import cache

from birthmark.matching.model import FUNCTION, TYPE, VALUE, sort_of
from birthmark.matching.pairing_state import PairingState, Scope, Side
from birthmark.matching.passes.moved import moves_of_heavy
from birthmark.matching.similarity import likeness, mutual_best, token_of
from birthmark.vocabulary import Evidence

SHARED = 0.5  # least common share of the places in which the two are used
WORDS = 0.6  # of their names that two that are declared alike must share
NAME = 0.2  # added for common words of their names
MARGIN = 0.1  # by which the best must be better than the second
FEWEST = 2  # mentions, the declaration among them
CONTAINED = 0.6  # the share of the smaller one's tokens that the larger one has
ALIKE = 0.3  # the share of tokens that functions and types must have in common besides
_STAYS = 0.5  # a name that keeps more of its mentions has not gone
_MOST_PAIRS = 900  # of a scope that are compared

_USED = frozenset({VALUE, FUNCTION, TYPE})

Sort = tuple[str, str]  # a family of languages, and value, function or type
Uses = dict[bytes, list[tuple[bytes, bytes]]]  # of a word, those before and behind it


def pair_used(state: PairingState) -> None:
    """Pair entities of a scope that are each other's best by their uses."""
    old_uses = cache(lambda path: read_uses(state, state.old, path))
    new_uses = cache(lambda path: read_uses(state, state.new, path))
    for (_, scope, path), (old, new) in _scopes(state).items():
        if len(old) * len(new) > _MOST_PAIRS:
            continue
        before, after = old_uses(path), new_uses(scope[0])
        scores = {}
        for one in old:
            for other in new:
                names = token_of(state.old.entities[one].name), token_of(state.new.entities[other].name)
                if score := _score(state, (one, other), (before, after), names):
                    scores[one, other] = score
        for one, other in mutual_best(scores, MARGIN):
            state.add(one, other, Evidence.SAME_USES, round(min(1.0, scores[one, other]), 3))


def pair_named_in_file(state: PairingState) -> None:
    """Pair functions that left their type but not their file, alone of their name, with similar code."""
    if not state.has_texts:
        return
    groups = state.groups(lambda index: _file_key(state.old, index, state.target_of(index)[0]), _new_file_key(state))
    for old, new in groups:
        if len(old) == len(new) == 1 and state.contained(old[0], new[0]) >= CONTAINED:
            state.add(old[0], new[0], Evidence.SIMILAR)


def pair_named_followers(state: PairingState) -> None:
    """Pair entities that went where others of their scope went, alone of their name, with similar code."""
    if not state.has_texts:
        return
    moves = moves_of_heavy(state)
    arrived: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index in state.new.free if moves else ():
        arrived[_name_key(state.new, index, state.new.scope_of(index))].append(index)
    arrived.pop(None, None)
    found = {
        (old, new): state.contained(old, new)
        for old in state.old.free
        for scope in moves.get(state.old.scope_of(old), ())
        for new in arrived.get(_name_key(state.old, old, scope), ())
    }
    for old, new in mutual_best(found, margin=1.0):
        if found[old, new] >= CONTAINED:
            state.add(old, new, Evidence.SAME_NAME_FOLLOWING)


def _name_key(side: Side, index: int, scope: Scope) -> Hashable:
    """Return a key of values and of heavy functions: a light function says too little."""
    entity, sort = side.entities[index], _sort(side, index)
    is_known = sort[1] == VALUE or (sort[1] == FUNCTION and not side.is_light(index) and entity.kind != "constructor")
    return (sort, scope, entity.name) if is_known else None


def _file_key(side: Side, index: int, path: str) -> Hashable:
    entity = side.entities[index]
    is_known = sort_of(entity) == FUNCTION and not side.is_light(index) and entity.kind != "constructor"
    return (entity.family, path, entity.name) if is_known else None


def _new_file_key(state: PairingState) -> Callable[[int], Hashable]:
    return lambda index: _file_key(state.new, index, state.new.entities[index].path)


def _scopes(state: PairingState) -> dict[tuple[Sort, Scope, str], tuple[list[int], list[int]]]:
    """Return free values, functions and types by sort, the scope they are looked for in, and the old file."""
    scopes: defaultdict[tuple[Sort, Scope], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for index in state.old.free:
        if (sort := _sort(state.old, index))[1] in _USED:
            scopes[sort, state.target_of(index)][0].append(index)
    for index in state.new.free:
        if (sort := _sort(state.new, index))[1] in _USED:
            scopes[sort, state.new.scope_of(index)][1].append(index)
    return {
        (sort, scope, state.old.entities[old[0]].path): (old, new)
        for (sort, scope), (old, new) in scopes.items()
        if old and new
    }


def _sort(side: Side, index: int) -> Sort:
    return side.entities[index].family, sort_of(side.entities[index])


def _score(state: PairingState, pair: tuple[int, int], uses: tuple[Uses, Uses], names: tuple[bytes, bytes]) -> float:
    """Return the score of a pair; 0 where it is not enough."""
    old, new = state.old.entities[pair[0]], state.new.entities[pair[1]]
    if is_still_used(uses, names):
        return 0.0
    is_value = sort_of(old) == VALUE
    words, share = likeness(old.name, new.name), share_of_uses(*uses, *names)
    if share >= SHARED and (is_value or _is_alike(state, *pair)):
        return share + NAME * words
    return SHARED * words if is_value and words >= WORDS and old.interface == new.interface else 0.0


def is_still_used(uses: tuple[Uses, Uses], names: tuple[bytes, bytes]) -> bool:
    """Return True if the old name is still used, or the new one was before."""
    old, new = len(uses[0].get(names[0], ())), len(uses[1].get(names[1], ()))
    stays = len(uses[1].get(names[0], ())) > _STAYS * old
    return stays or len(uses[0].get(names[1], ())) > _STAYS * new


def share_of_uses(before: Uses, after: Uses, old_name: bytes, new_name: bytes) -> float:
    """Return the share of common words beside the old name and now beside the new one."""
    old, new = before.get(old_name, ()), after.get(new_name, ())
    if min(len(old), len(new)) < FEWEST:
        return 0.0
    return 2 * (Counter(old) & Counter(new)).total() / (len(old) + len(new))


def _is_alike(state: PairingState, old: int, new: int) -> bool:
    return state.likeness(old, new) >= ALIKE


def read_uses(state: PairingState, side: Side, path: str) -> Uses:
    """Return the words before and behind each name of an entity in a file's definitions."""
    uses: Uses = defaultdict(list)
    names = state.names
    for index in side.outermost.get(path, ()):
        words = (b"", *side.tokens(side.entities[index]), b"")
        for at, word in enumerate(words[1:-1], 1):
            if word in names:
                uses[word].append((words[at - 1], words[at + 1]))
    return uses
