"""Which node of a body is which after an edit: calls, property accesses and the like.

Takes the nodes of both states by the tokens they cover, and the TokenAlignment of their bodies. Nodes of one type are
the same if most of their tokens are, the most alike first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from birthmark.matching.bodies.token_alignment import TokenAlignment
from birthmark.model import Span

_HALF = 0.5  # of the tokens of both


class NodeTokens(NamedTuple):
    """A node: its type, and the tokens it covers by their indexes."""

    type: str
    tokens: Span


def align_nodes(old: Sequence[NodeTokens], new: Sequence[NodeTokens], alignment: TokenAlignment) -> dict[int, int]:
    """Old index to new index."""
    scores = sorted(
        (-2 * n_shared / (_size(old[i]) + _size(new[j])), abs(i - j), i, j)
        for (i, j), n_shared in _count_shared(old, new, alignment).items()
    )
    aligned: dict[int, int] = {}
    taken: set[int] = set()
    for score, _, i, j in scores:
        if -score > _HALF and i not in aligned and j not in taken:
            aligned[i] = j
            taken.add(j)
    return aligned


def _count_shared(
    old: Sequence[NodeTokens], new: Sequence[NodeTokens], alignment: TokenAlignment
) -> Counter[tuple[int, int]]:
    """How many tokens of each old node have become tokens of each new one of its type."""
    around: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for j, node in enumerate(new):
        for token in range(*node.tokens):
            around[node.type, token].append(j)
    successors = alignment.same | alignment.swapped
    return Counter(
        (i, j)
        for i, node in enumerate(old)
        for token in range(*node.tokens)
        if token in successors
        for j in around.get((node.type, successors[token]), ())
    )


def _size(node: NodeTokens) -> int:
    return node.tokens[1] - node.tokens[0]
