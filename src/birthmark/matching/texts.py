"""The tokens of the entities of both sides that were free when similarity was first asked for, and their shares.

Several passes compare what is free; each text is cut up, weighed and looked up once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from birthmark.matching.rare_tokens import rare_marks
from birthmark.matching.similarity import Scale

FLOOR = 0.35  # the share of common tokens without which nothing else counts


class Texts:
    def __init__(self, old: Mapping[int, Sequence[bytes]], new: Mapping[int, Sequence[bytes]]) -> None:
        self.marks = rare_marks(old, new)
        self.old_bags = {index: Counter(tokens) for index, tokens in old.items()}
        self.new_bags = {index: Counter(tokens) for index, tokens in new.items()}
        self.scale = Scale([*self.old_bags.values(), *self.new_bags.values()])
        self.old_weights = {index: self.scale.weigh(bag) for index, bag in self.old_bags.items()}
        self.new_weights = {index: self.scale.weigh(bag) for index, bag in self.new_bags.items()}
        self.shares: dict[tuple[int, int], float] = {}

    def share(self, old: int, new: int) -> float:
        """Of tokens in common; 0 where the sizes alone rule out more than the floor."""
        known = self.shares.get((old, new))
        if known is None:
            known, before, after = 0.0, self.old_weights[old], self.new_weights[new]
            if 2 * min(before, after) > FLOOR * (before + after):
                known = 2 * self.scale.common(self.old_bags[old], self.new_bags[new]) / (before + after)
            self.shares[old, new] = known
        return known
