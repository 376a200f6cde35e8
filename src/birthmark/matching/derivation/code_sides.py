"""What derivations are found in: the code of old and new entities, what was lost of it and what was gained.

Takes candidates, their Pairing and their own tokens; everything else is worked out when it is first asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from birthmark.matching.derivation.shingles import Shingles, cover, shingles_of
from birthmark.matching.model import MatchCandidate, Pairing
from birthmark.matching.similarity import Tokens, token_of

_KEPT = 1 << 12  # entities whose shingles are kept from one commit to the next


class CodeSide:
    """The entities of one side, what each became on the other one, and their tokens and shingles."""

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
        """By which ties are resolved, whatever the order of files."""
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
        """Whether a new entity may have gained code: it is born, or differs from its predecessor."""
        before = self.new.partners.get(new)
        return before is None or not self.is_same(before, new)

    def has_moved(self, old: int) -> bool:
        """Whether an old entity is no longer where it was: gone, or in another container or file."""
        after = self.old.partners.get(old)
        return after is None or not self.are_beside(old, after)

    def are_beside(self, old: int, new: int) -> bool:
        """Whether a new entity is in the container, or the file, that an old one was in."""
        container, now = self.old.container(old), self.new.container(new)
        if container >= 0:
            return self.old.partners.get(container) == now
        return now < 0 and self.old.entities[old].path == self.new.entities[new].path

    def is_renamed(self, old: int) -> bool:
        after = self.old.partners.get(old)
        return after is not None and self.old.entities[old].name != self.new.entities[after].name

    def calls_more(self, old: int, new: int, name: str) -> bool:
        """Whether a name is more often in a new entity than in an old one."""
        word = token_of(name)
        return self.new.bag(new)[word] > self.old.bag(old)[word]

    def calls_less(self, old: int, new: int, name: str) -> bool:
        word = token_of(name)
        return self.new.bag(new)[word] < self.old.bag(old)[word]


def _not_in_partner(side: CodeSide, other: CodeSide, index: int) -> bytearray:
    """Of each token 1 if no shingle around it is in the entity that it became, or was."""
    partner = side.partners.get(index)
    shingles = side.shingles(index)
    covered = cover(shingles, other.known(partner)) if partner is not None else bytearray(len(side.tokens(index)))
    return covered.translate(bytes([1, 0]) + bytes(254))
