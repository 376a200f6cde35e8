"""The values of evaluation: what a path means, and where it is read."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import reduce
from typing import NamedTuple

from birthmark.graph.file_names import FileNames
from birthmark.graph.modules.modules import Module
from birthmark.graph.symbols import Definition
from birthmark.languages.rules import ResolutionRules
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

DEEPEST = 12  # steps that an evaluation goes from one source to the next
CERTAINTY = {resolution: rank for rank, resolution in enumerate(Resolution)}  # 0: the surest


class Sort(Enum):
    """The sort of a value."""

    DEFINITION = "definition"  # what is defined there: a function, a type, a variable
    INSTANCE = "instance"  # of the types
    SUPER = "super"  # the type, of which the bases are meant
    MODULE = "module"
    COLLECTION = "collection"  # of what `element` means
    POINTER = "pointer"  # an object that is used like `element`
    EXTERNAL = "external"


class Value(NamedTuple):
    """Several targets are alternatives."""

    sort: Sort
    resolution: Resolution
    targets: tuple[Definition, ...] = ()
    module: Module | None = None
    element: Value | None = None
    parts: tuple[tuple[str, Value], ...] = ()  # of a collection, by the keys of its display
    is_claimed: bool = True  # False: it is what is called in the end, but other names are written there

    @property
    def is_function(self) -> bool:
        return self.sort is Sort.DEFINITION and all(one.kind in FUNCTION_LIKE for one in self.targets)


OUTSIDE = Value(Sort.EXTERNAL, Resolution.EXTERNAL)
_SINGLE = frozenset({Sort.MODULE, Sort.POINTER, Sort.EXTERNAL})  # no alternatives


def joined(values: Iterable[Value], resolution: Resolution | None = None) -> Value | None:
    """One, or several that are of one sort, which are alternatives."""
    values = [*values]
    if len(values) <= 1:
        return values[0] if values else None
    if len({value.sort for value in values}) > 1 or values[0].sort in _SINGLE:
        return None
    if values[0].sort is Sort.COLLECTION:
        return _joined_collections(values)
    targets = dict.fromkeys(target for value in values for target in value.targets)
    return Value(values[0].sort, resolution or reduce(weaker, (value.resolution for value in values)), tuple(targets))


def _joined_collections(values: Iterable[Value]) -> Value:
    elements: dict[Value | None, None] = {}
    parts: dict[str, dict[Value, None]] = {}
    for value in values:
        elements[value.element] = None
        for key, part in value.parts:
            parts.setdefault(key, {})[part] = None
    element = joined((one for one in elements if one), Resolution.DISPATCH) if None not in elements else None
    both = ((key, joined(found, Resolution.DISPATCH)) for key, found in parts.items())
    return Value(Sort.COLLECTION, Resolution.EXACT, (), None, element, tuple((key, one) for key, one in both if one))


def weaker(one: Resolution, other: Resolution) -> Resolution:
    """The less sure of the two."""
    return other if CERTAINTY[other] > CERTAINTY[one] else one


class Site(NamedTuple):
    """A place in a file: the definition around it, and the line; 0 for a place that is reached later."""

    path: str
    rules: ResolutionRules
    names: FileNames
    source: Definition | None
    line: int
