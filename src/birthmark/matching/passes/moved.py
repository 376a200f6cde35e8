"""Passes 4 and 5: pair entities that are in another place, or have another name.

A light entity needs a heavy one that moved with it. Of several equal ones, other traits decide, or else it is a tie.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from posixpath import basename

from birthmark.identity.fingerprints import HEAVY
from birthmark.matching.model import FUNCTION, TYPE, VALUE, MatchCandidate, content_of, sort_of
from birthmark.matching.pairing_state import Key, PairingState, Scope, Side, group_by
from birthmark.matching.similarity import mutual_best
from birthmark.vocabulary import Evidence

_LONG_ENOUGH = 12  # bytes of a name and a body together; every other file has its `X = 1`
_LONG_DECLARATION = 24  # bytes of the whole text: a type and modifiers distinguish as well as a value does

Trait = Callable[[MatchCandidate, Scope], Hashable]

# Further traits that two equal entities may share, from the surest on.
TRAITS: tuple[Trait, ...] = (
    lambda entity, scope: (scope, entity.name),
    lambda entity, scope: (scope, entity.interface),
    lambda _, scope: scope,
    lambda entity, scope: (basename(scope[0]), scope[1], entity.name),
    lambda entity, scope: (scope[0], entity.name),
    lambda entity, scope: (scope[1], entity.name) if scope[1] else None,
    lambda _, scope: scope[0],
    lambda entity, _: entity.name,
)


def pair_contents(state: PairingState) -> None:
    """Pass 4: pair the same content in another scope."""
    _pair_equal(state, Evidence.SAME_CONTENT_ELSEWHERE, lambda entity: entity.content)


def pair_bodies(state: PairingState) -> None:
    """Pass 5: pair the same body under another name, or with another interface."""
    _pair_equal(state, Evidence.SAME_BODY, lambda entity: entity.body)


def pair_light_followers(state: PairingState) -> None:
    """Pair light entities of the same content that went where heavy ones of their scope went."""
    moves = moves_of_heavy(state)
    if not moves:
        return
    arrived: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index in state.new.free:
        arrived[_light_key(state.new, index, state.new.scope_of(index))].append(index)
    found = {
        (old, new): 1
        for old in state.old.free
        for scope in moves.get(state.old.scope_of(old), ())
        for new in arrived.get(_light_key(state.old, old, scope), ())
    }
    for old, new in mutual_best(found):
        state.add(old, new, Evidence.SAME_CONTENT_ELSEWHERE)


def pair_lone(state: PairingState) -> None:
    """Pair light entities written the same once before and once after, elsewhere.

    That holds for values and for functions outside of types. Methods are left out: every other type has its getters.
    The head may differ if name and body are the same: what moves to another module is exported there.
    """
    for value_of in (content_of, _named_body):
        _pair_lone(state, value_of)


def _pair_lone(state: PairingState, value_of: Callable[[MatchCandidate], Hashable]) -> None:
    old_counts, new_counts = (Counter(map(value_of, side.entities)) for side in (state.old, state.new))
    arrived = {value_of(state.new.entities[index]): index for index in state.new.free if _lone(state.new, index)}
    for old in list(state.old.free):
        value, evidence = value_of(state.old.entities[old]), _lone(state.old, old)
        new = arrived.get(value) if value is not None else None
        if evidence and new is not None and old_counts[value] == new_counts[value] == 1:
            state.add(old, new, evidence if value_of is content_of else Evidence.SAME_BODY)


def _named_body(entity: MatchCandidate) -> Hashable:
    """Return a key of an entity outside of types and functions, else None."""
    is_known = entity.body is not None and entity.parent is None
    return (entity.family, sort_of(entity), entity.name, entity.body) if is_known else None


def _lone(side: Side, index: int) -> Evidence | None:
    """Return the evidence if an entity may move alone. Outside of types it must be long enough."""
    entity = side.entities[index]
    is_member = side.containers[index] >= 0 or entity.parent is not None
    if not is_member and not _says_enough(entity):
        return None
    if sort_of(entity) == FUNCTION and not is_member:
        return Evidence.SAME_CONTENT_ELSEWHERE
    return Evidence.SAME_DECLARATION if sort_of(entity) == VALUE else None


def _says_enough(entity: MatchCandidate) -> bool:
    is_long = len(entity.name) + entity.weight >= _LONG_ENOUGH
    return is_long or entity.end_byte - entity.start_byte >= _LONG_DECLARATION


def moves_of_heavy(state: PairingState) -> dict[Scope, dict[Scope, None]]:
    """Return the scopes that heavy entities have moved to, by the scope they moved from."""
    moves: defaultdict[Scope, dict[Scope, None]] = defaultdict(dict)
    for pair in state.pairs:
        old, new = state.old.scope_of(pair.old), state.new.scope_of(pair.new)
        if old != new and not (state.old.is_light(pair.old) and state.new.is_light(pair.new)):
            moves[old][new] = None
    return moves


def _light_key(side: Side, index: int, scope: Scope) -> Hashable:
    entity = side.entities[index]
    return entity.family, entity.kind, entity.content, scope


def _pair_equal(state: PairingState, evidence: Evidence, value_of: Callable[[MatchCandidate], str | None]) -> None:
    old_key, new_key = (_key(side, evidence, value_of) for side in (state.old, state.new))
    # Containers come first, because they show where their members are.
    for old, new in sorted(state.groups(old_key, new_key), key=lambda group: group[0][0] not in state.old.members):
        for trait in TRAITS:
            if len(old) > 1 or len(new) > 1:
                _pair_by_trait(state, old, new, trait, evidence)
                old, new = _free(state.old, old), _free(state.new, new)
        if len(old) == len(new) == 1:
            if _is_enough(state, old[0], new[0], evidence):
                state.add(old[0], new[0], evidence)
        elif old and new:
            state.note_tie(old, new)


def _key(side: Side, evidence: Evidence, value_of: Callable[[MatchCandidate], str | None]) -> Key:
    def key(index: int) -> Hashable:
        entity = side.entities[index]
        value = value_of(entity)
        # An empty class has nothing but its name, which is part of its content and is enough.
        is_named = evidence is Evidence.SAME_CONTENT_ELSEWHERE and sort_of(entity) == TYPE
        if value is None or (side.is_light(index) and not is_named):
            return None
        return entity.family, sort_of(entity), value

    return key


def _pair_by_trait(state: PairingState, old: list[int], new: list[int], trait: Trait, evidence: Evidence) -> None:
    groups = group_by(
        old,
        new,
        lambda index: trait(state.old.entities[index], state.target_of(index)),
        lambda index: trait(state.new.entities[index], state.new.scope_of(index)),
    )
    for before, after in groups:
        if len(before) == len(after) == 1 and state.is_credible(before[0], after[0]):
            state.add(before[0], after[0], evidence)


def _free(side: Side, indexes: list[int]) -> list[int]:
    return [index for index in indexes if index in side.free]


def _is_enough(state: PairingState, old: int, new: int, evidence: Evidence) -> bool:
    before, after = state.old.entities[old], state.new.entities[new]
    is_near = before.name == after.name or state.target_of(old)[0] == after.path
    return evidence is Evidence.SAME_CONTENT_ELSEWHERE or (
        state.is_credible(old, new) and (is_near or before.weight >= HEAVY)
    )
