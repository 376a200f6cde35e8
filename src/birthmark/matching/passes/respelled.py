"""Entities that keep the words of their name, or their name and their body, where nothing surer says who they are.

A name is spelled in another way in its place: `_total` for `total`, `get_total` for `getTotal`. Or a function with a
light body came into a type or a function of its file, or out of one: its name and body are there once on either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable

from birthmark.matching.model import FUNCTION, IMPL, TYPE, sort_of
from birthmark.matching.pairing_state import PairingState, Side
from birthmark.matching.similarity import words_of
from birthmark.vocabulary import Evidence

ALIKE = 0.3  # the share of tokens that two of the same words must have in common


def pair_respelled(state: PairingState) -> None:
    """Each the only one of its words in its place."""
    if not state.has_texts:
        return
    groups = state.groups(
        lambda index: _words_key(state.old, index, state.target_of(index)),
        lambda index: _words_key(state.new, index, state.new.scope_of(index)),
    )
    for old, new in groups:
        if len(old) == len(new) == 1 and (score := state.likeness(old[0], new[0])) >= ALIKE:
            state.add(old[0], new[0], Evidence.SIMILAR, round(score, 3))


def pair_named_bodies(state: PairingState) -> None:
    """Functions of a file that are in something else now; not from type to type, as every other has its getters."""
    old_key = _body_key(state.old, lambda path: state.files.get(path, path))
    new_key = _body_key(state.new, lambda path: path)
    for old, new in state.groups(old_key, new_key):
        if len(old) == len(new) == 1 and not (_is_method(state.old, old[0]) and _is_method(state.new, new[0])):
            state.add(old[0], new[0], Evidence.SAME_BODY)


def _is_method(side: Side, index: int) -> bool:
    owner = side.owners[index]
    return owner >= 0 and sort_of(side.entities[owner]) in (TYPE, IMPL)


def _words_key(side: Side, index: int, scope: Hashable) -> Hashable:
    entity = side.entities[index]
    return entity.family, sort_of(entity), scope, words_of(entity.name)


def _body_key(side: Side, path_of: Callable[[str], str]) -> Callable[[int], Hashable]:
    """None for what is there more than once."""
    keys = {
        index: (entity.family, path_of(entity.path), entity.name, entity.body)
        for index, entity in enumerate(side.entities)
        if entity.body is not None and sort_of(entity) == FUNCTION
    }
    counts = Counter(keys.values())
    return lambda index: keys[index] if index in keys and counts[keys[index]] == 1 else None
