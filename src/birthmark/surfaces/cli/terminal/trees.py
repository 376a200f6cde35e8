"""Trees as `tree` draws them, lines of uses with their places, and words for the kind and the certainty of a use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from birthmark.documents.wording import plain
from birthmark.surfaces.cli.terminal.tables import Cell, table_lines
from birthmark.surfaces.text import cells, fit, fit_middle, screen
from birthmark.vocabulary import EdgeKind, Resolution

_BRANCH, _LAST, _BAR, _SPACE = "├── ", "└── ", "│   ", "    "
_LEAST_NAME, _LEAST_PLACE = 24, 12  # columns


def tree_connectors(depths: Sequence[int]) -> list[str]:
    """Return what comes before each row, by the depths of all; the root is at 0.

    A row is below the last one before it that is less deep.
    """
    met: set[int] = set()  # From the last row on: a level that was met has a bar in the rows above, up to its parent.
    connectors = []
    for depth in reversed(depths):
        bars = "".join(_BAR if level in met else _SPACE for level in range(1, depth))
        connectors.append(bars + ((_BRANCH if depth in met else _LAST) if depth else ""))
        met = {level for level in met if level < depth} | {depth}
    return connectors[::-1]


class UseRow(NamedTuple):
    """A line of a tree of uses: its depth, a name, a place and a note."""

    depth: int
    name: str
    place: str
    note: str = ""


def use_lines(rows: Sequence[UseRow]) -> list[str]:
    """Return lines that fit the screen: places lose their middle, then names their end."""
    connectors = tree_connectors([row.depth for row in rows])
    names = [connector + plain(row.name) for connector, row in zip(connectors, rows, strict=True)]
    places = [plain(row.place) for row in rows]
    columns = screen().columns
    if columns is not None:
        left = columns - 4 - max((cells(row.note) for row in rows), default=0)
        name_width = max(min(max(map(cells, names), default=0), left // 2), _LEAST_NAME)
        place_width = max(min(max(map(cells, places), default=0), left - name_width), _LEAST_PLACE)
        name_width = max(name_width, left - place_width)
        names = [fit(name, name_width) for name in names]
        places = [fit_middle(place, place_width) for place in places]
    table = [
        (name, Cell(place, "dim"), Cell(plain(row.note), "cyan"))
        for name, place, row in zip(names, places, rows, strict=True)
    ]
    return table_lines(table)


# How sure an edge is, in words; the summary counts them in this order.
SURENESS = {
    Resolution.EXACT: "certain",
    Resolution.IMPORT: "by import",
    Resolution.HIERARCHY: "inherited",
    Resolution.DISPATCH: "by dispatch",
    Resolution.NAME: "by name",
    Resolution.EXTERNAL: "outside the repository",
    Resolution.UNRESOLVED: "not found",
}
LEGEND = {
    Resolution.NAME: "by name: only the name is known to be the same, so another definition may be meant",
    Resolution.UNRESOLVED: "not found: built in, or called through a variable of unknown type",
}
# Nouns for uses; those other than calls are labelled with them.
USE_NOUNS = {
    EdgeKind.CALLS: "call",
    EdgeKind.INHERITS: "subclass",
    EdgeKind.IMPLEMENTS: "implementation",
    EdgeKind.OVERRIDES: "override",
    EdgeKind.DECORATES: "decorator",
    EdgeKind.TYPES: "type",
    EdgeKind.WRITES: "write",
    EdgeKind.READS: "read",
    EdgeKind.EXPORTS: "export",
    EdgeKind.IMPORTS: "import",
}
NAMING = (EdgeKind.IMPORTS, EdgeKind.OVERRIDES)  # of which need not be said how they were resolved
SURE = (Resolution.EXACT, Resolution.IMPORT)  # unless it is otherwise
UNSEEN = "uses through variables of unknown type, reflection and other repositories are not seen"
UNSEEN_ANYWHERE = "uses through variables of unknown type and reflection are not seen"


def describe_use(kind: EdgeKind, resolution: Resolution) -> list[str]:
    """Return the labels of a use that is not a call, or is not certain."""
    noun = [] if kind is EdgeKind.CALLS else [USE_NOUNS[kind]]
    return noun if resolution in SURE else [*noun, SURENESS[resolution]]
