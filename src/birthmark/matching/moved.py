"""Passes 4 and 5: entities that are found again in another place, or under another name.

What is light needs company: something heavy that went the same way. Where several are equal, what else they share
decides, and if nothing does, it is a tie.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from posixpath import basename

from birthmark.matching.model import FUNCTION, TYPE, VALUE, MatchCandidate, content_of, sort_of
from birthmark.matching.mutual_best import mutual_best
from birthmark.matching.pairing_state import HEAVY, Key, PairingState, Scope, Side, group_by
from birthmark.vocabulary import Evidence

_SPOKEN = 12  # bytes of a name and a body together; every other file has its `X = 1`

Trait = Callable[[MatchCandidate, Scope], Hashable]

# What two that are equal may have in common beyond that, from the most telling.
TRAITS: tuple[Trait, ...] = (
    lambda subject, room: (room, subject.name),
    lambda subject, room: (room, subject.interface),
    lambda _, room: room,
    lambda subject, room: (basename(room[0]), room[1], subject.name),
    lambda subject, room: (room[0], subject.name),
    lambda subject, room: (room[1], subject.name) if room[1] else None,
    lambda _, room: room[0],
    lambda subject, _: subject.name,
)


def pair_contents(state: PairingState) -> None:
    """Pass 4: the same content in another room."""
    _pair_equal(state, Evidence.SAME_CONTENT_ELSEWHERE, lambda subject: subject.content)


def pair_bodies(state: PairingState) -> None:
    """Pass 5: the same body under another name, or with another interface."""
    _pair_equal(state, Evidence.SAME_BODY, lambda subject: subject.body)


def pair_company(state: PairingState) -> None:
    """What is light, has the same content, and is where heavy ones went from its room."""
    ways = _ways(state)
    if not ways:
        return
    arrived: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index in state.new.free:
        arrived[_light_key(state.new, index, state.new.room_of(index))].append(index)
    found = {
        (old, new): 1
        for old in state.old.free
        for room in ways.get(state.old.room_of(old), ())
        for new in arrived.get(_light_key(state.old, old, room), ())
    }
    for old, new in mutual_best(found):
        state.add(old, new, Evidence.SAME_CONTENT_ELSEWHERE)


def pair_lone(state: PairingState) -> None:
    """What is light and is written just so once before and once after, elsewhere: it went there.

    That holds of values and of functions outside of types. Methods are left out: every other type has its getters.
    """
    old_counts, new_counts = (Counter(map(content_of, side.subjects)) for side in (state.old, state.new))
    arrived = {content_of(state.new.subjects[index]): index for index in state.new.free if _lone(state.new, index)}
    for old in list(state.old.free):
        content, evidence = content_of(state.old.subjects[old]), _lone(state.old, old)
        new = arrived.get(content)
        if evidence and new is not None and old_counts[content] == new_counts[content] == 1:
            state.add(old, new, evidence)


def _lone(side: Side, index: int) -> Evidence | None:
    """What it is known by, if it may go alone. Outside of types its name and body must say something."""
    subject = side.subjects[index]
    is_member = side.containers[index] >= 0 or subject.parent is not None
    if not is_member and len(subject.name) + subject.weight < _SPOKEN:
        return None
    if sort_of(subject) == FUNCTION and not is_member:
        return Evidence.SAME_CONTENT_ELSEWHERE
    return Evidence.SAME_DECLARATION if sort_of(subject) == VALUE else None


def _ways(state: PairingState) -> dict[Scope, dict[Scope, None]]:
    """From which room to which others heavy ones went."""
    ways: defaultdict[Scope, dict[Scope, None]] = defaultdict(dict)
    for pair in state.pairs:
        old, new = state.old.room_of(pair.old), state.new.room_of(pair.new)
        if old != new and not state.old.is_light(pair.old):
            ways[old][new] = None
    return ways


def _light_key(side: Side, index: int, room: Scope) -> Hashable:
    subject = side.subjects[index]
    return subject.family, subject.kind, subject.content, room


def _pair_equal(state: PairingState, evidence: Evidence, value_of: Callable[[MatchCandidate], str | None]) -> None:
    old_key, new_key = (_key(side, evidence, value_of) for side in (state.old, state.new))
    # Containers come first: they tell where their members went.
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
        subject = side.subjects[index]
        value = value_of(subject)
        # An empty class has nothing but its name, which is part of its content and says enough.
        is_named = evidence is Evidence.SAME_CONTENT_ELSEWHERE and sort_of(subject) == TYPE
        if value is None or (side.is_light(index) and not is_named):
            return None
        return subject.family, sort_of(subject), value

    return key


def _pair_by_trait(state: PairingState, old: list[int], new: list[int], trait: Trait, evidence: Evidence) -> None:
    groups = group_by(
        old,
        new,
        lambda index: trait(state.old.subjects[index], state.target_of(index)),
        lambda index: trait(state.new.subjects[index], state.new.room_of(index)),
    )
    for before, after in groups:
        if len(before) == len(after) == 1 and state.is_credible(before[0], after[0]):
            state.add(before[0], after[0], evidence)


def _free(side: Side, indexes: list[int]) -> list[int]:
    return [index for index in indexes if index in side.free]


def _is_enough(state: PairingState, old: int, new: int, evidence: Evidence) -> bool:
    before, after = state.old.subjects[old], state.new.subjects[new]
    is_near = before.name == after.name or state.target_of(old)[0] == after.path
    return evidence is Evidence.SAME_CONTENT_ELSEWHERE or (
        state.is_credible(old, new) and (is_near or before.weight >= HEAVY)
    )
