"""Find code that is nearly the same in several places.

Takes the tokens of pieces of code; gives groups of Clones. An index of winnowed shingles shows which pieces are worth
comparing, so that the cost grows with the code and not with its square; equal pieces are compared once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from birthmark.matching.similarity import cover, shingles_of, winnow

FEWEST_TOKENS = 30  # shorter code is ignored
_MOST_BEARERS = 32  # of a shingle that is looked up; a shingle with more is a habit of the project, not a copy
_LOOKED_UP = 0.5  # part of the least share that must show in the winnowed shingles, which are a sample

Tokens = Sequence[bytes]
Clone = tuple[int, float]  # the index of a piece, and the share of it that the first one of its group has


def find_clones(codes: Sequence[Tokens], least_share: float) -> list[list[Clone]]:
    """Return groups, those with most code first. The piece that most others are like leads its group.

    Pieces that are too short are in no group.
    """
    return _CloneIndex(codes, least_share).groups()


def find_clones_of(codes: Sequence[Tokens], index: int, least_share: float) -> list[Clone]:
    """Return the group of one piece, which comes first; empty if it has no clones."""
    return _CloneIndex(codes, least_share).group_of(index)


def shared_parts(one: Tokens, other: Tokens) -> tuple[float, float]:
    """Return the share of each that the other one has."""
    shingles, others = shingles_of(one), shingles_of(other)
    n_own, n_others = sum(cover(shingles, frozenset(others))), sum(cover(others, frozenset(shingles)))
    return round(n_own / len(one), 3), round(n_others / len(other), 3)


class _CloneIndex:
    """An index of codes; the first one of several equal codes represents them."""

    def __init__(self, codes: Sequence[Tokens], least_share: float) -> None:
        self.codes, self.least_share = codes, least_share
        self.equal: defaultdict[tuple[bytes, ...], list[int]] = defaultdict(list)
        for index, tokens in enumerate(codes):
            if len(tokens) >= FEWEST_TOKENS:
                self.equal[tuple(tokens)].append(index)
        self.first = {equal[0]: equal for equal in self.equal.values()}
        self.shingles = {index: shingles_of(codes[index]) for index in self.first}
        self.winnowed = {index: winnow(shingles) for index, shingles in self.shingles.items()}
        self.known: dict[int, frozenset[int]] = {}
        self.bearers: defaultdict[int, list[int]] = defaultdict(list)
        for index, winnowed in self.winnowed.items():
            for shingle in winnowed:
                self.bearers[shingle].append(index)

    def groups(self) -> list[list[Clone]]:
        near = {index: self._near(index) for index in self.first}
        found, used = [], set[int]()
        order = sorted(self.first, key=lambda index: (-len(near[index]), -len(self.first[index]), index))
        for leader in order:
            others = {index: share for index, share in near[leader].items() if index not in used}
            if leader not in used and (others or len(self.first[leader]) > 1):
                used |= {leader, *others}
                found.append(self._group(leader, others))
        return sorted(found, key=lambda group: (-len(self.codes[group[0][0]]) * (len(group) - 1), group[0][0]))

    def group_of(self, index: int) -> list[Clone]:
        equal = self.equal.get(tuple(self.codes[index]))
        if equal is None:
            return []
        near = self._near(equal[0])
        group = sorted(self._group(equal[0], near), key=lambda clone: clone[0] != index)
        return group if len(group) > 1 else []

    def _group(self, leader: int, others: dict[int, float]) -> list[Clone]:
        shares = {leader: 1.0} | dict(sorted(others.items(), key=lambda item: (-item[1], item[0])))
        return [(index, share) for one, share in shares.items() for index in self.first[one]]

    def _near(self, index: int) -> dict[int, float]:
        """Return the codes that are like one, with their shares."""
        rare = [self.bearers[shingle] for shingle in self.winnowed[index]]
        shared = Counter(other for bearers in rare if len(bearers) <= _MOST_BEARERS for other in bearers)
        least = _LOOKED_UP * self.least_share
        near = {}
        for other, number in shared.items():
            if other != index and number >= least * min(len(self.winnowed[index]), len(self.winnowed[other])):
                share = self._share(index, other)
                if share >= self.least_share:
                    near[other] = share
        return near

    def _share(self, one: int, other: int) -> float:
        """Return the rounded share of common tokens of the code that has less in common."""
        shares = [
            sum(cover(self.shingles[a], self._known(b))) / len(self.codes[a]) for a, b in ((one, other), (other, one))
        ]
        return round(min(shares), 2)

    def _known(self, index: int) -> frozenset[int]:
        if index not in self.known:
            self.known[index] = frozenset(self.shingles[index])
        return self.known[index]
