"""What has the name of a type, and is renamed as that is.

A C `typedef` repeats the name of its struct, a field is often called what its type is called, a variable what its class
is. Where the type is paired under a new name, and they have that new name too, alone in their scope, they follow it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping

from birthmark.matching.model import TYPE, sort_of
from birthmark.matching.pairing_state import PairingState
from birthmark.vocabulary import Evidence

_NAMING = frozenset({TYPE, "typedef"})  # sorts of what others are named after


def pair_namesakes(state: PairingState) -> None:
    """Free entities of one kind and scope whose names are the old and the new name of one type."""
    renames = _renames(state)
    if renames:
        names = frozenset(renames.values())
        for old, new in list(state.groups(_old_key(state, renames), _new_key(state, names))):
            if len(old) == len(new) == 1:
                state.add(old[0], new[0], Evidence.SAME_USES)


def _renames(state: PairingState) -> Mapping[tuple[str, str], str]:
    """By family and old name of a type, the new one; not of a name that has become several."""
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in state.pairs:
        old, new = state.old.entities[pair.old], state.new.entities[pair.new]
        if sort_of(old) in _NAMING:
            found[old.family, old.name].add(new.name)
    return {old: names.pop() for old, names in found.items() if len(names) == 1 and old[1] not in names}


def _old_key(state: PairingState, renames: Mapping[tuple[str, str], str]) -> Callable[[int], Hashable]:
    def key(index: int) -> Hashable:
        entity = state.old.entities[index]
        name = renames.get((entity.family, entity.name))
        return None if name is None else (entity.family, entity.kind, state.target_of(index), name)

    return key


def _new_key(state: PairingState, names: frozenset[str]) -> Callable[[int], Hashable]:
    def key(index: int) -> Hashable:
        entity = state.new.entities[index]
        return (entity.family, entity.kind, state.new.scope_of(index), entity.name) if entity.name in names else None

    return key
