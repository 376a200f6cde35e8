"""Find the tokens that an old entity had and that a new one has gained.

Takes the CodeSides of a commit: its entities, with the code that each lost or gained, computed on demand. Gives
CodeFlows, from three kinds of evidence: common shingles; a call in place of code that is too short for shingles; and
the same body, if its surroundings moved as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from posixpath import dirname
from typing import NamedTuple

from birthmark.matching.model import FUNCTION, MatchCandidate, Pairing, sort_of
from birthmark.matching.similarity import (
    Bag,
    Shingles,
    Tokens,
    count_both,
    cover,
    is_word,
    keep_any,
    keep_both,
    likeness,
    shingles_of,
    token_of,
    winnow,
)

_KEPT = 1 << 12  # entities whose shingles are kept from one commit to the next
_RARE = 8  # most old entities with a shingle that counts as proof
_LOOKED_UP = 64  # of them, at most, that are looked up by one
_COMPARED = 8  # sources a derivative
_FEWEST_SHARED = 10  # tokens
_LOST = 0.5  # part of the common tokens that the source no longer has
_FEWEST_CALLED, _ENOUGH_CALLED = 2, 8  # words of code that a call replaces: different ones, and all
_CALLED, _CALLED_SHORT = 0.45, 0.6  # least mean of the shares of them that the caller had, and that it lacks now
_FILLERS = frozenset(b"return new this self final const let var val await yield if else not and or null None".split())
Bags = tuple[Bag, Bag]


class CodeSide:
    """The entities of one side with their partners on the other one, and their tokens and shingles."""

    def __init__(self, entities: Sequence[MatchCandidate], partners: dict[int, int], tokens: Tokens) -> None:
        self.entities, self.partners = entities, partners
        # None of these refers to the side itself: without a cycle, all is freed with it.
        self.tokens = tokens_of = cache(lambda index: tokens(entities[index]))
        self.bag = cache(lambda index: Counter(tokens_of(index)))
        self.shingled = cache(lambda index: _shingled(tuple(tokens_of(index))))

    def shingles(self, index: int) -> Shingles:
        return self.shingled(index)[0]

    def known(self, index: int) -> frozenset[int]:
        return self.shingled(index)[1]

    def order(self, index: int) -> tuple[str, int, int, str]:
        """Return a key that resolves ties, independent of the order of files."""
        entity = self.entities[index]
        return entity.path, entity.start_byte, -entity.end_byte, entity.name

    def container(self, index: int) -> int:
        return self.entities[index].container


@lru_cache(_KEPT)
def _shingled(tokens: tuple[bytes, ...]) -> tuple[Shingles, frozenset[int]]:
    """The shingles of some code in their order, and as a set."""
    shingles = shingles_of(tokens)
    return shingles, frozenset(shingles)


class CodeSides:
    """Both sides of a commit."""

    def __init__(
        self,
        old: Sequence[MatchCandidate],
        new: Sequence[MatchCandidate],
        pairing: Pairing,
        old_tokens: Tokens,
        new_tokens: Tokens,
    ) -> None:
        successors = {pair.old: pair.new for pair in pairing.pairs}
        self.old = before = CodeSide(old, successors, old_tokens)
        self.new = after = CodeSide(new, {new: old for old, new in successors.items()}, new_tokens)
        self.lost = cache(lambda index: _not_in_partner(before, after, index))
        self.gained = cache(lambda index: _not_in_partner(after, before, index))

    def is_same(self, old: int, new: int) -> bool:
        return self.old.entities[old].content == self.new.entities[new].content

    def is_changed(self, new: int) -> bool:
        """Return True if a new entity may have gained code: it is born, or differs from its predecessor."""
        before = self.new.partners.get(new)
        return before is None or not self.is_same(before, new)

    def has_moved(self, old: int) -> bool:
        """Return True if an old entity is gone, or in another container or file."""
        after = self.old.partners.get(old)
        return after is None or not self.are_beside(old, after)

    def are_beside(self, old: int, new: int) -> bool:
        """Return True if a new entity is in the container, or the file, that an old one was in."""
        container, now = self.old.container(old), self.new.container(new)
        if container >= 0:
            return self.old.partners.get(container) == now
        return now < 0 and self.old.entities[old].path == self.new.entities[new].path

    def is_renamed(self, old: int) -> bool:
        after = self.old.partners.get(old)
        return after is not None and self.old.entities[old].name != self.new.entities[after].name

    def calls_more(self, old: int, new: int, name: str) -> bool:
        """Return True if a new entity mentions a name more often than an old one."""
        word = token_of(name)
        return self.new.bag(new)[word] > self.old.bag(old)[word]


def _not_in_partner(side: CodeSide, other: CodeSide, index: int) -> bytearray:
    """Return 1 for each token if no shingle around it is in the partner of the entity."""
    partner = side.partners.get(index)
    shingles = side.shingles(index)
    covered = cover(shingles, other.known(partner)) if partner is not None else bytearray(len(side.tokens(index)))
    return covered.translate(bytes([1, 0]) + bytes(254))


class CodeFlow(NamedTuple):
    """Code of an old entity that is in a new one."""

    old: int
    new: int
    n_old: int  # tokens of the old one that are in the new one
    n_new: int  # tokens of the new one that come from the old one
    proof: int  # of them, those in shingles that few have
    is_lost: bool  # the old one is gone, or lacks them now
    has_call: bool  # the rest of the old one calls the new one, or the predecessor of the new one called the old one
    is_whole: bool = False  # moved under the same name; with the same body, if there is proof


SharedCode = tuple[CodeFlow, bytearray]  # with 1 for each token of the new entity that comes from the old one


def find_shared(sides: CodeSides) -> Iterator[CodeFlow]:
    """Yield flows that shingles show; entities that gained little are not looked up."""
    gaining = [index for index in range(len(sides.new.entities)) if _gains_enough(sides, index)]
    gaining.sort(key=sides.new.order)
    gains = {new: _gained_shingles(sides, new) for new in gaining}
    index, bearers = _index(sides.old, {shingle for gained in gains.values() for shingle in gained})
    taken: Counter[int] = (
        Counter()
    )  # uses of deleted entities as sources: of equal ones, each is for another derivative
    for new, gained in gains.items():
        family, before = sides.new.entities[new].family, sides.new.partners.get(new)
        votes = Counter(old for shingle in winnow(gained) for old in index.get((family, shingle), ()) if old != before)
        ranked = sorted(votes, key=lambda old: (-votes[old], sides.old.order(old)))
        shared = [_measure(sides, old, new, frozenset(gained), bearers) for old in ranked[:_COMPARED]]
        enough = [one for one in shared if one[0].n_new >= _FEWEST_SHARED and one[0].proof]
        chosen = list(_choose(sides, enough, taken))
        taken.update(flow.old for flow in chosen if flow.old not in sides.old.partners)
        yield from chosen


def _gains_enough(sides: CodeSides, new: int) -> bool:
    return sides.is_changed(new) and sum(sides.gained(new)) >= _FEWEST_SHARED


def _index(side: CodeSide, wanted: set[int]) -> tuple[dict[tuple[str, int], list[int]], Counter[int]]:
    """Index wanted shingles: the entities that have each, among winnowed ones, and the number that have it at all."""
    index: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    bearers: Counter[int] = Counter()
    for number, entity in enumerate(side.entities) if wanted else ():
        known = side.known(number) & wanted
        bearers.update(known)
        for shingle in winnow(side.shingles(number)) & known if known else ():
            index[entity.family, shingle].append(number)
    return {key: bearing for key, bearing in index.items() if len(bearing) <= _LOOKED_UP}, bearers


def _gained_shingles(sides: CodeSides, new: int) -> list[int]:
    before = sides.new.partners.get(new)
    known = sides.old.known(before) if before is not None else frozenset()
    return [shingle for shingle in sides.new.shingles(new) if shingle not in known]


def _measure(sides: CodeSides, old: int, new: int, gained: frozenset[int], bearers: Counter[int]) -> SharedCode:
    shared = gained & sides.old.known(old)
    in_new, in_old = cover(sides.new.shingles(new), shared), cover(sides.old.shingles(old), shared)
    rare = cover(sides.new.shingles(new), {shingle for shingle in shared if bearers[shingle] <= _RARE})
    n_old = sum(in_old)
    is_lost = count_both(in_old, sides.lost(old)) >= _LOST * n_old
    tokens = keep_both(in_new, sides.gained(new))
    proof = count_both(rare, tokens)
    return CodeFlow(old, new, n_old, sum(tokens), proof, is_lost, has_call(sides, old, new)), tokens


def _choose(sides: CodeSides, shared: list[SharedCode], taken: Counter[int]) -> Iterator[CodeFlow]:
    """Yield sources that lost the code, each with code that none before it explains; else the best one."""
    ranked = sorted(
        shared, key=lambda one: (-one[0].n_new, taken[one[0].old], *_distance(sides, one[0].old, one[0].new))
    )
    lost = [(flow, tokens) for flow, tokens in ranked if flow.is_lost]
    if not lost:
        yield from (flow for flow, _ in ranked[:1])
        return
    explained = bytearray(len(lost[0][1]))
    for flow, tokens in lost:
        if flow.has_call or flow.n_new - count_both(tokens, explained) >= _FEWEST_SHARED:
            explained = keep_any(explained, tokens)
            yield flow


def _distance(sides: CodeSides, old: int, new: int) -> tuple[object, ...]:
    before, after = sides.old.entities[old], sides.new.entities[new]
    is_inside = sides.old.partners.get(before.container, -1) == after.container
    return (
        before.path != after.path,
        not is_inside,
        -likeness(before.name, after.name),
        dirname(before.path) != dirname(after.path),
        sides.old.order(old),
    )


def has_call(sides: CodeSides, old: int, new: int) -> bool:
    """Return True if a call took the place of the code, or the code that of a call."""
    after, before = sides.old.partners.get(old), sides.new.partners.get(new)
    if after is not None:
        return before is None and sides.calls_more(old, after, sides.new.entities[new].name)
    return (
        before is not None and sides.new.bag(new)[_name(sides.old, old)] < sides.old.bag(before)[_name(sides.old, old)]
    )


def _name(side: CodeSide, index: int) -> bytes:
    return token_of(side.entities[index].name)


def find_called(sides: CodeSides) -> Iterator[CodeFlow]:
    """Yield flows that a call proves: a call took the place of the code, or the code that of a call."""
    old, new = sides.old, sides.new
    for source, after, derivative in _callers(old, new):
        had = old.bag(source)
        yield from _called(sides, source, derivative, (had, had - new.bag(after)), new.bag(derivative))
    for derivative, before, source in _callers(new, old):
        has = new.bag(derivative)
        yield from _called(sides, source, derivative, (has, has - old.bag(before)), old.bag(source))


def _callers(side: CodeSide, other: CodeSide) -> Iterator[tuple[int, int, int]]:
    """Yield an entity, its partner, and an unpaired function that only the partner names."""
    lone = defaultdict(list)
    for index, entity in enumerate(other.entities):
        if index not in other.partners and sort_of(entity) == FUNCTION:
            lone[entity.family, token_of(entity.name)].append(index)
    for index, partner in side.partners.items() if lone else ():
        if side.entities[index].content != other.entities[partner].content:
            named = other.bag(partner).keys() - side.bag(index).keys()
            for word in sorted(named):
                for function in lone.get((side.entities[index].family, word), ()):
                    yield index, partner, function


def _called(sides: CodeSides, old: int, new: int, had: Bags, code: Bag) -> Iterator[CodeFlow]:
    """Yield the flow if it shares enough words; `had` are the words of the caller, and those that are gone or new."""
    words = Counter({token: count for token, count in code.items() if is_word(token) and token not in _FILLERS})
    total = words.total()
    shared = sum((words & bag).total() for bag in had) / len(had)
    least = _CALLED if total >= _ENOUGH_CALLED else _CALLED_SHORT
    if len(words) >= _FEWEST_CALLED and shared >= least * total:
        n_tokens = round(shared / total * code.total())
        yield CodeFlow(old, new, n_tokens, n_tokens, round(shared), True, True)
