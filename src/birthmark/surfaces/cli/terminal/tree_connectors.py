"""The connectors in front of the rows of a tree, as `tree` draws them."""

from __future__ import annotations

from collections.abc import Sequence

_BRANCH, _LAST, _BAR, _SPACE = "├── ", "└── ", "│   ", "    "


def tree_connectors(depths: Sequence[int]) -> list[str]:
    """By the depths of all rows, where a row is below the last one before it that is less deep; the root is at 0."""
    met: set[int] = set()  # From the last row on: a level that was met has a bar in the rows above, up to its parent.
    connectors = []
    for depth in reversed(depths):
        bars = "".join(_BAR if level in met else _SPACE for level in range(1, depth))
        connectors.append(bars + ((_BRANCH if depth in met else _LAST) if depth else ""))
        met = {level for level in met if level < depth} | {depth}
    return connectors[::-1]
