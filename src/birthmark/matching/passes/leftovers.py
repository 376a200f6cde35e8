"""Pair the likeliest of the remaining entities before the rest is called new.

Every pair of leftovers that is worth comparing gets odds from all evidence. The likeliest pairs are made first; since a
pair changes the odds of those around it, these are computed again.

An Agreement holds the evidence for a pair. Its parts, weighed by WEIGHTS and added up, are the logarithm of the odds.
`benchmarks/leftovers.py` fitted the weights to judged refactorings of 762 commits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from functools import cache, partial
from math import inf, log1p
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.identity.fingerprints import HEAVY
from birthmark.matching.model import FUNCTION, TYPE, VALUE, MatchCandidate, parameters_of, sort_of, type_of
from birthmark.matching.pairing_state import PairingState, Scope, Side
from birthmark.matching.passes.dependents import count_votes, pair_dependents, share_of_members
from birthmark.matching.passes.similar import find_candidates
from birthmark.matching.passes.uses import CONTAINED, is_still_used, read_uses, share_of_uses
from birthmark.matching.similarity import Bag, Texts, character_likeness, likeness, mutual_best, token_of
from birthmark.vocabulary import Evidence

_REPLACED = b""  # in place of names that the other side does not have
_FEW = 4  # leftovers of one name, by which scopes are known to have something in common


class Agreement(NamedTuple):
    """The evidence that two entities are one, from 0 to 1, but for `flow` and `neighbours`."""

    name: float  # 1 if they have one name
    words: float  # else the share of common words of their names
    characters: float  # and that of common pairs of characters
    tokens: float  # the share of common tokens without their names, rare ones weighing more
    contained: float  # the share of the smaller one that is in the larger
    scope: float  # 1 if the new one is where the old one would be had it stayed
    file: float  # else 1 if it is in that file
    flow: float  # else the votes of pairs that went from that scope to this one, as a logarithm
    company: float  # and the number of other leftovers of one name in both scopes, as a logarithm
    kin: float  # 1 if the head of one's container, as it is on the other side, names the other's
    owners: float  # the likeness of the names of their containers, if neither has a counterpart
    members: float  # for types, the share of their members that are paired with one another
    neighbours: float  # if it is there, the number of neighbours (up to two) that are beside it again
    slot: float  # 1 if they are between the same paired entities at the same place, else 0.5
    parameters: float  # 1 if they have the same parameters, and have any
    result: float  # 1 if they have the same result type, other than none
    uses: float  # the share of common words beside their mentions, if their names differ
    stays: float  # 1 if the old name is still in use, or the new one was before
    unique: float  # 1 if no other leftover has one of the names
    light: float  # 1 if one of them is light


def weighed_as(entity: MatchCandidate) -> str:
    """Return the sort whose weights apply; a module is weighed as a type."""
    return TYPE if entity.kind in ("mod", "namespace") else sort_of(entity)


def log_odds(sort: str, agreement: Agreement) -> float:
    bias, weights = WEIGHTS[sort]
    return bias + sum(weight * part for weight, part in zip(weights, agreement, strict=True))


_SORTS = (VALUE, FUNCTION, TYPE)
_BIASES = (-6.22, -7.22, -6.27)
_PART_WEIGHTS = {  # of values, functions and types
    "name": (3.09, 1.94, 3.20),
    "words": (1.20, 0.83, 2.45),
    "characters": (1.89, 0.49, 0.59),
    "tokens": (1.19, 4.04, 3.40),
    "contained": (0.22, 1.79, 1.26),
    "scope": (0.86, 0.25, 0.94),
    "file": (-0.64, 0.20, -0.14),
    "flow": (0.04, 0.00, 0.55),
    "company": (1.57, 0.62, 0.34),
    "kin": (0.34, 1.28, 0.29),
    "owners": (0.15, 1.81, 0.56),
    "members": (0.00, 0.26, 2.96),
    "neighbours": (2.21, 1.35, 1.20),
    "slot": (0.95, 1.32, 0.92),
    "parameters": (0.00, 0.32, 0.00),
    "result": (0.00, 0.40, 0.00),
    "uses": (1.84, 0.40, 0.00),
    "stays": (-1.23, -3.15, 0.00),
    "unique": (0.25, 0.09, -0.43),
    "light": (-0.48, -1.58, -0.39),
}
WEIGHTS = {
    sort: (bias, Agreement(**{part: weights[number] for part, weights in _PART_WEIGHTS.items()}))
    for number, (sort, bias) in enumerate(zip(_SORTS, _BIASES, strict=True))
}


class Agreements:
    """The agreements of leftovers."""

    def __init__(self, state: PairingState) -> None:
        self.state = state
        # None of these refers to the agreements themselves: without a cycle, all is freed with them.
        self.old_uses = cache(lambda path: read_uses(state, state.old, path))
        self.new_uses = cache(lambda path: read_uses(state, state.new, path))
        gone, came = _names_of_one_side(state.old, state.new), _names_of_one_side(state.new, state.old)
        texts = state.texts
        self.old_text = cache(lambda index: _text(texts, state.old.entities[index], texts.old_bags[index], gone))
        self.new_text = cache(lambda index: _text(texts, state.new.entities[index], texts.new_bags[index], came))
        self.old_heads = cache(lambda index: _read_head(state.old, index))
        self.new_heads = cache(lambda index: _read_head(state.new, index))
        self.refresh()

    def refresh(self) -> None:
        """Take in what was paired since."""
        self.flows = _flows(self.state)
        self.company = _company(self.state)
        self.votes = count_votes(self.state)
        self.old_names, self.new_names = _count_names(self.state.old), _count_names(self.state.new)

    def candidates(self) -> dict[tuple[int, int], None]:
        """Return pairs worth comparing: by their texts, and types with members that are paired."""
        types = (pair for pair in self.votes if weighed_as(self.state.old.entities[pair[0]]) == TYPE)
        return find_candidates(self.state) | dict.fromkeys(types)

    def between(self, old: int, new: int) -> Agreement:
        state = self.state
        before, after = state.old.entities[old], state.new.entities[new]
        target, scope = state.target_of(old), state.new.scope_of(new)
        is_named, is_there = before.name == after.name, target == scope
        tokens, contained = self._texts(old, new)
        uses, stays = (0.0, 0.0) if is_named or sort_of(before) == TYPE else self._uses(before, after)
        return Agreement(
            name=float(is_named),
            words=0.0 if is_named else likeness(before.name, after.name),
            characters=0.0 if is_named else character_likeness(before.name, after.name),
            tokens=tokens,
            contained=contained,
            scope=float(is_there),
            file=float(not is_there and target[0] == scope[0]),
            flow=0.0 if is_there else log1p(self.flows[state.old.scope_of(old), scope]),
            company=0.0 if is_there else log1p(max(0, self.company[state.old.scope_of(old), scope] - is_named)),
            kin=float(not is_there and self._are_kin(old, new)),
            owners=self._owners(old, new),
            members=share_of_members(state, old, new, self.votes[old, new]),
            neighbours=float(state.n_neighbours(old, new)) if is_there else 0.0,
            slot=self._slot(old, new) if is_there else 0.0,
            parameters=float(parameters_of(before) not in ("", "()") and parameters_of(before) == parameters_of(after)),
            result=float(type_of(before) not in ("", "void") and type_of(before) == type_of(after)),
            uses=uses,
            stays=stays,
            unique=float(self._is_unique(before, after)),
            light=float(state.old.is_light(old) or state.new.is_light(new)),
        )

    def _texts(self, old: int, new: int) -> tuple[float, float]:
        """Return the shares of common tokens: of both, rare ones weighing more, and of the smaller one."""
        (bag, total, weight), (new_bag, new_total, new_weight) = self.old_text(old), self.new_text(new)
        if not total or not new_total:
            return 0.0, 0.0
        if len(new_bag) < len(bag):
            bag, new_bag = new_bag, bag
        n_common, common, weights = 0, 0.0, self.state.texts.weights
        for token, count in bag.items():
            if token in new_bag:
                least = min(count, new_bag[token])
                n_common += least
                common += weights.get(token, 1.0) * least
        return 2 * common / (weight + new_weight), n_common / min(total, new_total)

    def _are_kin(self, old: int, new: int) -> bool:
        """Return True if the container of one, as it is on the other side, names the container of the other."""
        before, after = self.state.old, self.state.new
        owner, new_owner = before.containers[old], after.containers[new]
        if owner < 0 or new_owner < 0:
            return False
        successor, predecessor = before.partners[owner], after.partners[new_owner]
        names = token_of(before.entities[owner].name), token_of(after.entities[new_owner].name)
        return (successor >= 0 and names[1] in self.new_heads(successor)) or (
            predecessor >= 0 and names[0] in self.old_heads(predecessor)
        )

    def _owners(self, old: int, new: int) -> float:
        before, after = self.state.old, self.state.new
        owner, new_owner = before.owners[old], after.owners[new]
        if owner in before.free and new_owner in after.free:
            return character_likeness(before.entities[owner].name, after.entities[new_owner].name)
        return 0.0

    def _slot(self, old: int, new: int) -> float:
        *anchors, place = self.state.old.slot_of(old)
        *new_anchors, new_place = self.state.new.slot_of(new)
        partners = [self.state.old.partners[anchor] if anchor >= 0 else -1 for anchor in anchors]
        if partners != new_anchors:
            return 0.0
        return 1.0 if place == new_place else 0.5

    def _uses(self, old: MatchCandidate, new: MatchCandidate) -> tuple[float, float]:
        names = token_of(old.name), token_of(new.name)
        uses = self.old_uses(old.path), self.new_uses(new.path)
        return share_of_uses(*uses, *names), float(is_still_used(uses, names))

    def _is_unique(self, old: MatchCandidate, new: MatchCandidate) -> bool:
        sort = sort_of(old)
        return self.old_names[sort, old.name] == 1 and self.new_names[sort, new.name] == 1


def _text(texts: Texts, entity: MatchCandidate, bag: Bag, replaced: frozenset[bytes]) -> tuple[Bag, int, float]:
    """Return the tokens without the name, their number and their weight; all replaced names are one token."""
    others = Counter(bag)
    others.pop(token_of(entity.name), None)
    for name in replaced.intersection(others):
        others[_REPLACED] += others.pop(name)
    return others, others.total(), texts.weigh(others)


def _flows(state: PairingState) -> Counter[tuple[Scope, Scope]]:
    flows: Counter[tuple[Scope, Scope]] = Counter()
    for pair in state.pairs:
        scopes = state.old.scope_of(pair.old), state.new.scope_of(pair.new)
        if scopes[0] != scopes[1]:
            flows[scopes] += state.vote_of(pair)
    return flows


def _company(state: PairingState) -> Counter[tuple[Scope, Scope]]:
    """Count the leftovers of one name in an old and a new scope; frequent names do not count."""
    company: Counter[tuple[Scope, Scope]] = Counter()
    for old, new in state.groups(partial(_name_key, state.old), partial(_name_key, state.new)):
        if max(len(old), len(new)) <= _FEW:
            company.update((state.old.scope_of(one), state.new.scope_of(other)) for one in old for other in new)
    return company


def _name_key(side: Side, index: int) -> Hashable:
    entity = side.entities[index]
    return None if entity.kind == "constructor" else (entity.family, sort_of(entity), entity.name)


def _count_names(side: Side) -> Counter[tuple[str, str]]:
    return Counter((sort_of(side.entities[index]), side.entities[index].name) for index in side.free)


def _names_of_one_side(side: Side, other: Side) -> frozenset[bytes]:
    kept = {entity.name for entity in other.entities}
    return frozenset(token_of(entity.name) for entity in side.entities if entity.name not in kept)


def _read_head(side: Side, container: int) -> frozenset[bytes]:
    """Return the tokens before the first member: the name, and the base types."""
    entity, members = side.entities[container], side.members.get(container, ())
    end = min((side.entities[member].start_byte for member in members), default=entity.end_byte)
    return frozenset(side.tokens(replace(entity, end_byte=end)))


LEVELS = (2.5, 1.5, 0.5, -0.5, -1.0)  # logarithms of odds
LEAST = {VALUE: -0.5, FUNCTION: -1.0, TYPE: -1.0}  # it takes; constants of one name and value are common
MARGIN = 0.3  # by which the best must be better than the second
# The odds of a field that keeps a unique name and a similar declaration, if another field of the two scopes does so:
# 9 of 10 judged candidates were right. Functions are left out: those that override share names.
IN_COMPANY = 0.5
_NO_RIVAL = min(LEVELS) - MARGIN  # less likely pairs are ignored
_ROUNDS = 4  # at each level

Odds = dict[tuple[int, int], float]


def pair_leftovers(state: PairingState) -> None:
    """Pair leftovers that are each other's likeliest, from the surest level on."""
    agreements = Agreements(state)
    odds = _find_odds(agreements, {})
    for level in LEVELS:
        for _ in range(_ROUNDS):
            likely = [
                pair for pair in mutual_best(_likely(odds), MARGIN) if odds[pair] >= max(level, _least(state, pair[0]))
            ]
            if not likely:
                break
            n_pairs = len(state.pairs)
            for old, new in likely:
                state.add(old, new, Evidence.LIKELY, round(odds[old, new], 3))
            pair_dependents(state)
            agreements.refresh()
            odds = _find_odds(agreements, _unaffected(state, odds, n_pairs))


def _find_odds(agreements: Agreements, known: Odds) -> Odds:
    candidates = {} if agreements.state.is_settled else agreements.candidates()
    return {pair: known[pair] if pair in known else _odds_of(agreements, *pair) for pair in candidates}


def _least(state: PairingState, old: int) -> float:
    return LEAST[weighed_as(state.old.entities[old])]


def _likely(odds: Odds) -> Odds:
    return {pair: value for pair, value in odds.items() if value >= _NO_RIVAL}


def _unaffected(state: PairingState, odds: Odds, n_pairs: int) -> Odds:
    """Return the odds of scopes in which, and in whose containers, nothing was paired after the first `n_pairs`."""
    old, new = state.old, state.new
    olds = {scope for pair in state.pairs[n_pairs:] for scope in (old.scope_of(pair.old), old.inside(pair.old))}
    news = {scope for pair in state.pairs[n_pairs:] for scope in (new.scope_of(pair.new), new.inside(pair.new))}
    return {
        pair: value
        for pair, value in odds.items()
        if old.scope_of(pair[0]) not in olds and new.scope_of(pair[1]) not in news
    }


def _odds_of(agreements: Agreements, old: int, new: int) -> float:
    sort = weighed_as(agreements.state.old.entities[old])
    if sort not in WEIGHTS or not _may_leave(agreements.state, old, new):
        return -inf
    agreement = agreements.between(old, new)
    if sort == VALUE and agreement.stays:
        return -inf  # A field whose name is still in use was not renamed.
    if sort == TYPE and agreement.light and not (agreement.name or agreement.words):
        return -inf  # An empty type is known by its name alone.
    odds = log_odds(sort, agreement)
    is_in_company = sort == VALUE and agreement.name and agreement.unique and agreement.company
    return max(odds, IN_COMPANY) if is_in_company and _is_same_member(agreements.state, old, new) else odds


def _is_same_member(state: PairingState, old: int, new: int) -> bool:
    if state.old.owners[old] < 0 or state.new.owners[new] < 0:
        return False
    return state.contained(old, new) >= CONTAINED


def _may_leave(state: PairingState, old: int, new: int) -> bool:
    """Return False for light entities that would go from one type to another that both stay."""
    before, after = state.old.entities[old], state.new.entities[new]
    is_getter = sort_of(before) == FUNCTION and (state.old.is_light(old) or state.new.is_light(new))
    if min(before.weight, after.weight) >= HEAVY or (before.name == after.name and not is_getter):
        return True
    partner = state.old.partners[state.old.owners[old]] if state.old.owners[old] >= 0 else -1
    owner = state.new.owners[new]
    return partner < 0 or owner < 0 or partner == owner or state.new.partners[owner] < 0
