"""Mutable state of the sweep: frames on the stack, and drafts of entities."""

from __future__ import annotations

from birthmark.model import Base, Span
from birthmark.syntax.query import Item

WRAP, LAMBDA = "wrap", "function"


class Frame:
    """An open node on the stack: a definition, an anonymous function, or a wrap."""

    __slots__ = (
        "cover_end",
        "cover_line",
        "end",
        "entity",
        "inside",
        "kind",
        "n_parameters",
        "named_parent",
        "parameter",
        "parent",
        "start",
    )

    def __init__(self, start: int, end: int, kind: str, entity: int, parent: str, named_parent: str) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.entity = entity  # the container of direct children, -1 for none
        self.parent = parent  # its chain of containers
        self.named_parent = named_parent
        self.n_parameters = 0
        self.parameter = (0, 0)  # the last one
        self.cover_line = self.cover_end = 0  # line and end of the outermost open call or assignment
        self.inside: list[int] = []  # drafts directly in a wrap


class Draft:
    """An entity whose wraps are still open."""

    __slots__ = ("anchor", "bases", "container", "end", "item", "kind", "name", "parent", "shared", "start")

    def __init__(self, item: Item, kind: str, name: str, parent: str, container: int) -> None:
        self.item = item
        self.kind = kind
        self.name = name
        self.parent = parent
        self.container = container
        self.start = self.anchor = item[0]
        self.end = -item[1]
        self.bases: list[Base] = []
        self.shared: Span | None = None  # the text before several definitions of one wrap
